// Which rows a completed run has proven: those that the person saw in the packet as unproven and that were
// surely called. What a condition may have skipped has shown nothing.
import type { Floor } from '../../protocol/finding.ts'
import { topologicalOrder } from '../../protocol/graph.ts'
import { rowsCalled, type ProvenRows } from '../../protocol/proven.ts'
import { standings } from '../read/order.ts'
import type { ReviewSpec } from './state.ts'

/** Tool → digest of the row, as the packet displayed it; empty without a packet. */
export function provenByRun({ plan, snapshot }: ReviewSpec, floor: Floor | null): ProvenRows {
  const shown = (floor?.findings ?? []).filter(({ code }) => code === 'ROW_UNPROVEN')
  if (shown.length === 0) return {}
  const byId = new Map(plan.nodes.map((node) => [node.id, node]))
  const known = standings(topologicalOrder(plan.nodes).flatMap((id) => byId.get(id) ?? []))
  const called = new Map(
    [...rowsCalled(plan.nodes, snapshot.registry.tools)].map(([row, at]) => [row.name, at]),
  )
  const out: ProvenRows = {}
  for (const { facts } of shown) {
    const { tool, row } = facts
    if (typeof tool !== 'string' || typeof row !== 'string') continue
    const nodes = (called.get(tool) ?? []).map((i) => plan.nodes[i]?.id ?? '')
    if (nodes.some((id) => known.get(id)?.certain === true)) out[tool] = row
  }
  return out
}
