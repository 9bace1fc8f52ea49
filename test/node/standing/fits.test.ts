// What a standing approval covers: the exact graph with values inside of its holes, from whatever the cell
// holds, as long as rules find nothing that was not shown. Everything else is outside (invariant 7).
import { describe, expect, test } from 'vitest'
import type { Plan } from '../../../protocol/plan.ts'
import type { CellState, InventoryItem } from '../../../protocol/state.ts'
import type { ReviewSpec } from '../../../verify/review/state.ts'
import { planWith, valuesIn } from '../../../verify/standing/holes.ts'
import { at, base, cell, outside, recordOf, runOf, terms } from './fixture.ts'

const record = await recordOf()
const person = { source: 'person' as const, by: 'olga', at_ms: at }

const holding = (volume: number, substance = 'water'): CellState['facts'][number] => ({
  thing: 'beaker_1',
  fact: 'contents',
  value: [{ substance, volume: `${volume} uL` }],
  ...person,
})
const beaker = (change: Partial<InventoryItem>): CellState =>
  cell({
    inventory: cell().inventory.map((one) =>
      one.thing === 'beaker_1' ? { ...one, ...change } : one,
    ),
  })
const bottle = (contents: InventoryItem['contents']): CellState =>
  cell({
    inventory: cell().inventory.map((one) =>
      one.thing === 'bottle_1' ? { ...one, contents } : one,
    ),
  })

describe('inside', () => {
  test('forty runs one after the other, each over what the one before has left', () => {
    let held = 0
    for (let i = 0; i < 40; i++) {
      const volume = 5 + (i % 11)
      const facts = held === 0 ? cell().facts : [holding(held)]
      expect([i, outside(runOf(record, { volume }), cell({ facts }))]).toEqual([i, []])
      held += volume
    }
    expect(held).toBeLessThan(850)
  })

  test('both ends of the range, and a value between that nobody named', () => {
    for (const volume of [5, 15, 7.25]) expect(outside(runOf(record, { volume }))).toEqual([])
  })
})

const withNodes = (change: (nodes: Plan['nodes']) => object[]): Partial<ReviewSpec> => {
  const plan = planWith(base, terms.holes, { volume: 10 })
  return { plan: { ...plan, nodes: change(plan.nodes) as Plan['nodes'] } }
}
const words = (change: Partial<Plan>): Partial<ReviewSpec> => ({
  plan: { ...planWith(base, terms.holes, { volume: 10 }), ...change },
})
const flagged: ReviewSpec['floor'] = {
  ...record.floor,
  level: 'flag',
  findings: [{ code: 'WINDOW_PROBING', effect: 'flag', at: '', span: null, facts: {}, kg: [] }],
}
const run = runOf(record, { volume: 10 })

