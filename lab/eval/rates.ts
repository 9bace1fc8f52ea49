// Counting rules for labelled evaluations: confusion, Wilson interval, area under the ROC curve.

export interface Confusion {
  readonly tp: number
  readonly fp: number
  readonly fn: number
  readonly tn: number
}

export type Interval = readonly [low: number, high: number]

export function confusion<T>(
  rows: readonly T[],
  isPositive: (row: T) => boolean,
  isFlagged: (row: T) => boolean,
): Confusion {
  const counts = { tp: 0, fp: 0, fn: 0, tn: 0 }
  for (const row of rows) {
    if (isPositive(row)) counts[isFlagged(row) ? 'tp' : 'fn'] += 1
    else counts[isFlagged(row) ? 'fp' : 'tn'] += 1
  }
  return counts
}

/** 95 % Wilson score interval of a proportion (Wilson 1927); [0, 1] when nothing was counted. */
export function wilson(hits: number, n: number): Interval {
  if (n === 0) return [0, 1]
  const z = 1.959964
  const p = hits / n
  const centre = p + (z * z) / (2 * n)
  const spread = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))
  const scale = 1 + (z * z) / n
  return [Math.max(0, (centre - spread) / scale), Math.min(1, (centre + spread) / scale)]
}

/** Probability that a positive row scores above a negative one; ties count half. */
export function rocArea<T>(
  rows: readonly T[],
  isPositive: (row: T) => boolean,
  scoreOf: (row: T) => number,
): number {
  const sorted = rows
    .map((row) => ({ score: scoreOf(row), positive: isPositive(row) }))
    .toSorted((a, b) => a.score - b.score)
  let rankSum = 0
  let positives = 0
  for (let i = 0; i < sorted.length;) {
    let j = i
    while (j < sorted.length && sorted[j]?.score === sorted[i]?.score) j += 1
    // Tied rows share the mean of their ranks.
    const rank = (i + 1 + j) / 2
    for (let k = i; k < j; k += 1) {
      if (sorted[k]?.positive === true) {
        rankSum += rank
        positives += 1
      }
    }
    i = j
  }
  const negatives = sorted.length - positives
  if (positives === 0 || negatives === 0) return 0.5
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives)
}
