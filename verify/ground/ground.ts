// Grounds a plan in the knowledge graph: the subgraph that matters, and what is known to be
// hazardous. Fails closed: a store that does not answer is an error, never an empty graph.
import type { Plan } from '../../protocol/plan.ts'
import { err, ok } from '../../protocol/result.ts'
import type { Happening } from './happenings.ts'
import type { GroundResult, Knowledge } from './port.ts'
import { retrieve } from './retrieve.ts'
import { groundFindings } from './rules.ts'
import { stepsOf } from './steps.ts'
import { candidates, subgraph } from './subgraph.ts'

export type GroundInput = {
  readonly plan: Plan
  /** Whose plan it is: nothing of another site's nodes is read. */
  readonly site: string
  /** What its steps do to materials, of the dry run. */
  readonly happenings: readonly Happening[]
  readonly knowledge: Knowledge
}

/**
 * Entity link, rules over the whole plan, full text and vectors, one hop, subgraph within a budget.
 * At most eight store queries and one vector call for a plan of any size. `err` when the store
 * fails or no graph is loaded: the plan cannot be accepted then.
 */
export async function ground(input: GroundInput): Promise<GroundResult> {
  const { plan, site, happenings, knowledge } = input
  const steps = stepsOf(plan)
  try {
    const graph = await knowledge.store.active(site)
    if (!graph) return err({ code: 'KNOWLEDGE_UNAVAILABLE', message: 'no graph is loaded' })
    const texts = steps.map((s) => s.text)
    const got = await retrieve(knowledge, graph, texts)
    const findings = groundFindings({ plan, happenings, got })
    const linked: Record<string, string[]> = {}
    for (const [i, step] of steps.entries()) {
      const ids = (got.linked[i] ?? []).flatMap((rid) => got.nodes.get(rid)?.id ?? [])
      if (ids.length > 0) linked[step.at] = ids
    }
    const ordered = candidates(steps, got, findings)
    const bodies = await knowledge.store.texts(
      graph,
      ordered.map((n) => n.rid),
    )
    const part = subgraph(ordered, bodies, got)
    return ok({
      graph_version: graph.version,
      degraded: got.degraded,
      nodes: part.nodes,
      edges: part.edges,
      findings,
      linked,
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return err({ code: 'KNOWLEDGE_UNAVAILABLE', message: message.slice(0, 300) })
  }
}
