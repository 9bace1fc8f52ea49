// Kinds that a reading without state lets through: pairs under two spellings, contents that are carried,
// heads with several channels, references that choose.
import { describe, expect, it } from 'vitest'
import { simulate } from '../../../verify/simulate/run.ts'
import { codesOf, now_ms, run, runFully, scene, type ActGiven, type StepGiven } from './bench.ts'
import { cell } from './cell.ts'

const step = (id: string, act: ActGiven): StepGiven => ({ id, acts: [act] })

const pour = (to: string, volume = '100 uL'): ActGiven => ({
  act: 'transfer',
  from: 'trough',
  to,
  volume,
  with: 'head',
  tip: 'new_once',
})

describe('kinds that were once let through', () => {
  it('a pair that meets in a vessel nobody declared, spelled in two ways', () => {
    const trace = run(cell(), [
      step('a', { ...pour('Jar-03'), from: 'chlor_jar' }),
      step('b', { ...pour('jar_3'), from: 'sour_jar' }),
    ])
    expect(codesOf(trace, 'breach')).toContain('MATERIALS_MEET')
  })

  it('a pair that only the labels name, out of vessels nobody declared', () => {
    const trace = run(cell(), [
      step('a', { ...pour('plate:B1'), from: 'bottle_1', substance: 'chlor' }),
      step('b', { ...pour('plate:B1'), from: 'bottle_2', substance: 'sour' }),
    ])
    expect(codesOf(trace, 'breach')).toContain('MATERIALS_MEET')
  })

  it('what is not known stays so after some of it was drawn', () => {
    const bench = cell({ inventory: [{ thing: 'dyes', contents: [] }] })
    const trace = run(bench, [
      step('a', { ...pour('plate:B1'), from: 'dyes' }),
      step('b', { ...pour('dyes'), from: 'sour_jar' }),
    ])
    expect(trace.findings.map((f) => [f.code, f.at])).toContainEqual([
      'DRYRUN_MATERIALS_MEET',
      '/nodes/1/args/to',
    ])
  })

  it('a solvent carried to a hot plate by an arm', () => {
    const trace = run(cell(), [
      step('h', { act: 'set_temperature', device: 'heat', temperature: '90 Cel' }),
      step('p', { act: 'pick', device: 'arm', thing: 'spirit_jar', place: 'shelf' }),
      step('q', { act: 'place', device: 'arm', thing: 'spirit_jar', place: 'hot_spot' }),
      step('o', { act: 'stop', device: 'heat' }),
    ])
    expect(codesOf(trace, 'breach')).toContain('NEAR_BOILING')
  })

  it('a place nobody lists, in a zone that the plan names', () => {
    const trace = run(cell(), [
      step('m', {
        act: 'move',
        device: 'arm',
        place: 'in_front',
        zone: 'vault',
        speed: '900 mm/s',
      }),
    ])
    expect(codesOf(trace)).toEqual(['PLACE_UNKNOWN'])
  })

  it('one volume for all wells, and another plate that is too small for it', () => {
    expect(codesOf(run(cell(), [step('a', pour('plate:*', '20 mL'))]), 'breach')).toEqual(
      expect.arrayContaining(['TOO_LITTLE', 'OVERFLOW']),
    )
  })

  it('a lid left open matters when its device is on', () => {
    const open = step('o', { act: 'open', barrier: 'hatch' })
    const idle = run(cell(), [open])
    expect(idle.findings).toEqual([])
    expect(idle.left_on).toEqual([{ thing: 'hatch', fact: 'open', shown: 'yes' }])
    const dark = cell({ facts: [{ thing: 'autoclave', fact: 'energised', value: null }] })
    expect(codesOf(run(dark, [open]))).toEqual(
      expect.arrayContaining(['LEFT_OPEN', 'OPENED_WHILE_ON']),
    )
  })

  it('a latch holds against movement, not against heat', () => {
    const bench = cell({ site: { devices: [{ id: 'heat', closed_while_on: ['latch'] }] } })
    const open = step('o', { act: 'open', barrier: 'latch' })
    const close = step('c', { act: 'close', barrier: 'latch' })
    const heat = step('h', { act: 'set_temperature', device: 'heat', temperature: '40 Cel' })
    const off = step('z', { act: 'stop', device: 'heat' })
    expect(codesOf(run(bench, [heat, open, close, off]))).toEqual([])
  })
})

describe('heads with several channels', () => {
  const tip = step('t', { act: 'pick', device: 'head8', thing: 'tips', part: 'A1' })
  const draw = (from: string, volume: string) =>
    step('d', { act: 'transfer', from, to: 'head8', volume })
  const push = (to: string, volume: string) =>
    step('p', { act: 'transfer', from: 'head8', to, volume })
  const drop = step('x', { act: 'place', device: 'head8', place: 'solids' })

  it('draw eight portions from one trough and give one to each row', () => {
    const ran = runFully(cell(), [tip, draw('trough', '100 uL'), push('plate:A2', '100 uL'), drop])
    expect(ran.trace.findings).toEqual([])
    const parts = ran.end.vessels.get('plate')
    expect(['A2', 'H2'].map((name) => parts?.by.get(name)?.volume)).toEqual([
      { lo: 100, hi: 100 },
      { lo: 100, hi: 100 },
    ])
    expect(ran.end.vessels.get('trough')?.by.get('A1')?.volume).toEqual({ lo: 79_200, hi: 79_200 })
  })

  it('need something in every row that they reach', () => {
    const trace = run(cell(), [tip, draw('plate:A1', '50 uL'), push('plate:A2', '50 uL'), drop])
    expect(codesOf(trace, 'breach')).toContain('TOO_LITTLE')
  })
})

describe('references', () => {
  const bench = cell()
  const act = (one_of: readonly string[], maybe = false) => {
    const read = scene(bench, [
      step('h', { act: 'set_temperature', device: 'heat', temperature: '40 Cel' }),
      step('s', { act: 'stop', device: ['heat', 'pump'] }),
    ])
    const steps = read.steps.map((s, i) =>
      i === 1 ? { ...s, acts: s.acts.map((a) => ({ ...a, one_of, maybe })) } : s,
    )
    return simulate({ ...read, steps }, bench.registry, bench.state, now_ms)
  }

  it('that choose between two devices leave both cases open', () => {
    expect(codesOf(act(['device']), 'unknown')).toContain('LEFT_ON')
  })

  it('that decide whether an act happens at all leave it open', () => {
    expect(codesOf(act([], true), 'unknown')).toContain('LEFT_ON')
    expect(codesOf(act([]))).not.toContain('LEFT_ON')
  })

  it('bounds that reach beyond a limit are not within it', () => {
    const trace = run(bench, [
      step('h', { act: 'set_temperature', device: 'fuge', temperature: { lo: 30, hi: 50 } }),
    ])
    expect(codesOf(trace, 'unknown')).toContain('LIMIT')
  })
})
