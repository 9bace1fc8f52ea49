// What the judges get besides the plan: the retrieved subgraph and the site's rules, with the ids
// that a finding may cite. An id that is not here is no evidence.
import { limits } from '../../protocol/limits.ts'
import type { Registry } from '../../protocol/registry.ts'

export type KnowledgeNode = {
  readonly id: string
  readonly category: string
  readonly title: string
  readonly text: string
}
export type KnowledgeEdge = {
  readonly from: string
  readonly to: string
  readonly kind: string
  /** Made by a rule of ours rather than stated by a source. */
  readonly derived: boolean
}

/** The subgraph for one plan, the most important nodes first. */
export type Knowledge = {
  readonly nodes: readonly KnowledgeNode[]
  readonly edges: readonly KnowledgeEdge[]
}

export const noKnowledge: Knowledge = { nodes: [], edges: [] }

/** The id under which a rule of the site is cited. */
export const ruleId = (id: string): string => `rule:${id}`
/** The id under which a row of the registry is cited. */
export const toolId = (name: string): string => `tool:${name}`

const nodeLine = (node: KnowledgeNode): string =>
  JSON.stringify([node.id, node.category, node.title, node.text])
const edgeLine = (edge: KnowledgeEdge): string =>
  JSON.stringify([edge.from, edge.derived ? `${edge.kind} (derived)` : edge.kind, edge.to])

/** The subgraph as one line per node and edge, and the part of it that the bound let in. */
export function knowledgeLines(knowledge: Knowledge): { text: string; kept: Knowledge } {
  const lines: string[] = []
  const nodes: KnowledgeNode[] = []
  const edges: KnowledgeEdge[] = []
  const ids = new Set<string>()
  let left: number = limits.knowledgeCharsMax
  const take = (line: string): boolean => {
    if (line.length > left || lines.length >= limits.knowledgeLinesMax) return false
    left -= line.length
    lines.push(line)
    return true
  }
  // Whole nodes only, the most important first; a longer one further down cannot push one out.
  for (const node of knowledge.nodes) {
    if (!take(nodeLine(node))) break
    nodes.push(node)
    ids.add(node.id)
  }
  for (const edge of knowledge.edges) {
    if (!ids.has(edge.from) || !ids.has(edge.to)) continue
    if (!take(edgeLine(edge))) break
    edges.push(edge)
  }
  const text = lines.length === 0 ? '(nothing was found)' : lines.join('\n')
  return { text, kept: { nodes, edges } }
}

/**
 * What of a retrieved subgraph bears on the plan: what a finding cites, what the plan names, and what
 * is joined by an edge to something it names. What a search found near its words and nothing ties to it
 * is left out: a judge reads it as if it were about this plan.
 */
export function bearing(
  knowledge: Knowledge,
  named: ReadonlySet<string>,
  cited: ReadonlySet<string>,
): Knowledge {
  const near = new Set<string>()
  for (const { from, to } of knowledge.edges) {
    if (named.has(from)) near.add(to)
    if (named.has(to)) near.add(from)
  }
  const nodes = knowledge.nodes.filter(({ id }) => cited.has(id) || named.has(id) || near.has(id))
  const kept = new Set(nodes.map((node) => node.id))
  const edges = knowledge.edges.filter(({ from, to }) => kept.has(from) && kept.has(to))
  return { nodes, edges }
}

/** Every id that a finding may cite: nodes of the subgraph and rules of the site. */
export function citableIds(knowledge: Knowledge, registry: Registry): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const node of knowledge.nodes) ids.add(node.id)
  for (const rule of registry.rules) ids.add(ruleId(rule.id))
  return ids
}
