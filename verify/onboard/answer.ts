// An answer to one question, as the number of a proposal or in the administrator's own words, turned into
// edits of the file. What cannot be understood is refused with what may be written instead.
import { actNames, actSpec, type ActName } from '../../protocol/acts.ts'
import type { JsonValue } from '../../protocol/json.ts'
import type { Registry, ToolEntry } from '../../protocol/registry.ts'
import { registrySchema } from '../../protocol/registry.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { deviceClassSchema } from '../../protocol/site-file.ts'
import { choiceMeanings, type Binding } from '../../protocol/tool-meaning.ts'
import { unitOf } from '../../protocol/units.ts'
import { alsoAct, alsoEdit, describeAs } from './describe.ts'
import { leavesOf } from './leaves.ts'
import { applyEdits, type Edit } from './edits.ts'
import type { Question } from './question.ts'
import { questionsOf } from './questions.ts'
import { fillTemplate } from './rule-questions.ts'

export type AnswerError = {
  readonly code: 'no_such_question' | 'not_understood' | 'not_valid'
  readonly message: string
}
type Edits = Result<readonly Edit[], string>

const isAct = (name: string): name is ActName => (actNames as readonly string[]).includes(name)

/** `ACT`, or `ACT role=/argument role="a name" …`: what is written stands before what is guessed. */
function ofCall(registry: Registry, row: ToolEntry, text: string): Edits {
  const [act = '', ...given] = text.split(/\s+(?=\w)/)
  if (!isAct(act)) return err(`there is no act "${act}"`)
  const own: Record<string, Binding> = {}
  for (const one of given) {
    const [, role = '', value = ''] = /^(\w+)=(.+)$/s.exec(one) ?? []
    if (actSpec(act).roles[role] === undefined) return err(`${act} has no role "${role || one}"`)
    const [at = '', unit] = value.split(',')
    const plain = value.replaceAll(/^"|"$/g, '')
    if (!value.startsWith('/')) own[role] = { const: plain }
    else own[role] = unit === undefined ? at : { arg: at, unit }
  }
  const { edits } = describeAs(registry, row, act)
  return ok(
    edits.map((edit) => {
      if (edit.path[2] !== 'meaning') return edit
      const { acts } = edit.value as unknown as { acts: { act: string; bind: object }[] }
      const value = { acts: acts.map((one) => ({ ...one, bind: { ...one.bind, ...own } })) }
      return { ...edit, value: value as unknown as JsonValue }
    }),
  )
}

function ofArgument(row: ToolEntry, at: string, text: string): Edits {
  const meaning = row.meaning
  if (meaning === undefined) return err('say first what the call does')
  const inert = /^inert:\s*(.{3,300})$/s.exec(text)
  if (inert !== null) {
    const rows = [...meaning.inert, { at, reason: (inert[1] ?? '').trim() }]
    return ok([
      { path: ['tools', row.name, 'meaning', 'inert'], value: rows as unknown as JsonValue },
    ])
  }
  const [role = '', unit] = text.split(/\s+/)
  if (isAct(role) && unit === undefined) {
    const leaf = leavesOf(row.args_schema).find((one) => one.at === at)
    const also = leaf === undefined ? null : alsoAct(row, role, leaf)
    return also === null || also.used.length === 0
      ? err(`${role} has no role for this argument`)
      : ok([alsoEdit(row, also)])
  }
  const index = meaning.acts.findIndex(({ act }) => actSpec(act).roles[role] !== undefined)
  if (index < 0) return err(`no act of this call has a role "${role}"`)
  if (unit !== undefined && unitOf(unit) === null) return err(`"${unit}" is no unit of UCUM`)
  const binding = unit === undefined ? at : { arg: at, unit }
  const acts = meaning.acts.map((one, i) =>
    i === index ? { ...one, bind: { ...one.bind, [role]: binding } } : one,
  )
  return ok([{ path: ['tools', row.name, 'meaning', 'acts'], value: acts as unknown as JsonValue }])
}

function ofThing(id: string, text: string): Edits {
  const [what = '', ...more] = text.split(/\s+/)
  const rest = more.join(' ')
  if (what === 'device' && deviceClassSchema.safeParse(rest).success) {
    return ok([{ path: ['devices', id], value: { id, class: rest } }])
  }
  if (what === 'bin')
    return ok([{ path: ['devices', id], value: { id, class: 'bin', final: true } }])
  if (what === 'place') {
    return ok([
      { path: ['zones', 'people'], value: { id: 'people', people: 'always' } },
      { path: ['places', id], value: { id, zone: 'people' } },
    ])
  }
  if (what === 'barrier') {
    const value = rest === '' ? { id } : { id, device: rest }
    return ok([{ path: ['barriers', id], value }])
  }
  if (what === 'vessel' && rest !== '') {
    const kind = `vessel_${rest.replaceAll(/[^A-Za-z0-9]+/g, '_')}`
    return ok([
      { path: ['kinds', kind], value: { id: kind, class: 'vessel', capacity: rest } },
      { path: ['things', id], value: { id, kind } },
    ])
  }
  return err('not one of the forms')
}

