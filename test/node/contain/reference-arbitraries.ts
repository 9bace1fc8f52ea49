// Random graphs whose nodes take results of one another and run on conditions, and what devices answer.
import * as fc from 'fast-check'
import type { RunCondition } from '../../../protocol/condition.ts'
import type { JsonValue } from '../../../protocol/json.ts'
import type { ModelNode, Taken } from './reference-model.ts'
import { dag } from './schedule-arbitraries.ts'

const bound = fc.constantFrom(-1, 0, 1, 2.5, 1_000, 2_500, 4_000)

/** Mostly a node before it; sometimes any, or none of the plan. */
const nodeOf = (own: readonly string[], all: readonly string[]): fc.Arbitrary<string> => {
  const strange = fc.constantFrom(...all, 'nowhere')
  return own.length === 0
    ? strange
    : fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom(...own) },
        { weight: 1, arbitrary: strange },
      )
}

const pointer = (good: string) =>
  fc.oneof(
    { weight: 15, arbitrary: fc.constant(good) },
    { weight: 1, arbitrary: fc.constant('/y') },
  )

const numberTaken = (node: fc.Arbitrary<string>): fc.Arbitrary<Taken> =>
  fc
    .record({
      node,
      pointer: pointer('/x'),
      unit: fc.constantFrom('mg' as const, 'ug' as const),
      wide: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
      ends: fc.tuple(bound, bound),
    })
    .map(({ wide, ends: [a, b], ...rest }) => ({
      ...rest,
      min: wide ? -10_000 : Math.min(a, b),
      max: wide ? 10_000 : Math.max(a, b),
    }))

const closedTaken = (node: fc.Arbitrary<string>): fc.Arbitrary<Taken> =>
  fc.record({
    node,
    pointer: pointer('/s'),
    enum: fc.oneof(
      { weight: 3, arbitrary: fc.constant(['a', 'b', true]) },
      { weight: 1, arbitrary: fc.subarray<string | boolean>(['a', 'b', true], { minLength: 1 }) },
    ),
  })

const comparison = (node: fc.Arbitrary<string>): fc.Arbitrary<RunCondition> =>
  fc.oneof(
    fc
      .record({ node, pointer: pointer('/x'), unit: fc.constantFrom('mg', 'ug'), at: bound })
      .chain(({ node: from, pointer: to, unit, at }) =>
        fc.constantFrom<RunCondition>(
          { result: { node: from, pointer: to }, unit, gt: at },
          { result: { node: from, pointer: to }, unit, le: at },
        ),
      ),
    fc
      .record({ node, pointer: pointer('/s') })
      .chain((result) => fc.constantFrom<RunCondition>({ result, eq: 'a' }, { result, ne: 'b' })),
  )

const condition = (node: fc.Arbitrary<string>): fc.Arbitrary<RunCondition> => {
  const one = comparison(node)
  const parts = fc.array(one, { minLength: 1, maxLength: 3 })
  return fc.oneof(
    { weight: 3, arbitrary: one },
    parts.map((all): RunCondition => ({ all })),
    parts.map((any): RunCondition => ({ any: [{ not: { all: any } }, ...any] })),
    one.map((not): RunCondition => ({ not })),
  )
}

const strangeNumber = fc.constantFrom<JsonValue | undefined>(
  undefined,
  null,
  '1',
  true,
  -0,
  2 ** 53,
  2 ** 50,
  Number.NaN,
  [1],
)
const answer = fc.record({
  x: fc.oneof(
    { weight: 14, arbitrary: fc.constantFrom<JsonValue | undefined>(0, 1, 2, 2.5, 3, 0.5, -1) },
    { weight: 1, arbitrary: strangeNumber },
  ),
  s: fc.oneof(
    { weight: 14, arbitrary: fc.constantFrom<JsonValue | undefined>('a', 'a', 'b') },
    {
      weight: 1,
      arbitrary: fc.constantFrom<JsonValue | undefined>(undefined, 1, 'c', 'A', '', true),
    },
  ),
})

function ancestors(
  nodes: readonly { id: string; deps: readonly string[] }[],
  id: string,
): string[] {
  const deps = nodes.find((node) => node.id === id)?.deps ?? []
  return [...new Set(deps.flatMap((dep) => [dep, ...ancestors(nodes, dep)]))]
}

/** A graph of up to seven nodes with references, conditions and answers. */
export const referringGraph: fc.Arbitrary<ModelNode[]> = dag.chain((nodes) => {
  const all = nodes.map(({ id }) => id)
  return fc.tuple(
    ...nodes.map(({ id, deps }) => {
      const own = ancestors(nodes, id)
      const node = nodeOf(own, all)
      // A node without any before it seldom takes anything: all that it could take misses.
      const often = own.length > 0
      const maybe = (arbitrary: fc.Arbitrary<RunCondition>) =>
        fc.oneof({ weight: often ? 2 : 60, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })
      return fc.record<ModelNode>({
        id: fc.constant(id),
        deps: fc.constant(deps),
        takes: fc.array(fc.oneof(numberTaken(node), closedTaken(node)), {
          maxLength: often ? 3 : 0,
        }),
        when: maybe(condition(node)),
        require: fc.oneof(
          { weight: 4, arbitrary: fc.constant(null) },
          { weight: 1, arbitrary: maybe(condition(node)) },
        ),
        answers: fc.oneof(
          { weight: 30, arbitrary: answer },
          { weight: 1, arbitrary: fc.constant(null) },
        ),
      })
    }),
  )
})
