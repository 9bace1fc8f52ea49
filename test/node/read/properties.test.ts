// Laws of the one reading: names mean nothing, order of keys means nothing, and nothing that is not
// known becomes known by being spelled in another way.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { registrySchema } from '../../../protocol/registry.ts'
import type { Scene } from '../../../verify/read/scene.ts'
import { foldName } from '../../../verify/read/fold.ts'
import { canonicalPart, looksLikePart } from '../../../verify/read/parts.ts'
import { nameClashes, thingIndex } from '../../../verify/read/things.ts'
import { brewery, breweryInput, breweryState, planOf, sceneOf, type NodeInput } from './brewery.ts'

/** Every declared name, and the meaningless ones that take their place. */
const renamed: Readonly<Record<string, string>> = {
  'FV-01': 'qx1',
  'FV-02': 'qx2',
  'fermenter 1': 'zu 81',
  'PUMP-2': 'vv-7',
  fuge: 'kk3',
  'the bench spinner': 'the rr9',
  agitator: 'jj4',
  plc: 'ww5',
  hydrometer: 'oo6',
  cellar: 'mm8',
  'cellar hatch': 'nn 2',
  'vent 3': 'll 5',
  'caustic tank': 'ee 4',
  caustic_tank: 'ee_9',
  drain: 'uu1',
  'bay 4': 'gg 6',
  KEG_007: 'ii 55',
  'the blue keg': 'the cc2',
  // Tools, a server and arguments.
  dose: 't1',
  jacket: 't2',
  valve: 't3',
  plant: 's1',
  'tank soap': 'yyq soap',
  tank: 'a1x',
  setpoint: 'a2x',
  program: 'a3x',
  amount: 'a4x',
  amount_unit: 'a5x',
  fluid: 'a6x',
  port: 'a7x',
  name: 'name',
}

const longestFirst = Object.keys(renamed).toSorted((a, b) => b.length - a.length)

/** Puts the new name for each whole old one, in prose and in pointers. */
function rename(text: string): string {
  let out = ''
  for (let i = 0; i < text.length;) {
    const hit = longestFirst.find(
      (old) =>
        text.startsWith(old, i) &&
        !/[\w]/.test(text[i - 1] ?? ' ') &&
        !/[\w]/.test(text[i + old.length] ?? ' '),
    )
    out += hit === undefined ? (text[i] ?? '') : (renamed[hit] ?? hit)
    i += hit === undefined ? 1 : hit.length
  }
  return out
}

/** A copy with every string renamed; keys only inside arguments and their schemas. */
function renameAll(value: unknown, keys: boolean): unknown {
  if (typeof value === 'string') return rename(value)
  if (Array.isArray(value)) return value.map((item) => renameAll(item, keys))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const inner = keys || key === 'properties' || key === 'args'
      return [keys ? rename(key) : key, renameAll(item, inner && key !== 'required')]
    }),
  )
}

/** The scene without the names themselves. */
function structure(scene: Scene): unknown {
  return {
    steps: scene.steps.map((step) => ({
      opaque: step.opaque,
      certain: step.certain,
      inert: step.inert.length,
      uncovered: step.uncovered.length,
      acts: step.acts.map((act) => ({
        ...act,
        roles: Object.entries(act.roles).map(([role, values]) => [
          role,
          values.map((value) => {
            if (value.kind === 'thing' || value.kind === 'place') {
              const { part, is, kind, id } = value.ref
              return { kind: value.kind, part, is, of: kind, declared: id !== null }
            }
            if (value.kind === 'substance') return { ...value.substance, raw: null }
            const { at: _at, ...rest } = value
            return rest
          }),
        ]),
      })),
    })),
    sentences: scene.sentences.map((one) => ({
      asks: one.asks,
      unread: one.unread,
      carried_by: one.carried_by,
      told: one.told.map(({ dim, value, clause }) => ({ dim, value, clause })),
      named: one.named.map(({ ref }) => ({
        is: ref.is,
        part: ref.part,
        declared: ref.id !== null,
      })),
    })),
    unasked: scene.unasked,
    things: scene.things.size,
  }
}

const site = registrySchema.parse(renameAll({ ...breweryInput, registry_version: 'v' }, false))
const state = {
  ...breweryState,
  inventory: breweryState.inventory.map((item) => ({
    ...item,
    thing: rename(item.thing),
    names: item.names.map(rename),
  })),
}

const tanks = ['FV-01', 'FV-02', 'fermenter 1']
const nodeArb: fc.Arbitrary<NodeInput> = fc.oneof(
  fc.record({
    tool: fc.constant('jacket'),
    args: fc.record({
      tank: fc.constantFrom(...tanks),
      setpoint: fc.integer({ min: 40, max: 212 }),
      program: fc.constantFrom('mash', 'sparge', 'off'),
    }),
  }),
  fc.record({
    tool: fc.constant('valve'),
    args: fc.record({
      name: fc.constantFrom('cellar hatch', 'vent 3', 'nobody_1'),
      state: fc.constantFrom('open', 'shut'),
    }),
  }),
  fc.record({
    tool: fc.constant('dose'),
    args: fc.record({
      tank: fc.record({ id: fc.constantFrom(...tanks), port: fc.constantFrom('A1', 'b02') }),
      amount: fc.integer({ min: 1, max: 500 }),
      amount_unit: fc.constantFrom('mL', 'uL', 'hogshead'),
      fluid: fc.constantFrom('tank soap', 'water', 'blorf'),
    }),
  }),
)
const sentenceArb = fc.constantFrom(
  'Warm FV-01 to 37 °C for 10 min.',
  'Open the cellar hatch, then close vent 3.',
  'Add 100 mL of tank soap to FV-02 b02.',
  'Do not open vent 3.',
  'Move the blue keg to bay 4 and wait an hour.',
  'FV-01 unter Wasser setzen.',
  'Set PUMP-2 to 40 L/h.',
)

