// What random plans and schedules are made of.
import * as fc from 'fast-check'
import { limits } from '../../../protocol/limits.ts'
import type { Outcome } from '../../../protocol/tokens.ts'
import type { ModelNode } from './model.ts'
import { tokenKinds } from './model-types.ts'
import { reportTimes } from './schedule-claims.ts'
import { toolTime } from '../../shared/schedule-binding.ts'

/** A plan, and what its binding says beside it. */
export type Planned = {
  readonly nodes: ModelNode[]
  /** The process for which it was bound. */
  readonly boot: 'boot-a' | null
  /** A step that lasts nearly as long as the session may. */
  readonly long: number | null
}

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

export const planned: fc.Arbitrary<Planned> = fc.record({
  nodes: dag,
  boot: fc.constantFrom(null, null, 'boot-a' as const),
  long: fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.nat({ max: 6 }) },
  ),
})

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
      older: fc.constantFrom(false, false, false, false, false, true),
      ledger: fc.constantFrom(
        'true',
        'true',
        'true',
        'stranger started',
        'pending actuated',
        'pending started',
        'pending ended',
        'released actuated',
        'released ended',
        'released started',
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pull' as const), fid }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('start' as const),
      node: pick,
      token: fc.oneof(fc.constant('own' as const), fc.constantFrom(...tokenKinds)),
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
      outcome: fc.constantFrom<Outcome>('succeeded', 'failed', 'failed', 'unknown', 'skipped'),
      actuated: fc.boolean(),
      proof: often,
      missed: fc.boolean(),
      times: fc.oneof(fc.constant('now' as const), fc.constantFrom(...reportTimes)),
      fid,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('lost' as const), left: fc.nat({ max: 1 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('abort' as const), restarted: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('rest' as const),
      seq: fc.oneof(fc.nat({ max: 4 }), fc.constantFrom(999, 1_000)),
      boot: fc.constantFrom('boot-a', 'boot-b'),
      proof: often,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('timer' as const), by: fc.constantFrom(-1, 0, 1) }),
  },
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
