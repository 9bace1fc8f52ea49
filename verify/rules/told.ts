// Values that an instruction tells, against the steps that carry it out: agrees, differs, or not told.
// A value that cannot be read is no agreement. A slip of units is refused, a difference is explained.
import type { Dimension } from '../../protocol/acts.ts'
import { keptFor } from '../lexicon/remembered.ts'
import lists from '../lexicon/told.json' with { type: 'json' }
import lexicon from '../lexicon/shares.json' with { type: 'json' }
import { tokenise } from '../lexicon/words.ts'
import type { RaisedDoubt } from '../../protocol/evidence.ts'
import type { Interval, RoleValue, Scene, Sentence, Step, Told } from '../read/scene.ts'
import { breach, doubt, type Found, type Rule } from './rule.ts'

const { shares } = lexicon

type Quantity = Extract<RoleValue, { kind: 'quantity' }>
type Setting = { readonly step: Step; readonly role: string; readonly value: Quantity }

/** Rounding of people: "about 37" and 37.0 agree; 37 and 38 do not. */
const tolerance = 0.005

const near = (a: number, b: number): boolean =>
  Math.abs(a - b) <= Math.max(Math.abs(a), Math.abs(b)) * tolerance + 1e-9

/** True when some value that is told may be the one that is set. */
function agrees(told: Interval, set: Interval): boolean {
  return (
    (set.lo >= told.lo || near(set.lo, told.lo)) && (set.hi <= told.hi || near(set.hi, told.hi))
  )
}

/** The larger over the smaller, by magnitude. */
function ratio(a: number, b: number): number {
  const low = Math.min(Math.abs(a), Math.abs(b))
  return low === 0 ? Infinity : Math.max(Math.abs(a), Math.abs(b)) / low
}

/** Factors by which units are confused: powers of ten, seconds and minutes and hours. */
function isUnitSlip(factor: number): boolean {
  const power = Math.log10(factor)
  const decimal = power >= 0.99 && Math.abs(power - Math.round(power)) < 0.01
  return decimal || [60, 3_600, 24].some((known) => Math.abs(factor / known - 1) < 0.01)
}

/** How far a set value is from a told one, so that the verdict fits the danger. */
function weighs(dim: Dimension, set: Interval, told: Interval): 'reject' | 'escalate' {
  const value = set.hi > told.hi ? set.hi : set.lo
  const nearest = set.hi > told.hi ? told.hi : told.lo
  if (dim === 'temperature') return Math.abs(value - nearest) > 10 ? 'reject' : 'escalate'
  if (dim === 'length') return Math.abs(value - nearest) > 50 ? 'reject' : 'escalate'
  const factor = ratio(value, nearest)
  const limit = dim === 'volume' || dim === 'mass' ? Infinity : dim === 'time' ? 5 : 2
  return factor >= limit || isUnitSlip(factor) ? 'reject' : 'escalate'
}

const harmless = new Set(['aqueous', 'human'])

/** A named substance of the step belongs to a group that reacts, burns or poisons, or is not known. */
function isReactive(step: Step): boolean {
  return step.acts.some((act) =>
    Object.values(act.roles)
      .flat()
      .some(
        (value) =>
          value.kind === 'substance' &&
          (!value.substance.known ||
            value.substance.hazards.length > 0 ||
            value.substance.groups.some((group) => !harmless.has(group))),
      ),
  )
}

/** Roles that a setting of the step is made of; counts and tolerances are not told as settings. */
const setting = new Set<string>(
  [
    'temperature temperatures rotation speed opening volume pressure flow power amount',
    'hold duration holds cycles',
  ]
    .join(' ')
    .split(' '),
)

function settingsOf(steps: readonly Step[], dim: Dimension): Setting[] {
  return steps.flatMap((step) =>
    step.acts.flatMap((act) =>
      Object.entries(act.roles).flatMap(([role, values]) =>
        setting.has(role)
          ? values
              .filter((value): value is Quantity => value.kind === 'quantity' && value.dim === dim)
              .map((value) => ({ step, role, value }))
          : [],
      ),
    ),
  )
}

/** Every quantity that steps have anywhere, by its dimension; a told one may be any of them. */
const valuesAnywhere = keptFor((steps: readonly Step[]) =>
  Map.groupBy(
    steps
      .flatMap((step) => step.acts.flatMap((act) => Object.values(act.roles).flat()))
      .filter((value): value is Quantity => value.kind === 'quantity'),
    ({ dim }) => dim,
  ),
)

const stops = new Set(lists.ends)
const generic = new Set(lists.generic)
const spokenMax = 6

