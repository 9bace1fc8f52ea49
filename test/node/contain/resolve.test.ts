// References become values or a miss with a name (invariant 15). One good case, and each miss by one change.
import { describe, expect, test } from 'vitest'
import { decideNode } from '../../../contain/decide-node.ts'
import { resolveArgs, resolvedDigest } from '../../../contain/resolve.ts'
import type { Known } from '../../../contain/result-value.ts'
import type { Conversion } from '../../../protocol/conversion.ts'
import { digest } from '../../../protocol/digest.ts'
import type { NodeProgress } from '../../../protocol/frames.ts'
import type { JsonObject, JsonValue } from '../../../protocol/json.ts'
import { missCodes } from '../../../protocol/misses.ts'
import type { NodeResult } from '../../../protocol/node-result.ts'
import type { PlanNode } from '../../../protocol/plan.ts'
import { chain, conversion, knownAfter, rows, structured } from '../../shared/referring-plan.ts'

const mass = { $from: { node: 'n1', pointer: '/mass', unit: 'ug', min: 100, max: 5_000 } }
const state = { $from: { node: 'n1', pointer: '/state', enum: ['stable'] } }

type Case = {
  readonly args?: JsonObject
  readonly conversions?: Conversion[]
  readonly weighed?: JsonValue
  readonly result?: NodeResult
  readonly progress?: Record<string, NodeProgress>
  readonly known?: Partial<Known>
}

/** n3 with `args`, after n1 gave `weighed`. */
function resolved(how: Case) {
  const { args = { amount: mass }, weighed = { mass: 1.5 } } = how
  const conversions = how.conversions ?? [conversion('/args/amount', ['mg', 'ug'])]
  const nodes = chain({ args })
  const n1 = how.result ?? structured(weighed)
  const before = knownAfter(nodes, conversions, { n1, n2: structured({ volume: 2 }) })
  const progress = new Map([...before.progress, ...Object.entries(how.progress ?? {})])
  const node = nodes[2] as PlanNode
  return resolveArgs({ ...before, progress, ...how.known }, node)
}

const missOf = (how: Case) => {
  const out = resolved(how)
  return out.ok ? JSON.stringify(out.value.args) : out.error.code
}

