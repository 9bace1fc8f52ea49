// How long the steps of a plan last by what they say themselves: the least time after which they can be
// over. A step that cannot end before an arming or a deadline does not start; half a run is the danger.
import { topologicalOrder } from '../../protocol/graph.ts'
import { measuredOf } from '../../protocol/units.ts'
import { readScene } from '../read/index.ts'
import type { SceneAct, Step } from '../read/scene.ts'
import { vocabulary } from '../read/vocabulary.ts'
import type { ReviewSpec } from './state.ts'

/** The least of a role's quantities together, in the scene's unit; 0 when nothing is told. */
function least(act: SceneAct, role: string): number {
  const lows = (act.roles[role] ?? []).flatMap((value) =>
    value.kind === 'quantity' ? [Math.max(0, value.value.lo)] : [],
  )
  // Several values of a reference: one of them will be it.
  if (act.one_of.includes(role)) return lows.length === 0 ? 0 : Math.min(...lows)
  return lows.reduce((sum, low) => sum + low, 0)
}

/** Seconds that one act lasts at least. */
function actS(act: SceneAct): number {
  if (act.maybe) return 0
  const cycles = act.act === 'run_profile' ? Math.max(1, least(act, 'cycles')) : 1
  return Math.max(least(act, 'hold'), least(act, 'duration'), least(act, 'holds') * cycles)
}

/** Seconds that one step lasts at least; several acts of a call may run side by side. */
function stepS(step: Step): number {
  const done = step.row?.meaning?.done
  const after = typeof done === 'object' && 'after' in done ? measuredOf(done.after) : null
  const settles = after?.dim === 'time' ? Math.max(0, after.value) : 0
  return Math.max(settles, ...step.acts.map(actS))
}

/** Node id → milliseconds that the step lasts at least; only those that tell a time. Pure. */
export function toldTimes({ plan, snapshot }: Pick<ReviewSpec, 'plan' | 'snapshot'>): {
  [nid: string]: number
} {
  const { registry, cell_state } = snapshot
  const scene = readScene(plan, topologicalOrder(plan.nodes), registry, cell_state, vocabulary)
  const told = scene.steps.map((step) => [step.node.id, Math.ceil(stepS(step) * 1_000)] as const)
  return Object.fromEntries(told.filter(([, ms]) => ms > 0))
}

/** Milliseconds that all steps last at least, one after the other. */
export const toldInAll = (times: Readonly<Record<string, number>>): number =>
  Object.values(times).reduce((sum, ms) => sum + ms, 0)