/** What a told amount speaks of: the words behind it, up to the next preposition. */
function spokenOf(sentence: Sentence, told: Told): string[] {
  const words: string[] = []
  for (const token of tokenise(sentence.text.slice(told.span[1], told.span[1] + 80))) {
    if (stops.has(token) || words.length >= spokenMax) break
    if (!/^\d/.test(token) && token.length > 1 && !generic.has(token)) words.push(token)
  }
  return words
}

/**
 * True when the amount speaks of what this step moves, or of nothing in particular. "Inoculate 5 mL
 * broth with 50 µL culture" tells how much stands in the destination already.
 */
function speaksOf(words: readonly string[], step: Step): boolean {
  if (words.length === 0) return true
  const own = step.texts
    .filter(({ kind, role }) => (kind === 'substance' || kind === 'thing') && role !== 'to')
    .flatMap(({ text }) => tokenise(text))
  return words.some((word) => own.includes(word))
}

/** Shares of a told time that the instruction says this plan carries out: "so start the first half now". */
export function sharesOf(text: string): readonly number[] {
  const words = ` ${tokenise(text).join(' ')} `
  return shares.flatMap(({ share, words: said }) =>
    said.some((one) => words.includes(` ${one} `)) ? [share] : [],
  )
}

const scaled = ({ lo, hi }: Interval, by: number): Interval => ({ lo: lo * by, hi: hi * by })

/** Parts of one told amount or time that several steps carry, and repeats of one step. */
function agreesInParts(told: Interval, settings: readonly Setting[], dim: Dimension): boolean {
  const sum = settings.reduce(
    (all, { value }) => ({ lo: all.lo + value.value.lo, hi: all.hi + value.value.hi }),
    { lo: 0, hi: 0 },
  )
  // "Three times for five minutes" may be held as one stretch; an amount is moved as it is told.
  const times = dim === 'time' ? [2, 3, 4] : []
  return (
    agrees(told, sum) ||
    settings.some(({ value }) =>
      times.some((n) => agrees(told, { lo: value.value.lo / n, hi: value.value.hi / n })),
    )
  )
}

const dims: readonly Dimension[] = [
  'temperature',
  'rotation',
  'acceleration',
  'speed',
  'length',
  'volume',
  'mass',
  'time',
  'pressure',
  'flow',
  'power',
]

const inParts = new Set<Dimension>(['volume', 'mass', 'time'])
const amounts = new Set<Dimension>(['volume', 'mass'])

function carriers(sentence: Sentence, steps: readonly Step[]): Step[] {
  return sentence.carried_by.flatMap((i) => steps[i] ?? [])
}

function ofSentence(sentence: Sentence, steps: readonly Step[], instruction: string): Found {
  const mine = carriers(sentence, steps)
  if (mine.length === 0) return {}
  const at = `/instructions/${sentence.instruction}`
  const orders = sentence.told.filter((told) => told.clause === 'order')
  if (orders.length === 0) return {}
  const unread = orders.some((told) => told.value === null)
  const spoken = new Map(orders.map((told) => [told, spokenOf(sentence, told)] as const))
  const breaches = dims.flatMap((dim) => {
    if (!orders.some((one) => one.dim === dim)) return []
    const whole = orders.flatMap((t): Interval[] =>
      t.dim === dim &&
      t.value !== null &&
      (!amounts.has(dim) || mine.some((step) => speaksOf(spoken.get(t) ?? [], step)))
        ? [t.value]
        : [],
    )
    // Only a time is carried on by another plan; half of an amount or a temperature is another one.
    const parts = dim === 'time' ? sharesOf(instruction) : []
    const told = [...whole, ...parts.flatMap((part) => whole.map((value) => scaled(value, part)))]
    const settings = settingsOf(mine, dim)
    if (told.length === 0 || settings.length === 0) return []
    const elsewhere = valuesAnywhere(steps).get(dim) ?? []
    // What is told and nobody does, beside what is done and nobody told: a slip or a trick.
    const open = whole.filter(
      (t) =>
        !elsewhere.some(({ value }) => agrees(t, value)) &&
        !(inParts.has(dim) && agreesInParts(t, settings, dim)),
    )
    const orphans = settings.filter(
      ({ value }) =>
        !told.some((t) => agrees(t, value.value)) &&
        !(inParts.has(dim) && whole.some((t) => agreesInParts(t, settings, dim))),
    )
    return orphans.flatMap(({ step, value, role }) => {
      const distance = (t: Interval) =>
        Math.abs(t.lo - value.value.lo) + Math.abs(t.hi - value.value.hi)
      const nearest = open.toSorted((a, b) => distance(a) - distance(b))[0]
      if (nearest === undefined) return []
      return [
        breach(
          'TOLD_VALUE_DIFFERS',
          { step, at: value.at },
          {
            // A slip with a harmless liquid is a question; with a reactive one it is refused.
            verdict:
              amounts.has(dim) && !isReactive(step)
                ? 'escalate'
                : weighs(dim, value.value, nearest),
            facts: { role, told: shown(nearest), has: shown(value.value), dimension: dim },
          },
        ),
      ]
    })
  })
  const has = mine.some((step) =>
    step.acts.some((act) => Object.keys(act.roles).some((role) => setting.has(role))),
  )
  const doubts = [
    ...(unread && has
      ? [
          doubt(
            'TOLD_VALUE_NOT_READ',
            at,
            'Does the step have the value that the instruction tells?',
            'mismatch',
          ),
        ]
      : []),
    ...otherScale(orders, mine, at),
  ]
  return { breaches, doubts }
}