describe('a reference', () => {
  test('becomes its value in the unit of the argument, wherever it stands', () => {
    const args = { a: [{ 'x/y': mass }], b: state, c: 'fixed', d: [1, null] }
    const conversions = [conversion('/args/a/0/x~1y', ['mg', 'ug'])]
    const out = resolved({ args, conversions, weighed: { mass: 1.5, state: 'stable' } })
    expect(out).toEqual({
      ok: true,
      value: {
        args: { a: [{ 'x/y': 1_500 }], b: 'stable', c: 'fixed', d: [1, null] },
        placed: [
          { at: '/args/a/0/x~1y', value: 1_500 },
          { at: '/args/b', value: 'stable' },
        ],
      },
    })
  })

  test('is tested against its bounds after conversion, both ends inside', () => {
    expect(missOf({ weighed: { mass: 0.1 } })).toBe('{"amount":100}')
    expect(missOf({ weighed: { mass: 5 } })).toBe('{"amount":5000}')
    expect(missOf({ weighed: { mass: 0.0999999 } })).toBe('below_min')
    expect(missOf({ weighed: { mass: 5.0000001 } })).toBe('above_max')
  })

  test('to a flag takes the very flag', () => {
    const args = { open: { $from: { node: 'n1', pointer: '/lid/open', enum: [false] } } }
    expect(missOf({ args, weighed: { lid: { open: false } } })).toBe('{"open":false}')
    expect(missOf({ args, weighed: { lid: { open: true } } })).toBe('not_listed')
    expect(missOf({ args, weighed: { lid: { open: 'false' } } })).toBe('not_listed')
    expect(missOf({ args, weighed: { lid: { open: 0 } } })).toBe('wrong_type')
  })

  const none: NodeResult = { data: null, from: 'none', kept: [], left_out: 0 }
  const kept = [{ type: 'application/json', bytes: 50_000, digest: `blob:${'A'.repeat(43)}` }]
  const from = (more: object): Case => ({ args: { amount: { $from: { ...mass.$from, ...more } } } })
  const misses: [(typeof missCodes)[number], string, Case][] = [
    ['not_ancestor', 'of a node that is none', from({ node: 'n9' })],
    ['not_ancestor', 'of itself', from({ node: 'n3' })],
    ['not_succeeded', 'of a skipped node', { progress: { n1: 'skipped' } }],
    ['not_succeeded', 'of a failed node', { progress: { n1: 'failed' } }],
    ['not_succeeded', 'of one nobody knows the end of', { progress: { n1: 'unknown' } }],
    ['not_succeeded', 'of one that still runs', { progress: { n1: 'executing' } }],
    ['not_declared', 'to a pointer that the row does not declare', from({ pointer: '/raw' })],
    ['not_declared', 'under a row that declares nothing', { known: { rows: [] } }],
    ['no_result', 'without an answer', { known: { results: new Map() } }],
    ['no_result', 'to an answer of nothing', { result: none }],
    ['kept_by_digest', 'to an answer that was too large', { result: { ...none, kept } }],
    ['no_value', 'that leads nowhere', { weighed: {} }],
    ['no_value', 'into a text', { weighed: 'mass: 1.5' }],
    [
      'no_value',
      'to a member that every object has',
      { ...from({ pointer: '/state' }), weighed: {} },
    ],
    ['wrong_type', 'to a number as text', { weighed: { mass: '1.5' } }],
    ['wrong_type', 'to null', { weighed: { mass: null } }],
    ['wrong_type', 'to a flag', { weighed: { mass: true } }],
    ['wrong_type', 'to a list', { weighed: { mass: [1.5] } }],
    ['wrong_type', 'closed, to a number', { args: { s: state }, weighed: { state: 1 } }],
    ['not_exact', 'to NaN', { weighed: { mass: Number.NaN } }],
    ['not_exact', 'to infinity', { weighed: { mass: Number.POSITIVE_INFINITY } }],
    ['not_exact', 'to minus nothing', { weighed: { mass: -0 } }],
    ['not_exact', 'beyond 2^53', { weighed: { mass: 2 ** 53 } }],
    ['not_exact', 'beyond 2^53 after conversion', { weighed: { mass: 2 ** 50 } }],
    ['no_conversion', 'for a place that the context does not name', { conversions: [] }],
    [
      'not_whole',
      'where a whole number is wanted',
      { conversions: [conversion('/args/amount', ['mg', 'ug'], true)], weighed: { mass: 1.0005 } },
    ],
    ['below_min', 'below', { weighed: { mass: 0 } }],
    ['above_max', 'above', { weighed: { mass: 6 } }],
    [
      'not_listed',
      'closed, to another text',
      { args: { s: state }, weighed: { state: 'drifting' } },
    ],
    ['not_listed', 'closed, in another case', { args: { s: state }, weighed: { state: 'Stable' } }],
    ['malformed', 'without bounds', { args: { a: { $from: { node: 'n1', pointer: '/mass' } } } }],
  ]
  test.each(misses)('misses as %s: %s', (code, _, how) => {
    expect(missOf(how)).toBe(code)
  })

  test('has a case for every miss but the one of long texts, which only conditions have', () => {
    const shown = new Set(misses.map(([code]) => code))
    expect(missCodes.filter((code) => !shown.has(code))).toEqual(['too_long'])
  })

  test('to a node that only the order puts before it misses', () => {
    const nodes = chain({ args: { amount: mass }, depends_on: [] })
    const known = knownAfter(nodes, [conversion('/args/amount', ['mg', 'ug'])], {
      n1: structured({ mass: 1.5 }),
    })
    expect(resolveArgs(known, nodes[2] as PlanNode)).toMatchObject({
      error: { code: 'not_ancestor' },
    })
  })

  test('gives the digest of what is called, which is not that of the template', async () => {
    const out = resolved({})
    if (!out.ok) throw new Error(out.error.code)
    expect(await resolvedDigest(out.value.args)).toBe(await digest('args', { amount: 1_500 }))
    expect(await resolvedDigest(out.value.args)).not.toBe(await digest('args', { amount: mass }))
  })
})

