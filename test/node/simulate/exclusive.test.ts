// Which conditions can hold together: against every pair of results that could decide them.
import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { RunCondition } from '../../../protocol/condition.ts'
import type { Step } from '../../../verify/read/scene.ts'
import type { Touch } from '../../../verify/simulate/context.ts'
import { exclusive } from '../../../verify/simulate/exclusive.ts'
import { entered, newLedger } from '../../../verify/simulate/order.ts'
import { foundIn } from '../rules/judged.ts'
import { planOf } from '../support/snapshot.ts'

const of = (node: string, more: object): RunCondition => ({
  result: { node, pointer: '/x' },
  ...more,
})

describe('two conditions', () => {
  it.each<[string, RunCondition, RunCondition, boolean]>([
    ['at most 30, above 30', of('a', { le: 30 }), of('a', { gt: 30 }), true],
    ['at most 30, at least 30', of('a', { le: 30 }), of('a', { ge: 30 }), false],
    ['one and its denial', of('a', { le: 30 }), { not: of('a', { le: 30 }) }, true],
    ['of two results', of('a', { le: 30 }), of('b', { gt: 30 }), false],
    ['of two units', of('a', { le: 30, unit: 'mL' }), of('a', { gt: 30, unit: 'uL' }), false],
    ['two words', of('a', { eq: 'up' }), of('a', { eq: 'down' }), true],
    ['a word and not that word', of('a', { eq: 'up' }), of('a', { ne: 'up' }), true],
  ])('%s', (_, a, b, apart) => {
    expect(exclusive(a, b)).toBe(apart)
    expect(exclusive(b, a)).toBe(apart)
  })
})

/** Whether a condition holds for the two results: the plain meaning of the words. */
function holds(condition: RunCondition, at: Readonly<Record<string, number>>): boolean {
  if ('all' in condition) return condition.all.every((one) => holds(one, at))
  if ('any' in condition) return condition.any.some((one) => holds(one, at))
  if ('not' in condition) return !holds(condition.not, at)
  const { eq, ne, lt, le, gt, ge, result } = condition
  const x = at[result.node] ?? 0
  return (
    (eq === undefined || x === eq) &&
    (ne === undefined || x !== ne) &&
    (lt === undefined || x < lt) &&
    (le === undefined || x <= le) &&
    (gt === undefined || x > gt) &&
    (ge === undefined || x >= ge)
  )
}

const number = fc.integer({ min: 0, max: 3 })
const simple = fc
  .record({
    node: fc.constantFrom('a', 'b'),
    parts: fc
      .dictionary(fc.constantFrom('eq', 'ne', 'lt', 'le', 'gt', 'ge'), number, { minKeys: 1 })
      .map((parts) => ({ ...parts })),
  })
  .map(({ node, parts }) => of(node, parts))
const { condition } = fc.letrec<{ condition: RunCondition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    simple,
    fc.array(tie('condition'), { minLength: 1, maxLength: 2 }).map((all) => ({ all })),
    fc.array(tie('condition'), { minLength: 1, maxLength: 2 }).map((any) => ({ any })),
    tie('condition').map((not) => ({ not })),
  ),
}))
const halves = [-1, 0, 0.5, 1, 1.5, 2, 2.5, 3, 4]

test('that are said to exclude each other never both hold', () => {
  let seen = 0
  fc.assert(
    fc.property(condition, condition, (a, b) => {
      if (!exclusive(a, b)) return
      seen += 1
      for (const x of halves) {
        for (const y of halves)
          expect(holds(a, { a: x, b: y }) && holds(b, { a: x, b: y })).toBe(false)
      }
    }),
    { numRuns: 3_000 },
  )
  expect(seen).toBeGreaterThan(100)
})

describe('two branches of a plan that use one device', () => {
  const mass = { node: 'n1', pointer: '/mass_mg' }
  const speed = (rpm: number, when: RunCondition) => ({
    tool: 'heater_shaker.set_speed',
    args: { device_id: 'hs_1', rpm, duration_s: 60 },
    depends_on: ['n1'],
    when,
  })
  const branches = (first: RunCondition, second: RunCondition) =>
    foundIn(
      planOf([
        { tool: 'balance.read', args: { balance_id: 'bal_1' } },
        speed(200, first),
        speed(400, second),
      ]),
    )
  const light: RunCondition = { result: mass, unit: 'mg', le: 100 }

  it('need no order between them when at most one runs', () => {
    expect(branches(light, { result: mass, unit: 'mg', gt: 100 })).not.toContain('DRYRUN_ORDER')
  })

  it('need one with what an excluded branch follows', () => {
    const step = (id: string, after: string[], when?: RunCondition): Step => {
      const own = { id, tool: 'x', args: {}, depends_on: after, sandbox: null }
      const node = { ...own, ...(when === undefined ? {} : { when }) }
      return { node, after: new Set(after), at: `/nodes/${id}` } as Partial<Step> as Step
    }
    const use = (mode: Touch['mode']): Touch[] => [{ thing: 'v', group: 'fill', part: null, mode }]
    const ledger = newLedger()
    const heavy: RunCondition = { result: mass, unit: 'mg', gt: 100 }
    // n3 follows n2 and excludes n4; between n2 and n4 nothing is stated.
    expect(entered(ledger, step('n2', []), use('adds'))).toEqual([])
    expect(entered(ledger, step('n3', ['n1', 'n2'], light), use('adds'))).toEqual([])
    const [found] = entered(ledger, step('n4', ['n1'], heavy), use('draws'))
    expect(found?.facts).toMatchObject({ other: 'n2' })
  })

  it('need one when both may run', () => {
    expect(branches(light, { result: mass, unit: 'mg', ge: 50 })).toContain('DRYRUN_ORDER')
  })
})
