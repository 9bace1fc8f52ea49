// Which steps are sure to have ended before another starts, and which run in every run of the plan.
// A rule may not rest on a tie that the executor happens to break one way.
import type { PlanNode } from '../../protocol/plan.ts'

export type Standing = { readonly after: ReadonlySet<string>; readonly certain: boolean }

/** Over the exact order of execution; an id that is not a node of the plan is ignored. */
export function standings(nodes: readonly PlanNode[]): Map<string, Standing> {
  const known = new Map<string, Standing>()
  for (const node of nodes) {
    const after = new Set<string>()
    let certain = node.when === undefined
    for (const id of node.depends_on) {
      const earlier = known.get(id)
      if (earlier === undefined) continue
      after.add(id)
      for (const one of earlier.after) after.add(one)
      certain &&= earlier.certain
    }
    known.set(node.id, { after, certain })
  }
  return known
}
