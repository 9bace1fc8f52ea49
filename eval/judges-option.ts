// `--judges` and `--depth`: which panel judges an evaluation, and with which endpoints. Live needs
// keys in the environment; without them the panel is an outage and every plan escalates. A replay
// answers from a recording, `sim` from the vendor simulator, whose verdicts measure nothing.
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { defaultChief, defaultEndpoints, defaultJudges } from '../adapters/models/default-seats.ts'
import { startRecordingProxy, type Target } from '../local/vendor-sim/recording-proxy.ts'
import { startReplay } from '../local/vendor-sim/replay.ts'
import { startVendorSim } from '../local/vendor-sim/server.ts'
import { policySchema, type Policy } from '../protocol/policy.ts'
import { readRecording } from '../verify/panel/record.ts'

export type JudgesChoice = {
  /** The policy of the evaluation, from the site's. */
  policy: (site: Policy) => Policy
  /** Further variables of the Worker. */
  vars: Record<string, string>
  /** What to say when it is over, e.g. how much a recording did not hold. */
  close: () => Promise<string | null>
}

type Env = Readonly<Record<string, string | undefined>>

const depths = [1, 3, 5, 7] as const

/** Live panel: the site's own seats, or the default ones where the site names none. */
function livePolicy(site: Policy): Policy {
  return policySchema.parse({
    ...site,
    panel: 'live',
    judges: site.judges.length > 0 ? site.judges : defaultJudges,
    chief: site.chief ?? defaultChief,
  })
}

/** Every endpoint name of the default seats, all at one address. */
function allAt(sim: { url: string }): string {
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(defaultEndpoints).map(([name, { wire }]) => [
        name,
        { wire, url: wire === 'anthropic' ? sim.url : `${sim.url}/v1`, key: 'local' },
      ]),
    ),
  )
}

const targetsSchema = z.record(
  z.string(),
  z.looseObject({ wire: z.enum(['anthropic', 'openai']), url: z.string(), key: z.string() }),
)

async function liveChoice(env: Env, record: string | null): Promise<Omit<JudgesChoice, 'policy'>> {
  const endpoints = env['MODEL_ENDPOINTS']
  const prices = env['MODEL_PRICES']
  const priced = prices === undefined ? {} : { MODEL_PRICES: prices }
  if (endpoints === undefined) {
    process.stderr.write('MODEL_ENDPOINTS is not set: every model is an outage.\n')
    return { vars: priced, close: () => Promise.resolve(null) }
  }
  if (record === null) {
    const vars = { MODEL_ENDPOINTS: endpoints, ...priced }
    return { vars, close: () => Promise.resolve(null) }
  }
  const targets: Record<string, Target> = targetsSchema.parse(JSON.parse(endpoints))
  const file = createWriteStream(record, { flags: 'a' })
  let lines = 0
  const proxy = await startRecordingProxy(targets, (call) => {
    lines += 1
    file.write(`${JSON.stringify(call)}\n`)
  })
  return {
    vars: { MODEL_ENDPOINTS: JSON.stringify(proxy.endpoints), ...priced },
    close: async () => {
      await proxy.close()
      await new Promise((resolve) => {
        file.end(resolve)
      })
      return `recorded ${lines} calls in ${record}`
    },
  }
}

async function replayChoice(file: string): Promise<Omit<JudgesChoice, 'policy'>> {
  const calls = readRecording(await readFile(file, 'utf8'))
  if (!calls.ok) throw new Error(`${file}: ${calls.error}`)
  const replay = await startReplay(calls.value)
  return {
    vars: { MODEL_ENDPOINTS: allAt(replay.sim) },
    close: async () => {
      await replay.sim.close()
      const missed = replay.missed()
      return missed === 0
        ? null
        : `${missed} requests were not in ${file}: those judges are missing`
    },
  }
}

async function simChoice(): Promise<Omit<JudgesChoice, 'policy'>> {
  const sim = await startVendorSim()
  return {
    vars: { MODEL_ENDPOINTS: allAt(sim) },
    close: async () => {
      await sim.close()
      return 'judged by the vendor simulator: these verdicts say nothing about any model'
    },
  }
}

/** The choice for the options. Throws with what is allowed. */
export async function judgesFrom(
  options: { judges: string; depth: string | null; record: string | null },
  env: Env,
): Promise<JudgesChoice> {
  const { judges, depth, record } = options
  const least = depth === null ? null : depths.find((allowed) => String(allowed) === depth)
  if (least === undefined) throw new Error(`--depth takes 1, 3, 5 or 7, got ${depth}`)
  const deep: Partial<Policy> = least === null ? {} : { least_depth: least }
  if (record !== null && judges !== 'live') throw new Error('--record goes with --judges live')
  if (judges === 'offline') {
    return {
      policy: (site) => ({ ...site, ...deep, panel: 'offline' }),
      vars: {},
      close: () => Promise.resolve(null),
    }
  }
  const policy = (site: Policy): Policy => ({ ...livePolicy(site), ...deep })
  if (judges === 'live') return { policy, ...(await liveChoice(env, record)) }
  if (judges === 'sim') return { policy, ...(await simChoice()) }
  const file = /^replay:(.+)$/.exec(judges)?.[1]
  if (file !== undefined) return { policy, ...(await replayChoice(file)) }
  throw new Error(`--judges takes offline, live, sim or replay:FILE, got ${judges}`)
}
