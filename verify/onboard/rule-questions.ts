// Rules as filled templates: for each act of the site that only a rule can permit, the template that speaks
// of it. An act that a declared limit covers needs none.
import { actNames, type ActName } from '../../protocol/acts.ts'
import type { JsonValue } from '../../protocol/json.ts'
import type { Registry } from '../../protocol/registry.ts'
import type { Question } from './question.ts'
import templates from './templates.json' with { type: 'json' }

const isAct = (name: string): name is ActName => (actNames as readonly string[]).includes(name)

/** The template with its blanks filled; a blank that nobody filled keeps its default. */
export function fillTemplate(
  value: JsonValue,
  blanks: Readonly<Record<string, string>>,
): JsonValue {
  if (typeof value === 'string')
    return value.replaceAll(/\{(\w+)\}/g, (all, key: string) => blanks[key] ?? all)
  if (Array.isArray(value)) return value.map((one) => fillTemplate(one as JsonValue, blanks))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, fillTemplate(one, blanks)]),
  )
}

function ruled(registry: Registry): Set<string> {
  return new Set(
    registry.rules.flatMap((rule) => (rule.if === undefined ? [] : [rule.if.act].flat())),
  )
}

export function ruleQuestions(registry: Registry): Question[] {
  const covered = ruled(registry)
  const used = Map.groupBy(
    registry.tools.flatMap((row) =>
      (row.meaning?.acts ?? []).map(({ act }) => ({ act, tool: row.name })),
    ),
    ({ act }) => act,
  )
  return templates.rows.flatMap((row) => {
    const acts = row.acts.filter((act) => isAct(act) && used.has(act) && !covered.has(act))
    if (acts.length === 0) return []
    const blanks = row.ask as Readonly<Record<string, string>>
    const filled = fillTemplate(row.text, blanks)
    const said = typeof filled === 'string' ? filled : row.text
    const fill = (value: JsonValue): JsonValue => fillTemplate(value, blanks)
    const id = `draft-${row.id}`
    const rule = {
      id,
      text: fill(row.text),
      if: { act: acts },
      needs: fill(row.needs),
      else: row.else,
      remedy: fill(row.remedy),
    } as JsonValue
    return [
      {
        id: `rule:${row.id}`,
        kind: 'rule' as const,
        ask: `What permits ${acts.join(', ')}?`,
        server_says: '',
        proposals: [{ label: said, edits: [{ path: ['rules', id], value: rule }] }],
        own:
          Object.keys(blanks).length === 0
            ? 'a rule of your own, written into the file'
            : Object.entries(blanks)
                .map(([key, value]) => `${key}=${value}`)
                .join(' '),
        danger: 45,
        about: [
          ...new Set(
            acts
              .flatMap((act) => (isAct(act) ? (used.get(act) ?? []) : []))
              .map(({ tool }) => tool),
          ),
        ],
      },
    ]
  })
}
