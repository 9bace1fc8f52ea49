// Shared by the knowledge-graph tests: the embedded graph in memory, and small plans.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { topologicalOrder } from '../../../protocol/graph.ts'
import { planSchema, type Plan, type PlanNode } from '../../../protocol/plan.ts'
import { registrySchema } from '../../../protocol/registry.ts'
import { cellRecordSchema } from '../../../protocol/state.ts'
import { d1GraphStore } from '../../../adapters/knowledge-d1.ts'
import { ensureGraph } from '../../../kg-build/embedded.ts'
import { demoAdditions } from '../../../lab/site/lc7/graph-facts.ts'
import { loadGraph } from '../../../kg-build/load/load.ts'
import { memoryVectors } from '../../../kg-build/load/memory-vectors.ts'
import { graphMigration, openSqliteD1 } from '../../../kg-build/load/sqlite-d1.ts'
import { happeningsOf, type Happening } from '../../../verify/ground/happenings.ts'
import { localEmbedder } from '../../../verify/ground/local-embedder.ts'
import type { Knowledge } from '../../../verify/ground/port.ts'
import { readScene } from '../../../verify/read/index.ts'
import { vocabulary } from '../../../verify/read/vocabulary.ts'
import { runWithRules } from '../../../verify/rules/run.ts'

const siteFile = path.resolve(import.meta.dirname, '../../../lab/site/lc7/registry.json')
const labSite = registrySchema.parse(JSON.parse(readFileSync(siteFile, 'utf8')))

/** What a plan does to materials at the demo lab, by the real reading and dry run. */
export function happeningsIn(given: Plan, record: object = {}): Happening[] {
  const { goal, instructions, planner, nodes } = given
  const plan = planSchema.parse({ goal, instructions, planner, nodes })
  const known = cellRecordSchema.parse(record)
  const facts = known.facts.map((fact) => {
    return { ...fact, source: 'person' as const, by: 'olga', at_ms: 0 }
  })
  const state = { ...known, facts, cell: 'cell-1', version: 1 }
  const scene = readScene(plan, topologicalOrder(plan.nodes), labSite, state, vocabulary)
  const trace = runWithRules(scene, labSite, state, { now_ms: 0 })
  return happeningsOf(scene, trace, labSite, state)
}

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
