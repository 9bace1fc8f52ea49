// Objects among one another: every call has a limit, every alarm handler sets the next alarm whatever happens
// in it, tables are pruned, and plans of one site do not stand in the way of another's.
import { env } from 'cloudflare:workers'
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { callMs, limited, NoAnswer, type CallKind } from '../../durable-objects/limited.ts'
import { PlanReview } from '../../durable-objects/plan-review.ts'
import { ReviewStore } from '../../durable-objects/review/store.ts'
import { TotalsStore } from '../../durable-objects/totals/store.ts'
import { Turns } from '../../durable-objects/turns.ts'
import type { Charge } from '../../protocol/totals.ts'
import { call } from './support/door.ts'
import { bound, ready } from './support/hub.ts'
import {
  decided,
  escalating,
  hubOf,
  idOf,
  loadTinyGraph,
  readPlan,
  reviewOf,
  sessionOf,
  setPolicy,
} from './support/site.ts'

beforeAll(loadTinyGraph)
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const never = () => new Promise<never>(() => undefined)

describe('a call between objects', () => {
  it.each(Object.keys(callMs) as CallKind[])(
    '%s has a limit, and a late answer is dropped',
    async (kind) => {
      vi.useFakeTimers()
      let answer: (value: string) => void = () => undefined
      const stub = { ask: () => new Promise<string>((resolve) => (answer = resolve)), fetch: never }
      const asked = (limited(stub, kind) as typeof stub).ask()
      const failed = asked.catch((cause: unknown) => cause)
      await vi.advanceTimersByTimeAsync(callMs[kind] - 1)
      expect(vi.getTimerCount()).toBe(1)
      await vi.advanceTimersByTimeAsync(1)
      answer('late')
      expect(await failed).toBeInstanceOf(NoAnswer)
      // The door tells its caller to come again.
      expect(await failed).toMatchObject({ retryable: true })
    },
  )

  it('passes answers, failures and upgrades on, and leaves no timer behind', async () => {
    vi.useFakeTimers()
    const stub = {
      good: (n: number) => Promise.resolve(n + 1),
      bad: () => Promise.reject(new Error('refused')),
      fetch: () => never(),
    }
    const calls = limited(stub, 'hub: ask') as typeof stub
    expect(await calls.good(1)).toBe(2)
    await expect(calls.bad()).rejects.toThrow('refused')
    void calls.fetch()
    expect(vi.getTimerCount()).toBe(0)
  })
})

/** Breaks what a handler reads, by these statements, lets it ring, and says when it will ring again. */
async function rings(stub: DurableObjectStub, broken: readonly string[]): Promise<number | null> {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  return runInDurableObject(stub, async (object, { storage }) => {
    for (const statement of broken) storage.sql.exec(statement)
    await storage.deleteAlarm()
    await object.alarm?.()
    return storage.getAlarm()
  })
}

describe('an alarm handler that throws sets the next alarm', () => {
  it('of the hub', async () => {
    const { site } = await ready()
    const stub: unknown = hubOf(site.site)
    expect(
      await rings(stub as DurableObjectStub, ['DROP TABLE stops', 'DROP TABLE waits']),
    ).toBeGreaterThan(Date.now())
  })

  it('of a review', async () => {
    const { site } = await ready()
    await setPolicy(site, escalating)
    const plan = idOf(await decided(site, readPlan(site.plannerId)))
    const stub: unknown = reviewOf(site.site, plan)
    const status = vi.spyOn(ReviewStore.prototype, 'status').mockImplementation(() => {
      throw new Error('cannot be read')
    })
    const at = await rings(stub as DurableObjectStub, [])
    expect(status).toHaveBeenCalled()
    // The expiry of its decision at least.
    expect(at).toBeGreaterThan(Date.now())
  })

  it('of a session', async () => {
    const { site } = await ready()
    const { session } = await bound(site)
    const stub: unknown = sessionOf(site.site, session)
    expect(await rings(stub as DurableObjectStub, ['DROP TABLE outbox'])).toBeGreaterThan(
      Date.now(),
    )
  })
})

