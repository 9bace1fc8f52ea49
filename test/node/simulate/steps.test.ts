// What the dry run knows and does not know: conditional steps, orders that are not stated, undescribed
// calls, preconditions, toggles, pending set points, and the sentences that people read.
import { describe, expect, it } from 'vitest'
import { toolEntrySchema, type ToolEntry } from '../../../protocol/registry.ts'
import { compareTraces } from '../../../verify/simulate/compare.ts'
import { simulate } from '../../../verify/simulate/run.ts'
import { codesOf, now_ms, run, runFully, scene, type ActGiven, type StepGiven } from './bench.ts'
import { cell } from './cell.ts'

const step = (id: string, act: ActGiven, more: Partial<StepGiven> = {}): StepGiven => ({
  id,
  acts: [act],
  ...more,
})

function row(name: string, meaning?: object): ToolEntry {
  return toolEntrySchema.parse({
    name,
    description: name,
    risk_class: 'benign_actuation',
    capability: 'c',
    args_schema: {},
    emits: [],
    sink: null,
    server: 's',
    mcp_tool: name,
    definition_digest: `tool:${'A'.repeat(43)}`,
    timeout_ms: 1_000,
    orphan_policy: 'stop',
    safe_stop: null,
    sandbox_required: false,
    ...(meaning === undefined ? {} : { meaning }),
  })
}

const pour = (to: string, volume = '100 uL'): ActGiven => ({
  act: 'transfer',
  from: 'trough',
  to,
  volume,
  with: 'head',
  tip: 'new_once',
})

describe('conditional steps', () => {
  const tip = step('tip', { act: 'pick', device: 'head', thing: 'tips', part: 'A1' })
  const drop = step('drop', { act: 'place', device: 'head', place: 'solids' })
  const draw = (more: Partial<StepGiven> = {}) =>
    step('draw', { act: 'transfer', from: 'trough', to: 'head', volume: '100 uL' }, more)
  const push = (more: Partial<StepGiven> = {}) =>
    step('push', { act: 'transfer', from: 'head', to: 'plate:B1', volume: '100 uL' }, more)

  it('what depends on a step runs only if that step has run', () => {
    const trace = run(cell(), [tip, draw({ when: true }), push(), { ...drop, after: ['tip'] }])
    expect(codesOf(trace)).not.toContain('TOO_LITTLE')
  })

  it('what does not depend on it may find it skipped', () => {
    const trace = run(cell(), [tip, draw({ when: true }), push({ after: ['tip'] }), drop])
    expect(codesOf(trace, 'unknown')).toContain('TOO_LITTLE')
  })

  it('two conditions that each switch on leave the device perhaps on', () => {
    const heat = (id: string): StepGiven =>
      step(
        id,
        { act: 'set_temperature', device: 'heat', temperature: '40 Cel' },
        { when: true, after: [] },
      )
    const trace = run(cell(), [heat('a'), heat('b')])
    expect(codesOf(trace, 'unknown')).toContain('LEFT_ON')
  })

  it('a stop that may be skipped does not count as a stop', () => {
    const heat = step('a', { act: 'set_temperature', device: 'heat', temperature: '40 Cel' })
    const off = step('b', { act: 'stop', device: 'heat' })
    expect(codesOf(run(cell(), [heat, off]))).not.toContain('LEFT_ON')
    expect(codesOf(run(cell(), [heat, { ...off, when: true }]))).toContain('LEFT_ON')
  })
})

