// The bound session of a random plan. Tokens are plain values: bytes and signatures are tested elsewhere.
import { topologicalOrder } from '../../protocol/graph.ts'
import type { PlanNode } from '../../protocol/plan.ts'
import type { NodeTokenClaims } from '../../protocol/tokens.ts'
import type { SessionBinding } from '../../contain/session-state.ts'

/** A node of a plan as far as its order matters. */
export type PlannedNode = { readonly id: string; readonly deps: readonly string[] }

export const t0 = 1_000_000
export const toolTime = 5_000
const filler = (prefix: string) => `${prefix}:${'A'.repeat(43)}`

export function bindingOf(
  nodes: readonly PlannedNode[],
  deadline: number,
  claims: Map<string, NodeTokenClaims>,
): SessionBinding {
  const planned: PlanNode[] = nodes.map(({ id, deps }, i) => ({
    id,
    tool: i % 3 === 2 ? 'camera.read' : 'arm.move',
    args: { id },
    depends_on: [...deps],
    sandbox: null,
  }))
  const order = topologicalOrder(planned)
  const ctx = filler('ctx')
  for (const [seq, nid] of order.entries()) {
    claims.set(nid, {
      iss: 'test',
      aud: 'site-1',
      sub: 'agent-1',
      sid: 'sess_a',
      nid,
      tool: planned.find(({ id }) => id === nid)?.tool ?? '',
      seq,
      args: filler('args'),
      ctx,
      iat: t0 / 1000,
      nbf: t0 / 1000,
      exp: Math.ceil(deadline / 1000),
      jti: `jti_${nid}`,
      cnf: { jkt: 'jkt-1' },
    })
  }
  return {
    iss: 'test',
    context: {
      session: 'sess_a',
      site: 'site-1',
      cell: 'cell-1',
      agent: 'agent-1',
      agent_jkt: 'jkt-1',
      plan: {
        goal: 'g',
        instructions: ['i'],
        planner: { id: 'p' },
        nodes: planned,
      },
      order,
      registry_digest: filler('reg'),
      policy_version: filler('pol'),
      decision_digest: filler('decision'),
      deadline,
    },
    ctx,
    minted: new Map(
      order.map((nid) => [
        nid,
        { jti: `jti_${nid}`, args_digest: filler('args'), token: `token ${nid}` },
      ]),
    ),
    plan_id: 'plan_a',
    planner: 'p',
    epoch: 1,
    receipt: 'receipt',
    manifest: 'manifest',
    tools: new Map([
      ['arm.move', { physical: true, timeout_ms: toolTime, server: 'arm' }],
      ['camera.read', { physical: false, timeout_ms: toolTime, server: 'camera' }],
    ]),
    rows: [],
    opened_ms: t0,
  }
}
