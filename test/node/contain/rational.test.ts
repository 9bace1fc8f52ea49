// Conversion: exact, rounded once. Compared with another way to the same number: of two neighbours the one
// whose exact distance is smaller, in decimal fractions of whole numbers.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { converted } from '../../../contain/rational.ts'
import { conversionOf } from '../../../protocol/conversion.ts'

type Ratio = { readonly num: bigint; readonly den: bigint }

/** A double as a fraction by its decimal digits, which are exact in 1,100 places. */
function ratioOf(value: number): Ratio {
  let den = 1n
  let at = value
  while (!Number.isInteger(at)) {
    at *= 2
    den *= 2n
  }
  return { num: BigInt(at), den }
}

const minus = (a: Ratio, b: Ratio): Ratio => ({
  num: a.num * b.den - b.num * a.den,
  den: a.den * b.den,
})
const size = ({ num, den }: Ratio): Ratio => ({ num: num < 0n ? -num : num, den })
const compare = (a: Ratio, b: Ratio): bigint => a.num * b.den - b.num * a.den

const view = new DataView(new ArrayBuffer(8))
const bitsOf = (value: number): bigint => {
  view.setFloat64(0, value)
  return view.getBigUint64(0)
}
const ofBits = (bits: bigint): number => {
  view.setBigUint64(0, bits)
  return view.getFloat64(0)
}

describe('a converted number', () => {
  test('is the nearest double, and of two equally near the even one', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 1e9, noNaN: true }),
        fc.bigInt({ min: 1n, max: 10n ** 15n }),
        fc.bigInt({ min: 1n, max: 10n ** 15n }),
        (value, num, den) => {
          const got = converted(value, { scale: [String(num), String(den)], offset: ['0', '1'] })
          const own = ratioOf(value)
          const exact: Ratio = { num: own.num * num, den: own.den * den }
          const distance = (x: number) => size(minus(ratioOf(x), exact))
          for (const step of [-1n, 1n]) {
            const other = ofBits(bitsOf(got) + step)
            const by = compare(distance(got), distance(other))
            if (by === 0n) expect(bitsOf(got) & 1n).toBe(0n)
            else expect(by < 0n, `${got} against ${other}`).toBe(true)
          }
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test.each<[number, string, string, number]>([
    [0.1, 'mg', 'ug', 100],
    [7, 'mL', 'uL', 7_000],
    [0.0725, 'L', 'mL', 72.5],
    [300, 'K', 'Cel', 26.85],
    [-40, '[degF]', 'Cel', -40],
    [98.6, '[degF]', 'Cel', 37],
    [0, 'mg', 'g', 0],
    [1, '[psi]', 'kPa', 6.894757293168],
    [3, '{rev}/s', 'rpm', 180],
    [-1.5, 'g', 'mg', -1_500],
  ])('%d %s is %s: %d', (value, from, to, expected) => {
    const by = conversionOf(from, to)
    if (by === null) throw new Error('does not convert')
    expect(converted(value, by)).toBe(expected)
  })

  test('rounds once: a tie goes to the even neighbour, a hair beyond it does not', () => {
    const half = (extra: string) => ({
      scale: ['1', '1'] as [string, string],
      offset: [extra, '1'] as [string, string],
    })
    expect(converted(9_007_199_254_740_992, half('1'))).toBe(9_007_199_254_740_992)
    expect(converted(9_007_199_254_740_994, half('1'))).toBe(9_007_199_254_740_996)
    const hair = {
      scale: ['1', '1'] as [string, string],
      offset: ['1000001', '1000000'] as [string, string],
    }
    expect(converted(9_007_199_254_740_992, hair)).toBe(9_007_199_254_740_994)
  })

  test('is never minus nothing, and keeps the smallest doubles', () => {
    expect(Object.is(converted(-1, { scale: ['1', '1'], offset: ['1', '1'] }), 0)).toBe(true)
    expect(converted(5e-324, { scale: ['3', '1'], offset: ['0', '1'] })).toBe(1.5e-323)
    expect(converted(5e-324, { scale: ['1', '3'], offset: ['0', '1'] })).toBe(0)
  })
})

describe('no conversion', () => {
  test.each([
    ['mg', 'mL'],
    ['mg', 'furlong'],
    ['', 'mg'],
    ['mol', 'mmol'],
  ])('%s to %s', (from, to) => {
    expect(conversionOf(from, to)).toBeNull()
  })
})
