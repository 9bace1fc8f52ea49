// The graph while it is built: nodes and edges with their provenance. Danger: an edge nobody can
// trace back is folklore, so each edge names the record, or the rule, that it comes from.

/** The five categories of the knowledge graph. */
export type Category = 'lab_context' | 'cwe' | 'adversarial' | 'hw_safety' | 'failures'

export const categories: readonly Category[] = [
  'lab_context',
  'cwe',
  'adversarial',
  'hw_safety',
  'failures',
]

/** A number that rules may compare with an argument of a plan. */
export type LimitData = {
  readonly quantity: 'temperature' | 'speed' | 'rotation' | 'volume' | 'angle' | 'mass' | 'height'
  readonly unit: string
  readonly min: number | null
  readonly max: number | null
}

export type GraphNode = {
  readonly id: string
  readonly category: Category
  readonly kind: string
  readonly name: string
  readonly text: string
  /** Other words for the same thing; indexed for recall, never shown as the node's own text. */
  readonly aliases: readonly string[]
  readonly source: string
  readonly limit?: LimitData
  /** The site whose node it is; absent when it is everybody's. */
  readonly site?: string
}

export type GraphEdge = {
  readonly from: string
  readonly to: string
  readonly kind: string
  /** True when a named rule of ours made it; false when a source record states it. */
  readonly derived: boolean
  /** `file:line` of the record, or the rule's name and what matched. */
  readonly record: string
  readonly source: string
  /** The site whose edge it is: that of either end. */
  readonly site?: string
}

export type NodeInput = Omit<GraphNode, 'aliases' | 'text'> & {
  readonly text?: string
  readonly aliases?: readonly string[]
}

/** Ids are names people cite; the longest real ones are manual anchors. */
export const idCharsMax = 160

/** Characters of a node's text; a judge needs the gist, and D1 rows stay small. */
export const nodeTextCharsMax = 900

const byteOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Collects nodes and edges; the first record of an id wins, later ones only add aliases. */
export class GraphBuilder {
  readonly #nodes = new Map<string, GraphNode>()
  readonly #edges = new Map<string, GraphEdge>()

  /** Adds a node; text is whitespace-normalised and cut at {@link nodeTextCharsMax}. */
  node(input: NodeInput): void {
    const old = this.#nodes.get(input.id)
    // A site may not change what others read: neither a public node nor one of another site.
    if (old !== undefined && input.site !== undefined && old.site !== input.site) return
    const aliases = new Set([...(old?.aliases ?? []), ...(input.aliases ?? [])].map(tidy))
    aliases.delete('')
    if (old) {
      const limit = old.limit ?? input.limit
      this.#nodes.set(old.id, { ...old, aliases: [...aliases], ...(limit ? { limit } : {}) })
      return
    }
    const name = tidy(input.name)
    if (input.id.length > idCharsMax || name === '') throw new TypeError(`bad node ${input.id}`)
    this.#nodes.set(input.id, {
      ...input,
      name: cut(name, 300),
      text: cut(tidy(input.text ?? ''), nodeTextCharsMax),
      aliases: [...aliases],
    })
  }

  alias(id: string, aliases: readonly string[]): boolean {
    const old = this.#nodes.get(id)
    if (!old) return false
    const all = new Set([...old.aliases, ...aliases.map(tidy)])
    all.delete('')
    this.#nodes.set(id, { ...old, aliases: [...all] })
    return true
  }

  /** Adds an edge. A stated edge wins over a derived one with the same ends and kind. */
  edge(edge: GraphEdge): void {
    if (edge.from === edge.to) return
    const key = `${edge.from}\n${edge.to}\n${edge.kind}`
    const old = this.#edges.get(key)
    if (!old || (old.derived && !edge.derived)) this.#edges.set(key, edge)
  }

  has(id: string): boolean {
    return this.#nodes.has(id)
  }

  get(id: string): GraphNode | undefined {
    return this.#nodes.get(id)
  }

  /** The nodes as they are now; adding aliases meanwhile does not disturb a loop over it. */
  nodeList(): GraphNode[] {
    return [...this.#nodes.values()]
  }

  edges(): Iterable<GraphEdge> {
    return this.#edges.values()
  }

  /** The site that an edge belongs to: that of either end. Null when its ends are of two sites. */
  #siteOf(edge: GraphEdge): string | undefined | null {
    const from = this.get(edge.from)?.site
    const to = this.get(edge.to)?.site
    if (from !== undefined && to !== undefined && from !== to) return null
    return from ?? to
  }

  /** Sorted nodes and edges; edges whose ends are not in the graph are counted, not kept. */
  finish(): { nodes: GraphNode[]; edges: GraphEdge[]; dangling: number } {
    const nodes = [...this.#nodes.values()].sort((a, b) => byteOrder(a.id, b.id))
    // No edge joins two sites: over it one would read the other's node.
    const edges = [...this.#edges.values()].flatMap((e): GraphEdge[] => {
      if (!this.has(e.from) || !this.has(e.to)) return []
      const site = this.#siteOf(e)
      return site === null ? [] : [site === undefined ? e : { ...e, site }]
    })
    edges.sort(
      (a, b) => byteOrder(a.from, b.from) || byteOrder(a.to, b.to) || byteOrder(a.kind, b.kind),
    )
    return { nodes, edges, dangling: this.#edges.size - edges.length }
  }
}

/** One line of text: control characters and runs of white space become one space. */
export function tidy(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

export function cut(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax - 1).toWellFormed()}…`
}

/** `Acetone, pure (99 %)` → `acetone-pure-99`; the id scheme of the published graph. */
export function slug(text: string, charsMax = 80): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, charsMax)
}
