// The conversions that a plan needs, as exact fractions: fixed when it is bound, over the registry that it
// was decided for, and from then on part of the context that both sides have signed for.
import { conversionOf, unchanged, type Conversion } from '../../protocol/conversion.ts'
import type { Plan, PlanNode } from '../../protocol/plan.ts'
import { comparisonsOf, referencesOfNode } from '../../protocol/plan-needs.ts'
import type { Registry, ToolEntry } from '../../protocol/registry.ts'
import { numberPlace } from './argument-place.ts'

type From = { readonly node: string; readonly pointer: string; readonly unit?: string | undefined }

/** One for each number, in the order of nodes and text; null when a unit is not read any more. */
export function conversionsOf(
  { nodes }: Plan,
  registry: Pick<Registry, 'tools'>,
): readonly Conversion[] | null {
  const rows = new Map(registry.tools.map((row) => [row.name, row]))
  const rowOf = (id: string): ToolEntry | undefined =>
    rows.get(nodes.find((node) => node.id === id)?.tool ?? '')
  const out: (Conversion | null)[] = []
  const add = (node: PlanNode, at: string, from: From, whole: boolean): void => {
    const given = rowOf(from.node)?.meaning?.results[from.pointer]?.unit
    const by = from.unit === undefined ? unchanged : conversionOf(given ?? '', from.unit)
    out.push(by === null ? null : { node: node.id, at, ...by, whole })
  }
  for (const node of nodes) {
    for (const { at, from } of referencesOfNode(node)) {
      if ('enum' in from) continue
      const schema = rows.get(node.tool)?.args_schema ?? {}
      add(node, at, from, numberPlace(schema, at.slice('/args'.length))?.whole ?? false)
    }
    for (const { at, comparison } of comparisonsOf(node)) {
      if (comparison.unit === undefined) continue
      add(node, at, { ...comparison.result, unit: comparison.unit }, false)
    }
  }
  const known = out.filter((one) => one !== null)
  return known.length === out.length ? known : null
}
