// Laws that hold for every plan: wider never removes a finding, skippable never removes a finding, names
// (invariant 11) and the ids of ordered steps change nothing, and the same input gives the same trace.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { now_ms, run, scene, type Bench, type StepGiven } from './bench.ts'
import { cell, facts, inventory, site } from './cell.ts'
import { matterFaults, motionFaults } from './faults.bench.ts'
import { energyFaults } from './faults.energy.ts'
import { portsOf } from '../../../verify/simulate/ports.ts'
import { simulate } from '../../../verify/simulate/run.ts'
import type { Trace } from '../../../verify/simulate/trace.ts'

const faults = [...matterFaults, ...motionFaults, ...energyFaults]
const plans: readonly (readonly [string, Bench, readonly StepGiven[]])[] = faults.flatMap((f) => [
  [`${f.kind} (sane)`, f.bench ?? cell(), f.sane] as const,
  [`${f.kind} (broken)`, f.bench ?? cell(), f.broken ?? f.sane] as const,
])

const keys = (trace: Trace): Set<string> =>
  new Set(trace.findings.map((f) => `${f.code} ${f.at.split('/').slice(0, 3).join('/')}`))

const missing = (small: Trace, large: Trace): string[] => {
  const has = keys(large)
  return [...keys(small)].filter((key) => !has.has(key))
}

/** Random short plans over the things of the cell: most are nonsense, and laws hold for nonsense. */
const vessels = [
  'trough',
  'plate:A1',
  'plate:B1',
  'plate:*',
  'wide:A1',
  'chlor_jar',
  'sour_jar',
  'drain',
  'pcr:A1',
  'spirit_jar',
  'ghost',
]
const places = ['spot_1', 'spot_2', 'hot_spot', 'counter', 'home', 'bay', 'nowhere']
const things = ['plate', 'wide', 'trough', 'pcr', 'vial']
const some = <T>(list: readonly T[]) => fc.constantFrom(...list)
const act = fc.oneof(
  fc.record({
    act: fc.constant('transfer' as const),
    from: some(vessels),
    to: some(vessels),
    volume: fc.integer({ min: 1, max: 400 }).map((v) => `${v} uL`),
    with: fc.constant('head'),
    tip: some(['new_once', 'reuse']),
  }),
  fc.record({
    act: fc.constant('transfer' as const),
    from: some(vessels),
    to: fc.constant('head'),
    volume: fc.integer({ min: 1, max: 400 }).map((v) => `${v} uL`),
  }),
  fc.record({
    act: fc.constant('transfer' as const),
    from: fc.constant('head'),
    to: some(vessels),
    volume: fc.integer({ min: 1, max: 400 }).map((v) => `${v} uL`),
  }),
  fc.record({
    act: fc.constant('pick' as const),
    device: fc.constant('head'),
    thing: fc.constant('tips'),
    part: some(['A1', 'B1']),
  }),
  fc.record({
    act: fc.constant('place' as const),
    device: fc.constant('head'),
    place: fc.constant('solids'),
  }),
  fc.record({
    act: fc.constant('pick' as const),
    device: fc.constant('arm'),
    thing: some(things),
    place: some(places),
  }),
  fc.record({
    act: fc.constant('place' as const),
    device: fc.constant('arm'),
    thing: some(things),
    place: some(places),
  }),
  fc.record({
    act: fc.constant('move' as const),
    device: fc.constant('arm'),
    place: some(places),
    speed: some(['50 mm/s', '200 mm/s', '900 mm/s']),
  }),
  fc.record({
    act: fc.constant('set_temperature' as const),
    device: some(['heat', 'fuge']),
    temperature: some(['22 Cel', '60 Cel', '95 Cel', '120 Cel']),
  }),
  fc.record({ act: fc.constant('stop' as const), device: some(['heat', 'pump', 'fuge']) }),
  fc.record({
    act: some(['open', 'close'] as const),
    barrier: some(['gate', 'fuge_lid', 'cycler_lid', 'hatch']),
  }),
  fc.record({
    act: fc.constant('shake' as const),
    device: fc.constant('heat'),
    rotation: some(['0 rpm', '500 rpm', '9000 rpm']),
  }),
)
const plan: fc.Arbitrary<readonly StepGiven[]> = fc
  .array(act, { minLength: 1, maxLength: 8 })
  .map((acts) => acts.map((one, i) => ({ id: `n${i}`, acts: [one] })))

/** Other values that a recorded fact could have had. */
const otherValues: Readonly<Record<string, readonly unknown[]>> = {
  holds: ['', 'plate', 'trough'],
  place: ['home', 'bay', 'hot_spot'],
  tip: ['none', 'tips', 'small_tips'],
  speed: ['50 mm/s', '900 mm/s'],
  temperature: ['22 Cel', '95 Cel'],
  contents: [[], [{ substance: 'chlor', volume: '50 uL' }]],
}