describe('a review that never answers a binding', () => {
  it('holds up no stop, and no other cell', async () => {
    const { site } = await ready()
    const { hub, session } = await bound(site)
    vi.spyOn(PlanReview.prototype, 'bind').mockImplementation(never)
    const stopped = await call('POST', '/v1/cells/cell-1/stop', { token: site.operator })
    expect(stopped.status).toBe(200)
    expect((await sessionOf(site.site, session).end())?.status).toBe('terminated')
    expect(await hub.cells()).toHaveLength(1)
    await runDurableObjectAlarm(env.SITE_HUB.getByName(site.site))
  })
})

const hour = 3_600_000
const charge = (node: string, amount: number): Charge => ({
  rule: 'R',
  role: 'volume',
  of: '',
  dim: 'volume',
  node,
  lo: amount,
  hi: amount,
})

describe('the counters of a site', () => {
  it('forget what no period reaches, sum up what only the week does, and keep what is reserved', async () => {
    const stub: unknown = env.SITE_TOTALS.getByName('totals-that-grow-old')
    await runInDurableObject(stub as DurableObjectStub, (_, { storage }) => {
      const store = new TotalsStore(storage.sql)
      const now = 1_000 * 24 * hour
      const of = { plan: 'p', cell: 'c', owner: 'o' }
      const count = () =>
        storage.sql.exec<{ n: number }>('SELECT COUNT(*) AS n FROM entries').one().n
      const week = (at_ms: number) =>
        store.sums('o', at_ms, null).find((sum) => sum.over === 'week' && sum.whose === 'site')
      for (let i = 0; i < 60; i++) {
        const at_ms = now - 60 * hour + i * 60_000
        store.reserve({ ...of, session: `s${i}`, charges: [charge('a', 1)], at_ms })
        store.settle(`s${i}`, new Map([['a', 'succeeded']]), at_ms)
      }
      store.reserve({ ...of, session: 'runs', charges: [charge('a', 7)], at_ms: now - 400 * hour })
      expect([count(), week(now)]).toMatchObject([61, { lo: 60, hi: 67 }])
      store.tidy(now)
      expect([count(), week(now)]).toMatchObject([2, { lo: 60, hi: 67 }])
      // Told its end once more, a session that was summed up changes nothing; nor may it run again.
      store.settle('s1', 'unknown', now)
      expect(week(now)).toMatchObject({ lo: 60, hi: 67 })
      expect(store.reserve({ ...of, session: 's1', charges: [charge('a', 1)], at_ms: now })).toBe(
        false,
      )
      const later = now + 8 * 24 * hour
      expect(week(later)).toMatchObject({ lo: 0, hi: 7 })
      store.tidy(later)
      expect(count()).toBe(1)
      // A clock that was set back forgets nothing, and what is proven stays.
      store.tidy(now - 30 * 24 * hour)
      expect(store.sums('o', later, null).find(({ over }) => over === 'ever')?.hi).toBe(1)
      store.tidy(later + 40 * 24 * hour)
      const kept = storage.sql.exec<{ session: string }>('SELECT session FROM sessions').toArray()
      expect(kept).toEqual([{ session: 'runs' }])
    })
  })
})

describe('the line in which plans are worked on', () => {
  it('has few at a time, and gives the next turn to the site that has waited longest', () => {
    const turns = new Turns()
    const [one, two] = [turns.take('noisy', 0), turns.take('noisy', 0)]
    expect([one, two]).not.toContain(null)
    expect(turns.take('noisy', 1)).toBe(null)
    expect(turns.take('quiet', 2)).toBe(null)
    if (one !== null) turns.end(one)
    // The noisy site looks first, and it is not its turn.
    expect(turns.take('noisy', 3)).toBe(null)
    expect(turns.take('quiet', 3)).not.toBe(null)
    if (two !== null) turns.end(two)
    expect(turns.take('noisy', 4)).not.toBe(null)
  })

  it('gives on a turn that does not end, and waits for no site that has left', () => {
    const turns = new Turns()
    turns.take('a', 0)
    turns.take('a', 0)
    expect(turns.take('b', 100)).toBe(null)
    expect(turns.take('a', 1_999)).toBe(null)
    expect(turns.take('a', 2_001)).not.toBe(null)
    // Nor does a clock that was set back keep anybody out.
    expect(turns.take('c', -100_000)).not.toBe(null)
  })
})
