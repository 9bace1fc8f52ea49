// The few statistics that the tables need: Wilson intervals, quantiles, scores per class.

/** Wilson score interval of a proportion at 95 %. */
export function wilson(hits: number, n: number): [number, number] {
  if (n === 0) return [0, 1]
  const z = 1.959964
  const p = hits / n
  const centre = p + (z * z) / (2 * n)
  const spread = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))
  const scale = 1 + (z * z) / n
  return [Math.max(0, (centre - spread) / scale), Math.min(1, (centre + spread) / scale)]
}

/** The q-quantile by nearest rank; 0 for no values. */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) return 0
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)] ?? 0
}

export type ClassScore = { precision: number; recall: number; f1: number }

/** Precision, recall and F1 of one class; 0 where undefined. */
export function score(tp: number, fp: number, fn: number): ClassScore {
  const precision = tp + fp === 0 ? 0 : tp / (tp + fp)
  const recall = tp + fn === 0 ? 0 : tp / (tp + fn)
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  return { precision, recall, f1 }
}

/** Rounds for printing; tables compare better with three places. */
export const round3 = (value: number): number => Math.round(value * 1_000) / 1_000
