// The cell of these tests: arm, heads, heaters, centrifuge, cycler, pump, gas and light, with vessels
// whose contents are recorded. Every test takes it and changes one thing.
import type { Registry } from '../../../protocol/registry.ts'
import { cellState, registry, type Bench } from './bench.ts'

export const site = {
  zones: [
    { id: 'cage', people: 'when_open', barriers: ['gate'], speed_with_people: '250 mm/s' },
    { id: 'aisle', people: 'always', speed_with_people: '100 mm/s' },
    { id: 'vault', people: 'never' },
  ],
  places: [
    { id: 'home', zone: 'cage', holds: 0 },
    { id: 'spot_1', zone: 'cage' },
    { id: 'spot_2', zone: 'cage' },
    { id: 'spot_3', zone: 'cage' },
    { id: 'hot_spot', zone: 'cage', device: 'heat' },
    { id: 'cycle_spot', zone: 'cage', device: 'cycler' },
    { id: 'bay', zone: 'cage', device: 'fuge' },
    { id: 'counter', zone: 'aisle' },
    { id: 'shelf', zone: 'vault', holds: 10 },
  ],
  devices: [
    {
      id: 'arm',
      class: 'robot_arm',
      limits: {
        speed: { min: '1 mm/s', max: '1500 mm/s' },
        payload: { max: '3 kg' },
        force: { min: '1 N', max: '60 N' },
        opening: { min: '0 mm', max: '100 mm' },
      },
    },
    { id: 'head', class: 'pipette', limits: { volume: { min: '10 uL', max: '300 uL' } } },
    {
      id: 'head8',
      class: 'pipette',
      limits: { volume: { min: '10 uL', max: '300 uL' }, channels: { max: '8 1' } },
    },
    {
      id: 'heat',
      class: 'heater_shaker',
      limits: {
        temperature: { min: '4 Cel', max: '110 Cel' },
        rotation: { min: '0 rpm', max: '3000 rpm' },
        time: { max: '8 h' },
      },
      closed_while_on: [],
      rest: { rotation: '0 rpm', temperature: '22 Cel' },
    },
    {
      id: 'fuge',
      class: 'centrifuge',
      limits: {
        rotation: { min: '100 rpm', max: '15000 rpm' },
        temperature: { min: '4 Cel', max: '40 Cel' },
      },
      closed_while_on: ['fuge_lid'],
      stays_on: false,
      rest: { rotation: '0 rpm' },
    },
    {
      id: 'cycler',
      class: 'thermocycler',
      limits: {
        temperature: { min: '4 Cel', max: '99 Cel' },
        lid_temperature: { min: '37 Cel', max: '110 Cel' },
        volume: { min: '5 uL', max: '100 uL' },
      },
      closed_while_on: ['cycler_lid'],
      stays_on: false,
      rest: { temperature: '22 Cel' },
    },
    { id: 'pump', class: 'pump', limits: { flow: { min: '0 uL/s', max: '500 uL/s' } } },
    {
      id: 'autoclave',
      class: 'reactor',
      limits: { pressure: { min: '0 kPa', max: '300 kPa' }, volume: { max: '2 L' } },
      closed_while_on: ['hatch'],
      rest: { pressure: '101.325 kPa' },
    },
    { id: 'gas', class: 'gas', limits: { fraction: { min: '0 %', max: '20 %' } } },
    {
      id: 'lamp',
      class: 'light',
      limits: { power: { max: '50 W' } },
      closed_while_on: ['shutter'],
    },
    { id: 'freezer', class: 'store', temperature: { min: '-25 Cel', max: '-15 Cel' } },
    { id: 'bin', class: 'bin', final: true },
  ],
  barriers: [
    { id: 'gate', guards: ['cage'] },
    { id: 'fuge_lid', device: 'fuge' },
    { id: 'cycler_lid', device: 'cycler' },
    { id: 'latch', device: 'heat', covers: false },
    { id: 'hatch', device: 'autoclave' },
    { id: 'shutter', device: 'lamp' },
    { id: 'street_door', outer: true },
    { id: 'sash', working_opening: { min: '0 cm', max: '45 cm' } },
  ],
  kinds: [
    {
      id: 'plate_k',
      class: 'plate',
      rows: 8,
      columns: 12,
      capacity: '360 uL',
      mass: '80 g',
      temperature: { min: '-80 Cel', max: '80 Cel' },
    },
    {
      id: 'big_plate_k',
      class: 'plate',
      rows: 16,
      columns: 24,
      capacity: '110 uL',
      temperature: { max: '80 Cel' },
    },
    {
      id: 'pcr_k',
      class: 'plate',
      rows: 8,
      columns: 12,
      capacity: '200 uL',
      closed: true,
      temperature: { min: '-80 Cel', max: '110 Cel' },
    },
    {
      id: 'trough_k',
      class: 'vessel',
      capacity: '100 mL',
      mass: '200 g',
      temperature: { max: '110 Cel' },
    },
    {
      id: 'flask_k',
      class: 'vessel',
      capacity: '1 L',
      mass: '900 g',
      temperature: { max: '150 Cel' },
    },
    { id: 'vial_k', class: 'vessel', capacity: '2 mL', closed: true, mass: '4 g' },
    {
      id: 'cold_k',
      class: 'vessel',
      capacity: '2 mL',
      temperature: { min: '-90 Cel', max: '-10 Cel' },
    },
    { id: 'tips_k', class: 'tip_rack', rows: 8, columns: 12, capacity: '300 uL' },
    { id: 'small_tips_k', class: 'tip_rack', rows: 8, columns: 12, capacity: '20 uL' },
    {
      id: 'rotor_k',
      class: 'rotor',
      rows: 1,
      columns: 12,
      max_rotation: '14000 rpm',
      imbalance: '0.2 g',
      max_load: '3 g',
    },
    { id: 'block_k', class: 'object', mass: '2500 g', temperature: { max: '200 Cel' } },
    { id: 'heavy_k', class: 'object', mass: '3500 g', temperature: { max: '200 Cel' } },
  ],
  streams: [
    {
      id: 'drain',
      says: 'neutral buffers',
      accepts: ['aqueous'],
      refuses: ['acid', 'hypochlorite', 'flammable'],
    },
    { id: 'solids', says: 'solid waste', solid: true },
  ],
  substances: [
    { id: 'buffer', names: ['buffer'], groups: ['aqueous'], boils: '100 Cel' },
    { id: 'water', names: ['water'], groups: ['aqueous'], boils: '100 Cel' },
    {
      id: 'spirit',
      names: ['spirit'],
      groups: ['flammable', 'organic'],
      hazards: ['flammable'],
      boils: '35 Cel',
      flash: '-45 Cel',
    },
    { id: 'chlor', names: ['chlor'], groups: ['hypochlorite'], hazards: ['corrosive'] },
    { id: 'sour', names: ['sour'], groups: ['acid'], hazards: ['corrosive'] },
    { id: 'serum_a', names: ['serum a'], groups: ['aqueous'], human: true, boils: '100 Cel' },
    { id: 'serum_b', names: ['serum b'], groups: ['aqueous'], human: true, boils: '100 Cel' },
    { id: 'dye', names: ['dye'], groups: ['aqueous'], boils: '100 Cel' },
  ],
}

