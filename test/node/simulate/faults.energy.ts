// Seeded faults of heat, rotation, pressure, gas and barriers on the made-up cell.
import type { ActGiven, StepGiven } from './bench.ts'
import { cell } from './cell.ts'
import type { Fault } from './faults.bench.ts'

const step = (id: string, ...acts: ActGiven[]): StepGiven => ({ id, acts })
const heat = (temperature: string, more: object = {}): StepGiven =>
  step(`heat_${temperature}`, { act: 'set_temperature', device: 'heat', temperature, ...more })
const off = step('off', { act: 'stop', device: 'heat' })
const onHeater = (thing: string, from = 'shelf'): readonly StepGiven[] => [
  step('grab', { act: 'pick', device: 'arm', thing, place: from }),
  step('put', { act: 'place', device: 'arm', thing, place: 'hot_spot' }),
]
const tubes = (positions: readonly number[], masses: readonly string[]) => ({ positions, masses })
const spin = (rotation: string, more: object = {}): StepGiven =>
  step('spin', {
    act: 'spin',
    device: 'fuge',
    rotor: 'rotor',
    rotation,
    duration: '600 s',
    ...tubes([1, 7], ['1.5 g', '1.5 g']),
    ...more,
  })
const close = (barrier: string): StepGiven => step(`close_${barrier}`, { act: 'close', barrier })
const open = (barrier: string): StepGiven => step(`open_${barrier}`, { act: 'open', barrier })
const profile = (...temperatures: string[]): StepGiven =>
  step('profile', {
    act: 'run_profile',
    device: 'cycler',
    temperatures,
    holds: temperatures.map(() => '30 s'),
    cycles: '30 1',
    volume: '25 uL',
  })
const gas = (substance: string, amount: string): StepGiven =>
  step(`${substance}_${amount}`, { act: 'set_gas', device: 'gas', substance, amount })