describe('the one reading', () => {
  it('is the same under any names', () => {
    fc.assert(
      fc.property(
        fc.array(nodeArb, { minLength: 1, maxLength: 6 }),
        fc.array(sentenceArb, { minLength: 1, maxLength: 4 }),
        (nodes, sentences) => {
          const plain = structure(sceneOf(planOf(nodes, sentences)))
          const other = planOf(renameAll(nodes, false) as NodeInput[], sentences.map(rename))
          const nodesRenamed = other.nodes.map((node) => ({
            ...node,
            args: renameAll(node.args, true) as NodeInput['args'],
          }))
          // Tools and argument keys are renamed too; values were renamed once already.
          const again = nodes.map((node, i) => ({
            ...nodesRenamed[i],
            tool: rename(node.tool),
            args: renameAll(node.args, true) as NodeInput['args'],
          }))
          expect(structure(sceneOf(planOf(again, sentences.map(rename)), site, state))).toEqual(
            plain,
          )
        },
      ),
      { numRuns: 60 },
    )
  })

  it('is the same in any order of the keys', () => {
    fc.assert(
      fc.property(nodeArb, (node) => {
        const turned = Object.fromEntries(Object.entries(node.args).toReversed())
        const one = structure(sceneOf(planOf([node])))
        expect(structure(sceneOf(planOf([{ ...node, args: turned }])))).toEqual(one)
      }),
      { numRuns: 30 },
    )
  })

  it('never throws, whatever a planner writes', () => {
    const args = fc.dictionary(
      fc.constantFrom('tank', 'setpoint', 'program', 'amount', '$from', 'x/y', '~'),
      fc.jsonValue({ maxDepth: 3 }),
    )
    const tool = fc.constantFrom('jacket', 'dose', 'valve', 'spin_samples', 'mixer_mode', 'nobody')
    fc.assert(
      fc.property(
        fc.array(fc.record({ tool, args })),
        fc.string({ unit: 'grapheme' }),
        (nodes, text) => {
          const scene = sceneOf(planOf(nodes as NodeInput[], [text === '' ? 'a' : text]))
          // An argument that nobody can read leaves the step opaque.
          for (const step of scene.steps) {
            if (step.uncovered.length > 0) expect(step.opaque).not.toBeNull()
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('names', () => {
  const things = thingIndex(brewery, breweryState)

  it('folding is stable, and case, separators and leading zeros mean nothing', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/)
    const number = fc.integer({ min: 0, max: 999 })
    const mark = fc.constantFrom('', ' ', '_', '-', '.', '  ')
    fc.assert(
      fc.property(word, number, mark, mark, fc.boolean(), (text, n, a, b, upper) => {
        const one = foldName(`${text}${a}${n}`)
        const two = foldName(`${upper ? text.toUpperCase() : text}${b}0${n}`)
        expect(two).toBe(one)
        expect(foldName(one)).toBe(one)
      }),
    )
  })

  it('two numbers stay two numbers', () => {
    expect(foldName('tube 1_1')).not.toBe(foldName('tube 11'))
  })

  it.each([
    ['fv_1', 'FV-01'],
    ['FERMENTER-01', 'FV-01'],
    ['bench spinner', 'fuge'],
    ['Blue Keg', 'KEG_007'],
    ['keg 7', 'KEG_007'],
  ])('%s is %s', (raw, key) => {
    expect(things.resolve(raw).key).toBe(key)
  })

  it('an unknown name is itself and no other one', () => {
    expect(things.resolve('Keg 8')).toMatchObject({ id: null, is: 'unknown', key: 'keg8' })
    expect(things.resolve('keg-08').key).toBe('keg8')
    expect(things.resolve('!!').key).toBe('!!')
  })

  it('two things of one class under one name are found at approval', () => {
    expect(nameClashes(brewery, breweryState.inventory)).toEqual([])
    const devices = [
      ...brewery.devices,
      ...brewery.devices.slice(0, 1).map((one) => ({ ...one, id: 'fv 1' })),
    ]
    expect(nameClashes({ ...brewery, devices })).toMatchObject([
      { first: 'FV-01', second: 'fv 1' },
      { second: 'fv 1' },
    ])
    const inventory = breweryState.inventory.map((one) => ({ ...one, thing: 'Plc', names: [] }))
    expect(nameClashes(brewery, inventory)).toMatchObject([{ first: 'plc', second: 'Plc' }])
  })

  it.each([
    ['a01', 'A1'],
    ['B-12', 'B12'],
    ['ALL', '*'],
    ['COL03', 'col:3'],
    ['column 3', 'col:3'],
    ['row b', 'row:B'],
    ['07', '7'],
    ['slot 2', '2'],
    ['A1-A12', 'A1:A12'],
    ['left', 'left'],
    [' ', null],
  ])('part %s is %s', (raw, part) => {
    expect(canonicalPart(raw)).toBe(part)
  })

  it('a gene or a device is no well', () => {
    for (const raw of ['IL-6', 'hs_1', 'H5N1', 'CO2', 'PT9x'])
      expect(looksLikePart(raw), raw).toBe(false)
  })
})
