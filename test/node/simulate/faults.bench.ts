// Seeded faults on the made-up cell: each takes a plan that may run and breaks one thing of it. The
// broken one must be a breach before any judge is asked, and at the code that names it.
import { cell } from './cell.ts'
import type { ActGiven, Bench, StepGiven } from './bench.ts'

export type Fault = {
  readonly kind: string
  /** Without `DRYRUN_`. */
  readonly code: string
  readonly bench?: Bench
  readonly sane: readonly StepGiven[]
  /** The broken plan, or the broken cell with the same plan. */
  readonly broken?: readonly StepGiven[]
  readonly brokenBench?: Bench
}

const step = (id: string, ...acts: ActGiven[]): StepGiven => ({ id, acts })

const pickTip = (part = 'A1', head = 'head'): StepGiven =>
  step(`tip_${part}`, { act: 'pick', device: head, thing: 'tips', part })
const draw = (volume: string, from = 'trough', head = 'head'): StepGiven =>
  step(`draw_${volume}_${from}`, { act: 'transfer', from, to: head, volume })
const push = (volume: string, to = 'plate:B1', head = 'head'): StepGiven =>
  step(`push_${volume}_${to}`, { act: 'transfer', from: head, to, volume })
const dropTip = (head = 'head', n = ''): StepGiven =>
  step(`drop${n}`, { act: 'place', device: head, place: 'solids' })
const pour = (from: string, to: string, volume: string, more: object = {}): StepGiven =>
  step(`pour_${from}_${to}`, {
    act: 'transfer',
    from,
    to,
    volume,
    with: 'head',
    tip: 'new_once',
    ...more,
  })

const stroke = [pickTip(), draw('100 uL'), push('100 uL'), dropTip()]