const result = (pointer: string) => ({ node: 'n1', pointer })

describe('a condition', () => {
  const heavy = { result: result('/mass'), unit: 'mg', gt: 1 }
  const stable = { result: result('/state'), eq: 'stable' }

  function decided(more: Partial<PlanNode>, weighed: JsonValue = { mass: 1.5, state: 'stable' }) {
    const nodes = chain(more)
    const places = ['/when', '/when/all/0', '/when/any/0', '/when/not', '/require']
    const conversions = places.map((at) => conversion(at, ['mg', 'mg']))
    const results = { n1: structured(weighed) }
    return decideNode(knownAfter(nodes, conversions, results), nodes[2] as PlanNode)
  }

  test('that holds lets the node run', () => {
    expect(decided({ when: { all: [heavy, stable] } }).do).toBe('run')
    expect(decided({ when: { any: [{ ...heavy, gt: 9 }, stable] } }).do).toBe('run')
    expect(decided({ require: heavy }).do).toBe('run')
  })

  test('`when` that does not hold skips it, with everything that was compared', () => {
    expect(decided({ when: { all: [{ ...heavy, gt: 9 }, stable] } })).toEqual({
      do: 'skip',
      values: [1.5, 'stable'],
    })
    expect(decided({ when: { not: heavy } })).toEqual({ do: 'skip', values: [1.5] })
  })

  test('`require` that does not hold ends the session', () => {
    expect(decided({ require: { ...heavy, gt: 9 } })).toEqual({
      do: 'end',
      ending: { reason: 'require_not_met', values: [1.5] },
    })
  })

  test.each<[string, Partial<PlanNode>, JsonValue]>([
    ['a missing value', { when: heavy }, {}],
    ['a number as text', { when: heavy }, { mass: '1.5' }],
    ['a text that is a number', { when: stable }, { state: 1 }],
    ['a text that is too long', { when: stable }, { state: 'x'.repeat(201) }],
    ['a part that the rest would settle', { when: { any: [heavy, stable] } }, { mass: 2 }],
  ])('is a miss, never false: %s', (_, more, weighed) => {
    const out = decided(more, weighed)
    expect(out).toMatchObject({ do: 'end', ending: { reason: 'reference_missed' } })
  })

  test('a node behind a skipped one is skipped, whatever its own condition says', () => {
    const nodes = chain({ require: { ...heavy, gt: 9 } })
    const known = knownAfter(nodes, [], {})
    const progress = new Map<string, NodeProgress>([...known.progress, ['n2', 'skipped']])
    expect(decideNode({ ...known, progress }, nodes[2] as PlanNode)).toEqual({
      do: 'skip',
      values: [],
    })
  })

  test.each<[object, number, boolean]>([
    [{ eq: 1.5 }, 1.5, true],
    [{ ne: 1.5 }, 1.5, false],
    [{ lt: 1.5 }, 1.5, false],
    [{ le: 1.5 }, 1.5, true],
    [{ gt: 1.5 }, 1.5, false],
    [{ ge: 1.5 }, 1.5, true],
    [{ ge: 1, lt: 2 }, 2, false],
    [{ ge: 1, lt: 2 }, 1, true],
  ])('%j of %d is %s', (operands, value, expected) => {
    const when = { result: result('/mass'), ...operands }
    expect(decided({ when }, { mass: value }).do).toBe(expected ? 'run' : 'skip')
  })

  test('reads the rows that were signed, and no others', () => {
    expect(rows.find(({ tool }) => tool === 'pump.dispense')?.results).toEqual({})
    const when = { result: { node: 'n2', pointer: '/toString' }, eq: 1 }
    expect(decided({ when })).toMatchObject({ do: 'end' })
  })
})
