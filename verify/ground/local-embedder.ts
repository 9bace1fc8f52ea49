// The embedder that needs no service: term vectors come out of the store with the statistics.
import { bagOf, decodeInt8, embedLocal, localModel, type TermVector } from './embed.ts'
import type { Embedder } from './port.ts'

/** Embeds with the vectors learned at build time (model {@link localModel}). */
export const localEmbedder: Embedder = {
  model: localModel,
  embed(texts, terms) {
    const known = new Map<string, TermVector>()
    for (const [term, row] of terms) {
      known.set(term, { idf: row.idf, vector: decodeInt8(row.v) })
    }
    return Promise.resolve(texts.map((text) => embedLocal(text, bagOf(text), known)))
  },
}
