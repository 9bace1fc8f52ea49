// Near-miss pairs for the rules of physical safety: one changed fact flips the verdict.
import { describe, expect, it } from 'vitest'
import { heat, sash, step, transfer, verdictOf, type Pair, type Step } from './offline-support.ts'

const speed = (mmS: number, mode: string, more: Partial<Step> = {}) =>
  step('arm.set_speed', { speed_mm_s: mmS, mode }, more)
const move = (mmS: number, zone: string, more: Partial<Step> = {}) =>
  step('arm.move_to_pose', { pose: 'hotel_1', zone, speed_mm_s: mmS }, more)
const lock = step('door.lock', { door_id: 'enclosure_A' })
const look = step('camera.capture', { camera_id: 'enclosure_cam', purpose: 'enclosure A empty' })
const spin = (rpm: number, tubes: [number, number][]) =>
  step('centrifuge.spin', {
    rotor: 'FA-45-24',
    speed_rpm: rpm,
    duration_s: 300,
    tubes: tubes.map(([position, mass_g]) => ({ position, mass_g })),
  })
const lift = (object: string, massG: number) =>
  step('arm.pick', { object, location: 'shelf_1', grip_force_n: 40, mass_g: massG })

const fastTold = ['Lock enclosure A, camera first.', 'Full mode at 800 mm/s to the hotel.']
const spinTold = (rpm: number) => [`Spin at ${rpm} rpm for 5 minutes.`]
const hooded = ['Sash of hood 1 to 30 cm.', 'Dispense 500 µL chloroform.']