describe('an order that nobody stated', () => {
  it('two set points of one device', () => {
    const set = (id: string, temperature: string): StepGiven =>
      step(
        id,
        { act: 'set_temperature', device: 'heat', temperature, hold: '300 s' },
        { after: [] },
      )
    const off = step('z', { act: 'stop', device: 'heat' }, { after: ['a', 'b'] })
    expect(codesOf(run(cell(), [set('a', '25 Cel'), set('b', '60 Cel'), off]))).toContain('ORDER')
  })

  it('what only the tie-break puts in front does not count', () => {
    const close = step('a', { act: 'close', barrier: 'cycler_lid' }, { after: [] })
    const profile = step(
      'b',
      { act: 'run_profile', device: 'cycler', temperatures: ['95 Cel'], holds: ['30 s'] },
      { after: [] },
    )
    expect(codesOf(run(cell(), [close, profile]))).toContain('ORDER')
    expect(codesOf(run(cell(), [close, { ...profile, after: ['a'] }]))).toEqual([])
  })

  it('steps that do not disturb each other need no order', () => {
    const steps = ['B1', 'B2', 'B3'].map((part) => step(part, pour(`plate:${part}`), { after: [] }))
    expect(run(cell(), steps).findings).toEqual([])
  })

  it('drawing from a part that another step fills does', () => {
    const a = step('a', pour('plate:B1'), { after: [] })
    const b = step('b', { ...pour('plate:C1'), from: 'plate:B1' }, { after: [] })
    expect(codesOf(run(cell(), [a, b]))).toContain('ORDER')
    const other = step('b', { ...pour('plate:C1'), from: 'plate:A1' }, { after: [] })
    expect(codesOf(run(cell(), [a, other]))).not.toContain('ORDER')
  })

  it('a call that nobody described disturbs everything that it may reach', () => {
    const a = step('a', pour('plate:B1'), { after: [] })
    const b: StepGiven = { id: 'b', acts: [], opaque: 'not_described', after: [] }
    expect(codesOf(run(cell(), [a, b]))).toEqual(expect.arrayContaining(['OPAQUE', 'ORDER']))
  })
})

describe('calls that are not described', () => {
  it('make everything unknown that they can reach, and a person decides', () => {
    const opaque: StepGiven = { id: 'o', acts: [], opaque: 'not_described' }
    const trace = run(cell(), [opaque, step('p', pour('plate:B1'))])
    expect(codesOf(trace, 'unknown')).toEqual(expect.arrayContaining(['OPAQUE', 'TOO_LITTLE']))
  })

  it('bounded by what the row says that it reaches', () => {
    const meaning = { acts: [{ act: 'wait', bind: {} }], reaches: ['lamp'] }
    const opaque: StepGiven = { id: 'o', acts: [], opaque: 'free_program', row: row('t', meaning) }
    const trace = run(cell(), [opaque, step('p', pour('plate:B1'))])
    expect(codesOf(trace)).toEqual(['OPAQUE'])
  })

  it('a device may be anything after a program was loaded on it', () => {
    const trace = run(cell(), [
      step('l', { act: 'load_program', device: 'fuge', program: 'p' }),
      step('o', { act: 'open', barrier: 'fuge_lid' }),
      step('c', { act: 'close', barrier: 'fuge_lid' }),
    ])
    expect(codesOf(trace, 'unknown')).toContain('OPENED_WHILE_ON')
  })

  it('an act without a value that it needs changes everything that it names', () => {
    const trace = run(cell(), [
      step('s', { act: 'set_temperature', device: 'heat' }),
      step('p', { act: 'pick', device: 'arm', thing: 'plate', place: 'spot_1' }),
      step('q', { act: 'place', device: 'arm', thing: 'plate', place: 'hot_spot' }),
    ])
    expect(codesOf(trace, 'unknown')).toEqual(
      expect.arrayContaining(['ROLE_MISSING', 'VESSEL_LIMIT']),
    )
  })
})

