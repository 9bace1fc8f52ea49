// Plans that follow, replace or repeat another: what the queue hands out by itself, and what waits for a
// person who sees why.
import { runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ExecutionSession } from '../../durable-objects/execution-session.ts'
import { call, credential, type TestSite } from './support/door.ts'
import { arm, bound, cellOf, clear, ended, ready, release, seenOf } from './support/hub.ts'
import {
  accepted,
  decided,
  fetchPlan,
  hubOf,
  idOf,
  loadTinyGraph,
  node,
  plateBack,
  reaches,
  readPlan,
  reviewOf,
  until,
} from './support/site.ts'
import { hush } from '../shared/hush.ts'

hush(/^outbox totals: Error: session \S+ has not ended yet$/)

beforeAll(loadTinyGraph)
afterEach(() => vi.restoreAllMocks())

const stateOf = async (site: TestSite, plan: string) =>
  (await reviewOf(site.site, plan).status())?.state
const runOf = async (site: TestSite, plan: string) =>
  (await reviewOf(site.site, plan).status())?.session ?? ''
const waitsOf = async (site: TestSite, plan: string) => {
  const answer = await call('GET', `/v1/plans/${plan}/waits`, { token: site.operator })
  return answer.body['items'] as { why: string; plan: string; person: boolean; done: object[] }[]
}
const releasePlan = (site: TestSite, plan: string, token = site.operator) =>
  call('POST', `/v1/plans/${plan}/release`, { token, body: { note: 'I have seen the list.' } })

/** A plan that is taken in again although it is the same. */
const again = async (site: TestSite, plan: object, key?: string) =>
  idOf(await accepted(site, plan, key))

/** The run of a plan ends as its session would tell it. */
async function endRun(site: TestSite, plan: string, status: 'completed' | 'terminated') {
  const session = await runOf(site, plan)
  const reason = status === 'completed' ? null : ('agent_lost' as const)
  const end = ended(session, plan, { status, reason })
  await hubOf(site.site).sessionEnded(end)
  await reviewOf(site.site, plan).sessionEnded(end)
}

describe('a run that did not complete', () => {
  it('holds the later plans of its planner in that cell, latched or not, until a person releases them', async () => {
    const { site, presence } = await ready()
    await arm(site)
    const wash = idOf(await decided(site, readPlan(site.plannerId, 'ST-1')))
    await reaches(site, wash, ['bound'])
    const dose = idOf(await decided(site, readPlan(site.plannerId, 'ST-2')))
    const [, other] = Object.keys((await hubOf(site.site).settings())?.registry?.planners ?? {})
    await endRun(site, wash, 'terminated')
    presence.health()
    await scheduler.wait(400)
    expect(await stateOf(site, dose)).toBe('queued')
    expect(await cellOf(site)).toMatchObject({
      needs_clearance: false,
      holds: [{ planner: site.plannerId, plan: wash, reason: 'agent_lost' }],
    })
    const queue = await call('GET', '/v1/cells/cell-1/queue', { token: site.operator })
    expect(queue.body['items']).toMatchObject([{ plan: dose, not_now: 'planner_held' }])
    // Another planner's plans are not held by it.
    if (other !== undefined) {
      const token = await credential(site.admin, 'planner', other, 'pam')
      const plan = idOf(await decided(site, readPlan(other, 'ST-3'), token))
      await reaches(site, plan, ['bound', 'rejected', 'escalated'])
      if ((await stateOf(site, plan)) === 'bound') await endRun(site, plan, 'completed')
    }
    const blind = await call('POST', '/v1/cells/cell-1/release', {
      token: site.operator,
      body: { seen: ((await seenOf(site)) ?? 0) - 1 },
    })
    expect(blind.body['code']).toBe('stale_change')
    expect((await release(site)).status).toBe(200)
    await reaches(site, dose, ['bound'])
  })
})

describe('a plan that follows another', () => {
  it('is bound once the other has completed, and not before', async () => {
    const { site } = await ready()
    const first = idOf(await decided(site, readPlan(site.plannerId, 'ST-1')))
    await reaches(site, first, ['bound'])
    const next = idOf(await decided(site, readPlan(site.plannerId, 'ST-2', { follows: first })))
    expect(await waitsOf(site, next)).toMatchObject([{ why: 'follows', plan: first }])
    expect(await stateOf(site, next)).toBe('queued')
    // Nobody can let it overtake the other.
    expect((await releasePlan(site, next)).body['code']).toBe('nothing_to_release')
    await endRun(site, first, 'completed')
    await reaches(site, next, ['bound'])
  })

  it('waits for a person when the other never ran to its end', async () => {
    const { site, presence } = await ready()
    const first = idOf(await accepted(site, fetchPlan(site.plannerId)))
    const next = idOf(await decided(site, readPlan(site.plannerId, 'ST-2', { follows: first })))
    await call('POST', `/v1/plans/${first}/withdraw`, { token: site.planner })
    await until('broken', async () => (await waitsOf(site, next))[0]?.why === 'follows_broken')
    presence.health()
    await scheduler.wait(300)
    expect(await stateOf(site, next)).toBe('queued')
    expect((await releasePlan(site, next)).body['items']).toEqual([])
    await reaches(site, next, ['bound'])
    const trail = await hubOf(site.site).audit(-1)
    expect(trail.find(({ event }) => event === 'plan_released')).toMatchObject({
      actor: 'olga',
      facts: { plan: next, why: ['follows_broken'] },
    })
  })

  it('names one of its planner, or is not taken', async () => {
    const { site } = await ready()
    const body = readPlan(site.plannerId, 'ST-1', { follows: `plan_${'7'.repeat(26)}` })
    const answer = await call('POST', '/v1/plans', { token: site.planner, body })
    expect(answer.status).toBe(422)
    expect(answer.body['violations']).toMatchObject([{ code: 'follows_unknown', at: '/follows' }])
  })
})

