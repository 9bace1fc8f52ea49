// A plan that weighs, computes and dispenses, as a session knows it: what every test of references begins
// from and changes one thing of.
import { conversionOf, type Conversion } from '../../protocol/conversion.ts'
import type { NodeProgress } from '../../protocol/frames.ts'
import { topologicalOrder } from '../../protocol/graph.ts'
import type { JsonValue } from '../../protocol/json.ts'
import type { NodeResult } from '../../protocol/node-result.ts'
import type { PlanNode } from '../../protocol/plan.ts'
import type { Context } from '../../protocol/records.ts'
import type { ToolRow } from '../../protocol/tool-row.ts'
import type { Known } from '../../contain/result-value.ts'

const filler = (prefix: string) => `${prefix}:${'A'.repeat(43)}`

export const row = (tool: string, results: NonNullable<ToolRow['results']>): ToolRow => ({
  tool,
  server: tool,
  mcp_tool: tool,
  definition_digest: filler('def'),
  timeout_ms: 1_000,
  orphan_policy: 'stop',
  safe_stop: null,
  args_schema: { type: 'object' },
  results,
})

export const rows: readonly ToolRow[] = [
  row('balance.weigh', {
    '/mass': { quantity: 'mass', unit: 'mg', kind: 'observed' },
    '/state': { quantity: null, kind: 'observed', values: ['stable', 'drifting'] },
    '/lid/open': { quantity: 'open', kind: 'observed' },
    '/list/1': { quantity: null, kind: 'observed' },
  }),
  row('sandbox.compute', { '/volume': { quantity: 'volume', unit: 'mL', kind: 'computed' } }),
  row('pump.dispense', {}),
]

export const node = (id: string, tool: string, more: Partial<PlanNode> = {}): PlanNode => ({
  id,
  tool,
  args: {},
  depends_on: [],
  sandbox: null,
  ...more,
})

/** `args` of the last node, which depends on both others. */
export function chain(more: Partial<PlanNode>): readonly PlanNode[] {
  return [
    node('n1', 'balance.weigh'),
    node('n2', 'sandbox.compute', { depends_on: ['n1'] }),
    node('n3', 'pump.dispense', { depends_on: ['n2'], ...more }),
  ]
}

export const conversion = (
  at: string,
  [from, to]: readonly [string, string],
  whole = false,
): Conversion => {
  const made = conversionOf(from, to)
  if (made === null) throw new Error(`${from} does not convert to ${to}`)
  return { node: 'n3', at, ...made, whole }
}

export const structured = (data: JsonValue): NodeResult => ({
  data,
  from: 'structured',
  kept: [],
  left_out: 0,
})

export function contextOf(nodes: readonly PlanNode[], conversions?: Conversion[]): Context {
  return {
    session: 'sess_a',
    site: 'site-1',
    cell: 'cell-1',
    agent: 'agent-1',
    agent_jkt: 'jkt-1',
    plan: { goal: 'g', instructions: ['i'], planner: { id: 'p' }, nodes: [...nodes] },
    order: topologicalOrder(nodes),
    ...(conversions === undefined ? {} : { conversions }),
    registry_digest: filler('reg'),
    policy_version: filler('pol'),
    decision_digest: filler('decision'),
    deadline: 2_000_000,
  }
}

/** What both sides know once the two first nodes have succeeded with these answers. */
export function knownAfter(
  nodes: readonly PlanNode[],
  conversions: Conversion[],
  results: Readonly<Record<string, NodeResult>>,
): Known {
  const progress: Record<string, NodeProgress> = {
    n1: 'succeeded',
    n2: 'succeeded',
    n3: 'released',
  }
  return {
    context: contextOf(nodes, conversions),
    rows,
    progress: new Map(Object.entries(progress)),
    results: new Map(Object.entries(results)),
  }
}
