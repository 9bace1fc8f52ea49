// What `doctor` finds at the gateway: that it answers, its keys, the clock, and what it knows of this agent.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { makeId } from '../protocol/ids.ts'
import { limits } from '../protocol/limits.ts'
import { pinnedToolSchema } from '../protocol/tool-row.ts'
import { ClockWatch } from './clock.ts'
import type { AgentConfig } from './config.ts'
import type { Finding } from './doctor-local.ts'
import { GatewayKeys } from './gateway-keys.ts'
import type { AgentSigner } from './signer.ts'

const waitMs = 10_000
const standingSchema = z.object({
  cell: z.string(),
  jkt: z.string(),
  tools: z.array(pinnedToolSchema),
  sandboxes: z.array(z.string()),
})
export type Standing = z.infer<typeof standingSchema>

const keyTodo = {
  unreachable: 'correct `gateway`, or the network, proxy (HTTPS_PROXY) and firewall to it',
  malformed: 'correct `gateway`: what answers there is no Portcullis gateway',
  not_pinned: 'ask an administrator which keys the gateway has, and correct `gateway_jkts`',
} as const
const keyProblem = {
  unreachable: 'it does not answer',
  malformed: 'its keys cannot be read',
  not_pinned: 'none of its keys is among `gateway_jkts`',
} as const

/** How far this clock is off, by the date of any answer; null when there is none. */
async function skewOf(gateway: string): Promise<number | null> {
  const clock = new ClockWatch({ nowMs: () => Date.now(), monotonicMs: () => performance.now() })
  const answer = await fetch(new URL('/.well-known/jwks.json', gateway), {
    redirect: 'error',
    signal: AbortSignal.timeout(waitMs),
  }).catch(() => null)
  await answer?.body?.cancel()
  clock.seen(Date.parse(answer?.headers.get('date') ?? ''))
  return clock.skewMs
}

export async function gatewayChecks(
  config: AgentConfig,
): Promise<{ findings: Finding[]; reached: boolean }> {
  const about = `gateway ${config.gateway}`
  const keys = await new GatewayKeys(config.gateway, config.gateway_jkts).get(true)
  if (!keys.ok) {
    const { error } = keys
    const finding = { about, problem: keyProblem[error], todo: keyTodo[error] }
    return { findings: [finding], reached: error === 'not_pinned' }
  }
  const skew = await skewOf(config.gateway)
  // The date of an answer has whole seconds only.
  const off = skew !== null && Math.abs(skew) > limits.clockSkewMsMax
  const clock = {
    about: 'clock',
    problem: off ? `it is ${Math.round(skew / 1_000)} s ahead of the gateway's` : null,
    todo: 'set the clock of this machine, and let NTP keep it',
  }
  return { findings: [{ about, problem: null, todo: '' }, clock], reached: true }
}

/** What the gateway knows of this agent's key. It moves and changes nothing there. */
export async function standingOf(
  config: AgentConfig,
  signer: AgentSigner,
): Promise<{ findings: Finding[]; site: Standing | null }> {
  const about = `enrolment of ${config.agent} at site ${config.site}`
  const bad = (problem: string, todo: string, site: Standing | null = null) => ({
    findings: [{ about, problem, todo }],
    site,
  })
  const authorization = await signer.bearer(Date.now(), makeId('jti', randomBytes(26)))
  const again = 'ask an administrator for a code, then: enrol --config FILE --code CODE'
  let response: Response
  try {
    response = await fetch(new URL('/v1/agent/standing', config.gateway), {
      headers: { authorization },
      redirect: 'error',
      signal: AbortSignal.timeout(waitMs),
    })
  } catch {
    return bad('the gateway did not answer', 'run doctor again')
  }
  if (response.status === 401) {
    return bad(
      `the gateway does not take key ${signer.jkt}: it is not enrolled under these names, or was revoked`,
      `compare \`site\` and \`agent\` with what was enrolled; else ${again}`,
    )
  }
  const standing = standingSchema.safeParse(await response.json().catch(() => null))
  if (!response.ok || !standing.success) {
    return bad(
      `the gateway answered ${response.status}`,
      'compare the versions of agent and gateway',
    )
  }
  const { cell } = standing.data
  if (cell !== config.cell) {
    const todo = `set \`cell\` to ${cell}, or ${again}`
    return bad(`it is enrolled for cell ${cell}, not ${config.cell}`, todo, standing.data)
  }
  return { findings: [{ about, problem: null, todo: '' }], site: standing.data }
}
