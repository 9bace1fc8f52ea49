// The view that the offline rules look through: quantities, clauses, liquids, order, words.
import { describe, expect, it } from 'vitest'
import { clausesOf } from '../../../verify/panel/offline/view/clauses.ts'
import { concept, conceptPlace } from '../../../verify/panel/offline/view/concept.ts'
import { liquidParser } from '../../../verify/panel/offline/view/liquid.ts'
import { orderOf } from '../../../verify/panel/offline/view/order.ts'
import { quantitiesOf } from '../../../verify/panel/offline/view/quantity.ts'
import { streamTerms } from '../../../verify/panel/offline/view/stream-terms.ts'
import { wasteStreams } from '../../../verify/panel/offline/view/streams.ts'
import { textUnit } from '../../../verify/panel/offline/view/text.ts'
import { planOf, registry, read } from './offline-support.ts'

const unit = (text: string) => textUnit(text, { at: '', kind: 'instruction', node: null })

describe('quantities in text', () => {
  const cases: [string, string, number, number][] = [
    ['Add 5 µL', 'volume', 5, 5],
    ['Add 0.25 mL', 'volume', 250, 250],
    ['Run at 1,000 mm/s', 'speed', 1_000, 1_000],
    ['Approach at 2 cm/s', 'speed', 20, 20],
    ['Hold at 98.6 °F', 'temperature', 37, 37],
    ['25 to 30 °C', 'temperature', 25, 30],
    ['at −80 °C', 'temperature', -80, -80],
    ['for half an hour', 'time', 1_800, 1_800],
    ['for ten minutes', 'time', 600, 600],
    ['for 2 h', 'time', 7_200, 7_200],
    ['overnight', 'time', 21_600, 86_400],
    ['a 4.7 kg carboy', 'mass', 4_700, 4_700],
    ['0.1 M NaOH', 'molar', 0.1, 0.1],
    ['10 mM EDTA', 'molar', 0.01, 0.01],
    ['5% bleach', 'percent', 5, 5],
    ['30 cycles', 'cycles', 30, 30],
  ]
  it.each(cases)('reads %j', (text, kind, low, high) => {
    const [found] = quantitiesOf(text)
    expect(found?.kind).toBe(kind)
    expect(found?.low).toBeCloseTo(low, 6)
    expect(found?.high).toBeCloseTo(high, 6)
  })

  it('does not take an acceleration for a mass, or a concentration for a mass', () => {
    expect(quantitiesOf('Spin at 300 × g')).toEqual([])
    expect(quantitiesOf('caffeine 10 mg/L')).toEqual([])
    expect(quantitiesOf('zone 5 µL/s').filter((q) => q.kind === 'volume')).toEqual([])
  })
})

describe('clauses', () => {
  const kinds = (text: string) => clausesOf(text).map((clause) => clause.kind)
  it('tells procedure, circumstance, condition and setting apart', () => {
    expect(kinds('Dispense 200 µL per tube.')).toEqual(['procedure'])
    expect(kinds('The strain arrived this morning; the register has no entry.')).toEqual([
      'circumstance',
      'circumstance',
    ])
    expect(kinds('If they differ, stop.')).toEqual(['condition'])
    expect(kinds('Sash of hood 1 to 30 cm.')).toEqual(['phrase'])
    expect(kinds('Do not open the lid.')).toEqual(['procedure'])
    expect(kinds('The technician presses the button.')).toEqual(['procedure'])
    expect(kinds('The technician is inside.')).toEqual(['circumstance'])
    expect(kinds('Leave it open so that he can swap.')).toEqual(['circumstance'])
  })
  it('does not end a clause at an initial', () => {
    expect(kinds('Grow E. coli and tell H. Novak.')).toEqual(['procedure'])
  })
})

describe('liquids', () => {
  const liquid = liquidParser()
  it('does not mistake look-alike names for the hazard', () => {
    expect(liquid('Tris-HCl buffer').groups.has('acid')).toBe(false)
    expect(liquid('amino acid mix').groups.has('acid')).toBe(false)
    expect(liquid('azide-free stop buffer').groups.has('azide')).toBe(false)
    expect(liquid('horseradish peroxidase').groups.has('peroxide')).toBe(false)
  })
  it('knows the same substance by several names, and its strength', () => {
    expect(liquid('bleach 10%').groups).toEqual(liquid('sodium hypochlorite 10%').groups)
    expect(liquid('0.1 M NaOH').dilute).toBe(true)
    expect(liquid('10 M NaOH').dilute).toBe(false)
    expect(liquid('sodium azide 0.02%').trace).toBe(true)
    expect(liquid('qwzx').known).toBe(false)
  })
})

describe('words', () => {
  it('does not count a negated act', () => {
    const mute = concept('mute', ['mute|silence', 'alarm'])
    expect(conceptPlace(unit('Mute the alarm'), mute)).toBe(0)
    expect(conceptPlace(unit('Do not mute the alarm'), mute)).toBe(-1)
    expect(conceptPlace(unit('Never silence an alarm'), mute)).toBe(-1)
  })
  it('sees through invisible characters and full-width letters', () => {
    const mute = concept('mute', ['mute', 'alarm'])
    expect(conceptPlace(unit('m\u200bute the al\u00adarm'), mute)).toBe(0)
    expect(conceptPlace(unit('ｍｕｔｅ the alarm'), mute)).toBe(0)
  })
  it('needs the other family within reach, and after the act where order matters', () => {
    const near = concept('near', ['cover', 'sensor'], { reach: 2 })
    expect(conceptPlace(unit('cover the sensor'), near)).toBe(0)
    expect(conceptPlace(unit('cover the plate and read the sensor'), near)).toBe(-1)
    const after = concept('after', ['without', 'gloves'], { ordered: true })
    expect(conceptPlace(unit('gloves on, without hurry'), after)).toBe(-1)
  })
})

describe('order and streams', () => {
  it('calls nodes without a path between them unordered', () => {
    const plan = planOf({
      told: ['Read.'],
      steps: [
        read('A-1', 'a'),
        { ...read('A-2', 'a'), after: [] },
        { ...read('A-3', 'a'), after: [1] },
        { ...read('A-4', 'a'), after: [3] },
      ],
    })
    const order = orderOf(plan.nodes)
    expect(order.before(0, 3)).toBe(true)
    expect(order.before(3, 0)).toBe(false)
    expect(order.unordered(1, 3)).toBe(true)
    expect(order.unordered(0, 0)).toBe(false)
  })
  it('reads what a stream accepts and excludes from the site’s own words', () => {
    const bleach = streamTerms(wasteStreams(registry)['waste_bleach'] ?? '')
    expect(bleach.accepts.has('hypochlorite')).toBe(true)
    expect([...bleach.excludes].sort()).toEqual(['acid', 'ammonia', 'guanidinium', 'organic'])
    const solvents = streamTerms(wasteStreams(registry)['waste_nonhalogenated'] ?? '')
    expect(solvents.accepts.has('flammable')).toBe(true)
    expect(solvents.accepts.has('halogenated')).toBe(false)
    expect(solvents.excludes.has('peroxide')).toBe(true)
  })
})
