// Grounds a stored plan in the knowledge graph of D1 and Vectorize. null means that the store was
// down: the plan can then not be accepted. A silent vector index only costs recall and is recorded.
import { workersAiEmbedder } from '../../adapters/embedder-workers-ai.ts'
import { d1GraphStore } from '../../adapters/knowledge-d1.ts'
import { vectorizeSearch } from '../../adapters/knowledge-vectorize.ts'
import type { Packet } from '../../protocol/records.ts'
import { ground } from '../../verify/ground/ground.ts'
import { localEmbedder } from '../../verify/ground/local-embedder.ts'
import { bearing, type Knowledge } from '../../verify/panel/context.ts'
import type { Linked } from '../../verify/remember/features.ts'
import type { StartSpec } from '../contracts.ts'
import type { Env } from '../env.ts'

export type Grounded = {
  /** What the packet keeps: ids and findings. */
  record: NonNullable<Packet['grounding']>
  /** What the judges read: of these nodes those that bear on the plan, with their text. */
  knowledge: Knowledge
  linked: Linked
  graph_version: string
}

const nodesMax = 500
const findingsMax = 100

/** The subgraph for a plan, or null when the graph store did not answer. */
export async function groundStored(spec: StartSpec, env: Env): Promise<Grounded | null> {
  const found = await ground({
    plan: spec.plan,
    registry: spec.snapshot.registry,
    knowledge: {
      store: d1GraphStore(env.DB),
      vectors: vectorizeSearch(env.VECTORIZE),
      embedder: env.AI === undefined ? localEmbedder : workersAiEmbedder(env.AI),
    },
  })
  if (!found.ok) {
    console.error(`${found.error.code}: ${found.error.message}`)
    return null
  }
  const { graph_version, degraded, nodes, edges, findings, linked } = found.value
  return {
    record: {
      degraded,
      nodes: nodes.slice(0, nodesMax).map((node) => node.id),
      findings: findings.slice(0, findingsMax),
    },
    knowledge: bearing(
      {
        nodes: nodes.map(({ id, category, name, text }) => ({ id, category, title: name, text })),
        edges,
      },
      new Set(Object.values(linked).flat()),
      new Set(findings.flatMap((found) => found.kg)),
    ),
    linked,
    graph_version,
  }
}
