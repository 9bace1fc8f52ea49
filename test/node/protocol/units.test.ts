// The table of units against a full UCUM library: every atom, every prefix, every quotient.
import ucum from '@lhncbc/ucum-lhc'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dimensions, type Dimension } from '../../../protocol/acts.ts'
import { measuredOf, scaled, unitOf } from '../../../protocol/units.ts'
import table from '../../../protocol/units.json' with { type: 'json' }

const library = ucum.UcumLhcUtils.getInstance()

/** The scene's units as the library writes them. */
const canonical: Readonly<Record<Dimension, string>> = {
  ...dimensions,
  rotation: '{rev}/min',
  acceleration: '[g]',
}

const metric = Object.entries(table.atoms).filter(([, atom]) => 'metric' in atom && atom.metric)
const prefixed = metric.flatMap(([code]) =>
  Object.keys(table.prefixes).map((prefix) => `${prefix}${code}`),
)
const quotients = [
  'mL/min',
  'uL/s',
  'L/h',
  'mm/s',
  'cm/s',
  'm/min',
  '{rev}/s',
  '{rev}/min',
  'mol/L',
  'umol/mL',
  'm/s2',
  'mm3',
  'cm3',
]
const codes = [...Object.keys(table.atoms), ...prefixed, ...quotients].filter(
  (code) => unitOf(code) !== null,
)

describe('units', () => {
  it('has every atom, with every prefix that it may take', () => {
    expect(codes.length).toBeGreaterThan(120)
  })

  it.each(codes)('%s is what the library says', (code) => {
    const unit = unitOf(code)
    if (unit === null) throw new Error(code)
    for (const value of [1, 37.5]) {
      const said = library.convertUnitTo(code, value, canonical[unit.dim])
      expect(said.status, JSON.stringify(said.msg)).toBe('succeeded')
      const ours = scaled(value, unit)
      expect(Math.abs(ours - (said.toVal ?? Number.NaN))).toBeLessThanOrEqual(
        1e-9 * Math.max(1, Math.abs(ours)),
      )
    }
  })

  it.each([
    'Cel/min',
    'g/L',
    'kmin',
    'mCel',
    'L/L',
    'hogshead',
    'ul ',
    'UL',
    '',
    'kg/m3',
    'uL/s/s',
    'm[in_i]',
    '[g',
  ])('"%s" is no unit of any role, or says so', (code) => {
    const unit = unitOf(code)
    // A blank around a code, and the empty code of a count, are the only liberties.
    if (code === '') expect(unit?.dim).toBe('count')
    else if (code === 'ul ') expect(unit?.dim).toBe('volume')
    else expect(unit).toBeNull()
  })

  it('never makes one dimension of rpm and gravity', () => {
    expect(unitOf('rpm')?.dim).toBe('rotation')
    expect(unitOf('xg')?.dim).toBe('acceleration')
  })

  it('reads what site files write, and nothing with a word for a number', () => {
    expect(measuredOf('0.1 L')).toEqual({ dim: 'volume', value: 100_000 })
    expect(measuredOf('-80 Cel')).toEqual({ dim: 'temperature', value: -80 })
    expect(measuredOf('3 {positions}')).toEqual({ dim: 'count', value: 3 })
    for (const text of ['cold', '1,5 L', '1.5L', 'NaN L', '1e999 L', '4 Cel max', '']) {
      expect(measuredOf(text), text).toBeNull()
    }
  })

  it('keeps the order of values', () => {
    const value = fc.integer({ min: -1_000_000, max: 1_000_000 })
    fc.assert(
      fc.property(fc.constantFrom(...codes), value, value, (code, a, b) => {
        const unit = unitOf(code)
        return unit !== null && a <= b === scaled(a, unit) <= scaled(b, unit)
      }),
    )
  })
})
