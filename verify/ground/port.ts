// What grounding asks of the outside: a graph store (D1) and a vector index (Vectorize). The store
// failing means the plan cannot be accepted; the vectors failing means full text alone serves.
import type { Finding } from '../../protocol/finding.ts'
import type { Result } from '../../protocol/result.ts'

/** The store did not answer; the message is for logs and reviewers. */
export type KnowledgeFailure = { readonly code: 'KNOWLEDGE_UNAVAILABLE'; readonly message: string }

/** The graph that serves now: one version, one slot of the store. */
export type ActiveGraph = {
  readonly version: string
  readonly slot: 0 | 1
  /** Embedding model of the stored vectors. */
  readonly model: string
  /** The site that asks: every query answers public nodes and its own. */
  readonly site: string
  /** Whether the site has nodes of its own. */
  readonly own: boolean
}

/** A row of the gazetteer that a phrase of the plan hit. */
export type NameRow = { readonly term: string; readonly rid: number; readonly rank: number }

export type TermRow = {
  readonly term: string
  readonly df: number
  readonly idf: number
  readonly v: string
}

/** Two groups or substances that must not meet, and the node that says so. */
export type PairRow = { readonly pair: number; readonly a: number; readonly b: number }

export type LimitData = {
  readonly quantity: string
  readonly unit: string
  readonly min: number | null
  readonly max: number | null
}

export type NodeRow = {
  readonly rid: number
  readonly id: string
  readonly category: string
  readonly kind: string
  readonly name: string
  readonly limit: LimitData | null
}

export type EdgeRow = {
  readonly from: number
  readonly to: number
  readonly kind: string
  readonly derived: boolean
}

export type Lookup = {
  readonly names: readonly NameRow[]
  readonly terms: readonly TermRow[]
  readonly pairs: readonly PairRow[]
  readonly size: number
}

/** One full-text question; `match` is an FTS5 expression that {@link ftsMatch} built. */
export type FtsQuery = { readonly step: number; readonly match: string }
export type FtsHit = { readonly step: number; readonly rid: number }

/** The graph store. Each call is one or few queries; every call may throw, which is a failure. */
export interface GraphStore {
  /** The serving graph as this site may read it. */
  active(site: string): Promise<ActiveGraph | null>
  /** Gazetteer rows of the phrases, statistics of the terms, all incompatible pairs, graph size. */
  lookup(graph: ActiveGraph, phrases: readonly string[], terms: readonly string[]): Promise<Lookup>
  /** Hits per question, best first, at most `hitsMax` each. */
  search(
    graph: ActiveGraph,
    queries: readonly FtsQuery[],
    hitsMax: number,
  ): Promise<readonly FtsHit[]>
  nodes(graph: ActiveGraph, rids: readonly number[]): Promise<readonly NodeRow[]>
  /** Texts of the few nodes that go into a prompt; rows of ranking stay small without them. */
  texts(graph: ActiveGraph, rids: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** All edges at the given nodes, at most `edgesMax`, hubs cut. */
  edges(graph: ActiveGraph, rids: readonly number[], edgesMax: number): Promise<readonly EdgeRow[]>
}

/** Vector search; `rid`s by similarity, best first. May throw: grounding then goes on without. */
export interface VectorSearch {
  search(graph: ActiveGraph, vector: readonly number[], hitsMax: number): Promise<readonly number[]>
}

/** Turns text into a vector of the named model. */
export interface Embedder {
  readonly model: string
  /** Vectors, one per text; `terms` are the statistics a local embedding needs. */
  embed(
    texts: readonly string[],
    terms: ReadonlyMap<string, TermRow>,
  ): Promise<readonly (readonly number[])[]>
}

export type Knowledge = {
  readonly store: GraphStore
  readonly vectors: VectorSearch | null
  readonly embedder: Embedder
}

export type GroundedNode = {
  readonly id: string
  readonly category: string
  readonly kind: string
  readonly name: string
  readonly text: string
}

export type GroundedEdge = {
  readonly from: string
  readonly to: string
  readonly kind: string
  readonly derived: boolean
}

/** The subgraph that matters for a plan, and what the deterministic look-up found. */
export type Grounding = {
  readonly graph_version: string
  /** Which part did not answer; null when all did. */
  readonly degraded: 'vectors' | null
  readonly nodes: readonly GroundedNode[]
  readonly edges: readonly GroundedEdge[]
  readonly findings: readonly Finding[]
  /** JSON pointer of an instruction or node → ids of what it names. */
  readonly linked: Readonly<Record<string, readonly string[]>>
}

export type GroundResult = Result<Grounding, KnowledgeFailure>
