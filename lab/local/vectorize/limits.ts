// Shapes and limits of the Vectorize binding as documented (client API, limits page): what production
// refuses, the stand-in refuses too.
import type { Metadata, MetadataFilter } from './filter.ts'

export type IndexProps = {
  readonly index: string
  readonly dimensions: number
  readonly metric: 'cosine' | 'euclidean' | 'dot-product'
  /** Metadata fields that a filter may name. */
  readonly metadataIndexes: readonly string[]
  /** Milliseconds until a write is visible: production is eventually consistent. */
  readonly lagMs?: number
}

export type StoredVector = {
  readonly id: string
  readonly values: readonly number[]
  readonly namespace?: string
  readonly metadata?: Metadata
}

export type QueryOptions = {
  readonly topK?: number
  readonly namespace?: string
  readonly returnValues?: boolean
  readonly returnMetadata?: boolean | 'all' | 'indexed' | 'none'
  readonly filter?: MetadataFilter
}

/** Vectors of one call from a Worker. */
const batchMax = 1_000
const idBytesMax = 64
const topKMax = 100
/** With values or full metadata. */
const topKWideMax = 20

/** Throws when a write is over a limit or has other dimensions than the index. */
export function checkVectors(props: IndexProps, vectors: readonly StoredVector[]): void {
  if (vectors.length > batchMax) throw new Error(`at most ${batchMax} vectors a call`)
  for (const vector of vectors) {
    const found = vector.values.length
    if (found !== props.dimensions) {
      throw new Error(`${vector.id} has ${found} dimensions, index has ${props.dimensions}`)
    }
    for (const text of [vector.id, vector.namespace ?? '']) {
      if (new TextEncoder().encode(text).length > idBytesMax) {
        throw new Error(`id and namespace are at most ${idBytesMax} bytes`)
      }
    }
  }
}

/** The effective topK; throws when the query is over a limit or has other dimensions. */
export function checkQuery(
  props: IndexProps,
  query: readonly number[],
  options: QueryOptions,
): number {
  if (query.length !== props.dimensions) {
    throw new Error(`query has ${query.length} dimensions, index has ${props.dimensions}`)
  }
  const topK = options.topK ?? 5
  const all = options.returnMetadata === 'all' || options.returnMetadata === true
  const most = options.returnValues === true || all ? topKWideMax : topKMax
  if (topK < 1 || topK > most) throw new Error(`topK is 1 to ${most}`)
  return topK
}
