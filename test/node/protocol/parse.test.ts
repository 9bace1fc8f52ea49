// Lossless parsing: agrees with JSON.parse wherever it takes a text, and bounds everything.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalForm } from '../../../protocol/digest.ts'
import { exactNumber } from '../../../protocol/exact-number.ts'
import { limits } from '../../../protocol/limits.ts'
import { parseJson, parseJsonText, planBounds } from '../../../protocol/parse.ts'

const seed = Number(process.env['PORTCULLIS_SEED'] ?? Date.now() % 2 ** 31)
const utf8 = (text: string) => new TextEncoder().encode(text)
const codes = (text: string, bounds = planBounds) => {
  const parsed = parseJson(utf8(text), bounds)
  return parsed.ok ? 'ok' : parsed.error.map((one) => one.code).join(' ')
}

describe('a parsed text', () => {
  test(`is what JSON.parse says, or is refused (seed ${seed})`, () => {
    let taken = 0
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.nat(), fc.string(), (text, at, junk) => {
        for (const candidate of [text, text.slice(0, at) + junk + text.slice(at + 1)]) {
          const parsed = parseJsonText(candidate)
          if (!parsed.ok) continue
          taken++
          expect(parsed.value).toEqual(JSON.parse(candidate))
        }
      }),
      { seed, numRuns: 3_000 },
    )
    expect(taken).toBeGreaterThan(1_000)
  })

  test(`has a canonical form that parses to itself (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const parsed = parseJsonText(JSON.stringify(value))
        if (!parsed.ok) return
        const canonical = canonicalForm(parsed.value)
        const again = parseJsonText(canonical)
        expect(again.ok && canonicalForm(again.value)).toBe(canonical)
      }),
      { seed, numRuns: 2_000 },
    )
  })

  test(`keeps a number's mathematical value, or refuses it (seed ${seed})`, () => {
    const digits = fc.stringMatching(/^(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?([eE][+-]?[0-9]{1,3})?$/)
    fc.assert(
      fc.property(fc.boolean(), digits, (negative, unsigned) => {
        const text = (negative ? '-' : '') + unsigned
        const value = exactNumber(text)
        if (value === null) return
        expect(rational(text)).toBe(rational(String(value)))
        expect(Object.is(value, -0)).toBe(false)
      }),
      { seed, numRuns: 5_000 },
    )
  })

  test('lists several faults at once, in the order of the text', () => {
    const parsed = parseJsonText('{"a":-0,"a":1,"b":{"__proto__":2},"c":"\\ud800"}')
    expect(!parsed.ok && parsed.error.map(({ code, at }) => [code, at])).toEqual([
      ['number_not_exact', '/a'],
      ['duplicate_key', '/a'],
      ['forbidden_key', '/b/__proto__'],
      ['lone_surrogate', '/c'],
    ])
  })

  test('cannot reach a prototype', () => {
    const parsed = parseJsonText('{"a":{"__proto__":{"polluted":true}}}')
    expect(parsed.ok).toBe(false)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

/** A decimal text as an exact fraction, in lowest terms of ten: an independent reading. */
function rational(text: string): string {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  let numerator = BigInt(whole.replace('-', '') + fraction)
  let exponent = BigInt(power) - BigInt(fraction.length)
  if (numerator === 0n) return '0'
  while (numerator % 10n === 0n) {
    numerator /= 10n
    exponent += 1n
  }
  return `${text.startsWith('-') ? '-' : ''}${numerator}e${exponent}`
}

const text = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`

const nested = (depth: number) => '{"a":'.repeat(depth) + '0' + '}'.repeat(depth)

const list = (count: number) => `[${'0,'.repeat(count - 2)}0]`

const faulty = (count: number) => `[${'-0,'.repeat(count - 1)}-0]`

const counted = (count: number) => codes(faulty(count)).split(' ')

describe('at a limit a text is taken, one past it refused:', () => {
  test('bytes', () => {
    expect(codes(text(limits.planBytesMax))).toBe('ok')
    expect(codes(text(limits.planBytesMax + 1))).toBe('body_too_large')
    // The limit is in bytes, not in characters.
    expect(codes(`"${'é'.repeat(limits.planBytesMax / 2 - 1)}"`)).toBe('ok')
    expect(codes(`"${'é'.repeat(limits.planBytesMax / 2 - 1)}x"`)).toBe('body_too_large')
  })

  test('depth', () => {
    expect(codes(nested(limits.jsonDepthMax))).toBe('ok')
    expect(codes(nested(limits.jsonDepthMax + 1))).toBe('too_deep')
  })

  test('values', () => {
    expect(codes(list(limits.jsonValuesMax))).toBe('ok')
    expect(codes(list(limits.jsonValuesMax + 1))).toBe('too_many_values')
  })

  test('violations', () => {
    expect(counted(limits.violationsMax)).toEqual(
      Array.from({ length: limits.violationsMax }, () => 'number_not_exact'),
    )
    const cut = counted(limits.violationsMax + 1)
    expect(cut).toHaveLength(limits.violationsMax)
    expect(cut.at(-1)).toBe('too_many_violations')
  })
})
