// Whose word still counts, and what a person has seen (invariant 14): withdrawn credentials, numbered
// changes, agents that start anew, come twice or freeze.
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { CellState } from '../../durable-objects/cell-state.ts'
import { strangerJwk } from '../shared/session-fixture.ts'
import { call, credential, publicHalf, type TestSite } from './support/door.ts'
import { arm, bound, cellOf, clear, ended, ready, revokeOf, robot, seenOf } from './support/hub.ts'
import {
  accepted,
  decided,
  escalating,
  fetchPlan,
  hubOf,
  idOf,
  loadTinyGraph,
  Presence,
  plateBack,
  reaches,
  readPlan,
  reviewOf,
  sessionOf,
  setPolicy,
  until,
} from './support/site.ts'
import { hush } from '../shared/hush.ts'

hush(/^cell cell-1: Error: network$/)

beforeAll(loadTinyGraph)
afterEach(() => vi.restoreAllMocks())

type Made = { id: string; token: string }

async function make(site: TestSite, role: string, subject: string, owner = subject): Promise<Made> {
  const made = await call('POST', '/v1/credentials', {
    token: site.admin,
    body: { role, subject, owner },
  })
  const { id } = made.body['credential'] as { id: string }
  return { id, token: String(made.body['token']) }
}

const revoke = (site: TestSite, { id }: Made) =>
  call('POST', `/v1/credentials/${id}/revoke`, { token: site.admin })

async function accept(site: TestSite, plan: string, token: string) {
  const packet_digest = (await reviewOf(site.site, plan).status())?.packet_digest
  const body = { verdict: 'accept', rationale: 'Looks right.', packet_digest }
  return call('POST', `/v1/reviews/${plan}`, { token, body })
}

describe('a withdrawn credential', () => {
  it('of a reviewer takes its approvals along, waiting and running, and no one else’s', async () => {
    const { site } = await ready()
    await setPolicy(site, escalating)
    const mallory = await make(site, 'reviewer', 'mallory')
    const again = await make(site, 'reviewer', 'mallory-2', 'mallory')
    const waiting = idOf(await decided(site, fetchPlan(site.plannerId)))
    expect((await accept(site, waiting, mallory.token)).status).toBe(200)
    const reading = idOf(await decided(site, readPlan(site.plannerId)))
    expect((await accept(site, reading, mallory.token)).status).toBe(200)
    await reaches(site, reading, ['bound'])
    const kept = idOf(await decided(site, readPlan(site.plannerId, 'ST-2')))
    // The same person under another credential: that one was not withdrawn.
    expect((await accept(site, kept, again.token)).status).toBe(200)
    expect((await revoke(site, mallory)).status).toBe(200)
    await reaches(site, waiting, ['withdrawn'])
    await reaches(site, reading, ['terminated'])
    expect((await reviewOf(site.site, reading).status())?.session_reason).toBe('capability_revoked')
    await call('POST', '/v1/cells/cell-1/release', {
      token: site.operator,
      body: { seen: await seenOf(site) },
    })
    await reaches(site, kept, ['bound'])
  })

  it('of an operator takes its armings along, in the middle of a run too', async () => {
    const { site } = await ready()
    const oscar = await make(site, 'operator', 'oscar')
    const armed = await call('POST', '/v1/cells/cell-1/arm', {
      token: oscar.token,
      body: { until_ms: Date.now() + 60_000 },
    })
    expect(armed.status).toBe(200)
    const plan = idOf(await accepted(site, fetchPlan(site.plannerId)))
    await reaches(site, plan, ['bound'])
    await revoke(site, oscar)
    expect(await cellOf(site)).toMatchObject({
      armed_until_ms: null,
      changed: { what: 'credential_revoked' },
    })
    const { session } = (await reviewOf(site.site, plan).status()) ?? {}
    const hub = hubOf(site.site)
    const ask = {
      session: session ?? '',
      cell: 'cell-1',
      agent_jkt: (await hub.agents())[0]?.jkt ?? '',
      planner: site.plannerId,
      tool: 'storage.fetch',
      epoch: (await hub.settings())?.epoch ?? 0,
    }
    expect(await hub.mayActuate(ask)).toMatchObject({ error: { reason: 'cell_not_armed' } })
  })

  it('of an operator leaves the arming by another one', async () => {
    const { site } = await ready()
    await arm(site)
    await revoke(site, await make(site, 'operator', 'oscar'))
    expect((await cellOf(site))?.armed_until_ms).not.toBe(null)
  })

  it('repeated, or another one of the same planner, ends nothing that runs under a good one', async () => {
    const { site } = await ready()
    const old = await make(site, 'planner', site.plannerId, 'pia')
    await revoke(site, old)
    const { session, plan } = await bound(site)
    await revoke(site, old)
    const second = await make(site, 'planner', site.plannerId, 'pia')
    await revoke(site, second)
    await scheduler.wait(300)
    expect((await reviewOf(site.site, plan).status())?.state).toBe('bound')
    expect((await sessionOf(site.site, session).status())?.status).toBe('bound')
    await revokeOf(site, 'planner')
    await reaches(site, plan, ['terminated'])
  })
})

