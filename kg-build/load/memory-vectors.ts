// Brute-force vector search in memory, with the shape of the Vectorize binding that loading uses:
// for evaluation and tests of the pure parts.
import type { VectorSearch } from '../../verify/ground/port.ts'
import { namespacesOf } from '../../verify/ground/vector-names.ts'
import type { VectorizeLike, VectorRecord } from './load.ts'

/** Keeps vectors in memory; `search` is cosine over the namespaces that the site may read. */
export function memoryVectors(): VectorizeLike & VectorSearch {
  const records = new Map<string, VectorRecord>()
  const blocks = new Map<string, Block>()
  return {
    upsert(vectors) {
      for (const v of vectors) records.set(v.id, v)
      blocks.clear()
      return Promise.resolve({ mutationId: String(records.size) })
    },
    deleteByIds(ids) {
      for (const id of ids) records.delete(id)
      blocks.clear()
      return Promise.resolve({ mutationId: String(records.size) })
    },
    search(graph, vector, hitsMax) {
      const namespaces = namespacesOf(graph)
      const key = namespaces.join(' ')
      const old = blocks.get(key)
      const block =
        old ?? blockOf([...records.values()].filter((r) => namespaces.includes(r.namespace)))
      if (!old) blocks.set(key, block)
      return Promise.resolve(nearest(block, unit(vector), hitsMax))
    },
  }
}

/** One namespace as one long array, so that a scan is a plain loop. */
type Block = { readonly rids: readonly number[]; readonly values: Float32Array }

function blockOf(records: readonly VectorRecord[]): Block {
  const width = records[0]?.values.length ?? 0
  const values = new Float32Array(records.length * width)
  for (const [i, r] of records.entries()) values.set(unit(r.values), i * width)
  return { rids: records.map((r) => Number(r.metadata['rid'])), values }
}

function nearest(block: Block, query: Float32Array, hitsMax: number): number[] {
  const width = query.length
  // The best so far, worst last: cheaper than sorting every score of a large graph.
  const best: { score: number; rid: number }[] = []
  for (const [i, rid] of block.rids.entries()) {
    let score = 0
    const at = i * width
    for (let k = 0; k < width; k++) score += (block.values[at + k] ?? 0) * (query[k] ?? 0)
    const worst = best.at(-1)
    if (best.length >= hitsMax && worst && score <= worst.score) continue
    let place = best.length
    while (place > 0 && (best[place - 1]?.score ?? 0) < score) place -= 1
    best.splice(place, 0, { score, rid })
    if (best.length > hitsMax) best.pop()
  }
  return best.map((b) => b.rid)
}

function unit(v: readonly number[]): Float32Array {
  let sum = 0
  for (const x of v) sum += x * x
  const norm = Math.sqrt(sum) || 1
  return Float32Array.from(v, (x) => x / norm)
}