function ofLimit(key: string, text: string): Edits {
  const [device = '', quantity = ''] = key.split('/')
  const found = /^(-?[\d.]+)?\s*\.\.\s*(-?[\d.]+)?\s+(\S+)$/.exec(text)
  if (found === null) return err('not MIN..MAX UNIT')
  const [, min, max, unit = ''] = found
  if (unitOf(unit) === null) return err(`"${unit}" is no unit of UCUM`)
  const range = {
    ...(min === undefined ? {} : { min: `${min} ${unit}` }),
    ...(max === undefined ? {} : { max: `${max} ${unit}` }),
  }
  return ok([{ path: ['devices', device, 'limits', quantity], value: range }])
}

function ofValues(row: ToolEntry, at: string, text: string): Edits {
  const pairs = text.split(/\s+/).map((pair) => pair.split('='))
  const known = new Set(Object.values(choiceMeanings).flatMap((words) => Object.keys(words)))
  const wrong = pairs.find(
    ([value, word]) => value === undefined || word === undefined || !known.has(word),
  )
  if (wrong !== undefined) return err(`"${wrong.join('=')}" is not VALUE=WORD`)
  const choices = [
    ...(row.meaning?.choices ?? []),
    { at, means: Object.fromEntries(pairs) as Record<string, string> },
  ]
  return ok([
    { path: ['tools', row.name, 'meaning', 'choices'], value: choices as unknown as JsonValue },
  ])
}

function ofStop(registry: Registry, question: Question, text: string): Edits {
  const found = /^(\S+)(?:\s+(\{.*\}))?$/s.exec(text)
  const server = question.id.slice('stop:'.length)
  const tool = registry.tools.find(
    (row) => row.server === server && [row.mcp_tool, row.name].includes(found?.[1] ?? ''),
  )
  if (tool === undefined) return err('the server has no such call')
  let args: JsonValue
  try {
    args = JSON.parse(found?.[2] ?? '{}') as JsonValue
  } catch {
    return err('the arguments are no JSON')
  }
  const value = { mcp_tool: tool.mcp_tool, args }
  return ok(question.about.map((name) => ({ path: ['tools', name, 'safe_stop'], value })))
}

function ownWords(registry: Registry, question: Question, text: string): Edits {
  const key = question.id.slice(question.id.indexOf(':') + 1)
  const row = registry.tools.find(({ name }) => name === question.about[0])
  const at = row === undefined ? '' : key.slice(row.name.length)
  switch (question.kind) {
    case 'does':
      return row === undefined ? err('no such call') : ofCall(registry, row, text)
    case 'argument':
      return row === undefined ? err('no such call') : ofArgument(row, at, text)
    case 'values':
      return row === undefined ? err('no such call') : ofValues(row, at, text)
    case 'thing':
      return ofThing(key, text)
    case 'limit':
      return ofLimit(key, text)
    case 'stop':
      return ofStop(registry, question, text)
    case 'people': {
      if (!registry.zones.some(({ id }) => id === text)) return err('no such zone')
      return ok(question.about.map((id) => ({ path: ['devices', id, 'zone'], value: text })))
    }
    case 'planner': {
      const capabilities = [...new Set(registry.tools.map(({ capability }) => capability))]
      return ok([{ path: ['planners', text], value: { capabilities } }])
    }
    case 'rule': {
      const blanks = Object.fromEntries(
        text
          .split(/\s+(?=\w+=)/)
          .map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]),
      )
      const defaults = question.own
        .split(/\s+(?=\w+=)/)
        .map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)] as const)
      const [proposal] = question.proposals
      if (proposal === undefined || defaults.some(([name]) => blanks[name] === undefined))
        return err('a blank is not filled')
      // The defaults stand in the filled rule; each is replaced by what was written.
      const swap = (value: JsonValue): JsonValue =>
        fillTemplate(
          JSON.parse(
            defaults.reduce(
              (all, [name, was]) => all.replaceAll(JSON.stringify(was).slice(1, -1), `{${name}}`),
              JSON.stringify(value),
            ),
          ) as JsonValue,
          blanks,
        )
      return ok(proposal.edits.map((edit) => ({ ...edit, value: swap(edit.value) })))
    }
    case 'rest':
      return err('this question has no other form')
  }
}

/** Takes one answer: the number of a proposal (from 1) or own words. */
export function takeAnswer(
  registry: Registry,
  id: string,
  text: string,
): Result<Registry, AnswerError> {
  const question = questionsOf(registry).find((one) => one.id === id)
  if (question === undefined)
    return err({ code: 'no_such_question', message: `nothing asks ${id} now` })
  const chosen = /^\d+$/.test(text) ? question.proposals[Number(text) - 1] : undefined
  const edits = chosen === undefined ? ownWords(registry, question, text.trim()) : ok(chosen.edits)
  if (!edits.ok) {
    const message = `${id}: ${edits.error}; write ${question.proposals.length > 0 ? `1 to ${question.proposals.length}, or ` : ''}${question.own}`
    return err({ code: 'not_understood', message })
  }
  const parsed = registrySchema.safeParse(applyEdits(registry, edits.value))
  if (parsed.success) return ok(parsed.data)
  const [issue] = parsed.error.issues
  return err({
    code: 'not_valid',
    message: `${id}: /${issue?.path.join('/') ?? ''}: ${issue?.message ?? ''}`,
  })
}