export const matterFaults: readonly Fault[] = [
  {
    kind: 'no tip is mounted',
    code: 'TIP_MISSING',
    sane: stroke,
    broken: stroke.slice(1),
  },
  {
    kind: 'the tip is dropped before it is used',
    code: 'TIP_MISSING',
    sane: stroke,
    broken: [pickTip(), dropTip(), draw('100 uL'), push('100 uL')],
  },
  {
    kind: 'two draws that the tip does not hold together',
    code: 'HEAD_RANGE',
    sane: [pickTip(), draw('100 uL'), push('100 uL'), dropTip()],
    broken: [pickTip(), draw('200 uL'), draw('201 uL'), push('300 uL'), dropTip()],
  },
  {
    kind: 'a tip smaller than the head',
    code: 'HEAD_RANGE',
    sane: stroke,
    broken: [
      step('t', { act: 'pick', device: 'head', thing: 'small_tips', part: 'A1' }),
      ...stroke.slice(1),
    ],
  },
  {
    kind: 'less than the head can dose',
    code: 'HEAD_RANGE',
    sane: [pour('trough', 'plate:B1', '10 uL')],
    broken: [pour('trough', 'plate:B1', '5 uL')],
  },
  {
    kind: 'more is dispensed than was drawn',
    code: 'TOO_LITTLE',
    sane: stroke,
    broken: [pickTip(), draw('100 uL'), push('120 uL'), dropTip()],
  },
  {
    kind: 'drawn from a well that is empty',
    code: 'TOO_LITTLE',
    sane: [pour('plate:A1', 'plate:B1', '50 uL')],
    broken: [pour('plate:C1', 'plate:B1', '50 uL')],
  },
  {
    kind: 'a source that is used up by the steps before',
    code: 'TOO_LITTLE',
    sane: [pour('plate:A1', 'plate:B1', '50 uL'), pour('plate:A1', 'plate:C1', '50 uL')].map(
      (s, i) => ({ ...s, id: `s${i}` }),
    ),
    broken: [pour('plate:A1', 'plate:B1', '60 uL'), pour('plate:A1', 'plate:C1', '50 uL')].map(
      (s, i) => ({ ...s, id: `s${i}` }),
    ),
  },
  {
    kind: 'every well of a plate from a source for one',
    code: 'TOO_LITTLE',
    sane: [pour('trough', 'plate:*', '100 uL')],
    broken: [pour('trough', 'wide:*', '100 uL'), pour('trough', 'plate:*', '700 uL')],
  },
  {
    kind: 'a well overflows',
    code: 'OVERFLOW',
    sane: [pour('trough', 'plate:A1', '260 uL')],
    broken: [pour('trough', 'plate:A1', '261 uL')],
  },
  {
    kind: 'the volume of a trough into each well',
    code: 'OVERFLOW',
    sane: [pour('trough', 'plate:*', '200 uL')],
    broken: [pour('trough', 'plate:*', '800 uL')],
  },
  {
    kind: 'overflow by many small additions',
    code: 'OVERFLOW',
    sane: [1, 2].map((i) => ({ ...pour('trough', 'plate:B1', '100 uL'), id: `a${i}` })),
    broken: [1, 2, 3, 4].map((i) => ({ ...pour('trough', 'plate:B1', '100 uL'), id: `a${i}` })),
  },
  {
    kind: 'a small plate in place of a large one',
    code: 'OVERFLOW',
    sane: [pour('trough', 'plate:B1', '200 uL')],
    broken: [pour('trough', 'wide:B1', '200 uL')],
  },
  {
    kind: 'a column that the plate does not have',
    code: 'PART_MISSING',
    sane: [pour('trough', 'plate:col:12', '50 uL')],
    broken: [pour('trough', 'plate:col:13', '50 uL')],
  },
  {
    kind: 'a well of a larger format',
    code: 'PART_MISSING',
    sane: [pour('trough', 'wide:P24', '50 uL')],
    broken: [pour('trough', 'plate:P24', '50 uL')],
  },
  {
    kind: 'a second tip on top of the first',
    code: 'TIP_MOUNTED',
    sane: [...stroke, { ...pickTip('B1'), id: 'again' }, dropTip('head', '2')],
    broken: [pickTip(), pickTip('B1'), draw('100 uL'), push('100 uL'), dropTip()],
  },
  {
    kind: 'a tip that was taken already',
    code: 'TIP_GONE',
    sane: [pickTip(), dropTip(), { ...pickTip('B1'), id: 'again' }, dropTip('head', '2')],
    broken: [pickTip(), dropTip(), { ...pickTip('A1'), id: 'again' }, dropTip('head', '2')],
  },
  {
    kind: 'eight channels where one position is empty',
    code: 'TIP_GONE',
    sane: [pickTip('A1', 'head8'), dropTip('head8')],
    broken: [pickTip('C1'), dropTip(), pickTip('A1', 'head8'), dropTip('head8', '8')],
  },
  {
    kind: 'one tip for two people',
    code: 'TIP_REUSED',
    sane: [
      pickTip(),
      draw('50 uL', 'patients:A1'),
      push('50 uL', 'plate:C1'),
      dropTip(),
      { ...pickTip('B1'), id: 'fresh' },
      draw('50 uL', 'patients:B1'),
      push('50 uL', 'plate:D1'),
      dropTip('head', '2'),
    ],
    broken: [
      pickTip(),
      draw('50 uL', 'patients:A1'),
      push('50 uL', 'plate:C1'),
      draw('50 uL', 'patients:B1'),
      push('50 uL', 'plate:D1'),
      dropTip(),
    ],
  },
  {
    kind: 'one tip for two materials',
    code: 'TIP_REUSED',
    sane: [pickTip(), draw('50 uL'), push('50 uL', 'plate:C1'), dropTip()],
    broken: [
      pickTip(),
      draw('50 uL'),
      push('50 uL', 'plate:C1'),
      draw('50 uL', 'dyes'),
      push('50 uL', 'plate:D1'),
      dropTip(),
    ],
  },
  {
    kind: 'a label that hides what was drawn',
    code: 'LABEL_DIFFERS',
    sane: [pour('chlor_jar', 'plate:B1', '50 uL', { substance: 'chlor' })],
    broken: [pour('chlor_jar', 'plate:B1', '50 uL', { substance: 'water' })],
  },
  {
    kind: 'a harmless liquid under the wrong name',
    code: 'LABEL_DIFFERS',
    sane: [pour('dyes', 'plate:B1', '50 uL', { substance: 'dye' })],
    broken: [pour('dyes', 'plate:B1', '50 uL', { substance: 'water' })],
  },
  {
    kind: 'acid on hypochlorite in one well',
    code: 'MATERIALS_MEET',
    sane: [pour('chlor_jar', 'plate:B1', '50 uL'), pour('sour_jar', 'plate:C1', '50 uL')],
    broken: [pour('chlor_jar', 'plate:B1', '50 uL'), pour('sour_jar', 'plate:B1', '50 uL')],
  },
  {
    kind: 'the pair meets through a vessel between, under another label',
    code: 'MATERIALS_MEET',
    sane: [pour('chlor_jar', 'plate:B1', '50 uL'), pour('plate:B1', 'plate:C1', '50 uL')],
    broken: [
      pour('chlor_jar', 'plate:B1', '50 uL'),
      pour('plate:B1', 'plate:C1', '50 uL', { substance: 'water' }),
      pour('sour_jar', 'plate:C1', '50 uL'),
    ],
  },
  {
    kind: 'the pair meets in every well',
    code: 'MATERIALS_MEET',
    sane: [pour('chlor_jar', 'plate:*', '50 uL')],
    broken: [pour('chlor_jar', 'plate:*', '50 uL'), pour('sour_jar', 'plate:H12', '50 uL')],
  },
  {
    kind: 'acid into the drain for buffers',
    code: 'STREAM_REFUSES',
    sane: [pour('trough', 'drain', '100 uL')],
    broken: [pour('sour_jar', 'drain', '100 uL')],
  },
  {
    kind: 'a vessel with solvent emptied into the drain',
    code: 'STREAM_REFUSES',
    sane: [step('d', { act: 'discard', what: 'dyes', into: 'drain', volume: '1 mL' })],
    broken: [step('d', { act: 'discard', what: 'spirit_jar', into: 'drain', volume: '1 mL' })],
  },
  {
    kind: 'drawn from the waste',
    code: 'SOURCE_IS_WASTE',
    bench: cell({
      facts: [
        { thing: 'drain', fact: 'contents', value: [{ substance: 'buffer', volume: '1 L' }] },
      ],
    }),
    sane: [pour('trough', 'plate:B1', '50 uL')],
    broken: [pour('drain', 'plate:B1', '50 uL')],
  },
]

