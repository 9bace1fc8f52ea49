// What a text has shown so far, and how pieces of evidence combine into r.
import type { Category, InjectionHit } from './types.ts'

/** One piece of evidence: the strongest hit of a pattern. */
export interface Evidence {
  readonly weight: number
  readonly category: Category
  readonly at: string
  readonly from: number
  readonly to: number
}

export interface TextScore {
  /** By pattern id. */
  readonly evidence: Map<string, Evidence>
  f: number
  readonly hits: InjectionHit[]
}

/**
 * r = 1 − Π(1 − weight) over independent pieces of evidence. Two hits of one category on the same
 * words are one piece: only the stronger counts.
 */
export function combine(evidence: ReadonlyMap<string, Evidence>): number {
  const kept: Evidence[] = []
  let miss = 1
  for (const one of [...evidence.values()].toSorted((a, b) => b.weight - a.weight)) {
    const known = kept.some(
      (x) => x.category === one.category && x.at === one.at && x.from < one.to && one.from < x.to,
    )
    if (known) continue
    kept.push(one)
    miss *= 1 - one.weight
  }
  return 1 - miss
}
