// Intervals with outward rounding: whatever the true value is, it lies inside. Comparisons allow a
// relative difference of 1e-9, so that 0.1 + 0.2 is not above a limit of 0.3.
import type { Interval } from '../read/scene.ts'
import type { Tri } from './trace.ts'

/** No reading or limit of a lab is known better; the rounding of a plan's own arithmetic is less. */
export const tolerance = 1e-9

export const point = (value: number): Interval => ({ lo: value, hi: value })
export const zero: Interval = point(0)
/** Where a thing drifts that nothing heats or cools: rooms of labs, with margin, in °C. */
export const roomTemperature: Interval = { lo: 15, hi: 30 }

const bits = new DataView(new ArrayBuffer(8))

/** The next double towards plus infinity (`up`) or minus infinity. */
function nextAfter(value: number, up: boolean): number {
  if (!Number.isFinite(value)) return value
  if (value === 0) return up ? Number.MIN_VALUE : -Number.MIN_VALUE
  bits.setFloat64(0, value)
  const raw = bits.getBigInt64(0)
  bits.setBigInt64(0, raw + (value > 0 === up ? 1n : -1n))
  return bits.getFloat64(0)
}

/** a + b rounded down or up; exact sums stay exact (error of the sum after Knuth). */
function sum(a: number, b: number, up: boolean): number {
  const s = a + b
  if (!Number.isFinite(s)) return s
  const bb = s - a
  const error = a - (s - bb) + (b - bb)
  if (error === 0 || error > 0 !== up) return s
  return nextAfter(s, up)
}

/** a × b rounded down or up; 0 × ∞ is 0, because an amount of nothing is nothing. */
function product(a: number, b: number, up: boolean): number {
  if (a === 0 || b === 0) return 0
  const p = a * b
  const exact = Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(p)
  return exact || !Number.isFinite(p) || a === 1 || b === 1 ? p : nextAfter(p, up)
}

export function add(a: Interval, b: Interval): Interval {
  return { lo: sum(a.lo, b.lo, false), hi: sum(a.hi, b.hi, true) }
}

export function subtract(a: Interval, b: Interval): Interval {
  return { lo: sum(a.lo, -b.hi, false), hi: sum(a.hi, -b.lo, true) }
}

export function multiply(a: Interval, b: Interval): Interval {
  const corners = (up: boolean) => [
    product(a.lo, b.lo, up),
    product(a.lo, b.hi, up),
    product(a.hi, b.lo, up),
    product(a.hi, b.hi, up),
  ]
  return { lo: Math.min(...corners(false)), hi: Math.max(...corners(true)) }
}

export const times = (a: Interval, n: number): Interval => (n === 1 ? a : multiply(a, point(n)))

/** The smallest interval that holds both. */
export function hull(a: Interval, b: Interval): Interval {
  return { lo: Math.min(a.lo, b.lo), hi: Math.max(a.hi, b.hi) }
}

/** Cut off below: amounts are never negative. */
export function notNegative(a: Interval): Interval {
  return { lo: Math.max(0, a.lo), hi: Math.max(0, a.hi) }
}

export const magnitude = (a: Interval): Interval => ({
  lo: a.lo <= 0 && a.hi >= 0 ? 0 : Math.min(Math.abs(a.lo), Math.abs(a.hi)),
  hi: Math.max(Math.abs(a.lo), Math.abs(a.hi)),
})

/** a ≤ b within the tolerance; infinities compare exactly. */
export function le(a: number, b: number): boolean {
  if (a <= b || !Number.isFinite(a) || !Number.isFinite(b)) return a <= b
  return a - b <= tolerance * Math.max(Math.abs(a), Math.abs(b))
}

/** Whether every, no, or only some value of `a` is at most every value of `b`. */
export function atMost(a: Interval, b: Interval): Tri {
  if (le(a.hi, b.lo)) return true
  return le(a.lo, b.hi) ? null : false
}

/** Whether a value lies in a range: true, false, or null when it may or may not. */
export function within(value: Interval, range: Interval): Tri {
  if (le(range.lo, value.lo) && le(value.hi, range.hi)) return true
  return le(value.lo, range.hi) && le(range.lo, value.hi) ? null : false
}

/** Every value of `inner` is a value of `outer`. */
export const inside = (inner: Interval, outer: Interval): boolean =>
  le(outer.lo, inner.lo) && le(inner.hi, outer.hi)

export function isZero(a: Interval): Tri {
  if (a.lo === 0 && a.hi === 0) return true
  return a.lo > 0 || a.hi < 0 ? false : null
}

// --- three values ---

export function and(...values: readonly Tri[]): Tri {
  if (values.includes(false)) return false
  return values.includes(null) ? null : true
}

export function or(...values: readonly Tri[]): Tri {
  if (values.includes(true)) return true
  return values.includes(null) ? null : false
}

export const not = (value: Tri): Tri => (value === null ? null : !value)