export const inventory = [
  {
    thing: 'plate',
    kind: 'plate_k',
    at: 'spot_1',
    contents: [{ part: 'A1', substance: 'buffer', volume: '100 uL' }],
  },
  {
    thing: 'wide',
    kind: 'big_plate_k',
    at: 'spot_2',
    contents: [{ part: 'A1', substance: 'buffer', volume: '10 uL' }],
  },
  {
    thing: 'trough',
    kind: 'trough_k',
    at: 'spot_3',
    contents: [{ substance: 'buffer', volume: '80 mL' }],
  },
  {
    thing: 'dyes',
    kind: 'trough_k',
    at: 'shelf',
    contents: [{ substance: 'dye', volume: '50 mL' }],
  },
  {
    thing: 'chlor_jar',
    kind: 'trough_k',
    at: 'shelf',
    contents: [{ substance: 'chlor', volume: '50 mL' }],
  },
  {
    thing: 'sour_jar',
    kind: 'trough_k',
    at: 'shelf',
    contents: [{ substance: 'sour', volume: '50 mL' }],
  },
  {
    thing: 'spirit_jar',
    kind: 'flask_k',
    at: 'shelf',
    contents: [{ substance: 'spirit', volume: '500 mL' }],
  },
  {
    thing: 'patients',
    kind: 'plate_k',
    at: 'shelf',
    contents: [
      { part: 'A1', substance: 'serum a', volume: '200 uL' },
      { part: 'B1', substance: 'serum b', volume: '200 uL' },
    ],
  },
  {
    thing: 'pcr',
    kind: 'pcr_k',
    at: 'cycle_spot',
    contents: [{ part: 'A1', substance: 'buffer', volume: '25 uL' }],
  },
  { thing: 'tips', kind: 'tips_k', at: 'shelf' },
  { thing: 'small_tips', kind: 'small_tips_k', at: 'shelf' },
  { thing: 'rotor', kind: 'rotor_k', at: 'fuge' },
  {
    thing: 'vial',
    kind: 'vial_k',
    at: 'shelf',
    contents: [{ substance: 'water', volume: '1 mL' }],
  },
  {
    thing: 'vaccine',
    kind: 'cold_k',
    at: 'freezer',
    contents: [{ substance: 'buffer', volume: '1 mL' }],
  },
  { thing: 'block', kind: 'block_k', at: 'shelf' },
  { thing: 'heavy', kind: 'heavy_k', at: 'shelf' },
]

