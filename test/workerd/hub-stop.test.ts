// A stop is a wish that is kept (invariants 12 and 13): honest about how far it has come, repeated until
// it is reached, told a second way, and followed by nothing that starts by itself.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ExecutionSession } from '../../durable-objects/execution-session.ts'
import { PlanReview } from '../../durable-objects/plan-review.ts'
import { strangerJwk } from '../shared/session-fixture.ts'
import { call, type TestSite } from './support/door.ts'
import { arm, bound, cellOf, clear, ended, ready, release } from './support/hub.ts'
import {
  accepted,
  decided,
  enrolAgent,
  fetchPlan,
  hubOf,
  idOf,
  loadTinyGraph,
  reaches,
  readPlan,
  reviewOf,
  sessionOf,
  until,
} from './support/site.ts'
import { hush } from '../shared/hush.ts'

hush(/^stop \S+: Error: network$/, /^hub: Error: broken$/)

beforeAll(loadTinyGraph)
afterEach(() => vi.restoreAllMocks())

const stopSite = (site: TestSite) =>
  call('POST', `/v1/sites/${site.site}/stop`, { token: site.operator })
const stopCell = (site: TestSite) => call('POST', '/v1/cells/cell-1/stop', { token: site.operator })
const stopSession = (site: TestSite, session: string, token = site.operator) =>
  call('POST', `/v1/sessions/${session}/stop`, { token })

/** Sessions that cannot be reached for a while. */
function cutSessions(): { heal: () => void } {
  const spy = vi
    .spyOn(ExecutionSession.prototype, 'stop')
    .mockImplementation(() => Promise.reject(new Error('network')))
  return { heal: () => spy.mockRestore() }
}

describe('a stop that does not reach its session', () => {
  it('says so, keeps the wish over an eviction, takes all authority, and is repeated until it does', async () => {
    for (const stop of [stopSite, stopCell]) {
      const { site } = await ready()
      const { session, plan, ask, hub } = await bound(site)
      const cut = cutSessions()
      const answer = await stop(site)
      expect(answer.status).toBe(200)
      const told = (answer.body['sessions'] ?? answer.body['stops']) as object[]
      expect(told).toMatchObject([{ session, stop: 'not_reached_yet' }])
      expect((await hub.mayActuate(ask)).ok).toBe(false)
      await evictDurableObject(hub)
      expect((await cellOf(site))?.stops).toMatchObject([{ session, stop: 'not_reached_yet' }])
      cut.heal()
      await until('reached', async () => (await sessionOf(site.site, session).end()) !== null)
      await reaches(site, plan, ['terminated'])
      await until('confirmed', async () => (await cellOf(site))?.stops.length === 0)
      expect(await cellOf(site)).toMatchObject({ session: null, armed_until_ms: null })
    }
  })

  it('answers 202 for a session, and reaches the agent over its presence', async () => {
    const { site, presence } = await ready()
    const { session } = await bound(site)
    const cut = cutSessions()
    const answer = await stopSession(site, session)
    expect([answer.status, answer.body['stop']]).toEqual([202, 'not_reached_yet'])
    await until('halted', () => Promise.resolve(presence.halted.includes('stopped_by_person')))
    cut.heal()
  })

  it('stops the others meanwhile', async () => {
    const { site } = await ready()
    const other = await enrolAgent(site, { agent: 'second', cell: 'cell-2', jwk: strangerJwk })
    other.health()
    const first = await bound(site)
    await until('second health', async () =>
      (await hubOf(site.site).agents()).every((agent) => agent.health !== null),
    )
    const plan = idOf(await decided(site, readPlan(site.plannerId, 'ST-7', { agent: 'second' })))
    await reaches(site, plan, ['bound'])
    const real: unknown = Reflect.get(ExecutionSession.prototype, 'stop')
    vi.spyOn(ExecutionSession.prototype, 'stop').mockImplementation(async function (
      this: ExecutionSession,
      reason,
      by,
    ) {
      if ((await this.status())?.session === first.session) throw new Error('network')
      return (real as ExecutionSession['stop']).call(this, reason, by)
    })
    const { sessions } = (await stopSite(site)).body as { sessions: { stop: string }[] }
    expect(sessions.map(({ stop }) => stop).sort()).toEqual(['not_reached_yet', 'stopped'])
    await reaches(site, plan, ['terminated'])
  })
})

