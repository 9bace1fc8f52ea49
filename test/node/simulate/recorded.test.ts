// What earlier runs and people recorded, where a step rests on it without saying so.
import { expect, it } from 'vitest'
import { leftBy } from '../../../verify/review/left.ts'
import type { FactName } from '../../../protocol/condition.ts'
import { portsOf } from '../../../verify/simulate/ports.ts'
import { startValue, worldOf } from '../../../verify/simulate/world.ts'
import { codesOf, now_ms, run, type StepGiven } from './bench.ts'
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

it('of what is known of a barrier the newest word counts, whichever fact it is said by', () => {
  const { registry, state } = cell()
  const isOpen = (...facts: readonly (readonly [FactName, string | boolean | null, number])[]) => {
    const told = facts.map(([fact, value, ago]) => {
      const at_ms = now_ms - ago
      return { thing: 'sash', fact, value, source: 'person' as const, by: 'p', at_ms }
    })
    const world = worldOf(registry, { ...state, facts: told }, now_ms, portsOf(registry))
    return startValue(world, 'sash', 'open')
  }
  expect(isOpen(['open', false, 10], ['opening', '30 cm', 5])).toBe(true)
  expect(isOpen(['open', true, 10], ['opening', '0 cm', 5])).toBe(false)
  expect(isOpen(['open', false, 10], ['opening', null, 5])).toBe(null)
  expect(isOpen(['open', false, 5], ['opening', '30 cm', 10])).toBe(false)
})
