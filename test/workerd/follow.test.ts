// Following a plan costs little while nothing happens: the hub, which every plan of a site shares, is asked
// seldomer and seldomer, and whatever happens is told all the same.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Env } from '../../durable-objects/env.ts'
import { limits } from '../../protocol/limits.ts'
import { follow, type Happening } from '../../worker/follow.ts'
import { seldom, takeFollow } from '../../worker/follow-slots.ts'
import { newEvents } from '../../worker/node-events.ts'
import { Pace } from '../../worker/pace.ts'
import type { NodeView } from '../../worker/plan-schemas.ts'
import { call, freshSite, submitReading, type TestSite } from './support/door.ts'
import { hush } from '../shared/hush.ts'

hush(/^KNOWLEDGE_UNAVAILABLE: no graph is loaded$/)

let a: TestSite

beforeAll(async () => {
  a = await freshSite()
})

/** A plan that a person has accepted and that no agent can run. */
async function queuedPlan(): Promise<string> {
  const node = {
    id: 'n1',
    tool: 'lims.read_sample',
    args: { sample_id: 'S-1', fields: ['status'] },
    depends_on: [],
    sandbox: null,
  }
  const sent = await submitReading(a, { nodes: [node] }, { prefer: 'wait=20' })
  const plan = String(sent.body['plan'])
  const path = `/v1/reviews/${plan}`
  const shown = await call('GET', path, { token: a.reviewer })
  const { packet_digest } = shown.body['status'] as { packet_digest: string }
  const body = { verdict: 'accept', rationale: 'Seen.', packet_digest }
  const done = await call('POST', path, { token: a.reviewer, body })
  expect(done.body['state']).toBe('queued')
  return plan
}

/** The environment with a hub that counts how often it is called for. */
function counted(): { counting: Env; asked: () => number } {
  let asked = 0
  const hubs = new Proxy(env.SITE_HUB, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        asked += 1
        return Reflect.apply(value, target, args) as unknown
      }
    },
  })
  return { counting: { ...env, SITE_HUB: hubs }, asked: () => asked }
}

const following = (plan: string, onWait: (now: number) => Promise<void>, lasts_ms: number) => {
  let now = 0
  return {
    principal: { site: a.site, role: 'planner' as const, subject: a.plannerId },
    plan,
    still: () => Promise.resolve(true),
    until_ms: lasts_ms,
    clock: {
      now: () => now,
      wait: async (ms: number) => {
        now += Math.max(1, ms)
        await onWait(now)
      },
    },
  }
}

const kinds = (all: readonly Happening[]) => all.map(({ event }) => event)

describe('following a plan', () => {
  it('asks the hub a few times in five minutes of waiting, and no more than that', async () => {
    const plan = await queuedPlan()
    const { counting, asked } = counted()
    const all: Happening[] = []
    const nothing = () => Promise.resolve()
    for await (const one of follow(counting, following(plan, nothing, 300_000))) all.push(one)
    expect(kinds(all).filter((kind) => kind === 'status')).toHaveLength(1)
    expect(all[0]).toMatchObject({ plan: { state: 'queued', waiting_for: { what: 'agent' } } })
    // At 0, 1, 3, 7, 15 and 31 s and then each half minute, and once for the answer itself.
    expect(asked()).toBeGreaterThan(3)
    expect(asked()).toBeLessThan(20)
  })

  it('tells a change at the next look, however long nothing had happened', async () => {
    const plan = await queuedPlan()
    let withdrawnAt: number | null = null
    const all: { kind: string; at: number }[] = []
    const clocked = following(
      plan,
      async (now) => {
        if (now < 200_000 || withdrawnAt !== null) return
        withdrawnAt = now
        await call('POST', `/v1/plans/${plan}/withdraw`, { token: a.planner })
      },
      300_000,
    )
    for await (const { event } of follow(env, clocked)) {
      all.push({ kind: event, at: clocked.clock.now() })
    }
    const last = all.at(-1)
    expect(last?.kind).toBe('status')
    expect((last?.at ?? 0) - (withdrawnAt ?? 0)).toBeLessThanOrEqual(2_000)
  })

  it('ends when the credential is over', async () => {
    const plan = await queuedPlan()
    let looks = 0
    const spec = following(plan, () => Promise.resolve(), 300_000)
    const still = () => Promise.resolve(++looks < 3)
    const all: Happening[] = []
    for await (const one of follow(env, { ...spec, still })) all.push(one)
    expect(kinds(all)).toEqual(['status', 'nothing'])
  })
})

