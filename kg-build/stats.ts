// Figures of a graph: size, degree, density, components, and shares by category and source.
import type { GraphEdge, GraphNode } from './graph.ts'

export type GraphStats = {
  readonly nodes: number
  readonly edges: number
  readonly stated_edges: number
  readonly derived_edges: number
  readonly mean_degree: number
  readonly density: number
  readonly components: number
  readonly largest_component_share: number
  readonly by_category: Readonly<Record<string, number>>
  readonly by_source: Readonly<Record<string, { nodes: number; edges: number }>>
  readonly by_edge_kind: Readonly<Record<string, number>>
  /** Edges whose ends no source defines (mostly deprecated entries); counted, not kept. */
  readonly dangling_edges: number
}

const round = (value: number, digits: number): number => Number(value.toPrecision(digits))

/** Statistics over the undirected graph; density is 2E / (V (V − 1)). */
export function statistics(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  dangling: number,
): GraphStats {
  const sizes = componentSizes(nodes, edges)
  const derived = edges.filter((e) => e.derived).length
  const v = nodes.length
  const bySource = new Map<string, { nodes: number; edges: number }>()
  const row = (name: string): { nodes: number; edges: number } => {
    const old = bySource.get(name) ?? { nodes: 0, edges: 0 }
    bySource.set(name, old)
    return old
  }
  for (const node of nodes) row(node.source).nodes += 1
  for (const edge of edges) row(edge.source).edges += 1
  return {
    nodes: v,
    edges: edges.length,
    stated_edges: edges.length - derived,
    derived_edges: derived,
    mean_degree: round((2 * edges.length) / Math.max(v, 1), 4),
    density: round((2 * edges.length) / Math.max(v * (v - 1), 1), 4),
    components: sizes.length,
    largest_component_share: round((sizes[0] ?? 0) / Math.max(v, 1), 4),
    by_category: count(nodes.map((n) => n.category)),
    by_source: Object.fromEntries([...bySource].sort(([a], [b]) => (a < b ? -1 : 1))),
    by_edge_kind: count(edges.map((e) => e.kind)),
    dangling_edges: dangling,
  }
}

function count(keys: readonly string[]): Record<string, number> {
  const all = new Map<string, number>()
  for (const key of keys) all.set(key, (all.get(key) ?? 0) + 1)
  return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Sizes of the connected components, largest first (union-find with path halving). */
export function componentSizes(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): number[] {
  const index = new Map(nodes.map((n, i) => [n.id, i]))
  const parent = nodes.map((_, i) => i)
  const root = (start: number): number => {
    let at = start
    for (;;) {
      const up = parent[at] ?? at
      if (up === at) return at
      parent[at] = parent[up] ?? up
      at = up
    }
  }
  for (const edge of edges) {
    const [a, b] = [index.get(edge.from), index.get(edge.to)]
    if (a !== undefined && b !== undefined) parent[root(a)] = root(b)
  }
  const sizes = new Map<number, number>()
  for (let i = 0; i < nodes.length; i++) sizes.set(root(i), (sizes.get(root(i)) ?? 0) + 1)
  return [...sizes.values()].sort((a, b) => b - a)
}