describe('what a stop says of the devices', () => {
  it('is unconfirmed while something may still move, and confirmed by the report of rest', async () => {
    const { site } = await ready()
    const { session, plan, hub } = await bound(site)
    const end = ended(session, plan, { latch: true })
    vi.spyOn(ExecutionSession.prototype, 'end').mockImplementation(() => Promise.resolve(end))
    const answer = await stopSession(site, session)
    expect([answer.status, answer.body['stop']]).toEqual([200, 'unconfirmed_at_device'])
    const moving = [{ server: 'arm', state: 'pending' as const, detail: null }]
    await hub.sessionEnded({ ...end, rest: { devices: moving } })
    expect(await cellOf(site)).toMatchObject({
      needs_clearance: true,
      not_at_rest: ['arm'],
      stops: [{ session, stop: 'unconfirmed_at_device', devices: ['arm'] }],
    })
    expect((await clear(site)).body).toMatchObject({
      code: 'not_at_rest',
      detail: expect.stringContaining('arm') as string,
    })
    await hub.sessionEnded({
      ...end,
      rest: { devices: [{ server: 'arm', state: 'at_rest', detail: null }] },
    })
    expect(await cellOf(site)).toMatchObject({ not_at_rest: [], stops: [] })
    expect((await clear(site)).status).toBe(200)
  })

  it('a device that never reports rest is declared by an administrator, by name, and stays latched', async () => {
    const { site } = await ready()
    const { session, plan, hub } = await bound(site)
    const rest = {
      devices: [{ server: 'arm', state: 'refused' as const, detail: 'still turning' }],
    }
    await hub.sessionEnded(ended(session, plan, { latch: true, rest }))
    const seen = (await cellOf(site))?.change
    const force = (token: string) =>
      call('POST', '/v1/cells/cell-1/force-clear', { token, body: { note: 'Unplugged.', seen } })
    expect((await force(site.operator)).status).toBe(403)
    expect((await force(site.admin)).status).toBe(200)
    expect(await cellOf(site)).toMatchObject({ needs_clearance: true, not_at_rest: [] })
    const trail = await hub.audit(-1)
    const entry = trail.find(({ event }) => event === 'cell_force_cleared')
    expect(entry).toMatchObject({ actor: 'ada', facts: { not_at_rest: ['arm'] } })
    expect((await clear(site)).status).toBe(200)
  })
})

describe('after a stop by a person', () => {
  it('of a session nothing starts by itself, not even what only reads', async () => {
    const { site, presence } = await ready()
    const { session } = await bound(site)
    const moving = idOf(await accepted(site, fetchPlan(site.plannerId, { goal: 'Fetch a plate.' })))
    // In the order of the queue.
    await until('queued', async () => ((await cellOf(site))?.queued ?? 0) > 0)
    const reading = idOf(await decided(site, readPlan(site.plannerId)))
    expect((await stopSession(site, session, site.reviewer)).body['stop']).toBe('stopped')
    expect(await cellOf(site)).toMatchObject({ armed_until_ms: null, held_by: 'rosa' })
    presence.health()
    await scheduler.wait(500)
    for (const plan of [moving, reading]) {
      expect((await reviewOf(site.site, plan).status())?.state).toBe('queued')
    }
    // Arming by a person who saw the stop is what lets it go on.
    expect((await arm(site)).status).toBe(200)
    await reaches(site, moving, ['bound'])
  })

  it('a release lets what only reads go on, and arms nothing', async () => {
    const { site } = await ready()
    const { session } = await bound(site)
    const reading = idOf(await decided(site, readPlan(site.plannerId)))
    await stopSession(site, session)
    expect((await release(site)).body).toMatchObject({ held_by: null, armed_until_ms: null })
    await reaches(site, reading, ['bound'])
  })
})

describe('a review that does not answer', () => {
  it('holds up its own cell alone, and nobody who acts', async () => {
    const { site, presence } = await ready()
    const other = await enrolAgent(site, { agent: 'second', cell: 'cell-2', jwk: strangerJwk })
    other.health()
    await until('health', async () =>
      (await hubOf(site.site).agents()).every((agent) => agent.health !== null),
    )
    const real: unknown = Reflect.get(PlanReview.prototype, 'bind')
    let held = ''
    let free = (): void => undefined
    const gate = new Promise<void>((resolve) => (free = resolve))
    vi.spyOn(PlanReview.prototype, 'bind').mockImplementation(async function (
      this: PlanReview,
      request,
    ) {
      if (held === '' || held === request.session) {
        held = request.session
        await gate
      }
      return (real as PlanReview['bind']).call(this, request)
    })
    idOf(await decided(site, readPlan(site.plannerId, 'ST-100')))
    await until('held', () => Promise.resolve(held !== ''))
    const second = idOf(await decided(site, readPlan(site.plannerId, 'ST-101')))
    await reaches(site, second, ['bound'], 5_000)
    presence.health()
    expect((await arm(site)).status).toBe(200)
    const stopped = await stopCell(site)
    expect(stopped.body).toMatchObject({ stops: [{ stop: 'not_reached_yet' }], session: null })
    free()
  })
})

describe('a hub whose alarm fails', () => {
  it('has an alarm again', async () => {
    const { site } = await ready()
    const { session } = await bound(site)
    const hub = hubOf(site.site)
    const cut = cutSessions()
    await stopSession(site, session)
    await runInDurableObject(hub, (object) => {
      const broken = object as unknown as { stopper: { again: () => Promise<void> } }
      vi.spyOn(broken.stopper, 'again').mockRejectedValueOnce(new Error('broken'))
    })
    await runDurableObjectAlarm(hub)
    const at = await runInDurableObject(hub, (_, state) => state.storage.getAlarm())
    expect(at).not.toBe(null)
    cut.heal()
  })
})
