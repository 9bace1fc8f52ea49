// A standing approval over the weighing bench, made with the same stages as at the door, without stores.
import { collectEvidence } from '../../../protocol/evidence.ts'
import { topologicalOrder } from '../../../protocol/graph.ts'
import { planSchema, type Plan } from '../../../protocol/plan.ts'
import type { HoleValues, StandingRecord, StandingTerms } from '../../../protocol/standing.ts'
import type { CellState } from '../../../protocol/state.ts'
import { packetTraceOf } from '../../../verify/packet-trace.ts'
import { readScene } from '../../../verify/read/index.ts'
import { vocabulary } from '../../../verify/read/vocabulary.ts'
import { outsideOver } from '../../../verify/review/left.ts'
import type { ReviewSpec } from '../../../verify/review/state.ts'
import { judgeByRules } from '../../../verify/rules/index.ts'
import { runWithRules } from '../../../verify/rules/run.ts'
import { planOver, planWith, valuesIn } from '../../../verify/standing/holes.ts'
import { weighingSite, weighingState } from '../e2e/weighing-site.ts'
import { floor, snapshotOf, specOf } from '../review/fixture.ts'

export const at = 1_000_000
const source = { source: 'person' as const, by: 'olga', at_ms: at }

export const cell = (change: Partial<CellState> = {}): CellState => ({
  ...weighingState,
  facts: weighingState.facts.map((fact) => ({ ...fact, ...source })),
  cell: 'cell-1',
  version: 1,
  ...change,
})

/** The plan that people accepted once. */
export const base: Plan = planSchema.parse({
  goal: 'Fill the beaker in small steps',
  instructions: ['Weigh the sample.', 'Dispense {volume} uL of water from bottle_1 into beaker_1.'],
  planner: { id: 'planner-1' },
  nodes: [
    { id: 'n1', tool: 'weigh', args: { pan: 'pan_1' } },
    { id: 'n2', tool: 'dispense', args: { volume: 10 }, depends_on: ['n1'] },
  ],
})

export const terms: StandingTerms = {
  plan: 'plan_1',
  holes: [{ name: 'volume', node: 'n2', pointer: '/volume', within: { min: 5, max: 15 } }],
  planners: ['planner-1'],
  runs: 40,
  until_ms: at + 1_000_000,
  look_every: null,
}

export async function recordOf(change: Partial<StandingRecord> = {}): Promise<StandingRecord> {
  const values = valuesIn(base, terms.holes)
  if (!values.ok) throw new Error(JSON.stringify(values.error))
  const open = planOver(base, terms.holes, values.value)
  const state = change.cell_state ?? cell()
  const scene = readScene(open, topologicalOrder(open.nodes), weighingSite, state, vocabulary)
  const trace = runWithRules(scene, weighingSite, state, { now_ms: at })
  const found = judgeByRules({ scene, trace, registry: weighingSite, state, planner: 'planner-1' })
  const { registry_digest, policy_version } = snapshotOf()
  return {
    template: 'tmpl_1',
    site: 'site-a',
    terms,
    base: { plan: 'plan_1', plan_digest: `plan:${'L'.repeat(43)}`, decision_digest: null },
    plan: base,
    values: values.value,
    floor,
    grounding: { degraded: null, nodes: [], findings: [] },
    evidence: collectEvidence(found),
    trace: await packetTraceOf(trace, state, []),
    cell_state: state,
    at_ms: at,
    registry_digest,
    policy_version,
    graph_version: null,
    owners: ['paula'],
    approvals_required: 1,
    proposed_by: 'olga',
    ...change,
  }
}

/** A run of these values, as its review holds it. */
export function runOf(
  record: StandingRecord,
  values: HoleValues,
  change: Partial<ReviewSpec> = {},
): ReviewSpec {
  const plan = planWith(record.plan, record.terms.holes, values)
  const snapshot = { ...snapshotOf(), registry: weighingSite, cell_state: cell() }
  const standing = {
    record,
    digest: `standing:${'S'.repeat(43)}`,
    values,
    approvers: ['rita'],
    credentials: ['cred_1'],
  }
  return { ...specOf(), plan, snapshot, received_ms: at, standing, ...change }
}

/** What of it is outside, over a cell. */
export function outside(spec: ReviewSpec, over: CellState = cell()) {
  if (spec.standing === undefined) throw new Error('a run has a standing approval')
  const { grounding } = spec.standing.record
  const facts = { cell: over, at_ms: at + 60_000, floor: spec.floor, grounding }
  return outsideOver(spec, spec.standing, facts)
}