describe('places to follow from', () => {
  it('are as many as a credential may have, and free again once left, however often', () => {
    const who = { id: 'one', site: 'slots-a' }
    const all = Array.from({ length: limits.followsPerCredentialMax }, () => takeFollow(who, 0))
    expect(all).not.toContain(null)
    expect(takeFollow(who, 0)).toBeNull()
    expect(takeFollow({ ...who, id: 'other' }, 0)).not.toBeNull()
    all[0]?.leave()
    all[0]?.leave()
    expect(takeFollow(who, 0)).not.toBeNull()
    expect(takeFollow(who, 0)).toBeNull()
  })

  it('are free again without a sign of life, and are kept by one', () => {
    const who = { id: 'gone', site: 'slots-d' }
    const [kept] = Array.from({ length: limits.followsPerCredentialMax }, () => takeFollow(who, 0))
    const end = limits.followSilentMs
    expect(takeFollow(who, end - 1)).toBeNull()
    kept?.keep(end - 1)
    const free = Array.from({ length: limits.followsPerCredentialMax }, () => takeFollow(who, end))
    expect(free.filter((one) => one === null)).toHaveLength(1)
  })

  it('are refused at the door once they are all taken', async () => {
    const plan = await queuedPlan()
    const hub = { id: 'x', site: a.site }
    const all = Array.from({ length: limits.followsPerSiteMax }, (_, i) =>
      takeFollow({ ...hub, id: `x${i}` }, Date.now() + 60_000),
    )
    const refused = await call('GET', `/v1/plans/${plan}/events`, { token: a.planner })
    expect([refused.status, refused.body['code']]).toEqual([429, 'too_many_requests'])
    for (const one of all) one?.leave()
  })

  it('are as many as a site may have, over all its credentials', () => {
    const take = (i: number) => takeFollow({ id: `c${i}`, site: 'slots-b' }, 0)
    const all = Array.from({ length: limits.followsPerSiteMax }, (_, i) => take(i))
    expect(all).not.toContain(null)
    expect(take(-1)).toBeNull()
    expect(takeFollow({ id: 'c', site: 'slots-c' }, 0)).not.toBeNull()
  })

  it('look the credential up every few seconds, and never again once it is over', async () => {
    let now = 0
    let asked = 0
    const valid = seldom(
      () => Promise.resolve(++asked < 3),
      () => now,
    )
    const at = async (ms: number) => {
      now = ms
      return [await valid(), asked]
    }
    const few = limits.followCredentialMs
    expect(await at(0)).toEqual([true, 1])
    expect(await at(few - 1)).toEqual([true, 1])
    expect(await at(few)).toEqual([true, 2])
    expect(await at(2 * few)).toEqual([false, 3])
    expect(await at(9 * few)).toEqual([false, 3])
  })
})

describe('a pace', () => {
  it('doubles while nothing changes, and is short again after a change', () => {
    const pace = new Pace({ firstMs: 100, lastMs: 1_000 })
    const rest = (changed: boolean) => {
      pace.looked(0, changed)
      return pace.restMs(0)
    }
    expect(pace.due(0)).toBe(true)
    expect([true, false, false, false, false, false, true].map(rest)).toEqual([
      100, 200, 400, 800, 1_000, 1_000, 100,
    ])
    expect([pace.due(99), pace.due(100)]).toEqual([false, true])
  })
})

describe('events of steps', () => {
  const node = (id: string, state: string, times: [number | null, number | null]): NodeView => ({
    id,
    tool: 't',
    state,
    reason: null,
    started_ms: times[0],
    ended_ms: times[1],
  })

  it('are told once each, with their times', () => {
    const told = new Set<string>()
    const events = (...nodes: NodeView[]) =>
      newEvents(nodes, told).map(({ id, what, at_ms }) => [id, what, at_ms])
    expect(events(node('a', 'released', [null, null]))).toEqual([])
    expect(events(node('a', 'executing', [5, null]))).toEqual([['a', 'started', 5]])
    expect(
      events(
        node('a', 'succeeded', [5, 9]),
        node('b', 'skipped', [null, 10]),
        node('c', 'unknown', [11, null]),
      ),
    ).toEqual([
      ['a', 'succeeded', 9],
      ['b', 'skipped', 10],
      ['c', 'started', 11],
      ['c', 'unknown', null],
    ])
    expect(events(node('a', 'succeeded', [5, 9]))).toEqual([])
  })
})
