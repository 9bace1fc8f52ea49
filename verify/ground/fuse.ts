// Reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): lists of different scales become one.

/** One ranked list. `sure` lists come from rules and names: no weight of a kind lowers them. */
export type Ranked = {
  readonly weight: number
  readonly rids: readonly number[]
  readonly sure?: boolean
}

/** The usual constant is 60; 40 lets a first rank weigh more (docs/knowledge-graph.md). */
const k = 40

/** Rids by fused score, best first; ties by smallest rid. `weightOf` scales what search found. */
export function fuse(
  lists: readonly Ranked[],
  weightOf: (rid: number) => number = () => 1,
): number[] {
  const scores = new Map<number, number>()
  for (const { weight, rids, sure } of lists) {
    for (const [i, rid] of rids.entries()) {
      const scale = sure === true ? 1 : weightOf(rid)
      scores.set(rid, (scores.get(rid) ?? 0) + (scale * weight) / (k + i + 1))
    }
  }
  return [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([rid]) => rid)
}
