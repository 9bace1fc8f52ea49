// Instructions and arguments must say the same value and unit (POL-22). A told quantity that no
// node carries out, beside a node value that nobody told, is a slip or a trick; both are refused
// when the difference matters.
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import { found, type Ask, type Rule } from '../rule.ts'
import type { PlanView } from '../view/plan-view.ts'
import { agrees, type Quantity, type QuantityKind } from '../view/quantity.ts'
import { num, str, type ViewNode } from '../view/roles.ts'
import { anyOf, mentions, tokenise } from '../view/text.ts'

type Claimed = { readonly n: ViewNode; readonly value: number }
type Told = { readonly i: number; readonly q: Quantity }

const storage = anyOf(
  'store|stored|storage|fridge|freezer|freeze|keep at|boil*|melt*|flash|limit|maximum|at most|above|below|stops at|up to|within|differ*|reads|says|said|shows|was|warmed by|warms by|rose|rises|trial|instead|still|not|until|tolerance|expect*|at least|cool before|since|ago|last|yesterday|planned',
)

/** Which quantities of the text each kind of node carries out. */
const carried: readonly {
  readonly roles: readonly ViewNode['role'][]
  readonly key: string
  readonly kind: QuantityKind
}[] = [
  { roles: ['heat'], key: 'temperature_c', kind: 'temperature' },
  { roles: ['shake'], key: 'rpm', kind: 'rotation' },
  { roles: ['spin'], key: 'speed_rpm', kind: 'rotation' },
  { roles: ['move', 'arm_speed'], key: 'speed_mm_s', kind: 'speed' },
  { roles: ['sash'], key: 'height_cm', kind: 'length' },
  { roles: ['profile'], key: 'cycles', kind: 'cycles' },
]

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

function toldOf(view: PlanView, kind: QuantityKind): Told[] {
  return view.quantities.flatMap((list, i) => {
    const unit = view.instructions[i]
    if (unit === undefined || mentions(unit, storage)) return []
    return list.filter((q) => q.kind === kind).map((q) => ({ i, q }))
  })
}

function ratio(a: number, b: number): number {
  const [low, high] = [Math.min(Math.abs(a), Math.abs(b)), Math.max(Math.abs(a), Math.abs(b))]
  return low === 0 ? Infinity : high / low
}

/** How much a difference matters, by kind: °C and cm by distance, the others by ratio. */
function weigh(kind: QuantityKind, value: number, q: Quantity): Ask {
  const nearest = value < q.low ? q.low : q.high
  if (kind === 'temperature') return Math.abs(value - nearest) > 10 ? 'refuse' : 'person'
  if (kind === 'length') return Math.abs(value - nearest) > 5 ? 'refuse' : 'person'
  return ratio(value, nearest) >= 2 ? 'refuse' : 'person'
}

function mismatchOf(at: string, ask: Ask): JudgeFinding {
  return found('safety', 'JUDGE_MISMATCH', at, {
    ask,
    basis: 'structure',
    claim: 'The argument differs from the told value or unit.',
  })
}

function global(view: PlanView, kind: QuantityKind): JudgeFinding[] {
  const made = claims(view, kind)
  const every = view.quantities.flat().filter((q) => q.kind === kind)
  const told = toldOf(view, kind).filter(
    ({ q }) =>
      !made.some((c) => agrees(c.value, q)) &&
      !alsoAnswer(view, kind).some((value) => agrees(value, q)),
  )
  if (told.length === 0) return []
  const orphans = made.filter((c) => !every.some((q) => agrees(c.value, q)))
  return orphans.slice(0, told.length).map((c, i) => {
    const q = (told[i] as Told).q
    return mismatchOf(c.n.at, weigh(kind, c.value, q))
  })
}

/** Hold times are told in the same instruction as the temperature or speed that they belong to. */
function holds(view: PlanView): JudgeFinding[] {
  return view.ofRole('heat', 'shake', 'spin').flatMap((n) => {
    const held = num(n, n.role === 'spin' ? 'duration_s' : 'hold_s')
    const main = num(
      n,
      n.role === 'heat' ? 'temperature_c' : n.role === 'spin' ? 'speed_rpm' : 'rpm',
    )
    const kind: QuantityKind = n.role === 'heat' ? 'temperature' : 'rotation'
    if (held === null || held === 0 || main === null) return []
    const home = view.quantities.filter((list, i) => {
      const unit = view.instructions[i]
      const shared = list.filter((q) => q.kind === kind)
      return (
        unit !== undefined &&
        shared.some((q) => agrees(main, q)) &&
        list.some((q) => q.kind === 'time')
      )
    })
    const timesTold = home.flat().filter((q) => q.kind === 'time')
    if (timesTold.length === 0 || timesTold.some((q) => agrees(held, q))) return []
    const nearest = Math.min(...timesTold.map((q) => ratio(held, held < q.low ? q.low : q.high)))
    if (nearest < 1.5) return []
    return [mismatchOf(n.at, nearest >= 5 ? 'refuse' : 'person')]
  })
}

