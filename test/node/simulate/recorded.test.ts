// What earlier runs and people recorded, where a step rests on it without saying so.
import { expect, it } from 'vitest'
import { leftBy } from '../../../verify/review/left.ts'
import { codesOf, run, type StepGiven } from './bench.ts'
import { cell } from './cell.ts'

const pick = (part?: string): StepGiven[] => [
  { id: 'tip', acts: [{ act: 'pick', device: 'head', thing: 'tips', ...(part && { part }) }] },
  { id: 'drop', acts: [{ act: 'place', device: 'head', place: 'solids' }] },
]
const tipless = (facts: readonly object[], part?: string) => {
  const bench = cell()
  const known = { source: 'person' as const, by: 'p', at_ms: 1 }
  const more = facts.map((fact) => ({
    thing: 'tips',
    fact: 'tip',
    value: 'none',
    ...known,
    ...fact,
  }))
  const state = { ...bench.state, facts: [...bench.state.facts, ...more] } as typeof bench.state
  return codesOf(run({ ...bench, state }, pick(part))).includes('TIP_GONE')
}

it('a rack that was recorded as empty has no tip, named or not', () => {
  expect(tipless([])).toBe(false)
  expect(tipless([], 'A1')).toBe(false)
  expect(tipless([{}])).toBe(true)
  expect(tipless([{}], 'A1')).toBe(true)
  expect(tipless([{ value: null }], 'A1')).toBe(true)
  const every = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'].flatMap((row) =>
    Array.from({ length: 12 }, (_, i) => ({ part: `${row}${i + 1}` })),
  )
  expect(tipless(every)).toBe(true)
  expect(tipless(every.slice(1))).toBe(false)
})

it('a call that nobody described leaves nothing known of the contents it may reach', () => {
  const opaque: StepGiven = {
    id: 'o',
    acts: [{ act: 'transfer', from: 'trough', to: 'plate:B1', volume: '10 uL' }],
    opaque: 'argument_not_described',
  }
  const left = leftBy(run(cell(), [opaque]))
  for (const thing of ['trough', 'plate']) {
    expect(left).toContainEqual({ thing, fact: 'contents', value: null })
  }
})
