// Vector search through the Vectorize binding, bounded in time. A failure costs recall only: the
// caller goes on with full text and the decision says so.
import type { ActiveGraph, VectorSearch } from '../verify/ground/port.ts'
import { namespacesOf, ridOfVector } from '../verify/ground/vector-names.ts'

/** The part of the Vectorize binding that is used. */
export type VectorizeQuery = {
  query(
    vector: number[],
    options: { topK: number; namespace: string },
  ): Promise<{ matches: { id: string; score: number }[] }>
}

/** A slow index must not hold a plan up; recall is worth a quarter of a second. */
const defaultTimeoutMs = 250

/** Builds the search over a binding; `topK` stays at or below Vectorize's 100. */
export function vectorizeSearch(
  index: VectorizeQuery,
  timeoutMs: number = defaultTimeoutMs,
): VectorSearch {
  return {
    async search(graph: ActiveGraph, vector, hitsMax) {
      const topK = Math.min(hitsMax, 100)
      const answers = await within(
        Promise.all(
          namespacesOf(graph).map((namespace) => index.query([...vector], { topK, namespace })),
        ),
        timeoutMs,
      )
      return answers
        .flatMap(({ matches }) => matches)
        .toSorted((a, b) => b.score - a.score)
        .slice(0, topK)
        .flatMap((m) => ridOfVector(m.id) ?? [])
    },
  }
}

async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('vector search took too long')), timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
