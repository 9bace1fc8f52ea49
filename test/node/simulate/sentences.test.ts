// One plain sentence a step: what people read of the dry run.
import { describe, expect, it } from 'vitest'
import { run, type ActGiven, type StepGiven } from './bench.ts'
import { cell } from './cell.ts'

const step = (id: string, act: ActGiven, more: Partial<StepGiven> = {}): StepGiven => ({
  id,
  acts: [act],
  ...more,
})

describe('sentences', () => {
  const said = (act: ActGiven, more: Partial<StepGiven> = {}) =>
    run(cell(), [step('s', act, more)]).steps[0]?.sentence

  it.each<[ActGiven, string]>([
    [
      { act: 'set_temperature', device: 'heat', temperature: '95 Cel', hold: '600 s' },
      'Sets heat to 95 °C for 600 s (was 22 °C).',
    ],
    [
      { act: 'set_temperature', device: 'heat', temperature: '95 Cel' },
      'Sets heat to 95 °C (was 22 °C).',
    ],
    [
      { act: 'transfer', from: 'trough', to: 'plate:*', volume: '10 uL', substance: 'buffer' },
      'Moves 10 µL of buffer from trough to every part of plate (960 µL in all).',
    ],
    [{ act: 'pick', device: 'arm', thing: 'plate', place: 'spot_1' }, 'arm picks plate at spot_1.'],
    [{ act: 'place', device: 'head', place: 'solids' }, 'head places what it holds at solids.'],
    [{ act: 'open', barrier: 'gate' }, 'Opens gate.'],
    [{ act: 'wait' }, 'Waits.'],
    [
      { act: 'spin', device: 'fuge', rotor: 'rotor', rotation: '3000 rpm', duration: '60 s' },
      'Spins rotor at 3000 rpm for 60 s.',
    ],
    [
      {
        act: 'run_profile',
        device: 'cycler',
        temperatures: ['95 Cel', '58 Cel'],
        holds: ['30 s', '30 s'],
        cycles: '30 1',
      },
      'Runs a profile of 95 °C, 58 °C for 30 s, 30 s on cycler, 30 times (1800 s in all).',
    ],
  ])('%o', (act, sentence) => {
    expect(said(act)).toBe(sentence)
  })

  it('say that a step may not run, and that a call is not described', () => {
    expect(said({ act: 'open', barrier: 'gate' }, { when: true })).toBe(
      'If /y of x is true, opens gate.',
    )
    const trace = run(cell(), [{ id: 'o', acts: [], opaque: 'not_described' }])
    expect(trace.steps[0]?.sentence).toBe('Calls o, which nobody has described.')
  })
})
