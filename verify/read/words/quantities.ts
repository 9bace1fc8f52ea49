// Quantities of a sentence in the scene's units, with their places. Guards against a thousandfold
// slip that hides behind an argument which is in range: what cannot be read is said to be unread.
import type { Dimension } from '../../../protocol/acts.ts'
import { scaled, type Unit } from '../../../protocol/units.ts'
import phrases from '../../lexicon/units/phrases.json' with { type: 'json' }
import type { Interval } from '../scene.ts'
import { Cover } from './cover.ts'
import type { Glyphs } from './glyphs.ts'
import { numbersOf, type NumberHit, type NumberStyle } from './numbers.ts'
import { unitAt, type UnitHit } from './unit-words.ts'

export type Quantity = {
  /** UTF-16 span in the source. */
  readonly start: number
  readonly end: number
  readonly dim: Dimension | null
  /** null: a number that could not be read. */
  readonly value: Interval | null
  /** A bound and no setting: `at most`, `below`, `within`. */
  readonly limit: boolean
}

const leads = new Set([...phrases.range_lead, ...phrases.ramp_lead])
const ramps = new Set(phrases.ramp_lead)
const betweens = new Set(phrases.between)
const joins = new Set(phrases.joins)
const ands = new Set(phrases.and)
const limitPhrases = phrases.limits.toSorted((a, b) => b.length - a.length)