/** A cell in which one thing is recorded with any value, and the same cell in which it is not. */
const recorded = fc
  .record({
    k: fc.nat(facts.length + inventory.length - 1),
    n: fc.nat(7),
    volume: fc.integer({ min: 0, max: 100 }),
    substance: some(['buffer', 'chlor', 'sour', 'spirit', 'serum a']),
  })
  .map(({ k, n, volume, substance }): readonly [known: Bench, forgotten: Bench] => {
    const fact = facts[k]
    if (fact !== undefined) {
      const values = otherValues[fact.fact] ?? [true, false]
      const value = values[n % values.length]
      return [cell({ facts: [{ ...fact, value }] }), cell({ facts: [{ ...fact, value: null }] })]
    }
    const thing = inventory[k - facts.length]?.thing ?? ''
    const known = [{ thing, contents: [{ substance, volume: `${volume} uL` }] }]
    return [cell({ inventory: known }), cell({ inventory: [{ thing, contents: [] }] })]
  })

describe('laws of the dry run', () => {
  it('what is forgotten at the start never removes a finding', () => {
    fc.assert(
      fc.property(plan, recorded, (steps, [known, forgotten]) => {
        expect(missing(run(known, steps), run(forgotten, steps))).toEqual([])
      }),
      { numRuns: 400 },
    )
  })

  it.each(plans)('what is forgotten never removes a finding: %s', (_kind, bench, steps) => {
    const known = run(bench, steps)
    for (const fact of bench.state.facts) {
      const state = {
        ...bench.state,
        facts: bench.state.facts.map((f) => (f === fact ? { ...f, value: null } : f)),
      }
      const forgot = run({ ...bench, state }, steps)
      expect(missing(known, forgot), `${fact.thing} ${fact.fact}`).toEqual([])
    }
  })

  it('a wider quantity in the plan never removes a finding', () => {
    const wider = fc.record({ lo: fc.integer({ min: 1, max: 300 }), more: fc.nat(200) })
    fc.assert(
      fc.property(plan, wider, fc.nat(7), (steps, { lo, more }, k) => {
        const at = (value: unknown): StepGiven[] =>
          steps.map((s, i) =>
            i === k % steps.length && s.acts[0]?.act === 'transfer'
              ? { ...s, acts: [{ ...s.acts[0], volume: value }] }
              : s,
          )
        const small = run(cell(), at({ lo, hi: lo }))
        const large = run(cell(), at({ lo: Math.max(0.5, lo - more), hi: lo + more }))
        expect(missing(small, large)).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it('a step that may be skipped never removes a finding', () => {
    fc.assert(
      fc.property(plan, fc.nat(7), (steps, k) => {
        const one = steps.map((s, i) =>
          i === k % steps.length ? { ...s, when: true as const } : s,
        )
        expect(missing(run(cell(), steps), run(cell(), one))).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it('names mean nothing: a renamed cell gives the same findings', () => {
    const known = new Map<string, string>()
    const rename = (text: string): string => {
      const [name = '', ...part] = text.split(':')
      if (!names.has(name)) return text
      const short = known.get(name) ?? `x${known.size}q`
      known.set(name, short)
      return [short, ...part].join(':')
    }
    const deep = (value: unknown): unknown => {
      if (typeof value === 'string') return rename(value)
      if (Array.isArray(value)) return value.map(deep)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [
          key,
          untouched.has(key) ? inner : deep(inner),
        ]),
      )
    }
    const names = new Set(
      [site.zones, site.places, site.devices, site.barriers, site.kinds, site.streams]
        .flat()
        .map((row) => row.id)
        .concat(inventory.map((item) => item.thing)),
    )
    const untouched = new Set([
      'act',
      'class',
      'fact',
      'people',
      'substance',
      'contents',
      'source',
      'code',
    ])
    fc.assert(
      fc.property(plan, (steps) => {
        const plain = cell()
        const renamed: Bench = {
          registry: deep(plain.registry) as Bench['registry'],
          state: deep(plain.state) as Bench['state'],
        }
        const other = deep(steps) as StepGiven[]
        const shape = (t: Trace) => t.findings.map((f) => [f.kind, f.code, f.verdict, f.at])
        expect(shape(run(renamed, other))).toEqual(shape(run(plain, steps)))
      }),
      { numRuns: 200 },
    )
  })

  it('the ids of steps whose order is stated change nothing', () => {
    fc.assert(
      fc.property(plan, (steps) => {
        const shape = (t: Trace) => t.findings.map((f) => [f.kind, f.code, f.at])
        const other = steps.map((s, i) => ({ ...s, id: `z${9 - i}` }))
        expect(shape(run(cell(), other))).toEqual(shape(run(cell(), steps)))
      }),
      { numRuns: 100 },
    )
  })

  it('is a function: it keeps nothing between runs and changes nothing that it is given', () => {
    fc.assert(
      fc.property(plan, (steps) => {
        const bench = cell()
        const read = scene(bench, steps)
        const before = JSON.stringify([bench.state, bench.registry, read.steps.map((s) => s.acts)])
        const ports = portsOf(bench.registry)
        const one = simulate(read, bench.registry, bench.state, now_ms, ports)
        const two = simulate(read, bench.registry, bench.state, now_ms, ports)
        expect(two).toEqual(one)
        const after = JSON.stringify([bench.state, bench.registry, read.steps.map((s) => s.acts)])
        expect(after).toBe(before)
        // JSON has no infinity and no NaN: the trace goes into a digest.
        expect(JSON.parse(JSON.stringify(one))).toEqual(one)
      }),
      { numRuns: 100 },
    )
  })
})