const altered: Record<string, [ReviewSpec, CellState?]> = {
  'a value above its range': [runOf(record, { volume: 15.01 })],
  'a value below its range': [runOf(record, { volume: 4.99 })],
  'a value of another type': [runOf(record, { volume: '10' })],
  'a value that is not given': [runOf(record, {})],
  'a value for no hole': [runOf(record, { volume: 10, pan: 'pan_1' })],
  'another value in the graph than was named': [
    runOf(
      record,
      { volume: 10 },
      withNodes(([a, b]) => [a!, { ...b!, args: { volume: 11 } }]),
    ),
  ],
  'one more step': [
    runOf(
      record,
      { volume: 10 },
      withNodes((nodes) => [...nodes, { ...nodes[1]!, id: 'n3', depends_on: ['n2'] }]),
    ),
  ],
  'one step less': [
    runOf(
      record,
      { volume: 10 },
      withNodes(([, b]) => [{ ...b!, depends_on: [] }]),
    ),
  ],
  'another order': [
    runOf(
      record,
      { volume: 10 },
      withNodes(([a, b]) => [a!, { ...b!, depends_on: [] }]),
    ),
  ],
  'another tool': [
    runOf(
      record,
      { volume: 10 },
      withNodes(([a, b]) => [{ ...a!, tool: 'note' }, b!]),
    ),
  ],
  'a value that comes from the run': [
    runOf(
      record,
      { volume: 10 },
      withNodes(([a, b]) => [
        a!,
        { ...b!, args: { volume: { $from: { node: 'n1', pointer: '/mass', min: 5, max: 15 } } } },
      ]),
    ),
  ],
  'a sandbox': [
    runOf(
      record,
      { volume: 10 },
      withNodes(([a, b]) => [a!, { ...b!, sandbox: 'free' }]),
    ),
  ],
  'another goal': [runOf(record, { volume: 10 }, words({ goal: 'Fill the beaker' }))],
  'one more sentence': [
    runOf(
      record,
      { volume: 10 },
      words({ instructions: [...run.plan.instructions, 'Tell the other robot to go on.'] }),
    ),
  ],
  'another agent': [runOf(record, { volume: 10 }, words({ agent: 'agent-2' }))],
  'a beaker that would run over': [run, cell({ facts: [holding(845)] })],
  'a beaker that holds something else': [run, cell({ facts: [holding(100, 'nitric acid')] })],
  'a beaker of which nothing is known': [run, cell({ facts: [] })],
  'a beaker that is on hold': [run, beaker({ held: true })],
  'a beaker with material of a person': [run, beaker({ human: true })],
  'a bottle that is nearly empty': [run, bottle([{ substance: 'water', volume: '8 uL' }])],
  'a bottle of something else': [run, bottle([{ substance: 'ethanol', volume: '500 mL' }])],
  'a cell of which nothing is known': [run, cell({ inventory: [], facts: [] })],
  'another site file': [
    {
      ...run,
      snapshot: { ...run.snapshot, registry_digest: `reg:${'Z'.repeat(43)}` },
    },
  ],
  'another policy': [
    { ...run, snapshot: { ...run.snapshot, policy_version: `pol:${'Z'.repeat(43)}` } },
  ],
  'a check that asks for a person': [{ ...run, floor: flagged }],
}

describe('outside, and so for a person:', () => {
  test.each(Object.entries(altered))('%s', (_name, [spec, over]) => {
    expect(outside(spec, over).length).toBeGreaterThan(0)
  })
})

describe('a finding that was shown', () => {
  test('is shown for the thing that it names, and for no other', async () => {
    const held = (thing: string): CellState =>
      cell({
        inventory: cell().inventory.map((one) => ({ ...one, held: one.thing === thing })),
      })
    const shown = await recordOf({ cell_state: held('bottle_1') })
    expect(shown.evidence.unknowns.length + shown.evidence.breaches.length).toBeGreaterThan(0)
    const again = runOf(shown, { volume: 10 })
    expect(outside(again, held('bottle_1'))).toEqual([])
    expect(outside(again, held('beaker_1'))).toContainEqual(
      expect.objectContaining({ kind: 'finding', code: 'THING_HELD' }),
    )
  })
})

describe('holes', () => {
  const hole = terms.holes[0]!
  test.each<[string, object, RegExp]>([
    ['of no step', { node: 'n9' }, /no step n9/],
    ['at no value', { pointer: '/mass' }, /no plain value/],
    ['at the arguments as a whole', { pointer: '/volume/x' }, /no plain value/],
    ['around another value than the plan has', { within: { min: 1, max: 2 } }, /not inside/],
    ['of a list without it', { within: { enum: ['a'] } }, /not inside/],
  ])('%s', (_name, change, message) => {
    const found = valuesIn(base, [{ ...hole, ...change }])
    expect(found.ok).toBe(false)
    if (!found.ok) expect(found.error[0]).toMatchObject({ at: '/holes/0', code: 'hole_invalid' })
    if (!found.ok) expect(found.error[0]?.message).toMatch(message)
  })

  test('twice one name or one place', () => {
    for (const second of [
      hole,
      { ...hole, name: 'more' },
      { ...hole, node: 'n1', pointer: '/pan' },
    ]) {
      expect(valuesIn(base, [hole, second]).ok).toBe(false)
    }
  })

  test('words take the value, and keep braces that name no hole', () => {
    const text = { ...base, goal: 'Fill {volume} of {other} {Volume}' }
    expect(planWith(text, terms.holes, { volume: 7.5 }).goal).toBe('Fill 7.5 of {other} {Volume}')
  })
})
