// What random plans and schedules are made of.
import * as fc from 'fast-check'
import { limits } from '../../../protocol/limits.ts'
import type { Outcome } from '../../../protocol/tokens.ts'
import type { ModelNode } from './model.ts'
import { toolTime } from '../../shared/schedule-binding.ts'

/** A DAG of 1 to 7 nodes with ids in random order, so that array order and id order differ. */
export const dag: fc.Arbitrary<ModelNode[]> = fc
  .uniqueArray(fc.stringMatching(/^[a-cX][a-d0-2_.-]{0,2}$/), { minLength: 1, maxLength: 7 })
  .chain((ids) =>
    fc
      .array(fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }), {
        minLength: ids.length,
        maxLength: ids.length,
      })
      .map((edges) =>
        ids.map((id, i) => ({
          id,
          deps: ids.slice(0, i).filter((_, j) => edges[i]?.[j] ?? false),
        })),
      ),
  )
  .chain((nodes) => fc.shuffledSubarray(nodes, { minLength: nodes.length }))

const fid = fc.oneof(
  { weight: 6, arbitrary: fc.constant('new') },
  fc.constantFrom('again', 'clash'),
)
const pick = fc.nat({ max: 6 })
const often = fc.oneof({ weight: 7, arbitrary: fc.constant(true) }, fc.constant(false))

/** One thing that happens. `right` is what a correct agent would do next; the rest may be anything. */
export const command = fc.oneof(
  { weight: 110, arbitrary: fc.record({ do: fc.constant('right' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('hello' as const),
      boot: fc.constantFrom('boot-a', 'boot-a', 'boot-a', 'boot-b'),
      ledger: fc.oneof(
        { weight: 9, arbitrary: fc.constant('clean' as const) },
        fc.constant('impossible' as const),
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pull' as const), fid }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('start' as const),
      node: pick,
      token: fc.constantFrom('own', 'own', 'own', 'other', 'altered', 'foreign'),
      proof: often,
      fid,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('authorized' as const),
      which: pick,
      granted: often,
      connected: often,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      node: pick,
      outcome: fc.constantFrom<Outcome>('succeeded', 'succeeded', 'failed', 'unknown'),
      actuated: fc.boolean(),
      proof: often,
      fid,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('lost' as const), left: fc.nat({ max: 1 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('stop' as const, 'abort' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('time' as const),
      ms: fc.constantFrom(1, 100, toolTime, limits.reportGraceMs - 1, limits.reportGraceMs),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
)
export type Command = typeof command extends fc.Arbitrary<infer T> ? T : never
