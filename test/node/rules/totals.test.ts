// Rules that limit a sum: divided over steps, wells, spellings, plans and planners it is the same sum.
import { describe, expect, test } from 'vitest'
import type { Total } from '../../../protocol/totals.ts'
import { pottery, ruled, stateOf, traceOf } from './kiln.ts'

const crocks = ['crock-1', 'crock-2', 'crock-3'].map((thing) => ({
  thing,
  kind: 'crock',
  at: 'bench',
}))
const pour = (ml: number, to: string | string[] = 'crock-2') => ({
  tool: 'pour',
  args: { from: 'crock-1', to: [to].flat(), ml, glaze: 'water' },
})
const limited = (total: object, max: string) =>
  pottery([
    { id: 'R', text: 'R', if: { act: 'transfer' }, needs: { is: total, le: max }, else: 'reject' },
  ])
const daily = limited({ total: 'volume', over: 'day' }, '100 mL')
const kept = (lo: number, hi: number | null, more: Partial<Total> = {}): Total => ({
  rule: 'R',
  role: 'volume',
  of: '',
  dim: 'volume',
  over: 'day',
  whose: 'site',
  lo: lo * 1_000,
  hi: hi === null ? null : hi * 1_000,
  ...more,
})
const found = (registry: typeof daily, totals: Total[] | undefined, ...nodes: object[]) => {
  const state = { ...stateOf(crocks), ...(totals === undefined ? {} : { totals }) }
  return ruled(traceOf(registry, state, nodes as Parameters<typeof traceOf>[2]), 'R').found
}

describe('a total over plans', () => {
  test('adds what ran, what is reserved and what this plan does', () => {
    expect(found(daily, [kept(40, 40)], pour(60))).toEqual([])
    expect(found(daily, [kept(40, 40)], pour(61))).toEqual(['breach'])
    // Reserved may not run in the end: whether it is too much is not known, and a person decides.
    expect(found(daily, [kept(0, 40)], pour(61))).toEqual(['unknown'])
  })

  test('is the same however the amount is divided over steps', () => {
    const parts = Array.from({ length: 11 }, () => pour(10))
    expect(found(daily, [], ...parts)).toContain('breach')
    expect(found(daily, [], ...parts.slice(1))).toEqual([])
    // An amount is told for each vessel that it goes to.
    const both = pour(60, ['crock-2', 'crock-3'])
    expect(found(daily, [], both)).toEqual(['unknown'])
  })

  test('is not known where nobody kept it, where nobody can say, and where it grew', () => {
    expect(found(daily, undefined, pour(1))).toEqual(['unknown'])
    expect(found(daily, [kept(0, null)], pour(1))).toEqual(['unknown'])
    expect(found(daily, [kept(0, 1, { dim: 'mass', lo: 0, hi: 1 })], pour(1))).toEqual(['unknown'])
  })

  test('of another rule, period or person says nothing', () => {
    for (const more of [{ rule: 'S' }, { over: 'week' }, { whose: 'owner' }] as const) {
      expect(found(daily, [kept(99, 99, more)], pour(60))).toEqual([])
    }
    const own = limited({ total: 'volume', over: 'day', whose: 'owner' }, '100 mL')
    expect(found(own, [kept(99, 99, { whose: 'owner' })], pour(60))).toEqual(['breach'])
    expect(found(own, [kept(99, 99)], pour(60))).toEqual([])
  })

  test('of a thing counts for that thing under any spelling, and for one that nobody knew', () => {
    const each = limited({ total: 'volume', of: '$to', over: 'day' }, '100 mL')
    expect(found(each, [kept(60, 60, { of: 'crock-2' })], pour(60, 'Crock 2'))).toEqual(['breach'])
    expect(found(each, [kept(60, 60, { of: 'crock-3' })], pour(60))).toEqual([])
    expect(found(each, [kept(60, 60, { of: '*' })], pour(60))).toEqual(['unknown'])
    expect(found(each, [], pour(60), pour(60, 'crock-3'))).toEqual([])
    expect(found(each, [], pour(60), pour(60, 'CROCK-2'))).toContain('breach')
  })
})

describe('a total over the plan', () => {
  test('needs no counters', () => {
    const plan = limited({ total: 'volume', over: 'plan' }, '100 mL')
    expect(found(plan, undefined, pour(50), pour(50))).toEqual([])
    expect(found(plan, undefined, pour(50), pour(51))).toContain('breach')
  })
})
