// Controlled matter that two people approved by the thing that holds it, followed to where it is poured: who
// approved the vial approved what is drawn from it, and nothing that comes from elsewhere.
import type { CellState } from '../../protocol/state.ts'
import type { Scene, SceneAct } from '../read/scene.ts'
import type { Trace } from '../simulate/trace.ts'
import { thingsOf, valuesOf } from './rule.ts'

/** Approvals of one thing that count, by different people. */
export const controlledApprovals = 2

/** Things and substances that enough different people approved, by what they recorded. */
export function approvedSubjects({ approvals }: CellState): ReadonlySet<string> {
  const people = new Map<string, Set<string>>()
  for (const { subject, by } of approvals) {
    const known = people.get(subject) ?? new Set()
    for (const one of by) known.add(one)
    people.set(subject, known)
  }
  return new Set([...people].flatMap(([one, by]) => (by.size >= controlledApprovals ? [one] : [])))
}

const idsOf = (act: SceneAct, ...roles: readonly string[]): (string | null)[] =>
  roles.flatMap((role) => valuesOf(act, role, 'thing', 'place').map(({ ref }) => ref.id))

/**
 * Pointers of steps and arguments where everything controlled comes from approved things. A vessel counts
 * from the step on in which it gets all of it from such things; a step counts only if no other vessel that
 * holds something controlled changes in it.
 */
export function settledPlaces(
  scene: Scene,
  trace: Trace,
  approved: ReadonlySet<string>,
): ReadonlySet<string> {
  const settled = new Set<string>()
  if (approved.size === 0) return settled
  const clean = new Set(approved)
  const isClean = (ids: readonly (string | null)[]): boolean =>
    ids.length > 0 && ids.every((id) => id !== null && clean.has(id))
  for (const [i, step] of scene.steps.entries()) {
    const poured = step.acts.filter(({ act }) => act === 'transfer')
    for (const act of poured) {
      if (!isClean(idsOf(act, 'from'))) continue
      for (const id of idsOf(act, 'to')) if (id !== null) clean.add(id)
    }
    const holding = (trace.steps[i]?.changes ?? []).flatMap(({ thing, after }) =>
      after?.kind === 'contents' && (after.value ?? []).some((one) => one.substance.controlled)
        ? [thing]
        : [],
    )
    if (holding.every((thing) => clean.has(thing))) settled.add(step.at)
    for (const act of step.acts) {
      const from = idsOf(act, 'from')
      const touched = thingsOf(act).map(({ ref }) => ref.id)
      if (!isClean(from.length > 0 ? from : touched)) continue
      for (const { at } of Object.values(act.roles).flat()) settled.add(at)
    }
  }
  return settled
}
