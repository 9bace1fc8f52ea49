// Shared by the knowledge-graph tests: the embedded graph in memory, and small plans.
import type { Plan, PlanNode } from '../../../protocol/plan.ts'
import type { Registry } from '../../../protocol/registry.ts'
import { siteMeaningSchema } from '../../../protocol/site-file.ts'
import { d1GraphStore } from '../../../adapters/knowledge-d1.ts'
import { ensureGraph } from '../../../kg-build/embedded.ts'
import { demoAdditions } from '../../../lab/site/lc7/graph-facts.ts'
import { loadGraph } from '../../../kg-build/load/load.ts'
import { memoryVectors } from '../../../kg-build/load/memory-vectors.ts'
import { graphMigration, openSqliteD1 } from '../../../kg-build/load/sqlite-d1.ts'
import { localEmbedder } from '../../../verify/ground/local-embedder.ts'
import type { Knowledge } from '../../../verify/ground/port.ts'

export const rotorSite: Pick<Registry, 'things' | 'kinds'> = siteMeaningSchema.parse({
  things: [
    { id: 'FA-45-24', names: [], kind: 'fixed' },
    { id: 'SX-4-500', names: [], kind: 'swing' },
  ],
  kinds: [
    { id: 'fixed', class: 'rotor', columns: 24, max_rotation: '15000 rpm', imbalance: '0.2 g' },
    { id: 'swing', class: 'rotor', columns: 4, max_rotation: '4200 rpm', imbalance: '1 g' },
  ].map((kind) => ({ names: [], ...kind })),
})

/** The embedded graph in memory; counts the store's queries and the vector calls. */
export async function embeddedKnowledge(): Promise<
  Knowledge & { counts: { queries: number; vectors: number } }
> {
  const d1 = openSqliteD1(':memory:')
  d1.exec(graphMigration())
  const vectors = memoryVectors()
  await loadGraph({ d1, vectorize: vectors, dir: await ensureGraph({ additions: demoAdditions }) })
  const counts = { queries: 0, vectors: 0 }
  return {
    counts,
    store: d1GraphStore(d1, (n) => {
      counts.queries += n
    }),
    vectors: {
      search: (...args) => {
        counts.vectors += 1
        return vectors.search(...args)
      },
    },
    embedder: localEmbedder,
  }
}

type NodeInput = Pick<PlanNode, 'tool' | 'args'>

/** A plan of the given calls, each after the one before. */
export function planOf(calls: readonly NodeInput[], instructions = ['Do the steps.']): Plan {
  return {
    goal: 'test',
    instructions,
    planner: { id: 'planner-1' },
    nodes: calls.map((c, i) => ({
      ...c,
      id: `n${i + 1}`,
      depends_on: i === 0 ? [] : [`n${i}`],
      sandbox: null,
    })),
  }
}

/** A transfer of a liquid into a labelled vessel. */
export const transfer = (liquid: string, to: string, from = 'stock'): NodeInput => ({
  tool: 'liquid_handler.transfer',
  args: {
    pipette: 'p1000',
    volume_ul: 500,
    source: { labware: from, well: 'A1' },
    destination: { labware: to, well: 'A1' },
    liquid,
  },
})