export const energyFaults: readonly Fault[] = [
  {
    kind: 'hotter than the heater can be',
    code: 'LIMIT',
    sane: [...onHeater('block'), heat('110 Cel'), off],
    broken: [...onHeater('block'), heat('111 Cel'), off],
  },
  {
    kind: 'hotter than the plate stands',
    code: 'VESSEL_LIMIT',
    sane: [...onHeater('plate', 'spot_1'), heat('80 Cel'), off],
    broken: [...onHeater('plate', 'spot_1'), heat('95 Cel'), off],
  },
  {
    kind: 'a plate put on a heater that is already hot',
    code: 'VESSEL_LIMIT',
    sane: [heat('70 Cel'), ...onHeater('plate', 'spot_1'), off],
    broken: [heat('95 Cel'), ...onHeater('plate', 'spot_1'), off],
  },
  {
    kind: 'water heated beyond boiling',
    code: 'NEAR_BOILING',
    sane: [...onHeater('trough', 'spot_3'), heat('95 Cel'), off],
    broken: [...onHeater('trough', 'spot_3'), heat('105 Cel'), off],
  },
  {
    kind: 'a flammable liquid warmed near its boiling point',
    code: 'NEAR_BOILING',
    sane: [...onHeater('dyes'), heat('90 Cel'), off],
    broken: [...onHeater('spirit_jar'), heat('30 Cel'), off],
  },
  {
    kind: 'solvent poured into a vessel on a hot plate',
    code: 'NEAR_BOILING',
    sane: [
      ...onHeater('trough', 'spot_3'),
      heat('90 Cel'),
      step('p', { act: 'transfer', from: 'dyes', to: 'trough', volume: '1 mL' }),
      off,
    ],
    broken: [
      ...onHeater('trough', 'spot_3'),
      step('p', { act: 'transfer', from: 'spirit_jar', to: 'trough', volume: '19 mL' }),
      step('q', { act: 'transfer', from: 'spirit_jar', to: 'trough', volume: '1 mL' }),
      heat('90 Cel'),
      off,
    ],
  },
  {
    kind: 'a closed vial heated until it boils',
    code: 'SEALED_HEATED',
    bench: cell({ site: { kinds: [{ id: 'vial_k', temperature: { max: '121 Cel' } }] } }),
    sane: [...onHeater('vial'), heat('60 Cel'), off],
    broken: [...onHeater('vial'), heat('105 Cel'), off],
  },
  {
    kind: 'longer in total than the heater may run',
    code: 'TIME_TOTAL',
    sane: [heat('40 Cel', { hold: '4 h' }), off],
    broken: [
      ...[1, 2, 3, 4, 5].map((i) => ({ ...heat('40 Cel', { hold: '2 h' }), id: `h${i}` })),
      off,
    ],
  },
  {
    kind: 'the heater stays on at the end',
    code: 'LEFT_ON',
    sane: [heat('40 Cel'), off],
    broken: [heat('40 Cel')],
  },
  {
    kind: 'the shaker turns on at the end',
    code: 'LEFT_ON',
    sane: [
      step('s', { act: 'shake', device: 'heat', rotation: '500 rpm' }),
      step('t', { act: 'shake', device: 'heat', rotation: '0 rpm' }),
    ],
    broken: [step('s', { act: 'shake', device: 'heat', rotation: '500 rpm' })],
  },
  {
    kind: 'faster than the shaker can turn',
    code: 'LIMIT',
    sane: [step('s', { act: 'shake', device: 'heat', rotation: '3000 rpm' }), off],
    broken: [step('s', { act: 'shake', device: 'heat', rotation: '3100 rpm' }), off],
  },
  {
    kind: 'a latch opened while it shakes',
    code: 'OPENED_WHILE_ON',
    bench: cell({ site: { devices: [{ id: 'heat', closed_while_on: ['latch'] }] } }),
    sane: [
      step('s', { act: 'shake', device: 'heat', rotation: '500 rpm' }),
      off,
      open('latch'),
      close('latch'),
    ],
    broken: [
      step('s', { act: 'shake', device: 'heat', rotation: '500 rpm' }),
      open('latch'),
      close('latch'),
      off,
    ],
  },
  {
    kind: 'shaking with the latch open',
    code: 'STARTED_OPEN',
    bench: cell({ site: { devices: [{ id: 'heat', closed_while_on: ['latch'] }] } }),
    sane: [step('s', { act: 'shake', device: 'heat', rotation: '500 rpm' }), off],
    broken: [
      open('latch'),
      step('s', { act: 'shake', device: 'heat', rotation: '500 rpm' }),
      off,
      close('latch'),
    ],
  },
  {
    kind: 'faster than the rotor may turn',
    code: 'VESSEL_LIMIT',
    sane: [spin('14000 rpm')],
    broken: [spin('14500 rpm')],
  },
  {
    kind: 'faster than the centrifuge can turn',
    code: 'LIMIT',
    sane: [spin('12000 rpm')],
    broken: [spin('15500 rpm')],
  },
  {
    kind: 'a tube without its counterpart',
    code: 'ROTOR_IMBALANCE',
    sane: [spin('3000 rpm')],
    broken: [spin('3000 rpm', tubes([1], ['1.5 g']))],
  },
  {
    kind: 'opposite tubes of different mass',
    code: 'ROTOR_IMBALANCE',
    sane: [spin('3000 rpm', tubes([2, 8], ['1.5 g', '1.7 g']))],
    broken: [spin('3000 rpm', tubes([2, 8], ['1.5 g', '1.71 g']))],
  },
  {
    kind: 'two tubes side by side',
    code: 'ROTOR_IMBALANCE',
    sane: [spin('3000 rpm')],
    broken: [spin('3000 rpm', tubes([1, 2], ['1.5 g', '1.5 g']))],
  },
  {
    kind: 'a position that the rotor does not have',
    code: 'ROTOR_POSITION',
    sane: [spin('3000 rpm')],
    broken: [spin('3000 rpm', tubes([7, 13], ['1.5 g', '1.5 g']))],
  },
  {
    kind: 'one position used twice',
    code: 'ROTOR_POSITION',
    sane: [spin('3000 rpm')],
    broken: [spin('3000 rpm', tubes([1, 1, 7], ['1.5 g', '1.5 g', '1.5 g']))],
  },
  {
    kind: 'tubes too heavy for their positions',
    code: 'ROTOR_LOAD',
    sane: [spin('3000 rpm', tubes([1, 7], ['3 g', '3 g']))],
    broken: [spin('3000 rpm', tubes([1, 7], ['3.2 g', '3.2 g']))],
  },
  {
    kind: 'another rotor than the one that is mounted',
    code: 'ROTOR_UNKNOWN',
    bench: cell({
      facts: [{ thing: 'fuge', fact: 'holds', value: 'rotor' }],
      inventory: [{ thing: 'rotor_2', kind: 'rotor_k', at: 'shelf' }],
    }),
    sane: [spin('3000 rpm')],
    broken: [spin('3000 rpm', { rotor: 'rotor_2' })],
  },
  {
    kind: 'spinning with the lid open',
    code: 'STARTED_OPEN',
    sane: [open('fuge_lid'), close('fuge_lid'), spin('3000 rpm')],
    broken: [open('fuge_lid'), spin('3000 rpm'), close('fuge_lid')],
  },
  {
    kind: 'the arm in the bay while the rotor starts',
    code: 'DEVICE_OCCUPIED',
    sane: [
      open('fuge_lid'),
      step('in', { act: 'move', device: 'arm', place: 'bay', speed: '100 mm/s' }),
      step('out', { act: 'move', device: 'arm', place: 'home', speed: '100 mm/s' }),
      close('fuge_lid'),
      spin('3000 rpm'),
    ],
    broken: [
      open('fuge_lid'),
      step('in', { act: 'move', device: 'arm', place: 'bay', speed: '100 mm/s' }),
      close('fuge_lid'),
      spin('3000 rpm'),
    ],
  },
  {
    kind: 'a profile under an open lid',
    code: 'STARTED_OPEN',
    sane: [close('cycler_lid'), profile('95 Cel', '58 Cel', '72 Cel')],
    broken: [profile('95 Cel', '58 Cel', '72 Cel')],
  },
  {
    kind: 'a profile step beyond the block',
    code: 'LIMIT',
    sane: [close('cycler_lid'), profile('95 Cel', '58 Cel', '72 Cel')],
    broken: [close('cycler_lid'), profile('95 Cel', '58 Cel', '105 Cel')],
  },
  {
    kind: 'pipetting under a closed lid',
    code: 'LID_CLOSED',
    sane: [
      step('p', { act: 'transfer', from: 'trough', to: 'pcr:B1', volume: '20 uL' }),
      close('cycler_lid'),
    ],
    broken: [
      close('cycler_lid'),
      step('p', { act: 'transfer', from: 'trough', to: 'pcr:B1', volume: '20 uL' }),
    ],
  },
  {
    kind: 'taking a plate from under a closed lid',
    code: 'LID_CLOSED',
    sane: [
      step('grab', { act: 'pick', device: 'arm', thing: 'pcr', place: 'cycle_spot' }),
      step('put', { act: 'place', device: 'arm', thing: 'pcr', place: 'counter' }),
    ],
    broken: [
      close('cycler_lid'),
      step('grab', { act: 'pick', device: 'arm', thing: 'pcr', place: 'cycle_spot' }),
      step('put', { act: 'place', device: 'arm', thing: 'pcr', place: 'counter' }),
    ],
  },
  {
    kind: 'a lid opened over a device that is on',
    code: 'OPENED_WHILE_ON',
    bench: cell({ site: { devices: [{ id: 'autoclave', stays_on: true }] } }),
    sane: [
      step('p', { act: 'set_pressure', device: 'autoclave', pressure: '200 kPa' }),
      step('q', { act: 'stop', device: 'autoclave' }),
      open('hatch'),
      close('hatch'),
    ],
    broken: [
      step('p', { act: 'set_pressure', device: 'autoclave', pressure: '200 kPa' }),
      open('hatch'),
      step('q', { act: 'stop', device: 'autoclave' }),
      close('hatch'),
    ],
  },
  {
    kind: 'more pressure than the vessel is made for',
    code: 'LIMIT',
    sane: [
      step('p', { act: 'set_pressure', device: 'autoclave', pressure: '3 bar' }),
      step('q', { act: 'set_pressure', device: 'autoclave', pressure: '101.325 kPa' }),
    ],
    broken: [
      step('p', { act: 'set_pressure', device: 'autoclave', pressure: '3.5 bar' }),
      step('q', { act: 'set_pressure', device: 'autoclave', pressure: '101.325 kPa' }),
    ],
  },
  {
    kind: 'a pump that runs on',
    code: 'LEFT_ON',
    sane: [
      step('f', { act: 'set_flow', device: 'pump', flow: '100 uL/s' }),
      step('g', { act: 'set_flow', device: 'pump', flow: '0 uL/s' }),
    ],
    broken: [step('f', { act: 'set_flow', device: 'pump', flow: '100 uL/s' })],
  },
  {
    kind: 'a pump that fills more than the vessel holds',
    code: 'OVERFLOW',
    bench: cell({ site: { devices: [{ id: 'pump', stays_on: false }] } }),
    sane: [
      step('f', {
        act: 'set_flow',
        device: 'pump',
        flow: '100 uL/s',
        hold: '60 s',
        from: 'dyes',
        to: 'trough',
      }),
    ],
    broken: [
      step('f', {
        act: 'set_flow',
        device: 'pump',
        flow: '100 uL/s',
        hold: '400 s',
        from: 'dyes',
        to: 'trough',
      }),
    ],
  },
  {
    kind: 'one gas of a line left flowing behind another that is shut',
    code: 'LEFT_ON',
    sane: [gas('water', '5 %'), gas('air', '0 %'), gas('water', '0 %')],
    broken: [gas('water', '5 %'), gas('air', '0 %')],
  },
  {
    kind: 'gas beyond what is allowed',
    code: 'LIMIT',
    sane: [gas('water', '5 %'), gas('water', '0 %')],
    broken: [gas('water', '50 %'), gas('water', '0 %')],
  },
  {
    kind: 'light with the shutter open',
    code: 'STARTED_OPEN',
    sane: [step('e', { act: 'expose', device: 'lamp', dose: '20 W', hold: '60 s' })],
    broken: [
      open('shutter'),
      step('e', { act: 'expose', device: 'lamp', dose: '20 W', hold: '60 s' }),
      close('shutter'),
    ],
  },
  {
    kind: 'power left on',
    code: 'LEFT_ON',
    sane: [
      step('a', { act: 'apply_power', device: 'lamp', power: '20 W' }),
      step('b', { act: 'apply_power', device: 'lamp', on: false }),
    ],
    broken: [step('a', { act: 'apply_power', device: 'lamp', power: '20 W' })],
  },
  {
    kind: 'a gate left open',
    code: 'LEFT_OPEN',
    sane: [open('gate'), close('gate')],
    broken: [open('gate')],
  },
  {
    kind: 'the street door opened by a plan',
    code: 'OUTER_DOOR',
    sane: [step('c', { act: 'close', barrier: 'street_door' })],
    broken: [open('street_door'), step('c', { act: 'close', barrier: 'street_door' })],
  },
  {
    kind: 'a locked gate opened',
    code: 'BARRIER_LOCKED',
    bench: cell({ facts: [{ thing: 'gate', fact: 'locked', value: false }] }),
    sane: [open('gate'), close('gate')],
    broken: [step('l', { act: 'lock', barrier: 'gate' }), open('gate'), close('gate')],
  },
  {
    kind: 'locking an open gate',
    code: 'LOCKED_OPEN',
    sane: [open('gate'), close('gate'), step('l', { act: 'lock', barrier: 'gate' })],
    broken: [open('gate'), step('l', { act: 'lock', barrier: 'gate' }), close('gate')],
  },
  {
    kind: 'a sash above its working opening',
    code: 'LIMIT',
    sane: [step('s', { act: 'set_opening', barrier: 'sash', opening: '30 cm' })],
    broken: [step('s', { act: 'set_opening', barrier: 'sash', opening: '60 cm' })],
  },
]
