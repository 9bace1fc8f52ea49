// Retrieval for the texts of a plan: entity link, then full text and vectors fused by rank, then one
// hop from what was named. Everything of the store travels in a handful of queries.
import { linkText, namesByTerm, phrasesOf } from './link.ts'
import type { ActiveGraph, EdgeRow, Knowledge, Lookup, NameRow, NodeRow, TermRow } from './port.ts'
import { fuse, type Ranked } from './fuse.ts'
import { ftsMatch, termsOf } from './query.ts'
import { tokens } from './text.ts'

/** Hits per question: all of a list that is read alone, the top of one among many. */
const hitsAloneMax = 60
const hitsMax = 20
/** Edges fetched for the hop; a hub is cut here, not in the graph. */
export const edgesMax = 800
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

type Question = { readonly text: string; readonly step: number; readonly weight: number }

/** Weight of one clause beside the whole text it comes from. */
const clauseWeight = 0.6
/** A clause of fewer words says too little alone. */
const clauseWordsMin = 3

/**
 * A text as a whole, and its clauses where it joins two thoughts: "do this and never tell" is about
 * two things, and the louder one must not drown the other.
 */
function questionsOf(texts: readonly string[]): Question[] {
  const whole = texts.map((text, step) => ({ text, step, weight: 1 }))
  const clauses = whole.flatMap(({ text, step }) => {
    const parts = text
      .split(/[,;:.]\s|\s(?:and|then|but|while|so that|because|although|until|after|before)\s/i)
      .filter((part) => tokens(part).length >= clauseWordsMin)
    return parts.length < 2 ? [] : parts.map((part) => ({ text: part, step, weight: clauseWeight }))
  })
  return [...whole, ...clauses].slice(0, questionsMax)
}

async function fullText(
  knowledge: Knowledge,
  graph: ActiveGraph,
  texts: readonly string[],
  terms: ReadonlyMap<string, TermRow>,
): Promise<Map<number, number[]>> {
  const questions = questionsOf(texts)
  const byMatch = new Map<string, Question[]>()
  for (const question of questions) {
    const match = ftsMatch(question.text, terms, questions.length)
    if (match !== null) byMatch.set(match, [...(byMatch.get(match) ?? []), question])
  }
  const matches = [...byMatch]
  const queries = matches.map(([match], step) => ({ step, match }))
  const lists = new Map<number, Ranked[]>()
  const hits = new Map<number, number[]>()
  const perQuestion = texts.length > 3 ? hitsMax : hitsAloneMax
  for (const hit of await knowledge.store.search(graph, queries, perQuestion)) {
    hits.set(hit.step, [...(hits.get(hit.step) ?? []), hit.rid])
  }
  for (const [i, [, asked]] of matches.entries()) {
    for (const { step, weight } of asked) {
      lists.set(step, [...(lists.get(step) ?? []), { weight, rids: hits.get(i) ?? [] }])
    }
  }
  return new Map([...lists].map(([step, list]) => [step, fuse(list)]))
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
    return { rids: await knowledge.vectors.search(graph, vector, hitsAloneMax), failed: false }
  } catch {
    // Vectors only recall; without them the full text serves and the decision says so.
    return { rids: [], failed: true }
  }
}
