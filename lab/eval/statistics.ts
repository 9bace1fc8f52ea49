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

/** The mean of paired differences with its interval, and how many of the pairs differ at all. */
export type PairedMean = {
  readonly mean: number
  readonly ci95: readonly [number, number]
  readonly queries: number
}

const resamples = 2_000

/**
 * Percentile bootstrap over the pairs (Efron, Tibshirani 1993, chapter 13). The draws come from a fixed sequence
 * (the minimal standard generator of Park and Miller 1988), so that the same differences give the same interval.
 */
export function pairedMean(differences: readonly number[]): PairedMean {
  const n = differences.length
  const mean = differences.reduce((sum, one) => sum + one, 0) / Math.max(n, 1)
  let state = 20_231
  const draw = (): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % Math.max(n, 1)
  }
  const means = Array.from({ length: n === 0 ? 0 : resamples }, () => {
    let sum = 0
    for (let i = 0; i < n; i += 1) sum += differences[draw()] ?? 0
    return sum / n
  })
  return {
    mean: round4(mean),
    ci95: [round4(quantile(means, 0.025)), round4(quantile(means, 0.975))],
    queries: differences.filter((one) => Math.abs(one) > 1e-12).length,
  }
}

const round4 = (value: number): number => Math.round(value * 10_000) / 10_000
