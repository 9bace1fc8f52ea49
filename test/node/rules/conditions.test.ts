// Conditions of a site over steps that name several things or values, and over what nobody knows.
import { describe, expect, test } from 'vitest'
import { leftBy } from '../../../verify/review/left.ts'
import { pottery, ruled, stateOf, traceOf } from './kiln.ts'

const fire = (...ramp: number[]) => [{ tool: 'fire', args: { kiln: 'kiln-1', ramp } }]
const hot = { is: { role: 'temperatures' }, gt: '1000 Cel' }

describe('a step with several values', () => {
  const asks = pottery([
    { id: 'R', text: 'R', if: { act: 'run_profile', that: hot }, needs: { approved: '$device' } },
  ])

  test('is spoken of by a rule when one of them meets its `if`', () => {
    expect(ruled(traceOf(asks, stateOf(), fire(200, 1280)), 'R').found).toEqual(['breach'])
    expect(ruled(traceOf(asks, stateOf(), fire(200, 900)), 'R').found).toEqual([])
  })

  test('is no exception to a negated need when one of them is', () => {
    const site = pottery([{ id: 'R', text: 'R', if: { act: 'run_profile' }, needs: { not: hot } }])
    expect(ruled(traceOf(site, stateOf(), fire(200, 1280)), 'R')).toEqual({
      found: ['breach'],
      permits: false,
    })
    expect(ruled(traceOf(site, stateOf(), fire(200, 900)), 'R').permits).toBe(true)
  })

  test('is permitted only by a rule that speaks of each', () => {
    const low = { is: { role: 'temperatures' }, le: '300 Cel' }
    const site = pottery([
      {
        id: 'R',
        text: 'R',
        if: { act: 'run_profile', that: low },
        needs: { thing: '$device', class: 'furnace' },
      },
    ])
    expect(ruled(traceOf(site, stateOf(), fire(200, 1280)), 'R')).toEqual({
      found: [],
      permits: false,
    })
    expect(ruled(traceOf(site, stateOf(), fire(200, 280)), 'R').permits).toBe(true)
  })
})

describe('a term that stands for nothing', () => {
  test('agrees with no comparison', () => {
    // kiln-2 has no barrier, and the bench belongs to no device.
    const site = pottery([
      {
        id: 'R',
        text: 'R',
        if: { act: 'set_temperature' },
        needs: { is: { fact: 'open', of: '$device.barriers' }, eq: false },
      },
    ])
    const heat = [{ tool: 'heat', args: { kiln: 'kiln-2', to: 900 } }]
    expect(ruled(traceOf(site, stateOf(), heat), 'R')).toEqual({
      found: ['unknown'],
      permits: false,
    })
  })

  test('bounds nothing', () => {
    const site = pottery([
      {
        id: 'R',
        text: 'R',
        if: { act: 'transfer' },
        needs: { is: { role: 'volume' }, le: { limit: 'volume', of: '$to.device' } },
      },
    ])
    const state = stateOf([
      { thing: 'crock-1', kind: 'crock', at: 'bench' },
      { thing: 'crock-2', kind: 'crock', at: 'bench' },
    ])
    const pour = [
      { tool: 'pour', args: { from: 'crock-1', to: ['crock-2'], ml: 50, glaze: 'water' } },
    ]
    expect(ruled(traceOf(site, state, pour), 'R')).toEqual({ found: ['unknown'], permits: false })
  })
})

describe('what is in a device', () => {
  const dry = pottery([
    {
      id: 'R',
      text: 'R',
      if: { act: 'set_temperature' },
      needs: { not: { substance: { in: '$device' }, hazard: 'flammable' } },
    },
  ])
  const heat = [{ tool: 'heat', args: { kiln: 'kiln-1', to: 900 } }]
  const came = (...facts: object[]) => ruled(traceOf(dry, stateOf([], facts), heat), 'R')

  test('is not known while nobody says what stands there', () => {
    expect(came()).toEqual({ found: ['unknown'], permits: false })
    expect(came({ thing: 'shelf', fact: 'holds', value: 'none' }).permits).toBe(true)
  })

  test('is what was recorded of the device itself, too', () => {
    const contents = [{ substance: 'ethanol', volume: '20 mL' }]
    const empty = { thing: 'shelf', fact: 'holds', value: 'none' }
    expect(came(empty, { thing: 'kiln-1', fact: 'contents', value: contents }).found).toEqual([
      'breach',
    ])
  })
})

