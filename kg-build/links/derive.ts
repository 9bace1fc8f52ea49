// One way to add a derived edge, so that each carries the name of its rule.
import type { GraphBuilder } from '../graph.ts'

/** One derived edge; the record names the rule and what matched. */
export function derive(
  graph: GraphBuilder,
  rule: string,
  from: string,
  kind: string,
  to: string,
): void {
  if (!graph.has(from) || !graph.has(to)) return
  graph.edge({ from, to, kind, derived: true, record: `rule:${rule}`, source: 'own' })
}