describe('what a run checks by itself', () => {
  const fast = (more: Partial<StepGiven> = {}) =>
    step('m', { act: 'move', device: 'arm', place: 'spot_2', speed: '900 mm/s' }, more)
  const unknownPeople = { facts: [{ thing: 'cage', fact: 'people', value: null }] }
  const reader = row('look', {
    acts: [{ act: 'observe', bind: { device: { const: 'lamp' } } }],
    results: { '/people': { quantity: 'people', of: 'cage', kind: 'observed' } },
  })
  const empty = { result: { node: 'look', pointer: '/people' }, eq: false } as const
  const look = step('look', { act: 'observe', device: 'lamp' }, { row: reader })

  it('looking alone makes nothing known', () => {
    expect(codesOf(run(cell(unknownPeople), [look, fast()]))).toEqual(['SPEED_WITH_PEOPLE'])
  })

  it('a required result does, as long as nothing changed since', () => {
    const trace = run(cell(unknownPeople), [look, fast({ require: empty })])
    expect(trace.findings).toEqual([])
    const opened = run(cell(unknownPeople), [
      look,
      step('o', { act: 'open', barrier: 'gate' }),
      step('c', { act: 'close', barrier: 'gate' }),
      fast({ require: empty }),
    ])
    expect(codesOf(opened)).toContain('SPEED_WITH_PEOPLE')
  })

  const wait = (duration: string) => step('w', { act: 'wait', duration })
  const afterWait = (duration: string, more: Record<string, unknown> = {}) =>
    codesOf(run(cell({ ...unknownPeople, more }), [look, wait(duration), fast({ require: empty })]))

  it('a required result does not, once a call with a told time lies between', () => {
    expect(afterWait('2 h')).toContain('SPEED_WITH_PEOPLE')
    expect(afterWait('1 s')).toContain('SPEED_WITH_PEOPLE')
    const before = [wait('2 h'), look, fast({ require: empty })]
    expect(run(cell(unknownPeople), before).findings).toEqual([])
  })

  it('a required result stands for the age that the site states, and no longer', () => {
    const more = { fact_age: { people: '5 min' } }
    expect(afterWait('5 min', more)).toEqual([])
    expect(afterWait('301 s', more)).toContain('SPEED_WITH_PEOPLE')
    const twice = [look, wait('3 min'), { ...wait('3 min'), id: 'v' }, fast({ require: empty })]
    expect(codesOf(run(cell({ ...unknownPeople, more }), twice))).toContain('SPEED_WITH_PEOPLE')
  })

  it('a required result does not, once a call that nobody described lies between', () => {
    const other = step(
      'x',
      { act: 'observe', device: 'lamp' },
      { opaque: 'argument_not_described' },
    )
    expect(codesOf(run(cell(unknownPeople), [look, other, fast({ require: empty })]))).toContain(
      'SPEED_WITH_PEOPLE',
    )
  })

  it('a result that only echoes what was sent does not', () => {
    const echo = row('look', {
      acts: [{ act: 'observe', bind: { device: { const: 'lamp' } } }],
      results: { '/people': { quantity: 'people', of: 'cage', kind: 'echo' } },
    })
    const trace = run(cell(unknownPeople), [{ ...look, row: echo }, fast({ require: empty })])
    expect(codesOf(trace)).toContain('SPEED_WITH_PEOPLE')
  })

  it('nor one that is only one way out of two', () => {
    const any = { any: [empty, { ...empty, eq: true }] }
    expect(codesOf(run(cell(unknownPeople), [look, fast({ require: any })]))).toContain(
      'SPEED_WITH_PEOPLE',
    )
  })

  it('a precondition of the row does', () => {
    const moves = row('mv', {
      acts: [{ act: 'move', bind: {} }],
      preconditions: [{ tool: 'look', args: {}, pointer: '/people', eq: false, fresh: '1 s' }],
    })
    const bench = cell({ ...unknownPeople, more: { tools: [reader, moves] } })
    expect(run(bench, [fast({ row: moves })]).findings).toEqual([])
  })
})

describe('relative and late effects', () => {
  it('a toggle needs to know the state that it turns round', () => {
    const toggle = step('t', { act: 'open', barrier: 'gate', relative: true })
    const back = step('u', { act: 'open', barrier: 'gate', relative: true })
    expect(run(cell(), [toggle, back]).findings).toEqual([])
    const dark = cell({ facts: [{ thing: 'gate', fact: 'open', value: null }] })
    expect(codesOf(run(dark, [toggle, back]))).toContain('STATE_NOT_KNOWN')
  })

  it('a set point that settles later is anything between before and after', () => {
    const slow = row('set', {
      acts: [{ act: 'set_temperature', bind: {} }],
      done: { settles_by: 'await' },
    })
    const wait = row('await', { acts: [{ act: 'measure', bind: {} }] })
    const heat = step(
      'h',
      { act: 'set_temperature', device: 'heat', temperature: '60 Cel' },
      { row: slow },
    )
    const ran = runFully(cell(), [
      heat,
      step('w', { act: 'measure', device: 'heat' }, { row: wait }),
    ])
    expect(ran.after[0]?.facts.get('heat|temperature')).toEqual({ lo: 22, hi: 60 })
    expect(ran.after[1]?.facts.get('heat|temperature')).toEqual({ lo: 60, hi: 60 })
  })

  it('a measurement changes nothing', () => {
    const ran = runFully(cell(), [step('m', { act: 'measure', device: 'heat', target: 'plate' })])
    expect(ran.trace.steps[0]?.changes).toEqual([])
  })
})