const crocks = ['crock-1', 'crock-2', 'crock-3'].map((thing) => {
  return { thing, kind: 'crock', at: 'bench', contents: [{ substance: 'water', volume: '500 mL' }] }
})
const pour = (to: string[], ml = 50, glaze = 'water') => ({
  tool: 'pour',
  args: { from: 'crock-1', to, ml, glaze },
})
const forPouring = (needs: object, that?: object) =>
  pottery([
    { id: 'R', text: 'R', if: { act: 'transfer', ...(that === undefined ? {} : { that }) }, needs },
  ])

describe('several things', () => {
  test('were each measured before, or it was not done', () => {
    const site = forPouring({ before: { act: 'measure', of: '$to' } })
    const weigh = { tool: 'weigh', args: { pot: 'crock-2' } }
    const came = (to: string[]) => ruled(traceOf(site, stateOf(crocks), [weigh, pour(to)]), 'R')
    expect(came(['crock-2']).permits).toBe(true)
    expect(came(['crock-2', 'crock-3'])).toEqual({ found: ['breach'], permits: false })
  })

  test('are each approved, by as many people', () => {
    const site = forPouring({ approved: '$to', by: 2 })
    const came = (to: string[], approvals: { subject: string; by: string[] }[]) =>
      ruled(traceOf(site, { ...stateOf(crocks), approvals }, [pour(to)]), 'R').permits
    const [both, one, other] = [
      { subject: 'crock-2', by: ['ann', 'bo'] },
      { subject: 'crock-2', by: ['ann'] },
      { subject: 'crock-3', by: ['bo'] },
    ]
    expect(came(['crock-2'], [both])).toBe(true)
    expect(came(['crock-2', 'crock-3'], [both])).toBe(false)
    expect(came(['crock-2', 'crock-3'], [one, other])).toBe(false)
  })
})

test('a mixture has not the name of its first part alone', () => {
  const site = forPouring({ is: { role: 'substance' }, eq: 'water' })
  const came = (glaze: string) =>
    ruled(traceOf(site, stateOf(crocks), [pour(['crock-2'], 50, glaze)]), 'R').permits
  expect(came('water')).toBe(true)
  expect(came('water and hydrofluoric acid')).toBe(false)
})

test('a total is not known when one of its values was not read', () => {
  const site = forPouring({
    is: { total: 'volume', over: 'plan' },
    le: '100 mL',
  })
  const came = (ml: number | string) => {
    const second = { tool: 'pour', args: { from: 'crock-1', to: ['crock-3'], ml, glaze: 'water' } }
    return ruled(traceOf(site, stateOf(crocks), [pour(['crock-2']), second]), 'R')
  }
  expect(came(40).permits).toBe(true)
  expect(came(400)).toEqual({ found: ['breach', 'breach'], permits: false })
  expect(came('plenty')).toEqual({ found: ['unknown', 'unknown'], permits: false })
})

test('what a run leaves of a mixture names all of it', () => {
  const site = forPouring({ thing: '$to', class: 'vessel' })
  const mixed = [{ substance: 'water and hydrofluoric acid', volume: '500 mL' }]
  const [first, ...rest] = crocks
  const state = stateOf(
    [{ ...first, contents: mixed }, ...rest.map((c) => ({ ...c, contents: [] }))],
    [{ thing: 'crock-2', fact: 'contents', value: [] }],
  )
  const left = leftBy(traceOf(site, state, [pour(['crock-2'], 50, 'water and hydrofluoric acid')]))
  const told = left.filter(({ fact, value }) => fact === 'contents' && value !== null)
  expect(told.length).toBeGreaterThan(0)
  expect(JSON.stringify(told)).toContain('hydrofluoric')
})
