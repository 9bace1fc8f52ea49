// What a step may rest on because the run itself asks for it: the bound in the unit of the scene, whatever
// unit it was written in, and no more than the condition says.
import { describe, expect, it } from 'vitest'
import type { RunCondition } from '../../../protocol/condition.ts'
import type { PlanNode } from '../../../protocol/plan.ts'
import { assuredBy } from '../../../verify/simulate/assured.ts'

type Args = Parameters<typeof assuredBy>

/** What is sure of the bath, after `look` has read it in kelvin. */
function sure(
  conditions: Partial<Pick<PlanNode, 'when' | 'require'>>,
  { changedAt = -1, age, holds }: { changedAt?: number; age?: string; holds?: number } = {},
) {
  const result = { quantity: 'temperature', unit: 'K', of: 'bath', kind: 'observed' }
  const look = { i: 0, row: { meaning: { results: { '/t': result } } } }
  const seconds = { kind: 'quantity', dim: 'time', value: { lo: 0, hi: holds ?? 0 } }
  const cycles = { kind: 'quantity', dim: 'count', value: { lo: 1, hi: 30 } }
  const roles = { holds: [seconds], cycles: [cycles] }
  const cycle = { i: 1, opaque: null, acts: [{ act: 'run_profile', roles }] }
  const step = { i: 2, row: null, node: { id: 'heat', ...conditions } }
  const state = { stamps: new Map([['bath|temperature', changedAt]]) }
  const fact_age = age === undefined ? {} : { temperature: age }
  const world = { registry: { tools: [], fact_age } }
  const earlier: [string, unknown][] = [
    ['look', look],
    ['cycle', cycle],
  ]
  const given = [world, step, state, new Map(earlier)] as unknown as Args
  return assuredBy(...given).get('bath|temperature')
}

const t = { result: { node: 'look', pointer: '/t' } }
const cold: RunCondition = { ...t, unit: 'K', le: 300 }
const interval = (value: ReturnType<typeof sure>) => {
  const { lo, hi } = value as { lo: number; hi: number }
  return [lo, hi].map((end) => (Number.isFinite(end) ? Number(end.toFixed(6)) : end))
}

describe('a condition', () => {
  it.each<[string, RunCondition, [number, number]]>([
    ['in kelvin', cold, [-Infinity, 26.85]],
    ['in degrees', { ...t, unit: 'Cel', ge: 10, le: 26 }, [10, 26]],
    ['without a unit, in that of the result', { ...t, le: 300 }, [-Infinity, 26.85]],
    ['with open ends', { ...t, unit: 'Cel', gt: 10, lt: 26 }, [10, 26]],
    ['with several bounds', { ...t, unit: 'Cel', gt: 10, ge: 12, lt: 30, le: 26 }, [12, 26]],
    ['as one value', { ...t, unit: 'K', eq: 300 }, [26.85, 26.85]],
  ])('%s bounds the fact', (_, condition, ends) => {
    expect(interval(sure({ require: condition }))).toEqual(ends)
    expect(interval(sure({ when: condition }))).toEqual(ends)
  })

  it('in a unit that is not read makes nothing sure', () => {
    expect(sure({ require: { ...t, unit: 'furlong', le: 3 } })).toBeUndefined()
  })

  it('of which only one of several must hold makes nothing sure', () => {
    expect(sure({ require: { any: [cold, { ...t, ge: 0 }] } })).toBeUndefined()
    expect(sure({ when: { not: cold } })).toBeUndefined()
  })

  it('over a reading from before the last change makes nothing sure', () => {
    expect(sure({ require: cold }, { changedAt: 0 })).toBeUndefined()
  })

  it('makes sure what a device holds however long, unless the site states an age', () => {
    expect(sure({ require: cold }, { holds: 60 })).toBeDefined()
    expect(sure({ require: cold }, { holds: 60, age: '30 min' })).toBeDefined()
    expect(sure({ require: cold }, { holds: 61, age: '30 min' })).toBeUndefined()
  })
})
