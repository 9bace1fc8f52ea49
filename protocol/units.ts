// Units of measure as site files, schemas and conditions write them: a bounded part of UCUM, kept as
// data with exact rational factors. Danger: a unit that is guessed is a thousandfold dose; what this
// table does not hold is not read, and not-read is never agreement.
import type { Dimension } from './acts.ts'
import table from './units.json' with { type: 'json' }

/** The scene's unit of `dim` = written value × num / den + offset. */
export type Unit = {
  readonly dim: Dimension
  readonly num: number
  readonly den: number
  readonly offset: number
  /** The offset as an exact fraction. */
  readonly shift: readonly [num: number, den: number]
}

type Atom = {
  readonly dim: string
  readonly scale: readonly number[]
  readonly offset?: readonly number[]
  readonly metric?: boolean
}
type Part = {
  readonly dim: string
  readonly num: number
  readonly den: number
  readonly offset: number
  readonly shift: readonly [num: number, den: number]
}

const still = { offset: 0, shift: [0, 1] } as const

const atoms = new Map<string, Atom>(Object.entries(table.atoms))
const prefixes = new Map<string, number>(Object.entries(table.prefixes))
const quotients = new Map<string, { readonly dim: string; readonly scale: readonly number[] }>(
  Object.entries(table.quotients),
)
const spellings = new Map<string, string>(Object.entries(table.spellings))

/** Longest unit text that is read at all. */
const unitCharsMax = 40

const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b))

/** A fraction in lowest terms, so that a decimal value is scaled by as few roundings as possible. */
function reduced(num: number, den: number): { num: number; den: number } {
  if (!Number.isSafeInteger(num) || !Number.isSafeInteger(den)) return { num, den }
  const by = gcd(num, den)
  return { num: num / by, den: den / by }
}

function atomPart(code: string): Part | null {
  const atom = atoms.get(code)
  if (atom === undefined) return null
  const [num = 1, den = 1] = atom.scale
  const [offNum = 0, offDen = 1] = atom.offset ?? []
  return { dim: atom.dim, ...reduced(num, den), offset: offNum / offDen, shift: [offNum, offDen] }
}

function prefixed(code: string): Part | null {
  const plain = atomPart(code)
  if (plain !== null) return plain
  const power = prefixes.get(code[0] ?? '')
  const rest = code.slice(1)
  const atom = atoms.get(rest)
  const base = atomPart(rest)
  if (power === undefined || base === null || atom?.metric !== true) return null
  const num = power > 0 ? base.num * 10 ** power : base.num
  const den = power < 0 ? base.den * 10 ** -power : base.den
  return { ...base, ...reduced(num, den) }
}

/** One factor: an atom, with prefix, or a cubed length; an annotation alone counts. */
function factor(written: string): Part | null {
  const code = written.replace(/\{[^{}]*\}/g, '')
  if (code === '') return atomPart('1')
  const cubed = /^([a-z]?m)3$/.exec(code)
  if (cubed !== null) {
    const side = prefixed(cubed[1] ?? '')
    if (side === null) return null
    return { dim: 'volume', ...reduced(side.num ** 3, side.den ** 3), ...still }
  }
  const squared = /^s2$/.exec(code)
  if (squared !== null) return { dim: 'time/time', num: 1, den: 1, ...still }
  return prefixed(code)
}

function quotient(top: Part, bottom: Part): Part | null {
  if (top.offset !== 0 || bottom.offset !== 0) return null
  // An affine unit without an offset of its own (°C) is no unit of a rate.
  if (top.dim === 'temperature' || bottom.dim === 'temperature') return null
  const made = quotients.get(`${top.dim}/${bottom.dim}`)
  if (made === undefined) return null
  const [num = 1, den = 1] = made.scale
  const ratio = reduced(top.num * bottom.den * num, top.den * bottom.num * den)
  return { dim: made.dim, ...ratio, ...still }
}

function read(code: string): Part | null {
  const [top, bottom, more] = code.split('/')
  if (top === undefined || more !== undefined) return null
  if (bottom === undefined) return factor(top)
  const [a, b] = [factor(top), factor(bottom)]
  return a === null || b === null ? null : quotient(a, b)
}

const cache = new Map<string, Unit | null>()
const cacheMax = 1_024

/**
 * Reads a unit code (UCUM, or a spelling that tool schemas commonly use, such as `degC` and `rpm`).
 * Null: not read; the number beside it then means nothing.
 */
export function unitOf(code: string): Unit | null {
  const known = cache.get(code)
  if (known !== undefined) return known
  const plain = code.trim().replaceAll(/[µμ]/g, 'u')
  const made = plain.length > unitCharsMax ? null : read(spellings.get(plain) ?? plain)
  const unit =
    made === null || made.dim === 'amount' || made.dim === 'time/time' ? null : (made as Unit)
  if (cache.size >= cacheMax) cache.clear()
  cache.set(code, unit)
  return unit
}

/** A value in the scene's unit of its dimension. */
export function scaled(value: number, unit: Unit): number {
  return (value * unit.num) / unit.den + unit.offset
}

export type Measured = { readonly dim: Dimension; readonly value: number }

/** `40 Cel`, `0.1 L`, `3 {positions}`; null when it is not a number with a known unit. */
export function measuredOf(text: string): Measured | null {
  const hit = /^([+-]?\d{1,12}(?:\.\d{1,12})?(?:e[+-]?\d{1,3})?)(?: (\S{1,40}))?$/.exec(text)
  if (hit === null) return null
  const unit = unitOf(hit[2] ?? '1')
  if (unit === null) return null
  const value = scaled(Number(hit[1]), unit)
  return Number.isFinite(value) ? { dim: unit.dim, value } : null
}
