// Fixed keys and a small bound session for the tests of `contain/`. The keys are test keys: their
// private halves are public on purpose, so that vectors can be reproduced.
import keys from '../vectors/keys.json' with { type: 'json' }
import type { Conversion } from '../../protocol/conversion.ts'
import { digest } from '../../protocol/digest.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { Context, Decision } from '../../protocol/records.ts'
import type { ToolEntry } from '../../protocol/registry.ts'
import { toolRowDigests, toolRowOf, type ToolRow } from '../../protocol/tool-row.ts'
import { argsDigests, buildContext, contextHash } from '../../contain/context.ts'
import type { Bound } from '../../contain/checks.ts'
import {
  importJwks,
  importSigningKey,
  type SigningKey,
  type VerifyKeys,
} from '../../contain/keys.ts'
import type { SessionBinding } from '../../contain/session-state.ts'
import { mintManifest, mintReceipt, mintTokens, type MintedToken } from '../../contain/mint.ts'

export const { gateway: gatewayJwk, agent: agentJwk, stranger: strangerJwk } = keys

export const iss = 'test'

/** Imports a fixed key; a refusal is a mistake of the test. */
export async function signingKey(jwk: object): Promise<SigningKey> {
  const imported = await importSigningKey(jwk)
  if (!imported.ok) throw new Error(`fixture key: ${imported.error}`)
  return imported.value
}

/** The public half of a signing key, ready to verify with. */
export async function publicKeys(...signers: SigningKey[]): Promise<VerifyKeys> {
  const imported = await importJwks({ keys: signers.map((key) => key.jwk) })
  if (!imported.ok) throw new Error(`fixture keys: ${imported.error}`)
  return imported.value
}

/** A plan of `n` nodes, each waiting for the one before; ids sort in that order. */
export function chainPlan(n: number): Plan {
  const ids = Array.from({ length: n }, (_, i) => `n${String(i).padStart(3, '0')}`)
  return {
    goal: 'move plates',
    instructions: ['Move the plate.'],
    planner: { id: 'planner-1' },
    nodes: ids.map((id, i) => ({
      id,
      tool: i % 2 === 0 ? 'arm.move' : 'camera.read',
      args: { step: i },
      depends_on: i === 0 ? [] : [ids[i - 1] as string],
      sandbox: null,
    })),
  }
}

export const t0 = 1_764_000_000_000

export type Fixture = {
  gateway: SigningKey
  agent: SigningKey
  gatewayKeys: VerifyKeys
  agentKeys: VerifyKeys
  context: Context
  ctx: string
  decision: Decision
  plan_digest: string
  tokens: MintedToken[]
  manifest: string
  receipt: string
  /** The rows whose digests the context names. */
  rows: ToolRow[]
  /** As the session sees it: with the bytes of every minted token. */
  bound: Bound
}

/** One row as a registry has it, with nothing in it that a test would care about. */
export function toolEntry(name: string, risk_class: ToolEntry['risk_class']): ToolEntry {
  return {
    name,
    description: name,
    risk_class,
    capability: 'c',
    args_schema: {},
    emits: [],
    sink: null,
    server: 's',
    mcp_tool: name,
    definition_digest: `def:${'A'.repeat(43)}`,
    timeout_ms: 60_000,
    orphan_policy: 'stop',
    safe_stop: null,
    sandbox_required: false,
  }
}

export const fixtureTools = {
  'arm.move': toolEntry('arm.move', 'hazardous_actuation'),
  'camera.read': toolEntry('camera.read', 'read'),
}

const filler = (prefix: string): string => `${prefix}:${'A'.repeat(43)}`

/** A session bound for `plan`, minted with fixed keys and jtis that depend only on `session`. */
export async function boundSession(
  plan: Plan,
  at: {
    session?: string
    site?: string
    deadline?: number
    tools?: Readonly<Record<string, ToolEntry>>
    conversions?: Conversion[]
  } = {},
): Promise<Fixture> {
  const session = at.session ?? 'sess_a'
  const gateway = await signingKey(gatewayJwk)
  const agent = await signingKey(agentJwk)
  const plan_digest = await digest('plan', plan)
  const decision: Decision = {
    packet_digest: filler('packet'),
    verdict: 'accept',
    reasons: ['all_accept'],
    approvals: [],
    valid_until: t0 + 3_600_000,
  }
  const rows = Object.values(at.tools ?? fixtureTools).map((entry) => toolRowOf(entry))
  const context = buildContext({
    session,
    site: at.site ?? 'site-1',
    cell: 'cell-1',
    agent: 'agent-1',
    agent_jkt: agent.kid,
    plan,
    tools: await toolRowDigests(rows),
    ...(at.conversions === undefined ? {} : { conversions: at.conversions }),
    registry_digest: filler('reg'),
    policy_version: filler('pol'),
    decision_digest: await digest('decision', decision),
    deadline: at.deadline ?? t0 + 600_000,
  })
  const ctx = await contextHash(context)
  const args = await argsDigests(plan)
  const jtis = context.order.map((id) => `jti_${session}_${id}`)
  const spec = { iss, context, ctx, args, jtis, now_ms: t0 }
  const tokens = await mintTokens(gateway, spec)
  const minted = new Map(
    tokens.map(({ nid, jti, args_digest, token }) => [nid, { jti, args_digest, token }]),
  )
  return {
    gateway,
    agent,
    gatewayKeys: await publicKeys(gateway),
    agentKeys: await publicKeys(agent),
    context,
    ctx,
    decision,
    plan_digest,
    tokens,
    manifest: await mintManifest(gateway, spec, tokens),
    receipt: await mintReceipt(gateway, spec, { decision, plan_digest }),
    rows,
    bound: { iss, context, ctx, minted },
  }
}

/** What a session over the fixture is bound to: an arm that moves and a camera that reads. */
export function bindingOf(
  fixture: Fixture,
  rows: readonly ToolRow[] = fixture.rows,
): SessionBinding {
  return {
    ...fixture.bound,
    plan_id: 'plan_a',
    planner: 'planner-1',
    epoch: 1,
    receipt: fixture.receipt,
    manifest: fixture.manifest,
    tools: new Map([
      ['arm.move', { physical: true, timeout_ms: 5_000, server: 'arm' }],
      ['camera.read', { physical: false, timeout_ms: 5_000, server: 'camera' }],
    ]),
    rows,
    opened_ms: t0,
  }
}
