// One measured case, as `npm run bench` prints it, and the small statistics behind it.

export type BenchCase = {
  readonly name: string
  readonly unit: string
  readonly median: number
  readonly p95: number
  /** The same work done by somebody else in the same run; ratio = ours / theirs. */
  readonly versus: readonly { peer: string; median: number; ratio: number }[]
}

/** The value below which a share `q` of the samples lies (nearest rank). */
export function quantile(samples: readonly number[], q: number): number {
  if (samples.length === 0) throw new RangeError('no samples')
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN
}

const round = (value: number): number => Number(value.toPrecision(4))

/** A case from its samples and those of its peers, rounded to what the clock can tell. */
export function benchCase(
  name: string,
  unit: string,
  samples: { readonly own: readonly number[]; readonly peers?: Record<string, readonly number[]> },
): BenchCase {
  const median = quantile(samples.own, 0.5)
  return {
    name,
    unit,
    median: round(median),
    p95: round(quantile(samples.own, 0.95)),
    versus: Object.entries(samples.peers ?? {}).map(([peer, theirs]) => ({
      peer,
      median: round(quantile(theirs, 0.5)),
      ratio: round(median / quantile(theirs, 0.5)),
    })),
  }
}

/** A case, and its 99th percentile: of fewer than a hundred samples that is the greatest. */
export function withP99(
  name: string,
  own: readonly number[],
  peers: Record<string, readonly number[]> = {},
): BenchCase[] {
  return [
    benchCase(name, 'ms', { own, peers }),
    benchCase(`${name}: p99 of ${own.length}`, 'ms', { own: [quantile(own, 0.99)] }),
  ]
}
