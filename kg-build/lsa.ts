// Latent semantic analysis (Deerwester et al. 1990) by a seeded randomised SVD (Halko, Martinsson,
// Tropp 2011): a real embedding computed at build time whose queries need no model at run time.
// Deterministic: a fixed seed and a fixed order of operations.

/** One document: term index → weight. */
export type SparseRow = ReadonlyMap<number, number>

type Dense = Float64Array[]

/** Mulberry32: a small seeded generator; quality is ample for a random projection. */
export function seededRandom(seed: number): () => number {
  let a = seed >>> 0
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const zeros = (n: number, width: number): Dense =>
  Array.from({ length: n }, () => new Float64Array(width))

/** X · M for sparse X. */
function times(x: readonly SparseRow[], m: Dense, width: number): Dense {
  return x.map((row) => {
    const out = new Float64Array(width)
    for (const [t, w] of row) {
      const from = m[t]
      if (from) for (let k = 0; k < width; k++) out[k] = (out[k] ?? 0) + w * (from[k] ?? 0)
    }
    return out
  })
}

/** Xᵀ · M for sparse X. */
function timesTransposed(x: readonly SparseRow[], m: Dense, terms: number, width: number): Dense {
  const out = zeros(terms, width)
  for (const [i, row] of x.entries()) {
    const from = m[i]
    if (!from) continue
    for (const [t, w] of row) {
      const to = out[t]
      if (to) for (let k = 0; k < width; k++) to[k] = (to[k] ?? 0) + w * (from[k] ?? 0)
    }
  }
  return out
}

/** Columns made orthonormal in place (modified Gram–Schmidt on a column-major copy). */
function orthonormal(m: Dense, width: number): void {
  const n = m.length
  const columns = Array.from({ length: width }, (_, k) =>
    Float64Array.from({ length: n }, (__, i) => m[i]?.[k] ?? 0),
  )
  for (const [k, column] of columns.entries()) {
    for (let j = 0; j < k; j++) {
      const other = columns[j]
      if (!other) continue
      let dot = 0
      for (let i = 0; i < n; i++) dot += (column[i] ?? 0) * (other[i] ?? 0)
      for (let i = 0; i < n; i++) column[i] = (column[i] ?? 0) - dot * (other[i] ?? 0)
    }
    let norm = 0
    for (const v of column) norm += v * v
    norm = Math.sqrt(norm) || 1
    for (let i = 0; i < n; i++) column[i] = (column[i] ?? 0) / norm
  }
  for (let i = 0; i < n; i++) {
    const row = m[i]
    if (row) for (let k = 0; k < width; k++) row[k] = columns[k]?.[i] ?? 0
  }
}

export type Progress = (step: string) => void

/**
 * Term vectors of rank `rank` for the document–term matrix `rows`: an orthonormal basis of the
 * dominant term space. A document's or query's embedding is the weighted sum of its terms' rows.
 */
export function termSpace(
  rows: readonly SparseRow[],
  terms: number,
  options: { readonly rank: number; readonly seed: number; readonly iterations: number },
  progress: Progress = () => {},
): Dense {
  const random = seededRandom(options.seed)
  const gauss = (): number => random() + random() + random() + random() - 2
  const space = zeros(terms, options.rank)
  for (const row of space) for (let k = 0; k < row.length; k++) row[k] = gauss()
  // Subspace iteration on XᵀX: the basis turns towards the right singular vectors.
  for (let i = 0; i < options.iterations; i++) {
    const next = timesTransposed(rows, times(rows, space, options.rank), terms, options.rank)
    orthonormal(next, options.rank)
    for (const [t, row] of next.entries()) space[t]?.set(row)
    progress(`iteration ${i + 1}`)
  }
  return space
}
