// What may still run: arming, latch, stops, revocations, agents that come and go, and
// a site beside it that notices nothing.
import { runInDurableObject } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../protocol/limits.ts'
import { strangerJwk } from '../shared/session-fixture.ts'
import { call, credential, freshSite, publicHalf } from './support/door.ts'
import {
  robot,
  freshSession,
  ready,
  arm,
  cellOf,
  clear,
  ended,
  queuedPlan,
  refusalOf,
  bound,
  revokeOf,
} from './support/hub.ts'
import {
  accepted,
  decided,
  fetchPlan,
  hubOf,
  idOf,
  Presence,
  reaches,
  readPlan,
  reviewOf,
  sessionOf,
  setPolicy,
  until,
  loadTinyGraph,
} from './support/site.ts'

beforeAll(loadTinyGraph)

describe('a cell', () => {
  it('is latched by an abnormal end, takes nothing, and is cleared by a person without arming', async () => {
    const { site, presence } = await ready()
    await arm(site)
    const plan = idOf(await accepted(site, fetchPlan(site.plannerId)))
    await reaches(site, plan, ['bound'])
    const session = (await reviewOf(site.site, plan).status())?.session ?? ''
    const busy = await call('POST', '/v1/cells/cell-1/clear', {
      token: site.operator,
      body: { note: 'Looked at it.' },
    })
    expect(busy.body['code']).toBe('session_running')
    await hubOf(site.site).sessionEnded(
      ended(session, plan, { reason: 'node_unknown', latch: true, node: 'n2' }),
    )
    expect(await cellOf(site)).toMatchObject({
      needs_clearance: true,
      latch_reason: 'node_unknown',
      armed_until_ms: null,
      session: null,
    })
    expect((await arm(site)).body['code']).toBe('needs_clearance')
    const next = idOf(await decided(site, readPlan(site.plannerId)))
    presence.health()
    await scheduler.wait(200)
    expect((await reviewOf(site.site, next).status())?.state).toBe('queued')
    await clear(site, 'Empty.')
    expect(await cellOf(site)).toMatchObject({ needs_clearance: false, armed_until_ms: null })
    await reaches(site, next, ['bound'])
  })

  it('that is stopped while a binding is in flight runs nothing of it', async () => {
    const { site } = await ready()
    const plan = await queuedPlan(site)
    const hub = hubOf(site.site)
    await Promise.all([
      arm(site),
      (async () => {
        for (let i = 0; i < 40; i++) {
          if (((await cellOf(site))?.session ?? null) !== null) break
        }
        await hub.stopCell('cell-1', 'olga')
      })(),
    ])
    await reaches(site, plan, ['terminated', 'queued', 'bound'])
    await until('over', async () => (await cellOf(site))?.session === null)
    const status = await reviewOf(site.site, plan).status()
    if (status?.session != null) {
      await reaches(site, plan, ['terminated'])
      expect((await sessionOf(site.site, status.session).status())?.status).toBe('terminated')
    }
  })

  it('is freed by a stop although the review of its plan does not answer', async () => {
    const { site } = await ready()
    const hub = hubOf(site.site)
    const session = freshSession()
    await runInDurableObject(hub, (_, state) => {
      const { sql } = state.storage
      sql.exec(
        `INSERT INTO bindings (plan, session, cell, agent, agent_jkt, planner, state, received_ms,
           started_ms) SELECT 'p', ?, cell, agent, jkt, 'x', 'binding', 0, 0 FROM agents`,
        session,
      )
      sql.exec('UPDATE cells SET session = ?', session)
    })
    const stopped = await hub.stopCell('cell-1', 'olga')
    expect(stopped).toMatchObject({ ok: true, value: { session: null } })
    const may = await hub.mayActuate({
      session,
      cell: 'cell-1',
      agent_jkt: (await hub.agents())[0]?.jkt ?? '',
      planner: site.plannerId,
      tool: 'lims.read_sample',
      epoch: 0,
    })
    // Once the hub has freed the cell, the session is not the cell's own any more: refused either way.
    expect(may.ok).toBe(false)
    expect(['stopped_by_person', 'session_mismatch']).toContain(may.ok ? '' : may.error.reason)
  })
})

