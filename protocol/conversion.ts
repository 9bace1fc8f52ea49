// From one unit to another as exact fractions, written into the context when a session is bound. The
// danger: two sides with two tables of units, or two ways of rounding, would hand a device two numbers.
import { z } from 'zod'
import { limits } from './limits.ts'
import { unitOf } from './units.ts'

/** Decimal digits of a whole number; a fraction of units outgrows what a JSON number carries. */
const wholeSchema = z.string().regex(/^(0|-?[1-9]\d{0,39})$/, 'a whole number')
const ratioSchema = z
  .tuple([wholeSchema, wholeSchema])
  .describe('Numerator and denominator; the denominator is above zero.')

/** Converted = result × scale + offset, exactly, then rounded once to the nearest double, ties to even. */
export const conversionSchema = z.strictObject({
  node: z.string().max(limits.idCharsMax),
  /** JSON pointer inside the node: of the reference (`/args/…`) or the comparison (`/when/…`). */
  at: z.string().max(limits.conversionAtCharsMax),
  scale: ratioSchema,
  offset: ratioSchema,
  /** The argument is a whole number: a converted value that is none is a miss. */
  whole: z.boolean(),
})
export type Conversion = z.infer<typeof conversionSchema>

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b))

function ratio(num: bigint, den: bigint): [string, string] {
  const sign = den < 0n ? -1n : 1n
  const by = gcd(num < 0n ? -num : num, den * sign) * sign
  return [String(num / by), String(den / by)]
}

/** Leaves a number as it is. */
export const unchanged: Pick<Conversion, 'scale' | 'offset'> = {
  scale: ['1', '1'],
  offset: ['0', '1'],
}

/** Exact conversion between two unit codes; null when either is not read or they measure other things. */
export function conversionOf(from: string, to: string): typeof unchanged | null {
  const [a, b] = [unitOf(from), unitOf(to)]
  if (a === null || b === null || a.dim !== b.dim) return null
  const parts = [a.num, a.den, ...a.shift, b.num, b.den, ...b.shift]
  // A factor beyond 2^53 was rounded when the table was read: no longer exact.
  if (!parts.every(Number.isSafeInteger)) return null
  const [an, ad, as, at, bn, bd, bs, bt] = parts.map(BigInt) as [bigint, bigint, ...bigint[]]
  if (as === undefined || at === undefined || bn === undefined || bd === undefined) return null
  if (bs === undefined || bt === undefined) return null
  return {
    scale: ratio(an * bd, ad * bn),
    offset: ratio((as * bt - bs * at) * bd, at * bt * bn),
  }
}
