// Loads the embedded knowledge graph with the demo lab's own facts into a local gateway's D1 and vector store, when it does not serve
// it yet. Needs no internet; the graph itself is built once and kept in .build/.
import { ensureGraph } from '../../kg-build/embedded.ts'
import { demoAdditions } from '../site/lc7/graph-facts.ts'
import { loadGraph, type VectorizeLike } from '../../kg-build/load/load.ts'
import type { Gateway } from './gateway.ts'

/** Makes the gateway serve the embedded graph; a no-op when it already does. */
export async function prepareGraph(gateway: Gateway): Promise<void> {
  await loadGraph({
    d1: await gateway.d1(),
    vectorize: (await gateway.vectorize()) as VectorizeLike,
    dir: await ensureGraph({ additions: demoAdditions }),
  })
}
