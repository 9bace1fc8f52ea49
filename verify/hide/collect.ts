// Which values of one plan its site hides, in the order in which they stand: what the named fields hold,
// the words of the rules, and what their patterns match in the plan and in the site's tables.
import type { HideRule } from '../../protocol/hide.ts'
import type { JsonValue } from '../../protocol/json.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { Registry } from '../../protocol/registry.ts'

/** `planner`: it stands here only because the planner wrote it into a named field; no rule names or matches it. */
export type Kept = { readonly kind: string; readonly text: string; readonly planner: boolean }

/** Every text and number in a value; a reference to a later result says nothing yet. */
export function leavesOf(value: JsonValue): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  if (Object.hasOwn(value, '$from')) return []
  return Object.values(value).flatMap((item: JsonValue) => leavesOf(item))
}

/** Names of arguments that the site's own schema gives: no data of a plan. */
function declared(schema: JsonValue, names = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return names
  for (const [key, item] of Object.entries(schema as Record<string, JsonValue>)) {
    if (key === 'properties' && typeof item === 'object' && item !== null) {
      for (const name of Object.keys(item)) names.add(name)
    }
    declared(item, names)
  }
  return names
}

/** Every key in a value but those that the site declares. */
function keysOf(value: JsonValue, own: ReadonlySet<string>): string[] {
  if (typeof value !== 'object' || value === null || Object.hasOwn(value, '$from')) return []
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => keysOf(item, own))
  return Object.entries(value as Record<string, JsonValue>).flatMap(([key, item]) => [
    ...(own.has(key) ? [] : [key]),
    ...keysOf(item, own),
  ])
}

/** What stands under the fields of a rule, keys too. */
function underFields(
  value: JsonValue,
  fields: ReadonlySet<string>,
  own: ReadonlySet<string>,
): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value as Record<string, JsonValue>).flatMap(([key, item]) =>
    fields.has(key) ? [...leavesOf(item), ...keysOf(item, own)] : underFields(item, fields, own),
  )
}

export const patternsOf = (rule: HideRule): RegExp[] =>
  rule.patterns.map((pattern) => new RegExp(pattern, 'gu'))

/** Everything that is hidden of one plan, each text once. */
export function collect(rules: readonly HideRule[], plan: Plan, registry: Registry): Kept[] {
  const kept = new Map<string, Kept>()
  const keep = (kind: string, text: string, planner: boolean): void => {
    const key = text.trim().toLowerCase()
    const before = kept.get(key)
    if (key === '' || (before !== undefined && (planner || !before.planner))) return
    kept.set(
      key,
      before === undefined ? { kind, text: text.trim(), planner } : { ...before, planner },
    )
  }
  const schemas = new Map(registry.tools.map(({ name, args_schema }) => [name, args_schema]))
  const { goal, instructions, nodes } = plan
  const said = (): string[] => [
    goal,
    ...instructions,
    ...nodes.flatMap((node) => [node.id, ...leavesOf(node.args)]),
    ...leavesOf(JSON.parse(JSON.stringify(registry)) as JsonValue),
  ]
  for (const rule of rules) {
    const fields = new Set(rule.fields)
    for (const node of nodes) {
      if (rule.tool !== undefined && rule.tool !== node.tool) continue
      const own = declared(schemas.get(node.tool) ?? {})
      for (const text of underFields(node.args, fields, own)) keep(rule.kind, text, true)
    }
    for (const word of rule.words) keep(rule.kind, word, false)
    for (const pattern of patternsOf(rule)) {
      for (const text of said())
        for (const [found] of text.matchAll(pattern)) keep(rule.kind, found, false)
    }
  }
  return [...kept.values()]
}