describe('whoever accepted first', () => {
  it('may still reject, and that stands against every later acceptance', async () => {
    const { site } = await ready()
    await setPolicy(site, { ...escalating, approvals_required: 2 })
    const second = await credential(site.admin, 'reviewer', 'bea', 'bea')
    const plan = idOf(await decided(site, readPlan(site.plannerId)))
    expect((await accept(site, plan, site.reviewer)).status).toBe(200)
    const packet_digest = (await reviewOf(site.site, plan).status())?.packet_digest
    const body = { verdict: 'reject', rationale: 'I was wrong.', packet_digest }
    const rejected = await call('POST', `/v1/reviews/${plan}`, { token: site.reviewer, body })
    expect([rejected.status, rejected.body['state']]).toEqual([200, 'rejected'])
    expect((await accept(site, plan, second)).body['code']).toBe('already_resolved')
  })
})

describe('what a person acknowledges has a number', () => {
  const clearAs = (token: string, seen?: number) =>
    call('POST', '/v1/cells/cell-1/clear', { token, body: { note: 'Looked.', seen } })
  const armAs = (token: string, seen?: number) =>
    call('POST', '/v1/cells/cell-1/arm', { token, body: { until_ms: Date.now() + 60_000, seen } })

  it('a clearance for one event does not clear a later one that its person never saw', async () => {
    const { site } = await ready()
    const first = await bound(site)
    await first.hub.sessionEnded(ended(first.session, first.plan, { latch: true }))
    const seen = await seenOf(site)
    const bea = await credential(site.admin, 'operator', 'bea', 'bea')
    expect((await clearAs(bea, seen)).status).toBe(200)
    expect((await armAs(bea)).status).toBe(200)
    const plan = idOf(await decided(site, readPlan(site.plannerId)))
    await reaches(site, plan, ['bound'])
    const session = (await reviewOf(site.site, plan).status())?.session ?? ''
    await first.hub.sessionEnded(ended(session, plan, { latch: true, reason: 'node_unknown' }))
    for (const stale of [await clearAs(site.operator, seen), await clearAs(site.operator)]) {
      expect([stale.status, stale.body['code']]).toEqual([409, 'stale_change'])
      expect(String(stale.body['detail'])).toContain('latched')
    }
    expect(await cellOf(site)).toMatchObject({
      needs_clearance: true,
      latch_reason: 'node_unknown',
    })
    expect((await clear(site)).status).toBe(200)
  })

  it('an arming from an old page does not undo a disarming that it does not show', async () => {
    const { site } = await ready()
    await arm(site)
    const bea = await credential(site.admin, 'operator', 'bea', 'bea')
    const seen = await seenOf(site)
    await call('POST', '/v1/cells/cell-1/disarm', { token: site.operator })
    for (const stale of [await armAs(bea, seen), await armAs(bea)]) {
      expect([stale.status, stale.body['code']]).toEqual([409, 'stale_change'])
      expect(String(stale.body['detail'])).toContain('disarmed, by olga')
    }
    expect((await cellOf(site))?.armed_until_ms).toBe(null)
    // Whoever disarmed knows of it; anybody else names what they have seen by now.
    expect((await armAs(site.operator)).status).toBe(200)
    expect((await armAs(bea, await seenOf(site))).status).toBe(200)
  })
})

