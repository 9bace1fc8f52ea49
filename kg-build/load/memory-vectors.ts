// Brute-force vector search in memory, with the shape of the Vectorize binding that loading uses:
// for evaluation and tests of the pure parts.
import type { VectorSearch } from '../../verify/ground/port.ts'
import { namespaceOf } from '../../verify/ground/vector-names.ts'
import type { VectorizeLike, VectorRecord } from './load.ts'

/** Keeps vectors in memory; `search` is cosine over the namespace of the graph version. */
export function memoryVectors(): VectorizeLike & VectorSearch {
  const records = new Map<string, VectorRecord & { unit: Float32Array }>()
  return {
    upsert(vectors) {
      for (const v of vectors) records.set(v.id, { ...v, unit: unit(v.values) })
      return Promise.resolve({ mutationId: String(records.size) })
    },
    deleteByIds(ids) {
      for (const id of ids) records.delete(id)
      return Promise.resolve({ mutationId: String(records.size) })
    },
    search(graph, vector, hitsMax) {
      const namespace = namespaceOf(graph.version)
      const query = unit(vector)
      const scored: [number, number][] = []
      for (const r of records.values()) {
        if (r.namespace !== namespace) continue
        let dot = 0
        for (let i = 0; i < query.length; i++) dot += (query[i] ?? 0) * (r.unit[i] ?? 0)
        scored.push([dot, Number(r.metadata['rid'])])
      }
      scored.sort((a, b) => b[0] - a[0] || a[1] - b[1])
      return Promise.resolve(scored.slice(0, hitsMax).map(([, rid]) => rid))
    },
  }
}

function unit(v: readonly number[]): Float32Array {
  let sum = 0
  for (const x of v) sum += x * x
  const norm = Math.sqrt(sum) || 1
  return Float32Array.from(v, (x) => x / norm)
}