/** Told in one scale and set in another (rpm and × g): numbers that look alike say nothing. */
function otherScale(orders: readonly Told[], mine: readonly Step[], at: string) {
  const pairs: readonly (readonly [Dimension, Dimension])[] = [
    ['acceleration', 'rotation'],
    ['rotation', 'acceleration'],
    ['fraction', 'speed'],
    ['fraction', 'rotation'],
    ['fraction', 'power'],
    ['mass', 'volume'],
  ]
  return pairs.flatMap(([toldDim, setDim]) => {
    if (!orders.some((t) => t.dim === toldDim)) return []
    if (orders.some((t) => t.dim === setDim) || settingsOf(mine, setDim).length === 0) return []
    if (toldDim === 'mass' || settingsOf(mine, toldDim).length > 0) return []
    return [
      doubt(
        'TOLD_VALUE_NOT_READ',
        at,
        'Is the set value what the instruction tells in another scale?',
        'mismatch',
      ),
    ]
  })
}

/** Dimensions in which more is a danger of its own. */
const larger = new Set<Dimension>([
  'temperature',
  'rotation',
  'acceleration',
  'speed',
  'volume',
  'pressure',
  'flow',
  'power',
])

const matterOf = (step: Step): Set<string> =>
  new Set(
    step.texts.filter(({ kind }) => kind === 'substance').map(({ text }) => text.toLowerCase()),
  )

/** Another liquid has an amount of its own, which an instruction may leave to the protocol. */
const sharesMatter = (one: Setting, others: readonly Setting[]): boolean =>
  others.some(({ step }) => [...matterOf(step)].some((matter) => matterOf(one.step).has(matter)))

/**
 * A step sets more than any instruction tells, beside another of its kind that is as told: "spin at 3,000 rpm"
 * carried out at 3,000 and once more at 14,000.
 */
function untoldLarger(scene: Scene): RaisedDoubt[] {
  const { sentences, steps } = scene
  const everything = sentences.flatMap(({ told }) => told)
  return sentences.flatMap((sentence) => {
    const mine = carriers(sentence, steps)
    const shown = sharesOf(scene.instructions[sentence.instruction] ?? '')
    return [...larger].flatMap((dim) => {
      const told = sentence.told.flatMap((t) =>
        t.dim === dim && t.value !== null && t.clause === 'order' ? [t.value] : [],
      )
      if (told.length === 0 || shown.length > 0) return []
      const most = Math.max(...told.map(({ hi }) => hi))
      const settings = settingsOf(mine, dim)
      const isTold = ({ value }: Setting): boolean =>
        everything.some((t) => t.value !== null && t.dim === dim && agrees(t.value, value.value))
      const agreeing = new Set(
        settings.filter(isTold).flatMap(({ step }) => step.acts.map(({ act }) => act)),
      )
      return settings
        .filter((one) => !isTold(one) && one.value.value.lo > most * (1 + tolerance))
        .filter(({ step }) => step.acts.some(({ act }) => agreeing.has(act)))
        .filter((one) => !amounts.has(dim) || sharesMatter(one, settings.filter(isTold)))
        .filter((one) => !(inParts.has(dim) && told.some((t) => agreesInParts(t, [one], dim))))
        .map(({ value }) =>
          doubt(
            'TOLD_VALUE_NOT_READ',
            value.at,
            'Which instruction tells this value, which is more than any that is told?',
            'mismatch',
          ),
        )
    })
  })
}

const round = (x: number): string => String(Number(x.toPrecision(6)))
const shown = (i: Interval): string =>
  i.lo === i.hi ? round(i.lo) : `${round(i.lo)}..${round(i.hi)}`

/** Told values against settings, sentence by sentence. */
export const toldValues: Rule = {
  id: 'told_values',
  check: ({ scene }) => {
    const found = scene.sentences.map((sentence) =>
      ofSentence(sentence, scene.steps, scene.instructions[sentence.instruction] ?? ''),
    )
    return {
      breaches: found.flatMap((f) => f.breaches ?? []),
      doubts: [...found.flatMap((f) => f.doubts ?? []), ...untoldLarger(scene)],
    }
  },
}
