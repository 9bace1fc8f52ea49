// What was recorded of a cell, by age and by unit: the newest word counts, and a number in another unit
// is no value.
import { expect, test } from 'vitest'
import { pottery, ruled, now_ms, stateOf, traceOf } from './kiln.ts'

const crock = { thing: 'crock-1', kind: 'crock', at: 'bench' }
const pot = { thing: 'crock-2', kind: 'crock', at: 'bench' }
const pour = [{ tool: 'pour', args: { from: 'crock-1', to: ['crock-2'], ml: 50, glaze: 'water' } }]
const dry = pottery([
  {
    id: 'R',
    text: 'R',
    if: { act: 'transfer' },
    needs: { not: { substance: { in: '$to' }, hazard: 'flammable' } },
  },
])
const ethanol = [{ substance: 'ethanol', volume: '100 mL' }]
const was = (ago_s: number, more: object) => ({
  thing: 'crock-2',
  at_ms: now_ms - ago_s * 1000,
  ...more,
})
const came = (facts: readonly object[], site = dry) =>
  ruled(traceOf(site, stateOf([crock, pot], facts), pour), 'R').found

test('an older volume does not empty newer contents', () => {
  const emptied = was(100, { fact: 'contents_volume', value: '0 uL' })
  const filled = was(50, { fact: 'contents', value: ethanol })
  expect(came([emptied, filled])).toEqual(['breach'])
  expect(came([filled, emptied])).toEqual(['breach'])
})

test('an older part does not stand beside a newer whole', () => {
  const part = was(100, { part: 'A1', fact: 'contents', value: [] })
  const whole = was(50, { fact: 'contents', value: ethanol })
  const a1 = [
    { tool: 'pour', args: { from: 'crock-1', to: ['crock-2 A1'], ml: 50, glaze: 'water' } },
  ]
  const found = ruled(traceOf(dry, stateOf([crock, pot], [part, whole]), a1), 'R').found
  expect(found).not.toEqual([])
  expect(came([part, whole])).toEqual(['breach'])
})

test('what a day starts with does not outlive a newer word about the whole', () => {
  const starts = [{ thing: 'crock-2', fact: 'contents_volume', value: '0 uL' }]
  const site = pottery([...dry.rules], { starts })
  expect(came([], site)).toEqual([])
  expect(came([was(50, { fact: 'contents', value: ethanol })], site)).toEqual(['breach'])
})

const cold = pottery([
  {
    id: 'R',
    text: 'R',
    if: { act: 'set_opening' },
    needs: { is: { fact: 'temperature', of: 'kiln-1' }, le: '60 Cel' },
  },
])
const damper = [{ tool: 'damper', args: { flap: 'flap-1', mm: 10 } }]

test('a fact in another unit, or in none, is not known', () => {
  const heat = (value: unknown) =>
    ruled(
      traceOf(cold, stateOf([], [{ thing: 'kiln-1', fact: 'temperature', value }]), damper),
      'R',
    )
  expect(heat('20 Cel').permits).toBe(true)
  expect(heat('100 [degF]').permits).toBe(true)
  for (const value of ['20 mm', '20 %', 20, 0]) {
    expect([value, heat(value)]).toEqual([value, { found: ['unknown'], permits: false }])
  }
})

test('a share of an opening is no width, and a share of nothing known no speed', () => {
  const flap = { thing: 'flap-1', fact: 'opening', value: '0 mm' }
  const narrow = (unit: string) => {
    const site = pottery([
      {
        id: 'R',
        text: 'R',
        if: { act: 'set_opening' },
        needs: { is: { fact: 'opening', of: '$barrier', at: 'after' }, le: '60 mm' },
      },
    ])
    const tools = site.tools.map((tool) =>
      tool.name === 'damper'
        ? {
            ...tool,
            args_schema: {
              ...tool.args_schema,
              properties: { flap: { type: 'string' }, mm: { type: 'number', 'x-unit': unit } },
            },
          }
        : tool,
    )
    const wide = [{ tool: 'damper', args: { flap: 'flap-1', mm: 50 } }]
    return ruled(traceOf({ ...site, tools }, stateOf([], [flap]), wide), 'R')
  }
  expect(narrow('mm').permits).toBe(true)
  expect(narrow('%')).toEqual({ found: ['unknown'], permits: false })
})
