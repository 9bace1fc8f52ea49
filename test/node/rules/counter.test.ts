// The counters of a site: whatever the order of binding, reports, ends, repetitions and crashes, their sum
// is never below what ran and what may still run; and what certainly did not run is let go.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NodeProgress } from '../../../protocol/frames.ts'
import type { Charge } from '../../../protocol/totals.ts'
import {
  reachMs,
  reservedEntries,
  settledEntries,
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
    const of = (owner: string, session: string) =>
      reservedEntries([], { session, owner, charges: [charge('a', 4)], at_ms: 0 })
    const sums = sumsOf([...of('ann', 's1'), ...of('bob', 's2')], 'ann', 1)
    const hour = sums.filter(({ over }) => over === 'hour')
    expect(hour.map(({ whose, hi }) => [whose, hi])).toEqual([
      ['site', 8],
      ['owner', 4],
    ])
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
