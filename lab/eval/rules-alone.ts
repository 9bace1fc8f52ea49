// What floor, dry run and rules say of a plan, in this process: no graph, no memory, no judge. Much faster
// than the gateway, for evaluations that judge thousands of variants of a plan.
import { collectEvidence, type Evidence } from '../../protocol/evidence.ts'
import type { Floor } from '../../protocol/finding.ts'
import { topologicalOrder } from '../../protocol/graph.ts'
import { planSchema } from '../../protocol/plan.ts'
import { policySchema } from '../../protocol/policy.ts'
import type { ProvenRows } from '../../protocol/proven.ts'
import type { Registry } from '../../protocol/registry.ts'
import type { AgentHealth, SiteSnapshot } from '../../protocol/snapshot.ts'
import { unknownState, type CellRecord, type CellState } from '../../protocol/state.ts'
import { admit, parse } from '../../verify/admit/index.ts'
import { readScene } from '../../verify/read/index.ts'
import { vocabulary } from '../../verify/read/vocabulary.ts'
import { judgeByRules } from '../../verify/rules/index.ts'
import { runWithRules } from '../../verify/rules/run.ts'
import { screenWith } from '../../verify/screen/index.ts'
import { unprovenRows } from '../../verify/screen/provenance/proven.ts'
import { marksOf, type Marks } from './held-by.ts'

const now_ms = 1_790_000_000_000
const site = 'eval'

/** An agent that reports every server, tool and sandbox as it was approved. */
export function healthyAgent(registry: Registry, at_ms: number): AgentHealth {
  const servers: AgentHealth['servers'] = {}
  for (const tool of registry.tools) {
    const server = (servers[tool.server] ??= { state: 'up', tools: {} })
    server.tools[tool.mcp_tool] = tool.definition_digest
  }
  const sandboxes = Object.fromEntries(registry.sandboxes.map((name) => [name, 'up' as const]))
  return { agent: 'agent-eval', cell: 'cell-eval', reported_at_ms: at_ms, servers, sandboxes }
}

/** The cell as a person has recorded it just now. */
function recorded(record: CellRecord | null): CellState {
  if (record === null) return unknownState
  const by = { source: 'person', by: 'operator-eval', at_ms: now_ms } as const
  const facts = record.facts.map((fact) => ({ ...fact, ...by }))
  return { ...record, cell: 'cell-eval', version: 1, facts }
}

export type RulesAlone = Marks & {
  /** Refused at the door: it can never run. */
  readonly invalid: boolean
  readonly evidence: Evidence
  readonly floor: Floor | null
}

type Given = {
  readonly plan: Record<string, unknown>
  readonly planner: string
  readonly state: CellRecord | null
}

/** A judge over one site, whose indexes are made once, with the rows that its lab states to be proven. */
export function judgeAlone(
  registry: Registry,
  proven: ProvenRows,
): (given: Given) => Promise<RulesAlone> {
  const snapshot: SiteSnapshot = {
    site,
    taken_at_ms: now_ms,
    registry,
    registry_digest: `reg:${'A'.repeat(43)}`,
    policy: policySchema.parse({}),
    policy_version: `pol:${'A'.repeat(43)}`,
    epoch: 0,
    quarantined: [],
    proven,
    agents: [healthyAgent(registry, now_ms)],
    window: [],
    cell_state: unknownState,
  }
  return async ({ plan: sent, planner, state: record }) => {
    const none = { evidence: { breaches: [], unknowns: [], doubts: [] }, floor: null }
    const refused = (stopped_by: string[]): RulesAlone => {
      return { ...none, invalid: true, stopped_by, held_by: [], places: stopped_by }
    }
    const body = parse(new TextEncoder().encode(JSON.stringify(sent)))
    if (!body.ok) return refused(['NOT_JSON'])
    const admitted = await admit(body.value, registry, planner)
    if (!admitted.ok)
      return refused([...new Set(admitted.error.map(({ code }) => code))].toSorted())
    const plan = planSchema.parse(admitted.value.plan)
    const state = recorded(record)
    const submitter = { site, planner, owner: `owner.of.${planner}` }
    const snapshotDigest = 'snap:eval'
    const seen = { ...snapshot, cell_state: state }
    const unproven = await unprovenRows(plan, seen)
    const floor = screenWith(plan, seen, { submitter, nowMs: now_ms, snapshotDigest, unproven })
    const scene = readScene(plan, topologicalOrder(plan.nodes), registry, state, vocabulary)
    const trace = runWithRules(scene, registry, state, { now_ms })
    const evidence = collectEvidence(judgeByRules({ scene, trace, registry, state, planner }))
    return { ...marksOf({ floor, evidence }), invalid: false, evidence, floor }
  }
}