describe('a plan that replaces one that runs', () => {
  const second = (site: TestSite, first: string) =>
    decided(site, readPlan(site.plannerId, 'ST-2', { supersedes: first })).then(idOf)

  it('never runs after it by itself: when the first has completed, a person decides', async () => {
    const { site, presence } = await ready()
    const first = idOf(await decided(site, readPlan(site.plannerId, 'ST-1')))
    await reaches(site, first, ['bound'])
    const next = await second(site, first)
    expect(await stateOf(site, next)).toBe('queued')
    await endRun(site, first, 'completed')
    await until('told', async () => (await waitsOf(site, next))[0]?.why === 'superseded_completed')
    presence.health()
    await scheduler.wait(300)
    expect(await stateOf(site, next)).toBe('queued')
    await releasePlan(site, next)
    await reaches(site, next, ['bound'])
  })

  it('runs when the first is certain never to run', async () => {
    const { site } = await ready()
    const first = idOf(await accepted(site, fetchPlan(site.plannerId)))
    const next = await second(site, first)
    await reaches(site, first, ['withdrawn'])
    await reaches(site, next, ['bound'])
  })
})

describe('the same plan sent twice', () => {
  it('without a key is held as a duplicate while the first is open, and waits for a person', async () => {
    const { site } = await ready()
    const first = idOf(await accepted(site, fetchPlan(site.plannerId)))
    const twin = await again(site, fetchPlan(site.plannerId))
    expect(await waitsOf(site, twin)).toMatchObject([{ why: 'duplicate_of', plan: first }])
    await arm(site)
    await reaches(site, first, ['bound'])
    await endRun(site, first, 'completed')
    await scheduler.wait(300)
    expect(await stateOf(site, twin)).toBe('queued')
    // The planner's own person does not decide that it may run twice.
    const owner = await credential(site.admin, 'operator', 'pia', 'Pia')
    expect((await releasePlan(site, twin, owner)).body['code']).toBe('conflict_of_interest')
    // The first run moved the plate; what was decided for the second holds once it is back.
    await plateBack(site)
    expect((await releasePlan(site, twin)).status).toBe(200)
    await reaches(site, twin, ['bound'])
  })

  it('just after it was done is a duplicate too; under a key of its own it is meant', async () => {
    const { site } = await ready()
    const { plan } = await bound(site)
    await endRun(site, plan, 'completed')
    await plateBack(site)
    const twin = await again(site, fetchPlan(site.plannerId))
    expect(await waitsOf(site, twin)).toMatchObject([{ why: 'duplicate_of', plan }])
    const meant = await again(site, fetchPlan(site.plannerId), 'a-key-of-its-own')
    await reaches(site, meant, ['bound'])
    await endRun(site, meant, 'completed')
    await plateBack(site)
    // Long after, nobody is asked.
    await runInDurableObject(hubOf(site.site), (_, { storage: { sql } }) => {
      sql.exec('UPDATE bindings SET ended_ms = ended_ms - 3600000')
      sql.exec('DELETE FROM queue')
    })
    const later = await again(site, fetchPlan(site.plannerId))
    await reaches(site, later, ['bound'])
  })
})

describe('after a run that was stopped half way', () => {
  it('a plan that makes the same call again waits for a person who sees what was done', async () => {
    const { site } = await ready()
    const { plan, session } = await bound(site)
    const real: unknown = Reflect.get(ExecutionSession.prototype, 'status')
    vi.spyOn(ExecutionSession.prototype, 'status').mockImplementation(async function (
      this: ExecutionSession,
    ) {
      const status = await (real as ExecutionSession['status']).call(this)
      if (status?.session !== session) return status
      const nodes = status.nodes.map((one) => ({ ...one, state: 'succeeded' as const }))
      return { ...status, nodes }
    })
    await call('POST', `/v1/sessions/${session}/stop`, { token: site.operator })
    await until('read', async () => {
      const rows = await runInDurableObject(hubOf(site.site), (_, { storage: { sql } }) =>
        sql.exec('SELECT * FROM done_calls').toArray(),
      )
      return rows.length === 1
    })
    if ((await cellOf(site))?.needs_clearance === true) await clear(site)
    await arm(site)
    // Another order of words and steps, one call the same; a key does not help.
    const overlapping = {
      ...fetchPlan(site.plannerId, { goal: 'Fetch the first plate of the list once more.' }),
      nodes: [
        node('fetch', 'storage.fetch', {
          store_id: 'ambient_hotel',
          item_id: 'PL-1100',
          barcode: 'PL1100',
        }),
      ],
      instructions: ['Fetch the first plate.'],
    }
    const next = await again(site, overlapping, 'another-key')
    await until('held', async () => (await waitsOf(site, next)).length > 0)
    expect(await waitsOf(site, next)).toMatchObject([
      {
        why: 'repeats_ended_run',
        plan,
        session,
        person: true,
        done: [{ nid: 'n2', tool: 'storage.fetch', state: 'succeeded' }],
      },
    ])
    expect(await stateOf(site, next)).toBe('queued')
    // A plan that repeats nothing of it is not held.
    const reading = idOf(await decided(site, readPlan(site.plannerId)))
    await reaches(site, reading, ['bound'])
    await endRun(site, reading, 'completed')
    expect((await releasePlan(site, next)).status).toBe(200)
    await reaches(site, next, ['bound'])
  })
})