describe('authority only shrinks (invariant 10)', () => {
  it('a stop of the site ends every session and disarms every cell, idle ones too', async () => {
    const { site } = await ready()
    const other = { agent: 'second', cell: 'cell-2', jwk: publicHalf(strangerJwk) }
    await call('POST', '/v1/agents', { token: site.admin, body: other })
    await call('POST', '/v1/cells/cell-2/arm', {
      token: site.operator,
      body: { until_ms: Date.now() + 60_000 },
    })
    const { plan, session, ask, hub } = await bound(site)
    const stopped = await call('POST', `/v1/sites/${site.site}/stop`, { token: site.operator })
    expect(stopped.body).toEqual({
      sessions: [{ session, cell: 'cell-1', stop: 'stopped', devices: [] }],
    })
    await reaches(site, plan, ['terminated'])
    expect((await hub.cells()).map((cell) => cell.armed_until_ms)).toEqual([null, null])
    expect(await hub.mayActuate(ask)).toMatchObject({ error: { reason: 'stopped_by_person' } })
  })

  it('a revoked agent loses its session, and so does one with a new key', async () => {
    const one = await ready()
    const first = await bound(one.site)
    await call('POST', '/v1/agents/robot/revoke', { token: one.site.admin })
    await reaches(one.site, first.plan, ['terminated'])
    expect(await first.hub.mayActuate(first.ask)).toMatchObject({ ok: false })

    const two = await ready()
    const second = await bound(two.site)
    await call('POST', '/v1/agents', {
      token: two.site.admin,
      body: { agent: 'robot', cell: 'cell-1', jwk: publicHalf(strangerJwk) },
    })
    await reaches(two.site, second.plan, ['terminated'])
    expect(await second.hub.mayActuate(second.ask)).toMatchObject({ ok: false })
    const [agent] = await second.hub.agents()
    // The old key's socket says nothing for the new one.
    expect(agent).toMatchObject({ online: false, health: null })
  })

  it('a revoked planner loses what runs, what waits, and what is accepted later', async () => {
    const { site } = await ready()
    await setPolicy(site, { least_depth: 7 })
    const escalated = idOf(await decided(site, readPlan(site.plannerId)))
    await revokeOf(site, 'planner')
    const packet_digest = (await reviewOf(site.site, escalated).status())?.packet_digest
    await call('POST', `/v1/reviews/${escalated}`, {
      token: site.reviewer,
      body: { verdict: 'accept', rationale: 'Fine.', packet_digest },
    })
    expect(await refusalOf(site, escalated)).toBe('capability_revoked')
    // A new credential of the same planner starts afresh.
    await setPolicy(site, {})
    const token = await credential(site.admin, 'planner', site.plannerId, 'pia')
    const fresh = idOf(await decided(site, readPlan(site.plannerId), token))
    await reaches(site, fresh, ['bound'])
  })

  it('and ends running and queued plans of the planner at once', async () => {
    const { site } = await ready()
    const { plan, ask, hub } = await bound(site)
    const waiting = idOf(await decided(site, readPlan(site.plannerId)))
    await until('queued', async () => ((await cellOf(site))?.queued ?? 0) > 0)
    await revokeOf(site, 'planner')
    await reaches(site, plan, ['terminated'])
    await reaches(site, waiting, ['withdrawn'])
    expect((await hub.mayActuate(ask)).ok).toBe(false)
  })

  it('an arming that runs out in mid-run stops the next node that moves', async () => {
    const { site } = await ready()
    const { ask, hub } = await bound(site)
    await call('POST', '/v1/cells/cell-1/disarm', { token: site.operator })
    expect(await hub.mayActuate(ask)).toMatchObject({ error: { reason: 'cell_not_armed' } })
    expect((await hub.mayActuate({ ...ask, tool: 'lims.read_sample' })).ok).toBe(true)
  })
})

describe('an agent', () => {
  it('that starts anew has said nothing of its devices yet', async () => {
    const { site, presence } = await ready()
    presence.close()
    await until('offline', async () => (await hubOf(site.site).agents())[0]?.online === false)
    await Presence.connect(site, robot)
    expect((await hubOf(site.site).agents())[0]).toMatchObject({ online: true, health: null })
    const plan = idOf(await decided(site, readPlan(site.plannerId)))
    expect((await reviewOf(site.site, plan).status())?.state).not.toBe('bound')
  })

  it('is one of a bounded number, and cells that nobody serves are forgotten', async () => {
    const site = await freshSite()
    const hub = hubOf(site.site)
    const record = (agent: string, cell: string) => ({
      agent,
      cell,
      jkt: agent,
      jwk: { kty: 'OKP' as const, crv: 'Ed25519' as const, x: 'x' },
    })
    for (let i = 0; i < limits.cellsPerSiteMax * 2; i++) {
      expect((await hub.putAgent(record('wanderer', `c${i}`), 'ada')).ok).toBe(true)
    }
    expect(await hub.cells()).toHaveLength(1)
    for (let i = 1; i < limits.agentsPerSiteMax; i++) {
      expect((await hub.putAgent(record(`a${i}`, `d${i}`), 'ada')).ok).toBe(true)
    }
    expect(await hub.putAgent(record('one-more', 'e'), 'ada')).toMatchObject({
      error: { reason: 'too_many_agents' },
    })
  })
})

describe('another site (invariant 6)', () => {
  it('is untouched by stops, revocations, queues and plans of this one', async () => {
    const here = await ready()
    const there = await ready()
    const running = await bound(there.site)
    const before = await hubOf(there.site.site).audit(-1)
    await bound(here.site)
    await call('POST', `/v1/sites/${here.site.site}/stop`, { token: here.site.operator })
    await call('POST', '/v1/agents/robot/revoke', { token: here.site.admin })
    await revokeOf(here.site, 'planner')
    const foreign = await call('POST', `/v1/sites/${there.site.site}/stop`, {
      token: here.site.operator,
    })
    expect(foreign.status).toBe(404)
    expect((await running.hub.mayActuate(running.ask)).ok).toBe(true)
    expect((await reviewOf(there.site.site, running.plan).status())?.state).toBe('bound')
    expect(await hubOf(there.site.site).audit(-1)).toEqual(before)
    const seen = await call('GET', `/v1/plans/${running.plan}`, { token: here.site.reviewer })
    expect(seen.status).toBe(404)
  })
})