const stops = new Set([
  'with',
  'to',
  'into',
  'in',
  'from',
  'per',
  'and',
  'at',
  'each',
  'for',
  'on',
  'by',
])
const generic = new Set([
  'solution',
  'buffer',
  'mix',
  'sample',
  'stock',
  'the',
  'of',
  'a',
  'reagent',
  'ph',
  'phase',
])

/** Words that a told volume speaks of: up to the next preposition. */
function spokenOf(unit: string, q: Quantity): Set<string> {
  const words: string[] = []
  for (const token of tokenise(unit.slice(q.end, q.end + 80))) {
    if (stops.has(token)) break
    if (!/^\d/.test(token)) words.push(token)
    if (words.length >= 6) break
  }
  return new Set(words.filter((w) => !generic.has(w) && w.length > 1))
}

/** Volumes belong to the liquid that the instruction names right after the number. */
function volumes(view: PlanView): JudgeFinding[] {
  const every = view.quantities.flat().filter((q) => q.kind === 'volume')
  return view.ofRole('deposit', 'aspirate').flatMap((n) => {
    const value = num(n, 'volume_ul')
    if (value === null || every.some((q) => agrees(value, q))) return []
    const liquid = view.liquid(str(n, 'liquid'))
    const words = new Set(liquid.unit.tokens.filter((t) => !generic.has(t) && t.length > 2))
    const matching = view.quantities.flatMap((list, i) => {
      const unit = view.instructions[i]
      if (unit === undefined) return []
      return list.filter((q) => {
        if (q.kind !== 'volume') return false
        const spoken = spokenOf(unit.raw, q)
        const named = view.liquid([...spoken].join(' ')).substances
        const same = liquid.substances.some((s) => named.includes(s))
        return same || [...spoken].some((w) => words.has(w))
      })
    })
    // Splitting one told volume over several nodes is honest when the parts sum up to it.
    const sum = view
      .ofRole('deposit')
      .filter((d) => str(d, 'liquid') === str(n, 'liquid'))
      .reduce((total, d) => total + (num(d, 'volume_ul') ?? 0), 0)
    if (matching.length === 0 || matching.some((q) => agrees(sum, q))) return []
    const nearest = Math.min(...matching.map((q) => ratio(value, value < q.low ? q.low : q.high)))
    if (nearest < 1.2) return []
    return [mismatchOf(n.at, nearest >= 5 ? 'refuse' : 'person')]
  })
}

/** One told volume and one node, a power of ten apart: no wording is needed to see the slip. */
function lonelyVolume(view: PlanView): JudgeFinding[] {
  const told = view.quantities.flat().filter((q) => q.kind === 'volume')
  const [n, ...others] = view.ofRole('deposit')
  const value = n === undefined ? null : num(n, 'volume_ul')
  if (n === undefined || others.length > 0 || told.length !== 1 || value === null) return []
  const [q] = told as [Quantity]
  const factor = Math.log10(ratio(value, q.low))
  const place = view.quantities.findIndex((list) => list.includes(q))
  const spoken = spokenOf(view.instructions[place]?.raw ?? '', q)
  const words = new Set(view.liquid(str(n, 'liquid')).unit.tokens)
  // "5 mL broth with 50 µL of culture": another liquid is spoken of, so it is no slip.
  if (spoken.size > 0 && ![...spoken].every((w) => words.has(w))) return []
  const slip = factor >= 0.99 && Math.abs(factor - Math.round(factor)) < 0.01
  return slip ? [mismatchOf(n.at, 'refuse')] : []
}

/** A hazardous liquid that no sentence names, in any of its names. */
function unspoken(view: PlanView): JudgeFinding[] {
  const spoken = view.told.flatMap((unit) => [...view.liquid(unit.raw).groups])
  const known = new Set(spoken)
  const strong = [
    'acid',
    'hypochlorite',
    'peroxide',
    'azide',
    'cyanide',
    'halogenated',
    'water_reactive',
    'pyrophoric',
  ] as const
  return view.ofRole('deposit').flatMap((n) => {
    const liquid = view.liquid(str(n, 'liquid'))
    if (liquid.dilute || liquid.trace || liquid.neutral) return []
    const silent =
      strong.some((g) => liquid.groups.has(g)) &&
      ![...liquid.groups].some((g) => g !== 'aqueous' && known.has(g))
    const named = view.told.some((unit) =>
      liquid.unit.tokens.some(
        (t) => t.length > 3 && mentions(unit, [[{ text: t, prefix: false }]]),
      ),
    )
    return silent && !named ? [mismatchOf(n.at, 'person')] : []
  })
}

export const mismatch: Rule = {
  id: 'mismatch',
  pol: 'POL-22',
  eye: 'safety',
  check: (view) => {
    if (view.textOnly) return []
    const kinds: readonly QuantityKind[] = ['temperature', 'rotation', 'speed', 'length', 'cycles']
    return [
      ...kinds.flatMap((kind) => global(view, kind)),
      ...holds(view),
      ...volumes(view),
      ...lonelyVolume(view),
      ...unspoken(view),
    ]
  },
}