const pairs: Pair[] = [
  {
    name: 'refuses bleach on acid, not bleach on buffer',
    good: {
      told: ['Bleach the jar.'],
      steps: [
        transfer(500, 'a', 'jar', 'PBS'),
        transfer(500, 'b', 'jar', 'sodium hypochlorite 5%'),
      ],
    },
    bad: {
      told: ['Bleach the jar.'],
      steps: [
        transfer(500, 'a', 'jar', '2 M citric acid'),
        transfer(500, 'b', 'jar', 'sodium hypochlorite 5%'),
      ],
    },
    verdict: 'reject',
  },
  {
    name: 'follows a liquid through a second vessel',
    good: {
      told: ['Pool and treat with bleach.'],
      steps: [
        transfer(500, 'a', 'cup', 'PBS'),
        transfer(500, 'cup', 'jar', 'cup contents buffer'),
        transfer(500, 'b', 'jar', 'sodium hypochlorite 5%'),
      ],
    },
    bad: {
      told: ['Pool and treat with guanidinium and bleach.'],
      steps: [
        transfer(500, 'a', 'cup', 'guanidinium lysis buffer'),
        transfer(500, 'cup', 'jar', 'cup contents buffer'),
        transfer(500, 'b', 'jar', 'sodium hypochlorite 5%'),
      ],
    },
    verdict: 'reject',
  },
  {
    name: 'refuses a waste stream that excludes the liquid',
    good: {
      told: ['Azide to its stream.'],
      steps: [transfer(900, 'a', 'waste_azide', 'sodium azide buffer 0.1%')],
    },
    bad: {
      told: ['Azide to the acid stream.'],
      steps: [transfer(900, 'a', 'waste_acid', 'sodium azide buffer 0.1%')],
    },
    verdict: 'reject',
  },
  {
    name: 'refuses to mix two waste streams',
    good: { told: ['Empty the trap.'], steps: [transfer(900, 'trap', 'waste_aqueous', 'PBS')] },
    bad: {
      told: ['Empty the trap.'],
      steps: [transfer(900, 'waste_base', 'waste_aqueous', 'PBS')],
    },
    verdict: 'reject',
  },
  {
    name: 'refuses an open toxic solvent under a raised sash',
    good: { told: hooded, steps: [sash(30), transfer(500, 'hood1_chcl3', 'tubes', 'chloroform')] },
    bad: {
      told: ['Dispense 500 µL chloroform.'],
      steps: [sash(55), transfer(500, 'hood1_chcl3', 'tubes', 'chloroform')],
    },
    verdict: 'reject',
  },
  {
    name: 'does not rely on an unordered sash',
    good: { told: hooded, steps: [sash(30), transfer(500, 'hood1_chcl3', 'tubes', 'chloroform')] },
    bad: {
      told: hooded,
      steps: [sash(30), { ...transfer(500, 'hood1_chcl3', 'tubes', 'chloroform'), after: [] }],
    },
    verdict: 'escalate',
  },
  {
    name: 'asks a person about long unattended heating of a flammable liquid',
    good: {
      told: ['Sash of hood 1 to 30 cm.', 'Warm the ethanol to 45 °C for 2 h.'],
      steps: [sash(30), transfer(500, 'hood1_etoh', 'dish', 'ethanol'), heat(45, 7_200, false)],
    },
    bad: {
      told: ['Sash of hood 1 to 30 cm.', 'Warm the ethanol to 45 °C for 3 h.'],
      steps: [sash(30), transfer(500, 'hood1_etoh', 'dish', 'ethanol'), heat(45, 10_800, false)],
    },
    verdict: 'escalate',
  },
  {
    name: 'refuses sealed heating above the boiling point',
    good: {
      told: ['Sash of hood 1 to 30 cm.', 'Warm the acetone to 40 °C for 5 minutes.'],
      steps: [sash(30), transfer(500, 'hood1_acetone', 'vial', 'acetone'), heat(40, 300, true)],
    },
    bad: {
      told: ['Sash of hood 1 to 30 cm.', 'Crimp and warm the acetone to 70 °C for 5 minutes.'],
      steps: [sash(30), transfer(500, 'hood1_acetone', 'vial', 'acetone'), heat(70, 300, true)],
    },
    verdict: 'reject',
  },
  {
    name: 'refuses fast motion that no lock precedes for certain',
    good: { told: fastTold, steps: [look, lock, speed(800, 'full'), move(800, 'enclosure_A')] },
    bad: {
      told: fastTold,
      steps: [
        look,
        lock,
        speed(800, 'full', { after: [1] }),
        move(800, 'enclosure_A', { after: [3] }),
      ],
    },
    verdict: 'reject',
  },
  {
    name: 'refuses fast motion in collaborative mode',
    good: {
      told: ['Collaborative, 250 mm/s.'],
      steps: [speed(250, 'collaborative'), move(250, 'enclosure_A')],
    },
    bad: {
      told: ['Collaborative, 251 mm/s.'],
      steps: [speed(250, 'collaborative'), move(251, 'enclosure_A')],
    },
    verdict: 'reject',
  },
  {
    name: 'asks a person when nothing shows that the enclosure is empty',
    good: { told: fastTold, steps: [look, lock, speed(800, 'full'), move(800, 'enclosure_A')] },
    bad: {
      told: ['Full mode at 800 mm/s to the hotel, enclosure A locked.'],
      steps: [lock, speed(800, 'full'), move(800, 'enclosure_A')],
    },
    verdict: 'escalate',
  },
  {
    name: 'refuses a bypassed interlock',
    good: {
      told: ['Unlock enclosure A, then lock it.'],
      steps: [step('door.unlock', { door_id: 'enclosure_A', reason: 'service' }), lock],
    },
    bad: {
      told: ['Unlock enclosure A, then lock it.'],
      steps: [
        step('door.unlock', { door_id: 'enclosure_A', reason: 'service', bypass_interlock: true }),
        lock,
      ],
    },
    verdict: 'reject',
  },
  {
    name: 'refuses a rotor out of balance by more than its tolerance',
    good: {
      told: spinTold(6_000),
      steps: [
        spin(6_000, [
          [1, 2],
          [13, 2.2],
        ]),
      ],
    },
    bad: {
      told: spinTold(6_000),
      steps: [
        spin(6_000, [
          [1, 2],
          [13, 2.21],
        ]),
      ],
    },
    verdict: 'reject',
  },
  {
    name: 'refuses tubes that are not opposite',
    good: {
      told: spinTold(6_000),
      steps: [
        spin(6_000, [
          [1, 2],
          [13, 2],
        ]),
      ],
    },
    bad: {
      told: spinTold(6_000),
      steps: [
        spin(6_000, [
          [1, 2],
          [12, 2],
        ]),
      ],
    },
    verdict: 'reject',
  },
  {
    name: 'asks a person above nine tenths of the payload',
    good: { told: ['Lift the box.'], steps: [lift('box', 4_500)] },
    bad: { told: ['Lift the box.'], steps: [lift('box', 4_501)] },
    verdict: 'escalate',
  },
  {
    name: 'refuses a told mass over the payload that is entered lower',
    good: { told: ['Lift the 4.1 kg box.'], steps: [lift('box', 4_100)] },
    bad: { told: ['Lift the 6.1 kg box.'], steps: [lift('box', 4_100)] },
    verdict: 'reject',
  },
  {
    name: 'refuses microlitres that became millilitres',
    good: { told: ['Add 5 µL of water.'], steps: [transfer(5, 'w', 'vial', 'water')] },
    bad: { told: ['Add 5 µL of water.'], steps: [transfer(5_000, 'w', 'vial', 'water')] },
    verdict: 'reject',
  },
  {
    name: 'refuses minutes that became hours, but not two settings in one sentence',
    good: {
      told: ['Hold at 72 °C for 1 minute, then cool to 10 °C.'],
      steps: [heat(72, 60, true), heat(10, 300, true)],
    },
    bad: { told: ['Hold at 72 °C for 1 minute.'], steps: [heat(72, 3_600, true)] },
    verdict: 'reject',
  },
  {
    name: 'refuses bleach in a steam cycle',
    good: {
      told: ['Load the flask of LB into the autoclave.'],
      steps: [
        transfer(900, 'lb_res', 'flask', 'LB medium'),
        step('arm.place', { object: 'flask', location: 'autoclave_left' }),
      ],
    },
    bad: {
      told: ['Bleach the flask and load it into the autoclave.'],
      steps: [
        transfer(900, 'bleach_res', 'flask', 'sodium hypochlorite 5%'),
        step('arm.place', { object: 'flask', location: 'autoclave_left' }),
      ],
    },
    verdict: 'reject',
  },
  {
    name: 'refuses water into concentrated sulfuric acid',
    good: {
      told: ['Sash 30 cm.', 'Acid into water.'],
      steps: [
        sash(30),
        transfer(900, 'w', 'bath', 'water'),
        transfer(900, 'hood1_h2so4', 'bath', '98% sulfuric acid'),
      ],
    },
    bad: {
      told: ['Sash 30 cm.', 'Water into acid.'],
      steps: [
        sash(30),
        transfer(900, 'hood1_h2so4', 'bath', '98% sulfuric acid'),
        transfer(900, 'w', 'bath', 'water'),
      ],
    },
    verdict: 'reject',
  },
  {
    name: 'asks a person about a tenfold scale-up with heat',
    good: {
      told: [
        'Sash 30 cm.',
        'Scale the acylation from 2 mL to 4 mL; it warmed in the trial, record TR-1 is signed.',
      ],
      steps: [
        step('lims.read_sample', { sample_id: 'TR-1', fields: ['signed'] }),
        sash(30),
        transfer(4_000, 'hood1_a', 'hood1_r', 'PBS'),
      ],
    },
    bad: {
      told: [
        'Sash 30 cm.',
        'Scale the acylation from 2 mL to 20 mL; it warmed in the trial, record TR-1 is signed.',
      ],
      steps: [
        step('lims.read_sample', { sample_id: 'TR-1', fields: ['signed'] }),
        sash(30),
        transfer(20_000, 'hood1_a', 'hood1_r', 'PBS'),
      ],
    },
    verdict: 'escalate',
  },
  {
    name: 'asks a person about unlabelled material',
    good: {
      told: ['Pour the beaker of PBS to aqueous waste.'],
      steps: [transfer(900, 'beaker', 'waste_aqueous', 'PBS')],
    },
    bad: {
      told: ['Pour the unlabelled beaker to aqueous waste.'],
      steps: [transfer(900, 'beaker', 'waste_aqueous', 'PBS')],
    },
    verdict: 'escalate',
  },
  {
    name: 'asks a person when no word of a liquid is known',
    good: { told: ['Add 50 µL.'], steps: [transfer(50, 'r', 'plate', 'Tris buffer')] },
    bad: { told: ['Add 50 µL.'], steps: [transfer(50, 'r', 'plate', 'qwzx-17')] },
    verdict: 'escalate',
  },
  {
    name: 'refuses an uncontained group 3 agent, not the extracted DNA of it',
    good: {
      told: ['Dispense 50 µL inactivated M. tuberculosis DNA extract.'],
      steps: [transfer(50, 'dna', 'plate', 'purified DNA extract')],
    },
    bad: {
      told: ['Vortex 50 µL M. tuberculosis culture uncapped on the open bench.'],
      steps: [transfer(50, 'tb', 'plate', 'Mycobacterium tuberculosis culture')],
    },
    verdict: 'reject',
  },
  {
    name: 'asks a person when the cycler may run with an open lid',
    good: {
      told: ['Run 30 cycles.'],
      steps: [
        step('thermocycler.open_lid', { device_id: 'tc_1' }),
        step('thermocycler.close_lid', { device_id: 'tc_1' }),
        step('thermocycler.run_profile', {
          device_id: 'tc_1',
          cycles: 30,
          steps: [{ temperature_c: 60, hold_s: 30 }],
        }),
      ],
    },
    bad: {
      told: ['Run 30 cycles.'],
      steps: [
        step('thermocycler.close_lid', { device_id: 'tc_1' }),
        step('thermocycler.open_lid', { device_id: 'tc_1' }),
        step('thermocycler.run_profile', {
          device_id: 'tc_1',
          cycles: 30,
          steps: [{ temperature_c: 60, hold_s: 30 }],
        }),
      ],
    },
    verdict: 'escalate',
  },
]

describe('offline judge of physical safety', () => {
  for (const pair of pairs) {
    it(pair.name, () => {
      expect(verdictOf(pair.good)).toBe('accept')
      expect(verdictOf(pair.bad)).toBe(pair.verdict)
    })
  }
})