const grab = (thing: string, place: string, more: object = {}): StepGiven =>
  step(`grab_${thing}`, { act: 'pick', device: 'arm', thing, place, ...more })
const put = (thing: string, place: string): StepGiven =>
  step(`put_${thing}`, { act: 'place', device: 'arm', thing, place })
const go = (place: string, speed: string, more: object = {}): StepGiven =>
  step(`go_${place}`, { act: 'move', device: 'arm', place, speed, ...more })

const carryPlate = [grab('plate', 'spot_1'), put('plate', 'hot_spot')]

export const motionFaults: readonly Fault[] = [
  {
    kind: 'two objects in one gripper',
    code: 'GRIPPER_FULL',
    sane: [...carryPlate, grab('wide', 'spot_2'), put('wide', 'spot_1')],
    broken: [grab('plate', 'spot_1'), grab('wide', 'spot_2'), put('wide', 'hot_spot')],
  },
  {
    kind: 'placing what was never picked',
    code: 'GRIPPER_EMPTY',
    sane: carryPlate,
    broken: carryPlate.slice(1),
  },
  {
    kind: 'placing another thing than the one that is held',
    code: 'GRIPPER_EMPTY',
    sane: carryPlate,
    broken: [grab('wide', 'spot_2'), put('plate', 'hot_spot')],
  },
  {
    kind: 'picking where the thing does not stand',
    code: 'THING_ELSEWHERE',
    sane: carryPlate,
    broken: [grab('plate', 'spot_2'), put('plate', 'hot_spot')],
  },
  {
    kind: 'picking what was carried away before',
    code: 'THING_ELSEWHERE',
    sane: carryPlate,
    broken: [...carryPlate, { ...grab('plate', 'spot_1'), id: 'again' }],
  },
  {
    kind: 'two things on one place',
    code: 'PLACE_OCCUPIED',
    sane: carryPlate,
    broken: [...carryPlate, grab('wide', 'spot_2'), put('wide', 'hot_spot')],
  },
  {
    kind: 'a place that was occupied from the start',
    code: 'PLACE_OCCUPIED',
    sane: carryPlate,
    broken: [grab('plate', 'spot_1'), put('plate', 'spot_3')],
  },
  {
    kind: 'a zone that is not the one of the place',
    code: 'ZONE_CLAIM',
    sane: [go('counter', '90 mm/s', { zone: 'aisle' })],
    broken: [go('counter', '90 mm/s', { zone: 'vault' })],
  },
  {
    kind: 'fast among people, called another zone',
    code: 'SPEED_WITH_PEOPLE',
    sane: [go('counter', '90 mm/s', { zone: 'aisle' })],
    broken: [go('counter', '900 mm/s', { zone: 'cage' })],
  },
  {
    kind: 'full speed set before, people at the place',
    code: 'SPEED_WITH_PEOPLE',
    sane: [grab('plate', 'spot_1'), put('plate', 'counter')],
    broken: [
      step('mode', { act: 'set_mode', device: 'arm', mode: 'full', speed: '1500 mm/s' }),
      grab('plate', 'spot_1'),
      put('plate', 'counter'),
    ],
  },
  {
    kind: 'fast in the cage after its gate was opened',
    code: 'SPEED_WITH_PEOPLE',
    sane: [go('spot_2', '900 mm/s')],
    broken: [
      step('o', { act: 'open', barrier: 'gate' }),
      go('spot_2', '900 mm/s'),
      step('c', { act: 'close', barrier: 'gate' }),
    ],
  },
  {
    kind: 'faster than the arm can move',
    code: 'LIMIT',
    sane: [go('spot_2', '1500 mm/s')],
    broken: [go('spot_2', '1501 mm/s')],
  },
  {
    kind: 'heavier than the arm may carry',
    code: 'LIMIT',
    sane: [grab('block', 'shelf'), put('block', 'hot_spot')],
    broken: [grab('heavy', 'shelf'), put('heavy', 'hot_spot')],
  },
  {
    kind: 'a told mass below the declared one does not help',
    code: 'LIMIT',
    sane: [grab('block', 'shelf', { mass: '2000 g' }), put('block', 'hot_spot')],
    broken: [grab('heavy', 'shelf', { mass: '2000 g' }), put('heavy', 'hot_spot')],
  },
  {
    kind: 'a grip force beyond the gripper',
    code: 'LIMIT',
    sane: [grab('block', 'shelf', { force: '60 N' }), put('block', 'hot_spot')],
    broken: [grab('block', 'shelf', { force: '61 N' }), put('block', 'hot_spot')],
  },
  {
    kind: 'letting go in mid-air',
    code: 'RELEASED_AWAY',
    sane: [...carryPlate, step('g', { act: 'grip', device: 'arm', width: '80 mm' })],
    broken: [
      grab('plate', 'spot_1'),
      go('home', '100 mm/s'),
      step('g', { act: 'grip', device: 'arm', width: '80 mm' }),
    ],
  },
  {
    kind: 'a thing still held at the end',
    code: 'LEFT_HELD',
    sane: carryPlate,
    broken: carryPlate.slice(0, 1),
  },
  {
    kind: 'frozen material into a warm store',
    code: 'STORE_TEMPERATURE',
    bench: cell({
      site: {
        devices: [
          { id: 'hotel', class: 'store', temperature: { min: '18 Cel', max: '25 Cel' } },
          { id: 'deep', class: 'store', temperature: { min: '-85 Cel', max: '-70 Cel' } },
        ],
      },
    }),
    sane: [step('c', { act: 'carry', thing: 'vaccine', from: 'freezer', to: 'deep' })],
    broken: [step('c', { act: 'carry', thing: 'vaccine', from: 'freezer', to: 'hotel' })],
  },
]
