// What a call does is read from its row, whatever the arguments are called and however they are shaped.
import { describe, expect, it } from 'vitest'
import { planOf, sceneOf, type NodeInput } from './brewery.ts'
import type { RoleValue, Step } from '../../../verify/read/scene.ts'

const stepOf = (node: NodeInput): Step => {
  const [step] = sceneOf(planOf([node])).steps
  if (step === undefined) throw new Error('no step')
  return step
}
const role = (step: Step, name: string, act = 0): readonly RoleValue[] =>
  step.acts[act]?.roles[name] ?? []
const amount = (value: RoleValue | undefined) =>
  value?.kind === 'quantity' ? [value.dim, value.value.lo, value.value.hi] : null
const ref = (value: RoleValue | undefined) =>
  value?.kind === 'thing' || value?.kind === 'place' ? value.ref : null

describe('acts of a call', () => {
  const dosing = {
    tool: 'dose',
    args: { tank: { id: 'fermenter-01', port: 'b02' }, amount: 2.5, amount_unit: 'L', note: 'x' },
  }

  it('binds names, parts, units beside numbers, constants and defaults', () => {
    const step = stepOf(dosing)
    expect(step.opaque).toBeNull()
    expect(amount(role(step, 'volume')[0])).toEqual(['volume', 2_500_000, 2_500_000])
    expect(ref(role(step, 'to')[0])).toMatchObject({
      key: 'FV-01',
      part: 'B2',
      is: 'device',
      kind: 'reactor',
    })
    expect(ref(role(step, 'from')[0])).toMatchObject({ key: 'caustic_tank', is: 'thing' })
    const [liquid] = role(step, 'substance')
    expect(liquid).toMatchObject({
      kind: 'substance',
      at: '/nodes/0/args/fluid',
      substance: { known: true, percent: 2 },
    })
    expect(step.inert).toEqual(['/nodes/0/args/note'])
    expect(step.acts[0]?.missing).toEqual([])
  })

  it.each([
    ['a unit that nobody knows', { amount_unit: 'hogshead' }],
    ['a unit of another dimension', { amount_unit: 'Cel' }],
    ['no unit at all', { amount_unit: null }],
    ['a number that is a word', { amount: 'a lot' }],
  ])('%s leaves the argument without meaning', (_, change) => {
    const step = stepOf({ tool: 'dose', args: { ...dosing.args, ...change } })
    expect(step.opaque).toBe('argument_not_described')
    expect(step.uncovered).toContain('/nodes/0/args/amount')
    expect(step.acts[0]?.missing).toEqual(['volume'])
  })

  it('does what belongs to an argument only when it is given', () => {
    const gases = (args: object) =>
      stepOf({ tool: 'inlet', args: { line: 'PUMP-2', ...args } }).acts.map((act) => [
        act.roles['amount']?.[0]?.at,
        act.missing,
      ])
    expect(gases({ steam: 0 })).toEqual([['/nodes/0/args/steam', []]])
    expect(gases({ air: 5, steam: 3 })).toHaveLength(2)
    expect(gases({})).toEqual([])
  })

  it('does the act that the choice says, in the unit of the schema', () => {
    const mash = stepOf({ tool: 'jacket', args: { tank: 'fv 2', setpoint: 212, program: 'mash' } })
    expect(mash.acts.map((one) => one.act)).toEqual(['set_temperature'])
    expect(amount(role(mash, 'temperature')[0])?.[1]).toBeCloseTo(100, 9)
    const sparge = stepOf({
      tool: 'jacket',
      args: { tank: 'fv 2', setpoint: 1, program: 'sparge' },
    })
    expect(sparge.acts.map((one) => one.act)).toEqual(['set_flow'])
    expect(amount(role(sparge, 'flow')[0])?.[1]).toBeCloseTo(40e6 / 3600, 6)
    expect(sparge.opaque).toBeNull()
  })

  it('never takes a force of gravity for a number of turns', () => {
    const step = stepOf({
      tool: 'spin_samples',
      args: {
        force: 3000,
        time_min: 5,
        tubes: [{ pos: 1, mg: 1500 }, { pos: 3 }, { pos: 4, mg: 1400 }],
      },
    })
    expect(amount(role(step, 'rotation')[0])).toEqual(['acceleration', 3000, 3000])
    expect(amount(role(step, 'duration')[0])).toEqual(['time', 300, 300])
    expect(role(step, 'positions').map(amount)).toEqual([
      ['count', 1, 1],
      ['count', 3, 3],
      ['count', 4, 4],
    ])
    expect(role(step, 'masses').map((value) => value.at)).toEqual([
      '/nodes/0/args/tubes/0/mg',
      '/nodes/0/args/tubes/2/mg',
    ])
  })

  it('reads a zone and its hatch of one name by the role', () => {
    const step = stepOf({ tool: 'valve', args: { name: 'CELLAR', state: 'open' } })
    expect(step.acts.map((one) => one.act)).toEqual(['open'])
    expect(ref(role(step, 'barrier')[0])?.is).toBe('barrier')
  })

  it('keeps two spellings of one unknown name together and two names apart', () => {
    const key = (name: string) =>
      ref(role(stepOf({ tool: 'valve', args: { name, state: 'shut' } }), 'barrier')[0])?.key
    expect(key('Hatch-07')).toBe(key('hatch_7'))
    expect(key('hatch 7 1')).not.toBe(key('hatch 71'))
    expect(key('h\u0430tch 7')).toBe(key('hatch 7'))
  })

  it('is opaque where a declared value of a choice has no meaning', () => {
    const step = stepOf({ tool: 'mixer_mode', args: { level: 'slow' } })
    // `turbo` has no meaning: the row does not say what the tool does.
    expect(step.opaque).toBeNull()
    const turbo = stepOf({ tool: 'mixer_mode', args: { level: 'turbo' } })
    expect(turbo.opaque).toBe('argument_not_described')
    expect(amount(role(step, 'rotation')[0])).toEqual(['rotation', 20, 20])
  })

  it.each([
    ['a row without meaning', { tool: 'mystery', args: { x: 1 } }, 'not_described'],
    ['a tool that is not there', { tool: 'nobody', args: {} }, 'not_described'],
    [
      'an optional argument that nobody described',
      { tool: 'vent', args: { tank: 'FV-01' } },
      'argument_not_described',
    ],
    ['a command language', { tool: 'plc_write', args: { command: 'SET 1' } }, 'free_program'],
  ] as const)('%s is opaque', (_, node, why) => {
    expect(stepOf(node).opaque).toBe(why)
  })

  it.each([
    ['a script that reaches nothing', { tool: 'analyse', args: { script: 'print(1)' } }],
    [
      'an extra argument of a tool that only reads',
      { tool: 'gravity', args: { tank: 'FV-01', hint: 'x' } },
    ],
  ] as const)('%s is not opaque', (_, node) => {
    expect(stepOf(node).opaque).toBeNull()
  })
})

