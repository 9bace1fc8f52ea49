// Seeded faults from tables of makers: labware, heads and modules out of @opentrons/shared-data, and
// rotors by their data sheets. The site rows are built from the table alone.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { cellState, registry, type ActGiven, type Bench, type StepGiven } from './bench.ts'
import type { Fault } from './faults.bench.ts'

const root = path.join(import.meta.dirname, '../../../node_modules/@opentrons/shared-data')
const json = (file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Record<string, unknown>

const step = (id: string, ...acts: ActGiven[]): StepGiven => ({ id, acts })

// --- labware ---

const labware = [
  ['corning_96_wellplate_360ul_flat', 1],
  ['corning_384_wellplate_112ul_flat', 1],
  ['corning_24_wellplate_3.4ml_flat', 1],
  ['corning_6_wellplate_16.8ml_flat', 1],
  ['nest_96_wellplate_100ul_pcr_full_skirt', 1],
  ['nest_12_reservoir_15ml', 1],
  ['usascientific_96_wellplate_2.4ml_deep', 1],
] as const

type Labware = { readonly rows: number; readonly columns: number; readonly capacity: number }

function labwareOf(name: string, version: number): Labware {
  const file = json(`labware/definitions/2/${name}/${version}.json`)
  const ordering = file['ordering'] as readonly (readonly string[])[]
  const wells = file['wells'] as Record<string, { readonly totalLiquidVolume: number }>
  return {
    rows: ordering[0]?.length ?? 1,
    columns: ordering.length,
    capacity: wells['A1']?.totalLiquidVolume ?? 0,
  }
}

function labwareBench(table: Labware): Bench {
  const { rows, columns, capacity } = table
  return {
    registry: registry({
      kinds: [
        { id: 'k', class: 'plate', rows, columns, capacity: `${capacity} uL` },
        { id: 'tank', class: 'vessel', capacity: '100 L' },
      ],
      substances: [{ id: 'w', names: ['w'] }],
    }),
    state: cellState([
      {
        thing: 'l',
        kind: 'k',
        at: 'x',
        contents: [{ part: 'A1', substance: 'w', volume: '1 uL' }],
      },
      { thing: 't', kind: 'tank', at: 'x', contents: [{ substance: 'w', volume: '90 L' }] },
    ]),
  }
}

const fill = (to: string, volume: number): StepGiven =>
  step('fill', { act: 'transfer', from: 't', to, volume: `${volume} uL` })

const letter = (row: number): string => String.fromCharCode(64 + row)

const labwareFaults = labware.flatMap(([name, version]): Fault[] => {
  const table = labwareOf(name, version)
  const bench = labwareBench(table)
  const last = `l:${letter(table.rows)}${table.columns}`
  const full = fill(last, table.capacity)
  return [
    {
      kind: `${name}: a well past its capacity`,
      code: 'OVERFLOW',
      bench,
      sane: [full],
      broken: [fill(last, table.capacity + 1)],
    },
    {
      kind: `${name}: all wells past their capacity`,
      code: 'OVERFLOW',
      bench,
      sane: [fill('l:*', table.capacity - 1)],
      broken: [fill('l:*', table.capacity)],
    },
    {
      kind: `${name}: no such column`,
      code: 'PART_MISSING',
      bench,
      sane: [full],
      broken: [fill(`l:A${table.columns + 1}`, 1)],
    },
    {
      kind: `${name}: no such row`,
      code: 'PART_MISSING',
      bench,
      sane: [full],
      broken: [fill(`l:${letter(table.rows + 1)}1`, 1)],
    },
  ]
})

// --- heads ---

const heads = [
  ['single_channel', 'p10', '1_0', 't10', 10],
  ['single_channel', 'p20', '2_0', 't20', 20],
  ['single_channel', 'p300', '1_0', 't300', 300],
  ['single_channel', 'p1000', '1_0', 't1000', 1000],
  ['eight_channel', 'p50', '1_0', 't300', 300],
] as const

function headBench(min: number, max: number, channels: number, tip: number): Bench {
  return {
    registry: registry({
      devices: [
        {
          id: 'h',
          class: 'pipette',
          limits: {
            volume: { min: `${min} uL`, max: `${max} uL` },
            channels: { max: `${channels} 1` },
          },
        },
      ],
      kinds: [
        { id: 'k', class: 'plate', rows: 8, columns: 12, capacity: '20 mL' },
        { id: 'r', class: 'tip_rack', rows: 8, columns: 12, capacity: `${tip} uL` },
      ],
      streams: [{ id: 'trash', says: 'tips', solid: true }],
      substances: [{ id: 'w', names: ['w'] }],
    }),
    state: cellState(
      [
        { thing: 'l', kind: 'k', at: 'x', contents: [{ substance: 'w', volume: '9 mL' }] },
        { thing: 'rack', kind: 'r', at: 'x' },
      ],
      [
        { thing: 'h', fact: 'tip', value: 'none' },
        { thing: 'h', fact: 'contents', value: [] },
      ],
    ),
  }
}

const headFaults = heads.flatMap(([group, name, version, _tip, tip]): Fault[] => {
  const table = json(`pipette/definitions/2/liquid/${group}/${name}/default/${version}.json`)
  const [min, max] = [Number(table['minVolume']), Number(table['maxVolume'])]
  const channels = group === 'eight_channel' ? 8 : 1
  const bench = headBench(min, max, channels, tip)
  const take = step('take', { act: 'pick', device: 'h', thing: 'rack', part: 'A1' })
  const draw = (volume: number, n = ''): StepGiven =>
    step(`draw${n}`, { act: 'transfer', from: 'l:A1', to: 'h', volume: `${volume} uL` })
  const push = (volume: number): StepGiven =>
    step('push', { act: 'transfer', from: 'h', to: 'l:A2', volume: `${volume} uL` })
  const drop = step('drop', { act: 'place', device: 'h', place: 'trash' })
  const sane = [take, draw(max), push(max), drop]
  const of = (what: string, code: string, broken: readonly StepGiven[]): Fault => ({
    kind: `${group} ${name}: ${what}`,
    code,
    bench,
    sane,
    broken,
  })
  return [
    of('more than one stroke', 'HEAD_RANGE', [take, draw(max + 1), push(max), drop]),
    of('less than it doses', 'HEAD_RANGE', [take, draw(min * 0.9), push(min * 0.9), drop]),
    of('two strokes into one tip', 'HEAD_RANGE', [
      take,
      draw(max),
      draw(min, '2'),
      push(max),
      drop,
    ]),
    of('dispensed twice', 'TOO_LITTLE', [
      take,
      draw(min),
      push(min),
      { ...push(min), id: 'p2' },
      drop,
    ]),
    of('without a tip', 'TIP_MISSING', [draw(max), push(max)]),
  ]
})

// --- modules: working ranges by their manuals ---

const modules = [
  { name: 'temperature module', class: 'heater', quantity: 'temperature', low: 4, high: 95 },
  { name: 'heater-shaker', class: 'heater_shaker', quantity: 'temperature', low: 37, high: 95 },
  { name: 'heater-shaker', class: 'heater_shaker', quantity: 'rotation', low: 200, high: 3000 },
  { name: 'thermocycler block', class: 'thermocycler', quantity: 'temperature', low: 4, high: 99 },
  { name: 'thermocycler lid', class: 'heater', quantity: 'temperature', low: 37, high: 110 },
] as const

const moduleFaults = modules.flatMap((table): Fault[] => {
  const unit = table.quantity === 'rotation' ? 'rpm' : 'Cel'
  const bench: Bench = {
    registry: registry({
      devices: [
        {
          id: 'm',
          class: table.class,
          limits: {
            [table.quantity]: { min: `${table.low} ${unit}`, max: `${table.high} ${unit}` },
          },
        },
      ],
    }),
    state: cellState(
      [],
      [
        { thing: 'm', fact: 'holds', value: 'none' },
        { thing: 'm', fact: 'energised', value: false },
      ],
    ),
  }
  const at = (value: number): readonly StepGiven[] => [
    step(
      'set',
      table.quantity === 'rotation'
        ? { act: 'shake', device: 'm', rotation: `${value} rpm` }
        : { act: 'set_temperature', device: 'm', temperature: `${value} Cel` },
    ),
    step('stop', { act: 'stop', device: 'm' }),
  ]
  const kind = (what: string) => `${table.name} (${table.quantity}): ${what}`
  return [
    {
      kind: kind('above its range'),
      code: 'LIMIT',
      bench,
      sane: at(table.high),
      broken: at(table.high + 1),
    },
    {
      kind: kind('below its range'),
      code: 'LIMIT',
      bench,
      sane: at(table.low),
      broken: at(table.low - 1),
    },
    {
      kind: kind('left on'),
      code: 'LEFT_ON',
      bench,
      sane: at(table.high),
      broken: at(table.high).slice(0, 1),
    },
  ]
})

// --- rotors: greatest speed and positions by data sheet ---

const rotors = [
  { name: 'JA-10', rpm: 10_000, positions: 6 },
  { name: 'JA-20', rpm: 20_000, positions: 8 },
  { name: 'JA-25.50', rpm: 25_000, positions: 8 },
  { name: 'Type 70 Ti', rpm: 70_000, positions: 8 },
  { name: 'Type 45 Ti', rpm: 45_000, positions: 6 },
  { name: 'SW 41 Ti', rpm: 41_000, positions: 6 },
  { name: 'SW 28', rpm: 28_000, positions: 6 },
  { name: 'FA-45-24-11', rpm: 15_000, positions: 24 },
] as const

const rotorFaults = rotors.flatMap((table): Fault[] => {
  const bench: Bench = {
    registry: registry({
      devices: [
        {
          id: 'c',
          class: 'centrifuge',
          limits: { rotation: { max: '100000 rpm' } },
          stays_on: false,
          closed_while_on: ['lid'],
        },
      ],
      barriers: [{ id: 'lid', device: 'c', closed_when: 'start' }],
      kinds: [
        {
          id: 'k',
          class: 'rotor',
          columns: table.positions,
          max_rotation: `${table.rpm} rpm`,
          imbalance: '0.5 g',
        },
      ],
    }),
    state: cellState([{ thing: 'r', kind: 'k', at: 'c' }]),
  }
  const spin = (rpm: number, positions: readonly number[], masses: readonly number[]) => [
    step('spin', {
      act: 'spin',
      device: 'c',
      rotor: 'r',
      rotation: `${rpm} rpm`,
      duration: '600 s',
      positions,
      masses: masses.map((mass) => `${mass} g`),
    }),
  ]
  const half = table.positions / 2
  const sane = spin(table.rpm, [1, 1 + half], [10, 10.4])
  const of = (what: string, code: string, broken: readonly StepGiven[]): Fault => ({
    kind: `rotor ${table.name}: ${what}`,
    code,
    bench,
    sane,
    broken,
  })
  return [
    of('above its greatest speed', 'VESSEL_LIMIT', spin(table.rpm + 100, [1, 1 + half], [10, 10])),
    of('out of balance', 'ROTOR_IMBALANCE', spin(table.rpm, [1, 1 + half], [10, 10.6])),
    of('one bucket', 'ROTOR_IMBALANCE', spin(table.rpm, [1], [10])),
    of(
      'one position too many',
      'ROTOR_POSITION',
      spin(table.rpm, [half, table.positions + 1], [9, 9]),
    ),
  ]
})

export const tableFaults: readonly Fault[] = [
  ...labwareFaults,
  ...headFaults,
  ...moduleFaults,
  ...rotorFaults,
]
