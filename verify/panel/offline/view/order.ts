// Which node is certain to run before which. Two nodes without a path between them count as
// concurrent: a rule may not rest on a tie that the executor happens to break one way.
import type { PlanNode } from '../../../../protocol/plan.ts'

export type Order = {
  /** True only when a path of dependencies makes `a` end before `b` starts (indices). */
  readonly before: (a: number, b: number) => boolean
  /** True when neither is certain to come first. */
  readonly unordered: (a: number, b: number) => boolean
}

/** Transitive closure over at most 256 nodes as bit sets; unknown dependencies are ignored. */
export function orderOf(nodes: readonly PlanNode[]): Order {
  const position = new Map(nodes.map((node, i) => [node.id, i]))
  const ancestors: (bigint | null)[] = nodes.map(() => null)
  const visiting = new Set<number>()
  const closure = (i: number): bigint => {
    const known = ancestors[i]
    if (known !== null && known !== undefined) return known
    if (visiting.has(i)) return 0n
    visiting.add(i)
    let set = 0n
    for (const id of nodes[i]?.depends_on ?? []) {
      const parent = position.get(id)
      if (parent !== undefined) set |= (1n << BigInt(parent)) | closure(parent)
    }
    visiting.delete(i)
    ancestors[i] = set
    return set
  }
  for (let i = 0; i < nodes.length; i++) closure(i)
  const before = (a: number, b: number): boolean =>
    (((ancestors[b] ?? 0n) >> BigInt(a)) & 1n) === 1n
  return { before, unordered: (a, b) => a !== b && !before(a, b) && !before(b, a) }
}
