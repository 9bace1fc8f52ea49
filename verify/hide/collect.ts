// Which values of one plan its site hides, in the order in which they stand: what the named fields hold,
// the words of the rules, and what their patterns match in the plan and in the site's tables.
import type { HideRule } from '../../protocol/hide.ts'
import type { JsonValue } from '../../protocol/json.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { Registry } from '../../protocol/registry.ts'

export type Kept = { readonly kind: string; readonly text: string }

/** Every text and number in a value; a reference to a later result says nothing yet. */
export function leavesOf(value: JsonValue): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  if (Object.hasOwn(value, '$from')) return []
  return Object.values(value).flatMap((item: JsonValue) => leavesOf(item))
}

/** What stands under the fields of a rule. */
function underFields(value: JsonValue, fields: ReadonlySet<string>): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value as Record<string, JsonValue>).flatMap(([key, item]) =>
    fields.has(key) ? leavesOf(item) : underFields(item, fields),
  )
}

export const patternsOf = (rule: HideRule): RegExp[] =>
  rule.patterns.map((pattern) => new RegExp(pattern, 'gu'))

/** Everything that is hidden of one plan, each text once. */
export function collect(rules: readonly HideRule[], plan: Plan, registry: Registry): Kept[] {
  const kept = new Map<string, Kept>()
  const keep = (kind: string, text: string): void => {
    const key = text.trim().toLowerCase()
    if (key !== '' && !kept.has(key)) kept.set(key, { kind, text: text.trim() })
  }
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
      for (const text of underFields(node.args, fields)) keep(rule.kind, text)
    }
    for (const word of rule.words) keep(rule.kind, word)
    for (const pattern of patternsOf(rule)) {
      for (const text of said())
        for (const [found] of text.matchAll(pattern)) keep(rule.kind, found)
    }
  }
  return [...kept.values()]
}
