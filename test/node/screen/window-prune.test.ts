// The long window stays bounded and fair, whatever is put into it.
import { assert as holds, array, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WindowEntry } from '../../../protocol/snapshot.ts'
import { carryOver, prune, windowRules } from '../../../verify/screen/window/index.ts'
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

  const flood = (n: number, marks: (i: number) => string[] = () => []) =>
    Array.from({ length: n }, (_, i) => entry(i, { marks: marks(i) }))
  const read = entry(100_000, { plan: 'half', marks: ['read:identifiers:RL-901'] })

  test('harmless plans of the same planner do not push out the half of a risk', () => {
    expect(prune([read, ...flood(3_000)], nowMs)).toContainEqual(read)
  })

  test('many plans with the same marks do not push it out either', () => {
    const same = flood(3_000, () => ['send:outside', 'about:A-001'])
    expect(prune([read, ...same], nowMs)).toContainEqual(read)
  })

  test('undecided plans with its mark do not stand in for it', () => {
    const open = Array.from({ length: 300 }, (_, i) =>
      entry(i, { verdict: null, marks: i === 0 ? read.marks : [] }),
    )
    expect(prune([read, ...open], nowMs)).toContainEqual(read)
  })

  test('what had to go for halves of other risks is said on one that stays', () => {
    const kept = prune([read, ...flood(200, (i) => [`put:acid:s:w${i}`])], nowMs)
    expect(kept.length).toBeLessThanOrEqual(windowRules.entriesPerPlannerMax)
    expect(kept).not.toContainEqual(read)
    expect(kept[0]?.marks).toEqual(expect.arrayContaining(['more:put', 'more:read']))
    // And it stays said when that entry goes in its turn, or is written again with its verdict.
    const later = Array.from({ length: 200 }, (_, i) =>
      entry(i, { plan: `later${i}`, at_ms: nowMs + i, marks: [`put:acid:s:v${i}`] }),
    )
    expect(prune([...kept, ...later], nowMs + 200)[0]?.marks).toContain('more:read')
    const [first] = kept
    if (first === undefined) throw new Error('something is kept')
    expect(carryOver(first, { ...first, marks: ['send:outside'] }).marks).toContain('more:read')
  })
})
