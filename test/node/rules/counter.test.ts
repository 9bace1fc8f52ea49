// The counters of a site: whatever the order of binding, reports, ends, repetitions and crashes, their sum
// is never below what ran and what may still run; and what certainly did not run is let go.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NodeProgress } from '../../../protocol/frames.ts'
import type { Charge } from '../../../protocol/totals.ts'
import {
  provenBy,
  reachMs,
  reservedEntries,
  settledEntries,
  summedBefore,
  summedUp,
  sumsOf,
  type Entry,
  type Ran,
} from '../../../verify/rules/counter.ts'

const nodes = ['a', 'b', 'c'] as const
const charge = (node: string, amount: number): Charge => ({
  rule: 'R',
  role: 'volume',
  of: '',
  dim: 'volume',
  node,
  lo: amount,
  hi: amount,
})

/** The counters as the object keeps them, one list of entries a session. */
class Kept {
  readonly sessions = new Map<string, Entry[]>()
  readonly over = new Set<string>()

  reserve(session: string, charges: readonly Charge[], at_ms: number): boolean {
    if (this.over.has(session)) return false
    const before = this.sessions.get(session) ?? []
    this.sessions.set(session, reservedEntries(before, { session, owner: 'o', charges, at_ms }))
    return true
  }

  settle(session: string, ran: Ran, at_ms: number): void {
    this.sessions.set(session, settledEntries(this.sessions.get(session) ?? [], ran, at_ms))
    this.over.add(session)
  }

  /** A person clears the cell: all of it may have run, and its end may be told after all. */
  clear(session: string, at_ms: number): void {
    this.sessions.set(session, settledEntries(this.sessions.get(session) ?? [], 'unknown', at_ms))
  }

  sum(now_ms: number): { lo: number; hi: number } {
    const all = sumsOf([...this.sessions.values()].flat(), 'o', now_ms)
    const day = all.find(({ over, whose }) => over === 'day' && whose === 'site')
    return { lo: day?.lo ?? 0, hi: day === undefined ? 0 : (day.hi ?? Infinity) }
  }
}

type Event =
  | { do: 'reserve'; session: number; amounts: number[] }
  | { do: 'run'; session: number; node: number; came: NodeProgress }
  | { do: 'end'; session: number; told: boolean }
  | { do: 'clear'; session: number }
  | { do: 'again' }

const session = fc.nat(3)
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    do: fc.constant('reserve' as const),
    session,
    amounts: fc.array(fc.nat(50), { minLength: 3, maxLength: 3 }),
  }),
  fc.record({
    do: fc.constant('run' as const),
    session,
    node: fc.nat(2),
    came: fc.constantFrom<NodeProgress[]>('executing', 'succeeded', 'failed', 'unknown'),
  }),
  fc.record({ do: fc.constant('end' as const), session, told: fc.boolean() }),
  fc.record({ do: fc.constant('clear' as const), session }),
  fc.record({ do: fc.constant('again' as const) }),
)

