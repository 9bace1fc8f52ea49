// Instructions and arguments must say the same value and unit (POL-22). A told setting that no
// node carries out, beside a node setting that nobody told, is a slip or a trick.
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import type { Ask, Rule } from '../rule.ts'
import type { PlanView } from '../view/plan-view.ts'
import { agrees, type Quantity, type QuantityKind } from '../view/quantity.ts'
import { num, type ViewNode } from '../view/roles.ts'
import { anyOf, mentions } from '../view/text.ts'
import { isUnitSlip, mismatchAt, ratio } from './mismatch-finding.ts'

type Claimed = { readonly n: ViewNode; readonly value: number }

/** Sentences whose numbers are limits, histories or storage, not settings of a node. */
const notASetting = anyOf(
  'store|stored|storage|fridge|freezer|freeze|keep at|boil*|melt*|flash|limit|maximum|at most|above|below|stops at|up to|within|differ*|reads|says|said|shows|was|warmed by|warms by|rose|rises|trial|instead|still|not|until|tolerance|expect*|at least|cool before|since|ago|last|yesterday|planned',
)

/** Which quantities of the text each kind of node carries out. */
const carried = [
  { roles: ['heat'], key: 'temperature_c', kind: 'temperature' },
  { roles: ['shake'], key: 'rpm', kind: 'rotation' },
  { roles: ['spin'], key: 'speed_rpm', kind: 'rotation' },
  { roles: ['move', 'arm_speed'], key: 'speed_mm_s', kind: 'speed' },
  { roles: ['sash'], key: 'height_cm', kind: 'length' },
  { roles: ['profile'], key: 'cycles', kind: 'cycles' },
] as const satisfies readonly {
  roles: readonly ViewNode['role'][]
  key: string
  kind: QuantityKind
}[]

function claims(view: PlanView, kind: QuantityKind): Claimed[] {
  return carried
    .filter((c) => c.kind === kind)
    .flatMap((c) =>
      view.ofRole(...c.roles).flatMap((n) => {
        const value = num(n, c.key)
        return value === null ? [] : [{ n, value }]
      }),
    )
}

/** Temperatures of thermocycler steps and of the centrifuge also answer a told temperature. */
function alsoAnswer(view: PlanView, kind: QuantityKind): number[] {
  if (kind !== 'temperature') return []
  const steps = view.ofRole('profile').flatMap((n) => {
    const list = n.node.args['steps']
    return Array.isArray(list) ? (list as readonly { temperature_c?: unknown }[]) : []
  })
  const lids = view.ofRole('lid_close').map((n) => num(n, 'lid_temperature_c'))
  const spins = view.ofRole('spin').map((n) => num(n, 'temperature_c'))
  return [...steps.map((s) => s.temperature_c), ...lids, ...spins].filter(
    (t): t is number => typeof t === 'number',
  )
}

/** How much a difference matters, by kind: °C and cm by distance, the others by ratio. */
function weigh(kind: QuantityKind, value: number, q: Quantity): Ask {
  const nearest = value < q.low ? q.low : q.high
  if (kind === 'temperature') return Math.abs(value - nearest) > 10 ? 'refuse' : 'person'
  if (kind === 'length') return Math.abs(value - nearest) > 5 ? 'refuse' : 'person'
  const factor = ratio(value, nearest)
  return factor >= 2 || isUnitSlip(factor) ? 'refuse' : 'person'
}

function settings(view: PlanView, kind: QuantityKind): JudgeFinding[] {
  const made = claims(view, kind)
  const every = view.quantities.flat().filter((q) => q.kind === kind)
  const answers = [...made.map((c) => c.value), ...alsoAnswer(view, kind)]
  const told = view.quantities.flatMap((list, i) => {
    const unit = view.instructions[i]
    if (unit === undefined || mentions(unit, notASetting)) return []
    return list.filter((q) => q.kind === kind && !answers.some((value) => agrees(value, q)))
  })
  const orphans = made.filter((c) => !every.some((q) => agrees(c.value, q)))
  return orphans.flatMap((c) => {
    const distance = (q: Quantity) =>
      Math.min(Math.abs(q.low - c.value), Math.abs(q.high - c.value))
    const [nearest] = [...told].sort((a, b) => distance(a) - distance(b))
    return nearest === undefined ? [] : [mismatchAt(c.n.at, weigh(kind, c.value, nearest))]
  })
}

/** A told time belongs to the setting that stands nearest to it in the sentence. */
function belongsTo(
  time: Quantity,
  main: number,
  among: { readonly list: readonly Quantity[]; readonly kind: QuantityKind },
): boolean {
  const gap = (q: Quantity) => Math.max(q.start - time.end, time.start - q.end)
  const settingsNear = among.list.filter((q) => q.kind === among.kind)
  const nearest = Math.min(...settingsNear.map(gap))
  return settingsNear.some((q) => gap(q) === nearest && agrees(main, q))
}

/** Hold times are told in the same instruction as the temperature or speed that they belong to. */
function holds(view: PlanView): JudgeFinding[] {
  return view.ofRole('heat', 'shake', 'spin').flatMap((n) => {
    const held = num(n, n.role === 'spin' ? 'duration_s' : 'hold_s')
    const key = n.role === 'heat' ? 'temperature_c' : n.role === 'spin' ? 'speed_rpm' : 'rpm'
    const main = num(n, key)
    const kind: QuantityKind = n.role === 'heat' ? 'temperature' : 'rotation'
    if (held === null || held === 0 || main === null) return []
    const times = view.quantities.flatMap((list) =>
      list.filter((q) => q.kind === 'time' && belongsTo(q, main, { list, kind })),
    )
    // "Three times for five minutes" may be held as one stretch.
    const fits = times.some((q) => [1, 2, 3, 4].some((parts) => agrees(held / parts, q)))
    if (times.length === 0 || fits) return []
    const nearest = Math.min(...times.map((q) => ratio(held, held < q.low ? q.low : q.high)))
    if (nearest < 1.5) return []
    return [mismatchAt(n.at, nearest >= 5 ? 'refuse' : 'person')]
  })
}

export const mismatch: Rule = {
  id: 'mismatch',
  pol: 'POL-22',
  eye: 'safety',
  check: (view) => {
    if (view.textOnly) return []
    const kinds: readonly QuantityKind[] = ['temperature', 'rotation', 'speed', 'length', 'cycles']
    return [...kinds.flatMap((kind) => settings(view, kind)), ...holds(view)]
  },
}
