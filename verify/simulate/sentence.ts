// One plain sentence a step, from the act's own clause and the values with which it happens. Names are
// those of the plan.
import { actSpec } from '../../protocol/acts.ts'
import type { RoleValue, SceneAct, Step } from '../read/scene.ts'
import { ifWords, requireWords, takenBy } from './taken.ts'
import { show } from './quantity.ts'

const shownMax = 4

function shownValue(value: RoleValue): string {
  switch (value.kind) {
    case 'thing':
    case 'place': {
      const { raw, part } = value.ref
      if (part === null || raw.includes(part)) return raw
      return part === '*' ? `every part of ${raw}` : `${raw} ${part.replace('col:', 'column ')}`
    }
    case 'quantity':
      return show(value.value, value.dim)
    case 'substance':
      return value.substance.raw
    case 'text':
    case 'address':
      return value.text.length > 80 ? `${value.text.slice(0, 79)}…` : value.text
    case 'flag':
      return value.value ? 'yes' : 'no'
    case 'choice':
      return value.means ?? value.raw
    default:
      return ((never: never) => never)(value)
  }
}

function shownRole(act: SceneAct, role: string): string | null {
  const values = act.roles[role]
  if (values === undefined || values.length === 0) return null
  const shown = values.slice(0, shownMax).map(shownValue)
  if (values.length > shownMax) shown.push(`${values.length - shownMax} more`)
  const word = act.roles[`${role}_part`]?.[0] ?? (role === 'thing' ? act.roles['part']?.[0] : null)
  const first = values[0]
  const told = first?.kind === 'thing' && first.ref.part !== null
  const suffix = told || word?.kind !== 'choice' ? '' : ` ${word.means ?? word.raw}`
  return shown.join(', ') + suffix
}

/** The clause of one act; what was not given is left out together with its preposition. */
export function clause(act: SceneAct): string {
  const slots = /(?:,? ?\b(?:for|at|to|from|of|with|through|in|into|on) )?(, )?\{(\w+)\}( times)?/g
  const spec = actSpec(act.act)
  return spec.says
    .replace(slots, (whole, _comma: string | undefined, role: string) => {
      const shown = shownRole(act, role)
      if (shown !== null) return whole.replace(`{${role}}`, () => shown)
      if (act.act === 'place' && role === 'thing') return whole.replace('{thing}', 'what it holds')
      if (spec.roles[role]?.needed === true) return whole.replace(`{${role}}`, 'something')
      return ''
    })
    .replaceAll('  ', ' ')
    .trim()
}

/** `Sets block_1 to 95 °C for 600 s (was 22 °C).` */
export function sentence(step: Step, notes: readonly string[]): string {
  const clauses =
    step.acts.length > 0
      ? step.acts.map(clause)
      : [`calls ${step.node.tool}, which nobody has described`]
  const must = requireWords(step.node)
  const all = [...notes, ...takenBy(step.node), ...(must === null ? [] : [must])]
  const extra = all.length === 0 ? '' : ` (${all.join('; ')})`
  const when = ifWords(step.node, step.certain)
  const doubt =
    step.opaque !== null && step.acts.length > 0 ? '; and what else it does is not described' : ''
  const text = `${when}${clauses.join('; ')}${extra}${doubt}.`
  // A name keeps its spelling, also at the start.
  const first = step.certain ? step.acts[0]?.act : undefined
  if (first !== undefined && actSpec(first).says.startsWith('{')) return text
  return text.charAt(0).toUpperCase() + text.slice(1)
}