describe('an agent process', () => {
  it('that starts anew finds the cell disarmed, and nothing starts by itself', async () => {
    const { site, presence } = await ready()
    await arm(site)
    presence.close()
    await until('offline', async () => (await hubOf(site.site).agents())[0]?.online === false)
    const plan = idOf(await accepted(site, fetchPlan(site.plannerId)))
    const next = await Presence.connect(site, robot)
    next.health()
    expect(await cellOf(site)).toMatchObject({
      armed_until_ms: null,
      changed: { what: 'agent_restarted', by: 'robot' },
    })
    await scheduler.wait(300)
    expect((await reviewOf(site.site, plan).status())?.state).toBe('queued')
    expect((await hubOf(site.site).audit(-1)).map(({ event }) => event)).toContain(
      'agent_restarted',
    )
    // What was known of the cell went with the old process: a person looks before it runs.
    await plateBack(site)
    await arm(site)
    await reaches(site, plan, ['bound'])
    await until('assigned', () => Promise.resolve(next.assigned.length === 1))
  })

  it('that starts anew where nothing is armed leaves nothing known of the cell', async () => {
    const { site, presence } = await ready()
    const facts = async () => {
      const state = await call('GET', '/v1/cells/cell-1/state', { token: site.operator })
      return state.body['facts'] as { value: unknown }[]
    }
    expect((await facts()).some(({ value }) => value !== null)).toBe(true)
    presence.close()
    await until('offline', async () => (await hubOf(site.site).agents())[0]?.online === false)
    // The state of the cell does not answer: nothing is bound meanwhile, and it is told again.
    const cut = vi
      .spyOn(CellState.prototype, 'forget')
      .mockImplementation(() => Promise.reject(new Error('network')))
    const next = await Presence.connect(site, robot)
    next.health()
    await until('asked', () => Promise.resolve(cut.mock.calls.length > 0))
    await plateBack(site)
    const plan = idOf(await accepted(site, fetchPlan(site.plannerId)))
    await arm(site)
    await scheduler.wait(200)
    expect((await reviewOf(site.site, plan).status())?.state).toBe('queued')
    cut.mockRestore()
    await until('forgotten', async () => (await facts()).every(({ value }) => value === null))
    expect((await hubOf(site.site).audit(-1)).map(({ event }) => event)).toContain(
      'agent_restarted',
    )
    next.close()
  })

  it('whose device server restarted finds the cell disarmed; one that first connects does not', async () => {
    const { site, presence } = await ready()
    presence.instance = 0
    presence.health()
    await arm(site)
    presence.instance = 1
    presence.health()
    const seen = async () =>
      Object.values((await hubOf(site.site).agents())[0]?.health?.servers ?? {})[0]?.instance
    await until('first connection', async () => (await seen()) === 1)
    expect((await cellOf(site))?.armed_until_ms).not.toBe(null)
    presence.instance = 2
    presence.health()
    await until('restarted', async () => (await seen()) === 2)
    expect(await cellOf(site)).toMatchObject({
      armed_until_ms: null,
      changed: { what: 'device_restarted', by: 'robot' },
    })
    const next = idOf(await accepted(site, fetchPlan(site.plannerId)))
    await scheduler.wait(200)
    expect((await reviewOf(site.site, next).status())?.state).toBe('queued')
    const trail = await hubOf(site.site).audit(-1)
    expect(trail.map(({ event }) => event)).toContain('device_restarted')
  })

  it('that tells of a local latch disarms the cell, once, and the trail says so', async () => {
    const { site, presence } = await ready()
    await arm(site)
    presence.outOfService = 'local_latch'
    presence.health()
    await until('disarmed', async () => (await cellOf(site))?.armed_until_ms === null)
    expect(await cellOf(site)).toMatchObject({ changed: { what: 'local_latch', by: 'robot' } })
    presence.health()
    await scheduler.wait(200)
    const trail = await hubOf(site.site).audit(-1)
    expect(trail.filter(({ event }) => event === 'local_latch')).toHaveLength(1)
    const plan = idOf(await accepted(site, fetchPlan(site.plannerId)))
    await arm(site)
    await scheduler.wait(200)
    expect((await reviewOf(site.site, plan).status())?.state).toBe('queued')
  })

  it('of another key, or a revoked one, is not what the cell was armed for', async () => {
    const { site } = await ready()
    await arm(site)
    const body = { agent: 'robot', cell: 'cell-1', jwk: publicHalf(strangerJwk) }
    await call('POST', '/v1/agents', { token: site.admin, body })
    expect((await cellOf(site))?.armed_until_ms).toBe(null)
    await arm(site)
    await call('POST', '/v1/agents/robot/revoke', { token: site.admin })
    expect((await cellOf(site))?.armed_until_ms).toBe(null)
  })

  it('that comes back over a new connection is still armed for', async () => {
    const { site, presence } = await ready()
    presence.close()
    await until('offline', async () => (await hubOf(site.site).agents())[0]?.online === false)
    const boot_id = crypto.randomUUID()
    const one = await Presence.connect(site, { ...robot, boot_id })
    await arm(site)
    one.close()
    await Presence.connect(site, { ...robot, boot_id })
    expect((await cellOf(site))?.armed_until_ms).not.toBe(null)
  })

  it('beside a living one of the same key is refused, and the cell is latched', async () => {
    const { site, presence } = await ready()
    await arm(site)
    // In a word that an agent of the first version reads.
    await expect(Presence.connect(site, robot)).rejects.toThrow('key_not_bound another process')
    expect(await cellOf(site)).toMatchObject({
      needs_clearance: true,
      latch_reason: 'agent_duplicate',
      armed_until_ms: null,
    })
    // It tries again and again: that is said once.
    const change = await seenOf(site)
    const newer = { ...robot, features: 'reasons' }
    await expect(Presence.connect(site, newer)).rejects.toThrow('agent_duplicate')
    expect(await seenOf(site)).toBe(change)
    expect((await clear(site)).status).toBe(200)
    await arm(site)
    const plan = idOf(await accepted(site, fetchPlan(site.plannerId)))
    await reaches(site, plan, ['bound'])
    await until('assigned', () => Promise.resolve(presence.assigned.length === 1))
  })

  it('takes the place of a frozen one, whose sockets are closed', async () => {
    const { site, presence } = await ready()
    presence.frozen = true
    const next = await Presence.connect(site, robot)
    next.health()
    await until('fresh', async () => (await hubOf(site.site).agents())[0]?.health !== null)
    const plan = idOf(await decided(site, readPlan(site.plannerId)))
    await reaches(site, plan, ['bound'])
    await until('assigned', () => Promise.resolve(next.assigned.length === 1))
    expect(presence.assigned).toHaveLength(0)
  })

  it('that freezes is not online any more within seconds, and gets no plan', async () => {
    const { site, presence } = await ready()
    presence.health()
    await scheduler.wait(200)
    presence.frozen = true
    const before = Date.now()
    await until('silent', async () => !(await hubOf(site.site).agents())[0]?.online, 20_000)
    expect(Date.now() - before).toBeLessThan(15_000)
    const plan = idOf(await decided(site, readPlan(site.plannerId)))
    await scheduler.wait(300)
    expect((await reviewOf(site.site, plan).status())?.state).toBe('queued')
    presence.frozen = false
    presence.health()
    await reaches(site, plan, ['bound'])
  })
})

describe('a plan whose agent never came', () => {
  it('is given back when the agent does not answer, and runs in another session when it is back', async () => {
    const { site, presence } = await ready()
    presence.health()
    const { plan, session } = await bound(site)
    presence.frozen = true
    const other = async () => (await reviewOf(site.site, plan).status())?.session
    await until('given back', async () => (await other()) !== session, 40_000)
    expect((await reviewOf(site.site, plan).status())?.state).toBe('queued')
    expect((await sessionOf(site.site, session).status())?.status).toBe('terminated')
    expect(await cellOf(site)).toMatchObject({ session: null, needs_clearance: false, holds: [] })
    const trail = (await hubOf(site.site).audit(-1)).map(({ event }) => event)
    expect(trail).toContain('agent_not_answering')
    presence.frozen = false
    presence.health()
    await reaches(site, plan, ['bound'])
    expect(await other()).not.toBe(session)
    await until('assigned', () => Promise.resolve(presence.assigned.length === 2))
  }, 90_000)
})