describe('references', () => {
  const from = (more: object) => ({ $from: { node: 'n0', pointer: '/x', ...more } })

  it('a number is the interval of its bounds', () => {
    const step = stepOf({
      tool: 'dose',
      args: {
        tank: { id: 'FV-01', port: 'A1' },
        amount: from({ min: 1, max: 2, unit: 'mL' }),
        amount_unit: 'mL',
      },
    })
    expect(amount(role(step, 'volume')[0])).toEqual(['volume', 1000, 2000])
    expect(step.opaque).toBeNull()
  })

  it('a closed text is one of its values, and an act that hangs on it may happen', () => {
    const step = stepOf({
      tool: 'valve',
      args: {
        name: from({ enum: ['cellar hatch', 'vent 3'] }),
        state: from({ enum: ['open', 'shut'] }),
      },
    })
    expect(step.acts.map((one) => [one.act, one.maybe, one.one_of])).toEqual([
      ['open', true, ['barrier']],
      ['close', true, ['barrier']],
    ])
    expect(role(step, 'barrier').map((value) => ref(value)?.key)).toEqual(['cellar', 'vent 3'])
  })

  it.each([
    ['converts into another unit than the device takes', from({ min: 1, max: 2, unit: 'K' })],
    ['lacks bounds', from({ min: 1 })],
    ['is of a result without a unit', from({ min: 1, max: 2 })],
  ])('one that %s is no value', (_, setpoint) => {
    const step = stepOf({
      tool: 'jacket',
      args: { tank: 'FV-01', setpoint, program: 'mash' },
    })
    expect(step.acts[0]?.missing).toEqual(['temperature'])
    expect(step.opaque).toBe('argument_not_described')
  })
})

describe('order', () => {
  it('tells what is sure to be over, and what may be skipped', () => {
    const node = { tool: 'valve', args: { name: 'vent 3', state: 'open' } }
    const when = { result: { node: 'n0', pointer: '/x' }, eq: true }
    const scene = sceneOf(
      planOf([
        { ...node, id: 'b' },
        { ...node, id: 'a', when },
        { ...node, id: 'c', depends_on: ['a', 'b'] },
        { ...node, id: 'd', depends_on: ['b'] },
      ]),
    )
    expect(
      scene.steps.map((s) => [s.node.id, s.at, s.certain, [...s.after].toSorted().join('')]),
    ).toEqual([
      ['a', '/nodes/1', false, ''],
      ['b', '/nodes/0', true, ''],
      ['c', '/nodes/2', false, 'ab'],
      ['d', '/nodes/3', true, 'b'],
    ])
  })
})