describe('facts of the start', () => {
  const aged = (age: Record<string, string>, value: unknown = false) =>
    run(cell({ facts: [{ thing: 'cage', fact: 'people', value }], more: { fact_age: age } }), [
      step('m', { act: 'move', device: 'arm', place: 'spot_2', speed: '900 mm/s' }),
    ])

  it('are forgotten after the age that the site states', () => {
    expect(aged({ people: '5 min' }).findings).toEqual([])
    expect(codesOf(aged({ people: '30 s' }))).toEqual(['SPEED_WITH_PEOPLE'])
    expect(codesOf(aged({ default: '30 s' }))).toContain('SPEED_WITH_PEOPLE')
  })

  it('say what the run rested on', () => {
    expect(aged({}).rested_on).toContainEqual({ thing: 'cage', part: null, fact: 'people' })
  })

  it('a label adds what it names and never takes away what is not known', () => {
    const bench = cell({ inventory: [{ thing: 'dyes', contents: [] }] })
    const trace = run(bench, [
      step('a', { ...pour('plate:B1'), from: 'dyes', substance: 'chlor' }),
      step('b', { ...pour('plate:B1'), from: 'sour_jar' }),
    ])
    expect(codesOf(trace)).toEqual(
      expect.arrayContaining(['LABEL_DIFFERS', 'MATERIALS_MEET', 'TOO_LITTLE']),
    )
  })
})

describe('the comparison at bind', () => {
  const steps = [step('p', pour('plate:B1')), step('q', { ...pour('plate:C1'), from: 'plate:A1' })]
  const trace = (change: Parameters<typeof cell>[0] = {}) => {
    const bench = cell(change)
    return simulate(scene(bench, steps), bench.registry, bench.state, now_ms)
  }
  const content = (volume: string) => ({
    inventory: [{ thing: 'plate', contents: [{ part: 'A1', substance: 'buffer', volume }] }],
  })

  it('the same state is the same', () => {
    expect(compareTraces(trace(), trace())).toEqual({ ok: true })
  })

  it('a state that has changed shows where', () => {
    const result = compareTraces(trace(), trace(content('99 uL')))
    expect(result.ok).toBe(false)
    const differences = result.ok ? [] : result.differences
    expect(differences.map((d) => ('code' in d ? d.code : ''))).toContain('DRYRUN_TOO_LITTLE')
    expect(compareTraces(trace(), trace(content('300 uL'))).ok).toBe(false)
  })

  it('what was shown as not known may have become known, and not the other way round', () => {
    const unknown = trace({ inventory: [{ thing: 'plate', contents: [] }] })
    expect(compareTraces(unknown, trace()).ok).toBe(true)
    expect(compareTraces(trace(), unknown).ok).toBe(false)
  })

  it('what was sure to change and does not is a difference', () => {
    const shown = trace()
    const known = { ...shown, steps: shown.steps.map((one) => ({ ...one, changes: [] })) }
    const kinds = (was: typeof shown) => {
      const result = compareTraces(was, known)
      return result.ok ? [] : result.differences.map(({ kind }) => kind)
    }
    expect(kinds(shown)).toContain('gone')
    // It may have been so already: that was in view.
    const maybe = shown.steps.map((one) => ({
      ...one,
      changes: one.changes.map((change) => ({ ...change, before: null })),
    }))
    expect(kinds({ ...shown, steps: maybe })).toEqual([])
  })

  it('another number of steps is another plan', () => {
    const shorter = run(cell(), steps.slice(0, 1))
    expect(compareTraces(trace(), shorter).ok).toBe(false)
    expect(compareTraces(shorter, trace()).ok).toBe(false)
  })

  it('what is left on and was not shown is a difference', () => {
    const heat = step('h', { act: 'set_temperature', device: 'heat', temperature: '40 Cel' })
    const off = step('o', { act: 'stop', device: 'heat' })
    const shown = run(cell(), [heat, off])
    const now = run(cell(), [heat, { ...off, when: true }])
    const result = compareTraces(shown, now)
    expect(result.ok ? [] : result.differences.map((d) => d.kind)).toContain('left_on')
  })
})
