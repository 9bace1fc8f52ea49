// Retrieval for the texts of a plan: entity link, then full text and vectors fused by rank, then one
// hop from what was named. Everything of the store travels in a handful of queries.
import { linkText, namesByTerm, phrasesOf } from './link.ts'
import type { ActiveGraph, EdgeRow, Knowledge, Lookup, NameRow, NodeRow, TermRow } from './port.ts'
import { ftsMatch, termsOf } from './query.ts'

/** Hits per question; deeper ranks never reach a prompt. */
const hitsMax = 60
/** Edges fetched for the hop; a hub is cut here, not in the graph. */
export const edgesMax = 1_500
/**
 * Texts of a plan that are searched: instructions come first and carry the words; what the nodes
 * behind this bound name is still linked and still goes through the rules.
 */
export const questionsMax = 12

export type Retrieved = {
  readonly lookup: Lookup
  /** Gazetteer rows by phrase: what {@link linkText} reads. */
  readonly names: ReadonlyMap<string, readonly NameRow[]>
  /** Rids that each text names, by text index. */
  readonly linked: readonly (readonly number[])[]
  /** Rids that full text found, by text index, best first. */
  readonly found: readonly (readonly number[])[]
  /** Rids near the texts taken together, best first. */
  readonly similar: readonly number[]
  readonly edges: readonly EdgeRow[]
  readonly nodes: ReadonlyMap<number, NodeRow>
  readonly degraded: 'vectors' | null
}

/** Runs retrieval over the texts. Throws when the store does; the caller turns that into a value. */
export async function retrieve(
  knowledge: Knowledge,
  graph: ActiveGraph,
  texts: readonly string[],
): Promise<Retrieved> {
  const { store } = knowledge
  const phrases = [...new Set(texts.flatMap(phrasesOf))]
  const wanted = [...new Set(texts.flatMap(termsOf))]
  const lookup = await store.lookup(graph, phrases, wanted)
  const terms = new Map(lookup.terms.map((t) => [t.term, t]))
  const names = namesByTerm(lookup.names)
  const linked = texts.map((t) => linkText(t, names))
  const [hits, similar] = await Promise.all([
    fullText(knowledge, graph, texts, terms),
    byVector(knowledge, graph, texts, terms),
  ])
  const found = texts.map((_, i) => hits.get(i) ?? [])
  const named = [...new Set(linked.flat())]
  const edges = await store.edges(graph, named, edgesMax)
  const hop = edges.flatMap((e) => [e.from, e.to])
  const pairs = lookup.pairs.flatMap((p) => [p.pair, p.a, p.b])
  const rids = [...new Set([...named, ...hop, ...pairs, ...found.flat(), ...similar.rids])]
  const nodes = new Map((await store.nodes(graph, rids)).map((n) => [n.rid, n]))
  const degraded = similar.failed ? 'vectors' : null
  return { lookup, names, linked, found, similar: similar.rids, edges, nodes, degraded }
}

async function fullText(
  knowledge: Knowledge,
  graph: ActiveGraph,
  texts: readonly string[],
  terms: ReadonlyMap<string, TermRow>,
): Promise<Map<number, number[]>> {
  const chosen = texts.slice(0, questionsMax)
  const byMatch = new Map<string, number[]>()
  for (const [step, text] of chosen.entries()) {
    const match = ftsMatch(text, terms, chosen.length)
    if (match !== null) byMatch.set(match, [...(byMatch.get(match) ?? []), step])
  }
  const matches = [...byMatch]
  const queries = matches.map(([match], step) => ({ step, match }))
  const out = new Map<number, number[]>()
  for (const hit of await knowledge.store.search(graph, queries, hitsMax)) {
    for (const step of matches[hit.step]?.[1] ?? []) {
      out.set(step, [...(out.get(step) ?? []), hit.rid])
    }
  }
  return out
}

/** One vector for all texts together, one call. A failure is reported, never thrown. */
async function byVector(
  knowledge: Knowledge,
  graph: ActiveGraph,
  texts: readonly string[],
  terms: ReadonlyMap<string, TermRow>,
): Promise<{ rids: readonly number[]; failed: boolean }> {
  if (knowledge.vectors === null || knowledge.embedder.model !== graph.model) {
    return { rids: [], failed: true }
  }
  try {
    const [vector] = await knowledge.embedder.embed([texts.join(' . ')], terms)
    if (!vector) return { rids: [], failed: true }
    return { rids: await knowledge.vectors.search(graph, vector, hitsMax), failed: false }
  } catch {
    // Vectors only recall; without them the full text serves and the decision says so.
    return { rids: [], failed: true }
  }
}
