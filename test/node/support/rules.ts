// What the rules say of a plan at a site of which nothing is recorded: for tests of the floor that say
// which rule covers a danger that the floor itself cannot know.
import { topologicalOrder } from '../../../protocol/graph.ts'
import type { Plan } from '../../../protocol/plan.ts'
import type { Registry } from '../../../protocol/registry.ts'
import { unknownState } from '../../../protocol/state.ts'
import { readScene } from '../../../verify/read/index.ts'
import { vocabulary } from '../../../verify/read/vocabulary.ts'
import { judgeByRules } from '../../../verify/rules/index.ts'
import { runWithRules } from '../../../verify/rules/run.ts'
import { demoRegistry, nowMs } from './snapshot.ts'

/** Codes of what is not known of a plan, each once, sorted. Every one of them escalates. */
export function unknownCodes(plan: Plan, registry: Registry = demoRegistry()): string[] {
  const state = unknownState
  const scene = readScene(plan, topologicalOrder(plan.nodes), registry, state, vocabulary)
  const trace = runWithRules(scene, registry, state, { now_ms: nowMs })
  const planner = plan.planner.id
  const { unknowns } = judgeByRules({ scene, trace, registry, state, planner })
  return [...new Set(unknowns.map(({ code }) => code))].toSorted()
}
