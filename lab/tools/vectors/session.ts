// The fixed session that the vectors of tokens and frames speak of.
import { argsDigests, buildContext, contextHash } from '../../../contain/context.ts'
import { importSigningKey, type SigningKey } from '../../../contain/keys.ts'
import { mintManifest, mintReceipt, mintTokens, type MintedToken } from '../../../contain/mint.ts'
import { digest } from '../../../protocol/digest.ts'
import type { Plan } from '../../../protocol/plan.ts'
import { toolRowDigests, type ToolRow } from '../../../protocol/tool-row.ts'
import type { Context, Decision } from '../../../protocol/records.ts'
import keys from '../../../test/vectors/keys.json' with { type: 'json' }

export const iss = 'vectors'
export const nowMs = 1_764_000_000_000

export type VectorSession = {
  gateway: SigningKey
  agent: SigningKey
  stranger: SigningKey
  context: Context
  ctx: string
  decision: Decision
  plan_digest: string
  tokens: MintedToken[]
  manifest: string
  receipt: string
  rows: ToolRow[]
}

async function key(name: keyof typeof keys): Promise<SigningKey> {
  const imported = await importSigningKey(keys[name])
  if (!imported.ok) throw new Error(`${name}: ${imported.error}`)
  return imported.value
}

const row = (tool: string, server: string, orphan_policy: ToolRow['orphan_policy']): ToolRow => ({
  tool,
  server,
  mcp_tool: tool.replace('.', '_'),
  definition_digest: `def:${'A'.repeat(43)}`,
  timeout_ms: 60_000,
  orphan_policy,
  safe_stop: orphan_policy === 'stop' ? { mcp_tool: 'stop', args: { now: true } } : null,
  args_schema: { type: 'object' },
})

const filler = (prefix: string): string => `${prefix}:${'A'.repeat(43)}`

const plan: Plan = {
  goal: 'Weigh the plate.',
  instructions: ['Move the plate to the scale.', 'Read the scale.'],
  planner: { id: 'planner-1' },
  nodes: [
    {
      id: 'read',
      tool: 'scale.read',
      args: { unit: 'g' },
      depends_on: ['move'],
      sandbox: null,
    },
    {
      id: 'move',
      tool: 'arm.move',
      args: { to: 'scale', speed: 0.5 },
      depends_on: [],
      sandbox: null,
    },
  ],
}

/** The session with fixed keys, times and ids: the same bytes on every machine (RFC 8032 §8.2). */
export async function vectorSession(session: string): Promise<VectorSession> {
  const [gateway, agent, stranger] = await Promise.all([
    key('gateway'),
    key('agent'),
    key('stranger'),
  ])
  const decision: Decision = {
    packet_digest: filler('packet'),
    verdict: 'accept',
    reasons: ['all_accept'],
    approvals: [],
    valid_until: nowMs + 3_600_000,
  }
  const rows = [row('arm.move', 'arm', 'stop'), row('scale.read', 'scale', 'finish')]
  const context = buildContext({
    session,
    site: 'site-1',
    cell: 'cell-1',
    agent: 'agent-1',
    agent_jkt: agent.kid,
    plan,
    tools: await toolRowDigests(rows),
    registry_digest: filler('reg'),
    policy_version: filler('pol'),
    decision_digest: await digest('decision', decision),
    deadline: nowMs + 600_000,
  })
  const ctx = await contextHash(context)
  const jtis = context.order.map((nid) => `jti_${session}_${nid}`)
  const args = await argsDigests(plan)
  const spec = { iss, context, ctx, args, jtis, now_ms: nowMs }
  const tokens = await mintTokens(gateway, spec)
  const plan_digest = await digest('plan', plan)
  return {
    gateway,
    agent,
    stranger,
    context,
    ctx,
    decision,
    plan_digest,
    tokens,
    manifest: await mintManifest(gateway, spec, tokens),
    rows,
    receipt: await mintReceipt(gateway, spec, { decision, plan_digest }),
  }
}
