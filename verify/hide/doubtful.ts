// Whether a planner may have chosen by a hidden field what judges do not see. What stands in a named field is
// replaced wherever else it stands, and a planner fills the field: a tool's name, a limit, or a phrase such as
// "disable the interlock" would be gone from goal, instructions and rules. Then no vendor judges the plan.
import type { HideRule } from '../../protocol/hide.ts'
import type { JsonValue } from '../../protocol/json.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { Registry } from '../../protocol/registry.ts'
import type { Kept } from './collect.ts'
import { folded, formsOf } from './forms.ts'

/** Texts, numbers and keys of a value, line by line. */
function linesOf(value: JsonValue): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => linesOf(item))
  return Object.entries(value as Record<string, JsonValue>).flatMap(([key, item]) =>
    key === 'definition_digest' ? [] : [key, ...linesOf(item)],
  )
}

/** A value without the named fields. */
function without(value: JsonValue, fields: ReadonlySet<string>): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: JsonValue) => without(item, fields))
  return Object.fromEntries(
    Object.entries(value as Record<string, JsonValue>)
      .filter(([key]) => !fields.has(key))
      .map(([key, item]) => [key, without(item, fields)]),
  )
}

/** The plan outside of the fields that rules name for each of its tools. */
function outside(rules: readonly HideRule[], plan: Plan): string[] {
  const nodes = plan.nodes.map(({ args, ...node }) => {
    const own = rules.filter(({ tool }) => tool === undefined || tool === node.tool)
    return { ...node, args: without(args, new Set(own.flatMap(({ fields }) => fields))) }
  })
  return linesOf(JSON.parse(JSON.stringify({ ...plan, nodes })) as JsonValue)
}

const inWord = /[\p{L}\p{N}]/u

/** True when a folded text has another one in it that is no part of a longer word. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, after] = [text.slice(at - 1, at), text[at + word.length] ?? '']
    if (!inWord.test(before) && !inWord.test(after)) return true
  }
  return false
}

const isNumber = (text: string): boolean => /^[-+]?[\d.,]+(?:e[-+]?\d+)?$/i.test(text)

/** A word that is written as no name is: it begins with a letter that is not an upper-case one. */
const plainWord = /(?<![\p{L}\p{N}\p{M}])(?![\p{Lu}\p{Lt}])\p{L}/u

/** True for a text that names something of the site, is a quantity elsewhere or stands elsewhere as a phrase. */
function isDoubtful(text: string, site: string, lines: readonly string[]): boolean {
  const word = folded(text)
  if (word !== '' && hasWord(site, word)) return true
  const found = lines.flatMap((line) => line.match(new RegExp(formsOf(text), 'giu')) ?? [])
  return found.length > 0 && [text, ...found].some((one) => isNumber(one) || plainWord.test(one))
}

/** True when anything that only the planner put under a hidden field is doubtful. */
export function anyDoubtful(
  kept: readonly Kept[],
  rules: readonly HideRule[],
  plan: Plan,
  registry: Registry,
): boolean {
  const chosen = kept.filter(({ planner }) => planner)
  if (chosen.length === 0) return false
  const site = folded(linesOf(JSON.parse(JSON.stringify(registry)) as JsonValue).join('\n'))
  const lines = outside(rules, plan)
  return chosen.some(({ text }) => isDoubtful(text, site, lines))
}