export const facts = [
  { thing: 'arm', fact: 'holds', value: '' },
  { thing: 'arm', fact: 'place', value: 'home' },
  { thing: 'arm', fact: 'speed', value: '100 mm/s' },
  { thing: 'head', fact: 'tip', value: 'none' },
  { thing: 'head', fact: 'contents', value: [] },
  { thing: 'head8', fact: 'tip', value: 'none' },
  { thing: 'head8', fact: 'contents', value: [] },
  ...['heat', 'fuge', 'cycler', 'pump', 'autoclave', 'gas', 'lamp'].map((thing) => ({
    thing,
    fact: 'energised',
    value: false,
  })),
  { thing: 'heat', fact: 'temperature', value: '22 Cel' },
  ...['gate', 'fuge_lid', 'hatch', 'shutter', 'latch'].map((thing) => ({
    thing,
    fact: 'open',
    value: false,
  })),
  { thing: 'cycler_lid', fact: 'open', value: true },
  { thing: 'cage', fact: 'people', value: false },
  { thing: 'hot_spot', fact: 'holds', value: 'none' },
  { thing: 'bay', fact: 'holds', value: 'none' },
  { thing: 'counter', fact: 'holds', value: 'none' },
  { thing: 'autoclave', fact: 'contents', value: [] },
]

/** Most tests change what is recorded and not the site: its file is read once. */
let plainRegistry: Registry | undefined

type Rows = Record<string, readonly Record<string, unknown>[]>

/** The cell, with rows of the site file, things or facts changed by id. */
export function cell(
  change: {
    readonly site?: Rows
    readonly inventory?: readonly Record<string, unknown>[]
    readonly facts?: readonly Record<string, unknown>[]
    readonly more?: Record<string, unknown>
  } = {},
): Bench {
  const rows = Object.fromEntries(
    Object.entries(site).map(([name, list]) => [
      name,
      merged(list, change.site?.[name] ?? [], (row) => String(row['id'])),
    ]),
  )
  const items = merged(inventory, change.inventory ?? [], (row) => String(row['thing']))
  const known = merged(facts, change.facts ?? [], (row) =>
    JSON.stringify([row['thing'], row['fact'], row['part']]),
  )
  return {
    registry:
      change.site === undefined && change.more === undefined
        ? (plainRegistry ??= registry(rows))
        : registry({ ...rows, ...change.more }),
    state: cellState(items, known),
  }
}

function merged(
  rows: readonly Record<string, unknown>[],
  changes: readonly Record<string, unknown>[],
  key: (row: Record<string, unknown>) => string,
): Record<string, unknown>[] {
  const out = new Map(rows.map((row) => [key(row), row]))
  for (const change of changes) out.set(key(change), { ...out.get(key(change)), ...change })
  return [...out.values()].filter((row) => row['gone'] !== true)
}
