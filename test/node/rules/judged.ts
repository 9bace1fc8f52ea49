// What the rules find in a small plan at the demo site, by code: for tables of one kind of danger.
import { topologicalOrder } from '../../../protocol/graph.ts'
import { z } from 'zod'
import type { Plan } from '../../../protocol/plan.ts'
import { policySchema } from '../../../protocol/policy.ts'
import type { Verdict } from '../../../protocol/verdict.ts'
import { decide } from '../../../verify/decide/decide.ts'
import { admitPlan, checkPlan, parse, readPlan, simulatePlan } from '../../../verify/pipeline.ts'
import { unknownState, type CellRecord, type CellState } from '../../../protocol/state.ts'
import { readScene } from '../../../verify/read/index.ts'
import { vocabulary } from '../../../verify/read/vocabulary.ts'
import { judgeByRules } from '../../../verify/rules/index.ts'
import { runWithRules } from '../../../verify/rules/run.ts'
import { demoRegistry, demoSnapshot, nowMs, planOf, type NodeInput } from '../support/snapshot.ts'

const registry = demoRegistry()

/** Codes of everything that is found, each once, sorted. */
export function foundIn(plan: Plan, state: CellState = unknownState): string[] {
  const scene = readScene(plan, topologicalOrder(plan.nodes), registry, state, vocabulary)
  const trace = runWithRules(scene, registry, state, { now_ms: nowMs })
  const planner = plan.planner.id
  const found = judgeByRules({ scene, trace, registry, state, planner })
  const all = [...found.breaches, ...found.unknowns, ...found.doubts]
  return [...new Set(all.map(({ code }) => code))].toSorted()
}

/** The same for instructions and nodes in short notation. */
export const codesOf = (instructions: string[], nodes: readonly NodeInput[]): string[] =>
  foundIn(planOf(nodes, { instructions, goal: 'Work' }))

/** The verdict of floor and rules over a plan in a cell with that record; a plan that is refused at the door rejects. */
export async function verdictOf(plan: object, record: CellRecord): Promise<Verdict> {
  const { planner } = z.looseObject({ planner: z.object({ id: z.string() }) }).parse(plan)
  const person = { source: 'person', by: 'test', at_ms: nowMs - 60_000 } as const
  const facts = record.facts.map((fact) => ({ ...fact, ...person }))
  const cell_state = { cell: 'c', version: 1, ...record, facts }
  const snapshot = demoSnapshot({
    registry,
    cell_state,
    policy: policySchema.parse({ panel: 'offline' }),
  })
  const body = parse(new TextEncoder().encode(JSON.stringify(plan)))
  if (!body.ok) return 'reject'
  const submitter = { site: 'lc7', planner: planner.id, owner: 'owner-a' }
  const admitted = await admitPlan(body.value, { submitter, snapshot, received_ms: nowMs })
  if (!admitted.ok) return 'reject'
  const { floor, evidence } = simulatePlan(readPlan(await checkPlan(admitted.value)))
  const depth = {
    panel: 'rules',
    required: 1,
    seats: 0,
    short: null,
    expected: [],
    reads_only: false,
  } as const
  const grounding = { degraded: null, nodes: [], findings: [] }
  const none = { opinions: [], chief: null, memory: [], trace: null }
  return decide({
    ...none,
    floor,
    evidence,
    grounding,
    depth: { ...depth, expected: [] },
    policy: snapshot.policy,
  }).verdict
}

type Where = { labware: string; well: string }

/** A transfer of `volume_ul` of a liquid. */
export const transfer = (
  volume_ul: number,
  liquid: string,
  source: Where,
  destination: Where,
): NodeInput => ({
  tool: 'liquid_handler.transfer',
  args: { pipette: 'p300', volume_ul, source, destination, liquid, new_tip: 'once' },
})

export const heat = (temperature_c: number, hold_s: number): NodeInput => ({
  tool: 'heater_shaker.set_temperature',
  args: { device_id: 'hs_1', temperature_c, hold_s, attended: true },
})

export const shake = (rpm: number, hold_s: number): NodeInput => ({
  tool: 'heater_shaker.set_speed',
  args: { device_id: 'hs_1', rpm, hold_s },
})
