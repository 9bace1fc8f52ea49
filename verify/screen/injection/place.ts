// Maps spans between a text and its folded readings.
import type { Folded } from './fold.ts'

/** From offsets of a reading to a place in the plan. */
export type Place = (from: number, to: number) => { at: string; span: [number, number] }

export function sourceSpan(
  folded: Folded,
  from: number,
  to: number,
  length: number,
): [number, number] {
  const start = folded.origin[from] ?? 0
  const end = folded.origin[Math.max(from, to - 1)] ?? start
  return [start, Math.min(length, end + 1)]
}

/** Maps a span of the leet reading to the plain reading: both come from the same source. */
export function plainSpan(plain: Folded, leet: Folded, from: number, to: number): [number, number] {
  const a = leet.origin[from] ?? 0
  const b = leet.origin[Math.max(from, to - 1)] ?? a
  const find = (origin: number): number => {
    let low = 0
    let high = plain.origin.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((plain.origin[middle] ?? 0) < origin) low = middle + 1
      else high = middle
    }
    return low
  }
  return [find(a), find(b) + 1]
}
