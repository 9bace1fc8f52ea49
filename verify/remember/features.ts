// What failure memory keeps of a plan: ids and entities, never text. Two granularities: the shape
// (tools, enumerated arguments, linked graph ids, steps that follow each other) survives other ids,
// volumes and wording; free strings of the plan never enter.
import type { JsonValue } from '../../protocol/json.ts'
import type { Plan, PlanNode } from '../../protocol/plan.ts'
import type { Registry, ToolEntry } from '../../protocol/registry.ts'

/** Graph ids by JSON pointer of the place they were linked at (from grounding). */
export type Linked = Readonly<Record<string, readonly string[]>>

/** Features kept of one plan; beyond it the rarest information is not in the tail. */
export const featuresMax = 400

type SchemaView = {
  readonly enum?: unknown
  readonly type?: unknown
  readonly properties?: unknown
  readonly items?: unknown
}

const viewOf = (value: unknown): SchemaView | null =>
  typeof value === 'object' && value !== null ? value : null

/** Enumerated and boolean arguments: a closed vocabulary of the registry, hence not plan text. */
function closedArgs(tool: ToolEntry, args: JsonValue, schema: unknown, path: string): string[] {
  const view = viewOf(schema)
  if (view === null) return []
  const listed = Array.isArray(view.enum) && view.enum.includes(args)
  if (listed || (view.type === 'boolean' && typeof args === 'boolean')) {
    return [`arg:${tool.name}${path}=${JSON.stringify(args)}`]
  }
  const properties = viewOf(view.properties)
  if (properties === null || typeof args !== 'object' || args === null || Array.isArray(args)) {
    return []
  }
  return Object.entries(args).flatMap(([key, value]) => {
    if (!Object.hasOwn(properties, key)) return []
    const child = (properties as Record<string, unknown>)[key]
    return closedArgs(tool, value, child, `${path}/${key}`)
  })
}

/** True when a value holds text that its schema does not list: only there can wording hide anything. */
function holdsText(value: JsonValue, schema: unknown): boolean {
  const view = viewOf(schema)
  if (typeof value === 'string') {
    return !(Array.isArray(view?.enum) && view.enum.includes(value))
  }
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some((item: JsonValue) => holdsText(item, view?.items))
  const properties = viewOf(view?.properties) as Record<string, unknown> | null
  return Object.entries(value).some(([key, inner]) => holdsText(inner, properties?.[key]))
}

/** True when every one of the pointers is in a node whose arguments hold figures and listed words only. */
export function wordingCannotHide(
  plan: Plan,
  pointers: readonly string[],
  registry: Registry,
): boolean {
  return pointers.every((pointer) => {
    const match = /^\/nodes\/(\d+)/.exec(pointer)
    const node = match === null ? undefined : plan.nodes[Number(match[1])]
    const tool = registry.tools.find((entry) => entry.name === node?.tool)
    return node !== undefined && tool !== undefined && !holdsText(node.args, tool.args_schema)
  })
}

/** The features of one node: its tool, its closed arguments and what the graph linked there. */
export function nodeFeatures(
  node: PlanNode,
  index: number,
  context: { registry: Registry; linked: Linked },
): string[] {
  const tool = context.registry.tools.find((entry) => entry.name === node.tool)
  if (tool === undefined) return []
  const out = [`tool:${tool.name}`, ...closedArgs(tool, node.args, tool.args_schema, '')]
  if (tool.sandbox_required) out.push(`sandbox:${node.sandbox === null ? 'none' : 'named'}`)
  for (const [pointer, ids] of Object.entries(context.linked)) {
    if (pointer === `/nodes/${index}` || pointer.startsWith(`/nodes/${index}/`)) {
      for (const id of ids) out.push(`kg:${id}`)
    }
  }
  return out
}

/** The features of a whole plan, sorted and distinct. */
export function planFeatures(
  plan: Plan,
  context: { registry: Registry; linked: Linked },
): string[] {
  const out = new Set<string>()
  const toolOf = new Map(plan.nodes.map((node) => [node.id, node.tool]))
  plan.nodes.forEach((node, index) => {
    for (const feature of nodeFeatures(node, index, context)) out.add(feature)
    for (const before of node.depends_on) {
      const tool = toolOf.get(before)
      if (tool !== undefined) out.add(`step:${tool}>${node.tool}`)
    }
  })
  for (const [pointer, ids] of Object.entries(context.linked)) {
    if (!pointer.startsWith('/nodes/')) for (const id of ids) out.add(`kg:${id}`)
  }
  return [...out].sort().slice(0, featuresMax)
}

/**
 * The features of the places that findings name: what made the plan fail. A finding about the whole
 * plan, or about text alone, names no place that entities hang on and adds nothing here.
 */
export function culpritFeatures(
  plan: Plan,
  pointers: readonly string[],
  context: { registry: Registry; linked: Linked },
): string[] {
  const out = new Set<string>()
  for (const pointer of pointers) {
    const match = /^\/nodes\/(\d+)/.exec(pointer)
    const index = match === null ? -1 : Number(match[1])
    const node = plan.nodes[index]
    if (node !== undefined) {
      for (const feature of nodeFeatures(node, index, context)) out.add(feature)
      continue
    }
    for (const id of context.linked[pointer] ?? []) out.add(`kg:${id}`)
  }
  return [...out].sort().slice(0, featuresMax)
}
