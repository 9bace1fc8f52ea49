// How strong a solution is, as its name tells.

export type Strength = {
  /** Highest percentage that is told; null when none is. */
  readonly percent: number | null
  /** Highest molarity that is told, in mol/L. */
  readonly molar: number | null
}

const factors: Readonly<Record<string, number>> = { '': 1, m: 1e-3, u: 1e-6, n: 1e-9, p: 1e-12 }

const most = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Math.max(...values)

/** Reads `37 %`, `0,5 %`, `6 M`, `50 mM`, `1 N`, `2 mol/L`; the highest of each stands. */
export function strengthOf(text: string): Strength {
  const plain = text.normalize('NFKC').replaceAll(/[µμ]/g, 'u')
  const number = (written: string | undefined): number => Number((written ?? '').replace(',', '.'))
  const percents = plain.matchAll(/(\d{1,6}(?:[.,]\d{1,6})?)\s?(?:%|percent\b|per cent\b|pct\b)/gi)
  const molars = plain.matchAll(
    /(\d{1,6}(?:[.,]\d{1,6})?)\s?(?:([munp]?)M|([munp]?)mol\/l|N)(?![A-Za-z])/g,
  )
  const molarsLower = plain.matchAll(/(\d{1,6}(?:[.,]\d{1,6})?)\s?([munp]?)mol\/L(?![A-Za-z])/g)
  return {
    percent: most([...percents].map((hit) => number(hit[1]))),
    molar: most([
      ...[...molars].map((hit) => number(hit[1]) * (factors[hit[2] ?? hit[3] ?? ''] ?? 1)),
      ...[...molarsLower].map((hit) => number(hit[1]) * (factors[hit[2] ?? ''] ?? 1)),
    ]),
  }
}
