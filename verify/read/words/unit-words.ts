// The unit that stands beside a number in a sentence. A spelling that the table does not hold is not
// read; one that means several units is known to be ambiguous.
import type { Dimension } from '../../../protocol/acts.ts'
import { unitOf, type Unit } from '../../../protocol/units.ts'
import table from '../../lexicon/units/words.json' with { type: 'json' }
import { glyphsOf } from './glyphs.ts'

export type UnitHit = {
  readonly end: number
  /** null: read and of no role, or ambiguous. */
  readonly unit: Unit | null
  readonly dim: Dimension | null
  /** Known, and no role takes it: the number says nothing of a setting. */
  readonly other: boolean
}

type Spelling = {
  readonly text: string
  readonly exact: boolean
  readonly code: string | null
  readonly dim: string | null
  readonly other: boolean
}

const spellings = ((): ReadonlyMap<string, readonly Spelling[]> => {
  const index = new Map<string, Spelling[]>()
  const add = (spelling: Spelling): void => {
    const key = (spelling.text[0] ?? '').toLowerCase()
    const list = index.get(key)
    if (list === undefined) index.set(key, [spelling])
    else list.push(spelling)
  }
  for (const row of table.rows) {
    const dim = 'dim' in row ? (row.dim ?? null) : null
    const base = { code: row.code, dim, other: false }
    for (const symbol of row.symbols) add({ ...base, text: glyphsOf(symbol).text, exact: true })
    for (const word of row.words) add({ ...base, text: glyphsOf(word).lower, exact: false })
  }
  for (const symbol of table.other.symbols) {
    add({ code: null, dim: null, other: true, text: glyphsOf(symbol).text, exact: true })
  }
  for (const list of index.values()) list.sort((a, b) => b.text.length - a.text.length)
  return index
})()

const lettered = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d]/u

function spellingAt(text: string, lower: string, at: number): Spelling | null {
  for (const one of spellings.get((lower[at] ?? '').toLowerCase()) ?? []) {
    const stands = one.exact ? text.startsWith(one.text, at) : lower.startsWith(one.text, at)
    const next = text[at + one.text.length] ?? ''
    const last = one.text.at(-1) ?? ''
    // A unit ends where its word ends.
    if (stands && !(lettered.test(last) && lettered.test(next))) return one
  }
  return null
}

const perWords = table.per
  .filter((word) => word !== '/')
  .map((word) => glyphsOf(word).lower)
  .toSorted((a, b) => b.length - a.length)

/** Where the unit under the bar starts, after `/`, `per` or a blank before `s-1`. */
function barAt(lower: string, end: number): number | null {
  const slash = /^\s?\/\s?/.exec(lower.slice(end, end + 4))
  if (slash !== null) return end + slash[0].length
  const blank = /^\s?/.exec(lower.slice(end, end + 1))?.[0].length ?? 0
  for (const word of perWords) {
    if (!lower.startsWith(word, end + blank)) continue
    const after = end + blank + word.length
    const gap = /^\s/.test(lower[after] ?? '') ? 1 : 0
    if (gap === 1 || !lettered.test(word.at(-1) ?? '')) return after + gap
  }
  return null
}

/** Reads the unit at a place, past one blank or hyphen; null: nothing that is a unit. */
export function unitAt(text: string, lower: string, from: number): UnitHit | null {
  const skip = /^(?:-|\s{0,2})/.exec(text.slice(from, from + 2))?.[0].length ?? 0
  const start = from + skip
  const first = spellingAt(text, lower, start)
  if (first === null) return null
  const end = start + first.text.length
  if (first.other) return { end, unit: null, dim: null, other: true }
  const below = barAt(lower, end)
  const second = below === null ? null : spellingAt(text, lower, below)
  if (below !== null && second !== null && !second.other) {
    const code = first.code === null || second.code === null ? null : `${first.code}/${second.code}`
    const unit = code === null ? null : unitOf(code)
    return { end: below + second.text.length, unit, dim: unit?.dim ?? null, other: unit === null }
  }
  // `mm s-1`: a second unit with the exponent of a divisor.
  const inverse = /^[\s.]/.test(text[end] ?? '') ? spellingAt(text, lower, end + 1) : null
  if (inverse !== null && /^-[1¹]/.test(text.slice(end + 1 + inverse.text.length))) {
    const unit = first.code === null ? null : unitOf(`${first.code}/${inverse.code ?? ''}`)
    const stop = end + 1 + inverse.text.length + 2
    return { end: stop, unit, dim: unit?.dim ?? null, other: unit === null }
  }
  const unit = first.code === null ? null : unitOf(first.code)
  const other = first.code !== null && unit === null
  return { end, unit, dim: unit?.dim ?? (first.dim as Dimension | null), other }
}
