// The long window stays bounded and fair, whatever is put into it.
import { assert as holds, array, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WindowEntry } from '../../../protocol/snapshot.ts'
import { prune, windowRules } from '../../../verify/screen/window/index.ts'
import { nowMs } from '../support/snapshot.ts'
import { remembered, weigh } from '../support/window.ts'

const entry = (i: number, more: Partial<WindowEntry> = {}): WindowEntry => ({
  ...remembered(weigh),
  plan: `p${i}`,
  at_ms: nowMs - i,
  ...more,
})

describe('pruning', () => {
  test('forgets what is older than the window, keeps what is just inside', () => {
    const edge = entry(windowRules.keptMs)
    expect(prune([edge, entry(windowRules.keptMs + 1)], nowMs)).toEqual([edge])
  })

  test('keeps one entry for each plan, the newest', () => {
    const late = entry(5, { plan: 'same', verdict: 'reject' })
    expect(prune([late, entry(9, { plan: 'same' })], nowMs)).toEqual([late])
  })

  test('a flood by one planner neither grows the window nor hides refusals', () => {
    const flood = Array.from({ length: 3_000 }, (_, i) => entry(i))
    const refused = [1, 2, 3].map((i) => entry(10_000 + i, { verdict: 'reject' }))
    const other = entry(20_000, { planner: 'planner-wetlab-02', plan: 'other' })
    const kept = prune([...flood, ...refused, other], nowMs)
    expect(kept.length).toBeLessThanOrEqual(windowRules.entriesPerPlannerMax + 1)
    expect(kept).toContainEqual(other)
    for (const one of refused) expect(kept).toContainEqual(one)
  })

  test('is bounded, idempotent and independent of order', () => {
    const seed = Date.now() % 1_000_000
    console.log(`prune seed ${seed}`)
    const base = remembered(weigh)
    const some = record({
      i: integer({ min: 0, max: 5_000 }),
      planner: constantFrom('a', 'b', 'c'),
      verdict: constantFrom('accept' as const, 'reject' as const, null),
    })
    holds(
      property(array(some, { maxLength: 400 }), (rows) => {
        const window = rows.map(({ i, planner, verdict }) => ({
          ...base,
          plan: `p${i}`,
          planner,
          verdict,
          at_ms: nowMs - i,
        }))
        const unique = [...new Map(window.map((x) => [x.plan, x])).values()]
        const once = prune(unique, nowMs)
        expect(once.length).toBeLessThanOrEqual(3 * windowRules.entriesPerPlannerMax)
        expect(prune(once, nowMs)).toEqual(once)
        expect(prune(unique.toReversed(), nowMs)).toEqual(once)
      }),
      { seed, numRuns: 200 },
    )
  })
})