describe('the counters of a site', () => {
  test('never count less than what ran and what may run', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const kept = new Kept()
        /** What really happens: amounts of the plan that was bound, and how its nodes stand. */
        const plans = new Map<number, number[]>()
        const nodesOf = new Map<number, Map<string, NodeProgress>>()
        const ended = new Set<number>()
        let last: (() => void) | null = null
        let now = 1_000
        for (const one of events) {
          now += 1
          if (one.do === 'again') {
            // A message that was delivered before its sender crashed comes once more.
            last?.()
          } else if (one.do === 'reserve') {
            const charges = one.amounts.map((amount, i) => charge(nodes[i] ?? '', amount))
            const at = now
            const send = () => kept.reserve(`s${one.session}`, charges, at)
            last = send
            // The plan that is bound is the first that could reserve.
            if (send() && !plans.has(one.session)) plans.set(one.session, one.amounts)
          } else if (one.do === 'run') {
            // Only what is bound and has not ended runs; a node ends once.
            if (!plans.has(one.session) || ended.has(one.session)) continue
            const states = nodesOf.get(one.session) ?? new Map<string, NodeProgress>()
            const node = nodes[one.node] ?? ''
            if (['succeeded', 'failed', 'unknown'].includes(states.get(node) ?? '')) continue
            nodesOf.set(one.session, states.set(node, one.came))
          } else if (one.do === 'end') {
            if (!plans.has(one.session)) continue
            ended.add(one.session)
            const states = nodesOf.get(one.session) ?? new Map<string, NodeProgress>()
            const whole = new Map(nodes.map((nid) => [nid, states.get(nid) ?? 'pending'] as const))
            const at = now
            const send = () => kept.settle(`s${one.session}`, one.told ? whole : 'unknown', at)
            last = send
            send()
          } else kept.clear(`s${one.session}`, now)
          let least = 0
          let sure = 0
          for (const [id, amounts] of plans) {
            for (const [i, amount] of amounts.entries()) {
              const state = nodesOf.get(id)?.get(nodes[i] ?? '')
              if (state !== undefined || !ended.has(id)) least += amount
              if (state !== undefined) sure += amount
            }
          }
          const sum = kept.sum(now)
          expect(sum.hi).toBeGreaterThanOrEqual(least)
          expect(sum.lo).toBeLessThanOrEqual(sure)
        }
      }),
      { numRuns: Number(process.env['PORTCULLIS_RUNS'] ?? 2_000) },
    )
  })

  test('let go of what certainly did not run, and count the rest for its time', () => {
    const kept = new Kept()
    kept.reserve('s', [charge('a', 3), charge('b', 5), charge('c', 7)], 0)
    expect(kept.sum(1)).toEqual({ lo: 0, hi: 15 })
    const ran = new Map<string, NodeProgress>([
      ['a', 'succeeded'],
      ['b', 'failed'],
      ['c', 'pending'],
    ])
    kept.settle('s', ran, 100)
    // A device that failed may have done all of it.
    expect(kept.sum(101)).toEqual({ lo: 3, hi: 8 })
    expect(kept.sum(100 + reachMs.day)).toEqual({ lo: 3, hi: 8 })
    expect(kept.sum(101 + reachMs.day)).toEqual({ lo: 0, hi: 0 })
    expect(kept.reserve('s', [charge('a', 3)], 200)).toBe(false)
  })

  test('count what is reserved however long ago, and nothing of what never began', () => {
    const kept = new Kept()
    kept.reserve('old', [charge('a', 3)], 0)
    expect(kept.sum(100 * reachMs.week).hi).toBe(3)
    kept.settle('old', 'none', 5)
    expect(kept.sum(6)).toEqual({ lo: 0, hi: 0 })
  })

  test('keep owners apart and the site together', () => {
    const of = (owner: string, id: string) =>
      reservedEntries([], { session: id, owner, charges: [charge('a', 4)], at_ms: 0 })
    const sums = sumsOf([...of('ann', 's1'), ...of('bob', 's2')], 'ann', 1)
    const hour = sums.filter(({ over }) => over === 'hour')
    expect(hour.map(({ whose, hi }) => [whose, hi])).toEqual([
      ['site', 8],
      ['owner', 4],
    ])
  })

  test('prove what succeeded for certain, and nothing else', () => {
    const entries = reservedEntries([], {
      session: 's',
      owner: 'o',
      charges: [charge('a', 4), charge('b', 9), { ...charge('c', 20), lo: 0 }],
      at_ms: 0,
    })
    expect(provenBy(entries)).toEqual([])
    const ran = new Map<string, NodeProgress>([
      ['a', 'succeeded'],
      ['b', 'unknown'],
      ['c', 'succeeded'],
    ])
    expect(provenBy(settledEntries(entries, ran, 1)).map(({ lo }) => lo)).toEqual([4])
  })

  test('say that nobody can say, when one amount has no bound', () => {
    const entries = reservedEntries([], {
      session: 's',
      owner: 'o',
      charges: [charge('a', 4), { ...charge('b', 0), hi: null }],
      at_ms: 0,
    })
    expect(sumsOf(entries, 'o', 1).every(({ hi }) => hi === null)).toBe(true)
  })
})

const charged = fc.record({
  at: fc.integer({ min: 0, max: 12 * 24 * 60 }),
  owner: fc.constantFrom('o', 'p'),
  rule: fc.constantFrom('R', 'S'),
  amount: fc.option(fc.nat(50), { nil: null }),
})

test('entries that are summed up never say less of what may have run, nor more of what ran', () => {
  fc.assert(
    fc.property(fc.array(charged, { maxLength: 40 }), fc.nat(14 * 24 * 60), (rows, later) => {
      const minute = 60_000
      const entries = rows.map(({ at, owner, rule, amount }, i): Entry => {
        const of = { ...charge('a', amount ?? 0), hi: amount, rule, owner }
        return { ...of, session: `s${i}`, state: 'charged', at_ms: at * minute }
      })
      const now_ms = 12 * 24 * 60 * minute
      const old = entries.filter(({ at_ms }) => at_ms < summedBefore(now_ms))
      const young = entries.filter(({ at_ms }) => at_ms >= summedBefore(now_ms))
      // Again over what was summed up, as every later time does.
      const kept = [...summedUp([...summedUp(old.slice(0, 5)), ...old.slice(5)]), ...young]
      const then = now_ms + later * minute
      const key = ({ rule, over, whose }: { rule: string; over: string; whose: string }) =>
        `${rule} ${over} ${whose}`
      const after = new Map(sumsOf(kept, 'o', then).map((sum) => [key(sum), sum]))
      for (const sum of sumsOf(entries, 'o', then)) {
        const told = after.get(key(sum))
        expect(told?.hi ?? Infinity).toBeGreaterThanOrEqual(sum.hi ?? Infinity)
        expect(told?.lo ?? 0).toBeLessThanOrEqual(sum.lo)
      }
    }),
    { numRuns: 300 },
  )
})

test('what is summed up counts whole in the longest period until a part of it may lie before it', () => {
  const entry = (at_ms: number): Entry => {
    return { ...charge('a', 5), session: `s${at_ms}`, owner: 'o', state: 'charged', at_ms }
  }
  const minute = 60_000
  const [sum] = summedUp([entry(10 * minute), entry(50 * minute)])
  expect(sum).toMatchObject({ lo: 10, hi: 10, at_ms: 50 * minute, since_ms: 10 * minute })
  const at = (now_ms: number) =>
    sumsOf([sum as Entry], 'o', now_ms).find(
      ({ over, whose }) => over === 'week' && whose === 'site',
    )
  expect(at(reachMs.week + 10 * minute)).toMatchObject({ lo: 10, hi: 10 })
  expect(at(reachMs.week + 11 * minute)).toMatchObject({ lo: 0, hi: 10 })
  expect(at(reachMs.week + 51 * minute)).toBe(undefined)
})
