// The dry run at bind against the one that was shown, and what a run leaves in its cell. Plans of the
// demo lab's own set, each over the state that stands beside it.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { planSchema } from '../../../protocol/plan.ts'
import { registrySchema } from '../../../protocol/registry.ts'
import { cellRecordSchema, unknownState, type CellState } from '../../../protocol/state.ts'
import { changedSince, leftBy, touchedBy, traceDecided } from '../../../verify/review/left.ts'
import type { ReviewSpec } from '../../../verify/review/state.ts'
import type { Trace } from '../../../verify/simulate/trace.ts'
import { specOf } from './fixture.ts'

type Row = {
  id: string
  label: string
  goal: string
  instructions: string[]
  nodes: object[]
  planner?: { id: string }
  state?: object
}

const lab = new URL('../../../lab/', import.meta.url)
const text = (path: string): string => readFileSync(new URL(path, lab), 'utf8')
const registry = registrySchema.parse(JSON.parse(text('site/lc7/registry.json')))
const at = Date.UTC(2026, 10, 30)

function specFor(row: Row): ReviewSpec {
  const { goal, instructions, nodes, planner = { id: 'x' } } = row
  const record = cellRecordSchema.parse(row.state ?? {})
  const facts = record.facts.map((fact) => {
    return { ...fact, source: 'person' as const, by: 'olga', at_ms: at }
  })
  const cell_state: CellState = { ...record, facts, cell: 'cell-1', version: 1 }
  const given = specOf()
  return {
    ...given,
    plan: planSchema.parse({ goal, instructions, nodes, planner }),
    snapshot: { ...given.snapshot, registry, cell_state },
    received_ms: at,
  }
}

const rows = text('eval/data/dev-40.v2.jsonl')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Row)
const specs = rows
  .filter(({ label }) => label === 'accept')
  .map((row) => ({ row, spec: specFor(row) }))
const shownState = (spec: ReviewSpec): CellState => spec.snapshot.cell_state
const later = at + 60_000

/** Every recorded and inferred fact that the run rests on is taken away. */
const forgotten = (spec: ReviewSpec): CellState => {
  const trace = traceDecided(spec)
  const source = { source: 'session' as const, by: 'sess_9', at_ms: at }
  const facts = trace.rested_on.map(({ thing, part, fact }) => {
    return { thing, ...(part === null ? {} : { part }), fact, value: null, ...source }
  })
  return { ...shownState(spec), facts }
}

const changed = (spec: ReviewSpec, now: Parameters<typeof changedSince>[1]['now']) =>
  changedSince(spec, { now, now_ms: later, covered: false })

describe('the dry run at bind', () => {
  test('holds over a cell that nobody touched', () => {
    expect(specs.length).toBeGreaterThan(10)
    for (const { row, spec } of specs) {
      expect([row.id, changed(spec, shownState(spec))]).toEqual([row.id, []])
    }
  })

  test('differs when the cell is not known any more', () => {
    const differing = specs.filter(({ spec }) => changed(spec, unknownState).length > 0)
    const resting = specs.filter(({ spec }) => traceDecided(spec).rested_on.length > 0)
    expect(resting.length).toBeGreaterThan(0)
    const missed = resting.filter(({ spec }) => changed(spec, forgotten(spec)).length === 0)
    // Facts on which nothing turns may go; that they never turn anything is not so.
    expect(missed.length).toBeLessThan(resting.length / 2)
    expect(differing.length).toBeGreaterThan(0)
  })

  test('differs when a person has put something on hold meanwhile', () => {
    const items = ({ snapshot }: ReviewSpec) => snapshot.cell_state.inventory
    const using = specs.filter(({ spec }) => {
      const trace = traceDecided(spec)
      const moved = new Set(trace.steps.flatMap(({ changes }) => changes.map((c) => c.thing)))
      return items(spec).some(({ thing }) => moved.has(thing))
    })
    expect(using.length).toBeGreaterThan(0)
    for (const { row, spec } of using) {
      const inventory = items(spec).map((item) => ({ ...item, held: true }))
      const now = changed(spec, { ...shownState(spec), inventory })
      expect([row.id, now.some((d) => 'code' in d && d.code === 'THING_HELD')]).toEqual([
        row.id,
        true,
      ])
    }
  })

  test('a plan without steps touches nothing', () => {
    const spec = specs[0]!.spec
    const plan = { ...spec.plan, nodes: [] }
    expect(changed({ ...spec, plan }, unknownState)).toEqual([])
  })
})