/** Dates, times of day, ratios, versions and catalogue numbers. */
const noQuantity = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}_.-])(?:\d{4}-\d{2}-\d{2}|\d{2,7}-\d{2}-\d(?!\d)|`,
    String.raw`\d{1,2}:\d{2}(?::\d{2})?|\d+\s?:\s?\d+|\d+\/\d+)`,
    String.raw`|\d+(?:\.\d+){2,}(?!,)|\bph\s?\d+(?:[.,]\d+)?`,
  ].join(''),
  'gu',
)

/** Before these two numbers with a colon are a time of day. */
const clockLead = /^(?:at|from|until|till|by|um|von|bis)$/

/** The word that stands before a place, or a sign of punctuation, or '' at the start. */
function wordBefore(lower: string, at: number): string {
  const hit = /(\p{L}+|[^\s\p{L}])\s*$/u.exec(lower.slice(Math.max(0, at - 40), at))
  return hit?.[1] ?? ''
}

/** True when a number there may begin a quantity of its own and is not part of a name. */
function free(lower: string, at: number): boolean {
  const before = wordBefore(lower, at)
  return before === '' || leads.has(before) || /^[^\p{L}\p{N}]/u.test(before)
}

/** Also after a verb that deals out amounts: `Add 10, 20 and 30 mL`. */
const begins = (lower: string, at: number): boolean =>
  free(lower, at) || phrases.list_lead.includes(wordBefore(lower, at))

function isLimit(lower: string, at: number): boolean {
  const before = lower.slice(Math.max(0, at - 30), at).trimEnd()
  return limitPhrases.some((phrase) => {
    if (!before.endsWith(phrase)) return false
    const edge = before[before.length - phrase.length - 1] ?? ' '
    return !/\p{L}/u.test(edge) || !/^\p{L}/u.test(phrase)
  })
}

type Reading = {
  readonly text: string
  readonly lower: string
  readonly numbers: readonly NumberHit[]
  /** The unit right after each number. */
  readonly units: readonly (UnitHit | null)[]
  /** The unit at the end of the list that each number begins or goes on with. */
  readonly listUnits: readonly (UnitHit | null)[]
}

/** `10, 20 and 30 µL`: commas and "and" between numbers of one list. */
const isListGap = (gap: string): boolean =>
  gap === ',' || gap === '/' || ands.has(gap.replace(/^,\s?/, ''))

function readingOf({ text, lower }: Glyphs, numbers: readonly NumberHit[]): Reading {
  const units = numbers.map((hit) => unitAt(text, lower, hit.end))
  const listUnits: (UnitHit | null)[] = [...units]
  for (let i = numbers.length - 2; i >= 0; i--) {
    const [hit, next] = [numbers[i], numbers[i + 1]]
    if (listUnits[i] !== null || hit === undefined || next === undefined) continue
    const gap = lower.slice(hit.end, next.start).trim()
    if (isListGap(gap)) listUnits[i] = listUnits[i + 1] ?? null
  }
  return { text, lower, numbers, units, listUnits }
}

const signed = (lower: string, hit: NumberHit): number | null => {
  if (hit.value === null) return null
  return phrases.minus.includes(wordBefore(lower, hit.start)) ? -hit.value : hit.value
}

function interval(a: number | null, b: number | null, unit: Unit | null): Interval | null {
  if (a === null || b === null || unit === null) return null
  const [x, y] = [scaled(a, unit), scaled(b, unit)]
  if (!Number.isFinite(x) || !Number.isFinite(y)) return null
  return { lo: Math.min(x, y), hi: Math.max(x, y) }
}

/** What stands between two numbers, without blanks. */
const gapOf = (r: Reading, from: number, to: NumberHit): string =>
  r.lower.slice(from, to.start).trim()

type Taken = { readonly quantities: readonly Omit<Quantity, 'limit'>[]; readonly used: number }

/** A number, a range, a tolerance or a list with one unit, starting at number `i`. */
function take(r: Reading, i: number): Taken {
  const first = r.numbers[i]
  const second = r.numbers[i + 1]
  if (first === undefined) return { quantities: [], used: 1 }
  const own = r.units[i] ?? null
  const made = (hit: NumberHit, unit: UnitHit, value: Interval | null, start = hit.start) => ({
    start,
    end: unit.end,
    dim: unit.dim,
    value,
  })
  if (second !== undefined) {
    const gap = gapOf(r, own?.end ?? first.end, second)
    const last = r.units[i + 1] ?? null
    const unit = last ?? own
    const [a, b] = [signed(r.lower, first), signed(r.lower, second)]
    if (gap === '±' || gap === '+/-' || gap === '+-') {
      if (unit === null || unit.other) return { quantities: [], used: 2 }
      const value = a === null || b === null ? null : interval(a - b, a + b, unit.unit)
      return {
        quantities: [
          made(second, { ...unit, end: Math.max(unit.end, second.end) }, value, first.start),
        ],
        used: 2,
      }
    }
    const before = wordBefore(r.lower, first.start)
    // `1 050 µL` is one thousand and fifty or a thing 1 and a dose: not read, unless a name goes before.
    const grouped =
      /^\d{1,3}$/.test(r.text.slice(first.start, first.end)) && second.end - second.start === 3
    if (own === null && gap === '' && grouped && last !== null && !last.other && !second.spelled) {
      const part = !free(r.lower, first.start) && r.text[second.start] !== '0'
      if (!part) return { quantities: [made(second, last, null, first.start)], used: 2 }
    }
    const isRange = joins.has(gap) || (ands.has(gap) && betweens.has(before))
    // `0 to 5 µg/mL`: read, and of no role.
    if (isRange && last?.other === true && own === null) return { quantities: [], used: 2 }
    if (isRange && last !== null && !last.other && (own !== null || free(r.lower, first.start))) {
      const firstUnit = own ?? last
      // `from 20 to 95 °C` is a way from one to the other, not any value between them.
      if (ramps.has(before) && gap !== '-') {
        const two = [
          made(first, firstUnit, interval(a, a, firstUnit.unit)),
          made(second, last, interval(b, b, last.unit)),
        ]
        return { quantities: two, used: 2 }
      }
      const same = own === null || own.dim === last.dim
      const [x, y] = [interval(a, a, firstUnit.unit), interval(b, b, last.unit)]
      const value =
        same && x !== null && y !== null
          ? { lo: Math.min(x.lo, y.lo), hi: Math.max(x.hi, y.hi) }
          : null
      return { quantities: [made(second, last, value, first.start)], used: 2 }
    }
    // The unit of the last belongs to all, unless the first is part of a name.
    const shared = r.listUnits[i] ?? null
    if (own === null && shared !== null && isListGap(gap) && begins(r.lower, first.start)) {
      if (shared.other) return { quantities: [], used: 1 }
      const one = {
        start: first.start,
        end: first.end,
        dim: shared.dim,
        value: interval(a, a, shared.unit),
      }
      return { quantities: [one], used: 1 }
    }
  }
  if (own !== null) {
    if (own.other) return { quantities: [], used: 1 }
    const value = signed(r.lower, first)
    return { quantities: [made(first, own, interval(value, value, own.unit))], used: 1 }
  }
  return { quantities: bare(r, first, i), used: 1 }
}

/** A number without a unit: a count of something, or a setting that cannot be read. */
function bare(r: Reading, hit: NumberHit, i: number): Omit<Quantity, 'limit'>[] {
  const after = r.lower.slice(hit.end, hit.end + 40)
  const attached = /^\p{L}+/u.exec(after)
  if (attached !== null && !hit.spelled) {
    if (/^(st|nd|rd|th)\b/.test(after)) return []
    // CJK text has no blanks: what follows is the next word.
    if (!/^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(after)) {
      return [{ start: hit.start, end: hit.end, dim: null, value: null }]
    }
    return [{ start: hit.start, end: hit.end + attached[0].length, dim: null, value: null }]
  }
  const counted = /^[\s-]\p{L}{3,}/u.test(after)
  const { value } = hit
  if (counted && value !== null && Number.isInteger(value) && !(hit.spelled && value === 1)) {
    return [{ start: hit.start, end: hit.end, dim: 'count', value: { lo: value, hi: value } }]
  }
  // `columns 2 to 8` are labels.
  const before = r.numbers[i - 1]
  const labels = before !== undefined && joins.has(gapOf(r, before.end, hit))
  const set = !labels && /^(to|at|of|auf|bei|a|=|:)$/.test(wordBefore(r.lower, hit.start))
  const unsure = value === null || (set && !hit.spelled)
  return unsure ? [{ start: hit.start, end: hit.end, dim: null, value: null }] : []
}

const anyTime = new RegExp(
  phrases.times
    .map(({ phrase }) => phrase.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('|'),
)

function phraseTimes(lower: string): { start: number; end: number; value: Interval }[] {
  const found: { start: number; end: number; value: Interval }[] = []
  if (!anyTime.test(lower)) return found
  for (const { phrase, seconds } of phrases.times) {
    let at = lower.indexOf(phrase)
    while (at >= 0) {
      const end = at + phrase.length
      const edge = /\p{L}/u.test(lower[at - 1] ?? '') || /\p{L}/u.test(lower[end] ?? '')
      // `every half an hour`, `2 mL an hour` are rates, and longer phrases come first.
      const rate = /(?:every|each|once|per|\d\s?\p{L}{1,3})\s$/u.test(
        lower.slice(Math.max(0, at - 8), at),
      )
      const inside = found.some((one) => at < one.end && one.start < end)
      const [lo = 0, hi = 0] = seconds
      if (!edge && !rate && !inside) found.push({ start: at, end, value: { lo, hi } })
      at = lower.indexOf(phrase, end)
    }
  }
  return found
}

/** Every quantity of a folded text, in order of appearance, outside names. */
export function quantitiesOf(
  glyphs: Glyphs,
  style: NumberStyle,
  names: Cover = new Cover(0),
): Quantity[] {
  const { text, lower, origin } = glyphs
  const out: Omit<Quantity, 'limit'>[] = []
  const mask = new Cover(lower.length)
  for (const hit of /\d/.test(lower) ? lower.matchAll(noQuantity) : []) {
    const span = { start: hit.index, end: hit.index + hit[0].length }
    if (names.touches(span)) continue
    // `95/60 °C` are two temperatures; of any other unit it may be a fraction.
    if (hit[0].includes('/') && unitAt(text, lower, span.end)?.dim === 'temperature') continue
    mask.add(span)
    // `1:10` is a ratio and no setting; a time of day or a fraction is one that cannot be read.
    const ratio = /^1\s?:/.test(hit[0]) && !clockLead.test(wordBefore(lower, hit.index))
    if (/[:/]/.test(hit[0]) && !ratio) out.push({ ...span, dim: null, value: null })
  }
  const times = phraseTimes(lower)
  for (const { start, end, value } of times) {
    mask.add({ start, end })
    out.push({ start, end, dim: 'time', value })
  }
  const numbers = numbersOf(text, lower, style).filter(
    (hit) => !mask.touches(hit) && !names.touches(hit),
  )
  const reading = readingOf(glyphs, numbers)
  for (let i = 0; i < numbers.length;) {
    const { quantities, used } = take(reading, i)
    out.push(...quantities)
    i += used
  }
  return out
    .toSorted((a, b) => a.start - b.start)
    .map((one) => ({
      ...one,
      start: origin[one.start] ?? 0,
      end: origin[one.end] ?? origin.at(-1) ?? 0,
      limit: isLimit(lower, one.start),
    }))
}
