// Told volumes and liquids against the nodes that move them (POL-22): a thousandfold dose, or a
// hazardous liquid that no sentence names.
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import type { Substance } from '../lexicon/substances.ts'
import type { Rule } from '../rule.ts'
import { targetOf } from '../view/contents.ts'
import { wasteStreams } from '../view/streams.ts'
import type { PlanView } from '../view/plan-view.ts'
import { agrees, type Quantity } from '../view/quantity.ts'
import { num, str, type ViewNode } from '../view/roles.ts'
import { tokenise } from '../view/text.ts'
import { isUnitSlip, mismatchAt, ratio } from './mismatch-finding.ts'

const stops = new Set('with to into in from per and at each for on by over onto'.split(' '))
const generic = new Set(
  'solution buffer mix sample stock the of a reagent ph phase fresh cold'.split(' '),
)

/** Words that a told volume speaks of: up to the next preposition. */
function spokenOf(text: string, q: Quantity): Set<string> {
  const words: string[] = []
  for (const token of tokenise(text.slice(q.end, q.end + 80))) {
    if (stops.has(token) || words.length >= 6) break
    if (!/^\d/.test(token)) words.push(token)
  }
  return new Set(words.filter((w) => !generic.has(w) && w.length > 1))
}

type Told = {
  readonly q: Quantity
  readonly spoken: ReadonlySet<string>
  readonly substances: readonly Substance[]
}

function toldVolumes(view: PlanView): Told[] {
  return view.quantities.flatMap((list, i) => {
    const raw = view.instructions[i]?.raw ?? ''
    return list
      .filter((q) => q.kind === 'volume')
      .map((q) => {
        const spoken = spokenOf(raw, q)
        return { q, spoken, substances: view.liquid([...spoken].join(' ')).substances }
      })
  })
}

/** True when the told volume speaks of this liquid, by a shared word or a shared substance. */
function speaksOf(view: PlanView, told: Told, n: ViewNode): boolean {
  const liquid = view.liquid(str(n, 'liquid'))
  const own = liquid.unit.tokens.filter((t) => !generic.has(t) && t.length > 1)
  if (own.some((t) => told.spoken.has(t))) return true
  return liquid.substances.some((s) => told.substances.includes(s))
}

/** Splitting one told volume over several nodes is honest when the parts sum up to it. */
function sumOf(view: PlanView, n: ViewNode): number {
  return view
    .ofRole('deposit')
    .filter((d) => str(d, 'liquid') === str(n, 'liquid'))
    .reduce((total, d) => total + (num(d, 'volume_ul') ?? 0), 0)
}

function volume(view: PlanView, n: ViewNode, told: readonly Told[]): JudgeFinding[] {
  const value = num(n, 'volume_ul')
  if (value === null || told.some((t) => agrees(value, t.q))) return []
  // A vessel that is emptied to waste holds a sum that nobody has to tell.
  const target = targetOf(n)
  if (target !== null && target.labware in wasteStreams(view.registry)) return []
  const matching = told.filter((t) => speaksOf(view, t, n))
  // One told volume of nothing in particular and one liquid step belong together.
  const [only] = told
  const alone = told.length === 1 && view.ofRole('deposit').length === 1
  const pool = matching.length === 0 && alone && only?.spoken.size === 0 ? told : matching
  if (pool.length === 0 || pool.some((t) => agrees(sumOf(view, n), t.q))) return []
  const factors = pool.map(({ q }) => ratio(value, value < q.low ? q.low : q.high))
  if (Math.min(...factors) < 1.2) return []
  return [mismatchAt(n.at, factors.some(isUnitSlip) ? 'refuse' : 'person')]
}

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

/** A hazardous liquid that no sentence names, in any of its names. */
function unspoken(view: PlanView, n: ViewNode, spoken: ReadonlySet<string>): JudgeFinding[] {
  const liquid = view.liquid(str(n, 'liquid'))
  const hazardous = strong.some((g) => liquid.groups.has(g))
  if (!hazardous || liquid.dilute || liquid.trace || liquid.neutral) return []
  const group = [...liquid.groups].some((g) => g !== 'aqueous' && spoken.has(g))
  const word = liquid.unit.tokens.some((t) => t.length > 3 && spoken.has(t))
  return group || word ? [] : [mismatchAt(n.at, 'person')]
}

export const mismatchVolume: Rule = {
  id: 'mismatch_volume',
  pol: 'POL-22',
  eye: 'safety',
  check: (view) => {
    const told = toldVolumes(view)
    const spoken = new Set<string>()
    for (const unit of view.told) {
      for (const token of unit.tokens) spoken.add(token)
      for (const group of view.liquid(unit.raw).groups) spoken.add(group)
    }
    return view
      .ofRole('deposit', 'aspirate')
      .flatMap((n) => [...volume(view, n, told), ...unspoken(view, n, spoken)])
  },
}