describe('what a run leaves', () => {
  const some = specs.flatMap(({ spec }) => {
    const trace = traceDecided(spec)
    return trace.steps.some(({ changes }) => changes.length > 0) ? [{ spec, trace }] : []
  })

  test('is not known while it runs, and afterwards only where it is certain', () => {
    expect(some.length).toBeGreaterThan(3)
    for (const { trace } of some) {
      const touched = touchedBy(trace)
      const left = leftBy(trace)
      expect(touched.every(({ value }) => value === null)).toBe(true)
      const names = (facts: typeof left) => facts.map((f) => `${f.thing}|${f.part}|${f.fact}`)
      expect(names(left)).toEqual(names(touched))
      expect(new Set(names(left)).size).toBe(left.length)
    }
    expect(some.some(({ trace }) => leftBy(trace).some(({ value }) => value !== null))).toBe(true)
  })

  test('a step that may have been skipped, or was one case of several, leaves nothing known', () => {
    const [first] = some.filter(({ trace }) => leftBy(trace).some(({ value }) => value !== null))
    const { spec } = first!
    const known = (nodes: typeof spec.plan.nodes) =>
      leftBy(traceDecided({ ...spec, plan: { ...spec.plan, nodes } })).filter(
        ({ value }) => value !== null,
      )
    const { nodes } = spec.plan
    expect(known(nodes).length).toBeGreaterThan(0)
    const when = { result: { node: nodes[0]!.id, pointer: '/x' }, eq: true } as const
    const conditional = nodes.map((node, i) => (i === 0 ? node : { ...node, when }))
    const only = nodes.slice(1).flatMap(({ id }) => id)
    const left = traceDecided({ ...spec, plan: { ...spec.plan, nodes: conditional } })
    expect(left.steps.filter(({ node }) => only.includes(node)).map(({ sure }) => sure)).toEqual(
      only.map(() => false),
    )
    const moved = { ...left, steps: left.steps.filter(({ node }) => only.includes(node)) }
    expect(leftBy(moved).filter(({ value }) => value !== null)).toEqual([])
  })

  test('the same plan again, over what it left, is not the same where it poured', () => {
    // Where the cell keeps a certain new amount; what was never known stays unknown.
    const poured = some.filter(({ spec, trace }) =>
      leftBy(trace).some(
        ({ thing, fact, value }) =>
          fact === 'contents' &&
          value !== null &&
          shownState(spec).inventory.some((item) => item.thing === thing),
      ),
    )
    expect(poured.length).toBeGreaterThan(0)
    for (const { spec, trace } of poured) {
      const source = { source: 'session' as const, by: 'sess_9', at_ms: at + 1 }
      const facts = [
        ...shownState(spec).facts,
        ...leftBy(trace).map((fact) => ({ ...fact, ...source })),
      ]
      expect(changed(spec, { ...shownState(spec), facts })).not.toEqual([])
    }
  })

  test('of several parts at once the whole is not known, whatever one of them was before', () => {
    const change = (part: string, fact: 'contents' | 'contents_volume', hi: number) => {
      const after = { kind: 'quantity', value: { lo: hi, hi }, unit: 'uL' } as const
      return { thing: 'rack', part, fact, before: null, after }
    }
    const step = (part: string, hi: number) => {
      return { changes: [change(part, 'contents_volume', hi)], sure: true }
    }
    const trace = { steps: [step('A1', 5), step('*', 0), step('B1', 7)] } as unknown as Trace
    expect(leftBy(trace)).toEqual([
      { thing: 'rack', fact: 'contents_volume', value: null },
      { thing: 'rack', part: 'B1', fact: 'contents_volume', value: '7 uL' },
    ])
  })
})
