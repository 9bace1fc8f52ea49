// SiteHub in the real runtime, with its reviews and sessions: one session per plan through races and
// evictions, every reason not to bind, arming, latch, stops, revocations, and a site beside it.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import type { BindRequest, QueueEntry, SessionEnd } from '../../durable-objects/contracts.ts'
import { windowRules } from '../../verify/screen/window/index.ts'
import { makeId } from '../../protocol/ids.ts'
import { limits } from '../../protocol/limits.ts'
import type { SiteSnapshot } from '../../protocol/snapshot.ts'
import { env } from 'cloudflare:workers'
import { agentJwk, strangerJwk } from '../shared/session-fixture.ts'
import { call, credential, freshSite, publicHalf, type TestSite } from './support/door.ts'
import {
  decided,
  enrolAgent,
  fetchPlan,
  hubOf,
  idOf,
  loadTinyGraph,
  Presence,
  reaches,
  readPlan,
  reviewOf,
  sessionOf,
  setPolicy,
  until,
} from './support/site.ts'

beforeAll(loadTinyGraph)

const robot = { agent: 'robot', cell: 'cell-1', jwk: agentJwk }
const freshSession = () => makeId('sess', crypto.getRandomValues(new Uint8Array(26)))

async function ready(): Promise<{ site: TestSite; presence: Presence }> {
  const site = await freshSite()
  const presence = await enrolAgent(site, robot)
  presence.health()
  await until('health', async () => (await hubOf(site.site).agents())[0]?.health !== null)
  return { site, presence }
}

const arm = (site: TestSite, ms = 60_000) =>
  call('POST', '/v1/cells/cell-1/arm', {
    token: site.operator,
    body: { until_ms: Date.now() + ms },
  })

const cellOf = async (site: TestSite) => (await hubOf(site.site).cells())[0]
const ended = (session: string, plan: string, more: Partial<SessionEnd> = {}): SessionEnd => ({
  session,
  plan,
  cell: 'cell-1',
  status: 'terminated',
  reason: 'stopped_by_person',
  latch: false,
  node: null,
  ended_ms: Date.now(),
  ...more,
})

/** What the hub would ask a review to bind. */
async function request(site: TestSite, change: Partial<SiteSnapshot> = {}): Promise<BindRequest> {
  const answer = await hubOf(site.site).snapshot(null)
  if (answer === null || answer.snapshot.registry === null) throw new TypeError('no snapshot')
  const { registry } = answer.snapshot
  return {
    session: freshSession(),
    cell: 'cell-1',
    agent: 'robot',
    agent_jkt: (await hubOf(site.site).agents())[0]?.jkt ?? '',
    snapshot: { ...answer.snapshot, registry, ...change },
    now_ms: Date.now(),
  }
}

/** An accepted plan that waits because its cell is not armed. */
const queuedPlan = async (site: TestSite, more: object = {}): Promise<string> => {
  const plan = idOf(await decided(site, fetchPlan(site.plannerId, more)))
  await until('queued', async () => ((await cellOf(site))?.queued ?? 0) > 0)
  return plan
}

const refusalOf = async (site: TestSite, plan: string) => {
  await reaches(site, plan, ['expired', 'withdrawn'])
  return (await reviewOf(site.site, plan).status())?.bind_refusal ?? null
}

describe('a queued plan', () => {
  it('waits for an agent that can run it, and for arming when it moves metal', async () => {
    const site = await freshSite()
    const presence = await enrolAgent(site, robot)
    presence.health()
    await until('health', async () => (await hubOf(site.site).agents())[0]?.health !== null)
    const moving = await queuedPlan(site)
    const reading = idOf(await decided(site, readPlan(site.plannerId)))
    // Behind one that cannot run yet, another may.
    await reaches(site, reading, ['bound'])
    await until('assigned', () => Promise.resolve(presence.assigned.length === 1))
    await call('POST', '/v1/cells/cell-1/stop', { token: site.operator })
    await reaches(site, reading, ['terminated'])
    expect((await reviewOf(site.site, moving).status())?.state).toBe('queued')
    presence.health(env.TEST_REGISTRY.tools.map((tool) => tool.server))
    await arm(site)
    await scheduler.wait(200)
    expect((await reviewOf(site.site, moving).status())?.state).toBe('queued')
    presence.health()
    await reaches(site, moving, ['bound'])
  })

  it('does not run on an arming that has run out', async () => {
    const { site, presence } = await ready()
    await arm(site, 300)
    await scheduler.wait(350)
    const plan = await queuedPlan(site)
    presence.health()
    await scheduler.wait(200)
    expect((await reviewOf(site.site, plan).status())?.state).toBe('queued')
  })

  it('leaves the queue when its decision runs out, and keeps nobody waiting', async () => {
    const { site } = await ready()
    await setPolicy(site, { decision_valid_ms: 1_000 })
    const plan = await queuedPlan(site)
    await reaches(site, plan, ['expired'])
    await until('gone', async () => (await cellOf(site))?.queued === 0)
    // A message that arrives after the plan is over does not hold a place for ever.
    const entry: QueueEntry = {
      plan,
      planner: site.plannerId,
      owner: 'pia',
      agent: null,
      servers: [],
      sandboxes: [],
      physical: false,
      received_ms: Date.now(),
      valid_until_ms: Date.now() - 1,
    }
    await hubOf(site.site).enqueue(entry)
    await until('swept', async () => (await cellOf(site))?.queued === 0)
  })

  it('is bounded, and the same plan takes one place', async () => {
    const { site } = await ready()
    const entry = (i: number): QueueEntry => ({
      plan: `plan_${i}`,
      planner: site.plannerId,
      owner: 'pia',
      agent: 'nobody',
      servers: [],
      sandboxes: [],
      physical: false,
      received_ms: Date.now(),
      valid_until_ms: Date.now() + 600_000,
    })
    const hub = hubOf(site.site)
    await runInDurableObject(hub, (_, state) => {
      for (let i = 0; i < limits.queuedPlansMax - 1; i++) {
        state.storage.sql.exec(
          'INSERT INTO queue VALUES (?, ?, 0)',
          `plan_${i}`,
          JSON.stringify(entry(i)),
        )
      }
    })
    expect((await hub.enqueue(entry(limits.queuedPlansMax))).ok).toBe(true)
    expect((await hub.enqueue(entry(limits.queuedPlansMax))).ok).toBe(true)
    const over = await hub.enqueue(entry(limits.queuedPlansMax + 1))
    expect(over).toMatchObject({ ok: false, error: { reason: 'queue_full' } })
  })
})

describe('a plan gets one session, ever (invariant 2)', () => {
  it('under concurrent bindings by different sessions', async () => {
    const { site } = await ready()
    const plan = await queuedPlan(site)
    const asked = await request(site)
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        reviewOf(site.site, plan).bind({ ...asked, session: freshSession() }),
      ),
    )
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
    for (const answer of answers) {
      if (!answer.ok) expect(answer.error.reason).toBe('already_bound')
    }
  })

  it('and the same session may ask again for the same context, also after an eviction', async () => {
    const { site } = await ready()
    const plan = await queuedPlan(site)
    const asked = await request(site)
    const first = await reviewOf(site.site, plan).bind(asked)
    await evictDurableObject(reviewOf(site.site, plan))
    // The site has moved on meanwhile: what was bound is not composed anew.
    await setPolicy(site, { least_depth: 3 })
    expect(
      await reviewOf(site.site, plan).bind({ ...(await request(site)), session: asked.session }),
    ).toEqual(first)
  })

  it('when the hub is evicted between reserving and binding', async () => {
    const { site, presence } = await ready()
    const plan = await queuedPlan(site)
    const hub = hubOf(site.site)
    const session = freshSession()
    // The state that a crash right after the reservation leaves behind.
    await runInDurableObject(hub, (_, state) => {
      const { sql } = state.storage
      sql.exec('DELETE FROM queue')
      sql.exec(
        `INSERT INTO bindings (plan, session, cell, agent, agent_jkt, planner, state, received_ms,
           started_ms) SELECT ?, ?, cell, agent, jkt, ?, 'binding', ?, ? FROM agents`,
        plan,
        session,
        site.plannerId,
        Date.now(),
        Date.now(),
      )
      sql.exec('UPDATE cells SET session = ?', session)
    })
    await evictDurableObject(hub)
    await hub.cells()
    await reaches(site, plan, ['bound'])
    expect((await reviewOf(site.site, plan).status())?.session).toBe(session)
    await until('assigned', () => Promise.resolve(presence.assigned.includes(session)))
    expect((await sessionOf(site.site, session).status())?.status).toBe('bound')
    expect((await cellOf(site))?.session).toBe(session)
  })

  it('and an end that overtakes the answer to the binding stands', async () => {
    const { site } = await ready()
    const plan = await queuedPlan(site)
    await arm(site)
    await reaches(site, plan, ['bound'])
    const hub = hubOf(site.site)
    const session = (await reviewOf(site.site, plan).status())?.session ?? ''
    await until('settled', async () => {
      const rows = await runInDurableObject(hub, (_, state) =>
        state.storage.sql.exec('SELECT state FROM bindings').toArray(),
      )
      return rows[0]?.['state'] === 'bound'
    })
    await runInDurableObject(hub, (_, state) => {
      state.storage.sql.exec(`UPDATE bindings SET state = 'binding'`)
    })
    await hub.sessionEnded(ended(session, plan))
    await runDurableObjectAlarm(hub)
    const rows = await runInDurableObject(hub, (_, state) =>
      state.storage.sql.exec('SELECT state FROM bindings').toArray(),
    )
    expect(rows).toEqual([{ state: 'ended' }])
    expect((await cellOf(site))?.session).toBe(null)
  })
})

describe('a decision is not bound', () => {
  const after = async (change: (site: TestSite) => Promise<unknown>) => {
    const { site } = await ready()
    const plan = await queuedPlan(site)
    await change(site)
    await arm(site)
    return refusalOf(site, plan)
  }
  const putTools = (site: TestSite, registry: object) =>
    call('PUT', '/v1/tools', { token: site.admin, body: registry })

  it('when the registry has changed', async () => {
    const [first, ...rest] = env.TEST_REGISTRY.tools
    if (first === undefined) throw new TypeError('the demo site has tools')
    const tools = [{ ...first, timeout_ms: first.timeout_ms + 1 }, ...rest]
    expect(await after((site) => putTools(site, { ...env.TEST_REGISTRY, tools }))).toBe(
      'registry_changed',
    )
  })

  it('when the policy has changed', async () => {
    expect(await after((site) => setPolicy(site, { least_depth: 3 }))).toBe('policy_changed')
  })

  it('when the site went into shadow', async () => {
    expect(await after((site) => setPolicy(site, { mode: 'shadow' }))).toBe('shadow_mode')
  })

  it('when the epoch has risen', async () => {
    expect(
      await after((site) => call('POST', `/v1/sites/${site.site}/stop`, { token: site.admin })),
    ).toBe('epoch_changed')
  })

  it('when the planner has lost a capability, as the hub says or as the floor does', async () => {
    const { site } = await ready()
    const plan = await queuedPlan(site)
    const asked = await request(site)
    const planners = { ...env.TEST_REGISTRY.planners, [site.plannerId]: { capabilities: [] } }
    const registry = { ...asked.snapshot.registry, planners }
    const answer = await reviewOf(site.site, plan).bind({
      ...asked,
      snapshot: { ...asked.snapshot, registry },
    })
    expect(answer).toMatchObject({ ok: false, error: { reason: 'capability_revoked' } })
  })

  it('when the floor has risen', async () => {
    const { site } = await ready()
    const plan = await queuedPlan(site)
    const asked = await request(site)
    // The description of a tool has changed since it was approved.
    const agents = structuredClone(asked.snapshot.agents)
    const [agent] = agents
    for (const server of Object.values(agent?.servers ?? {})) {
      for (const name of Object.keys(server.tools)) server.tools[name] = `def:${'Z'.repeat(43)}`
    }
    const snapshot = { ...asked.snapshot, agents }
    const answer = await reviewOf(site.site, plan).bind({ ...asked, snapshot })
    expect(answer).toMatchObject({ ok: false, error: { reason: 'floor_raised' } })
    expect((await reviewOf(site.site, plan).status())?.state).toBe('expired')
  })

  it('when it has run out, was withdrawn, holds no node or was never an accept', async () => {
    const { site } = await ready()
    const bind = async (plan: string, now_ms = Date.now()) => {
      const answer = await reviewOf(site.site, plan).bind({ ...(await request(site)), now_ms })
      return answer.ok ? 'ok' : answer.error.reason
    }
    const late = await queuedPlan(site)
    expect(await bind(late, Date.now() + 7_200_000)).toBe('decision_expired')
    const gone = await queuedPlan(site)
    await reviewOf(site.site, gone).withdraw('pia')
    expect(await bind(gone)).toBe('withdrawn')
    const text = idOf(await decided(site, readPlan(site.plannerId, 'ST-1', { nodes: [] })))
    expect(await bind(text)).toBe('not_accepted')
    expect(await bind(`plan_${'6'.repeat(26)}`)).toBe('not_accepted')
  })

  it('and a refused plan never comes back', async () => {
    const { site, presence } = await ready()
    const plan = await queuedPlan(site)
    await setPolicy(site, { least_depth: 3 })
    await arm(site)
    expect(await refusalOf(site, plan)).toBe('policy_changed')
    await setPolicy(site, {})
    presence.health()
    const again = await reviewOf(site.site, plan).bind(await request(site))
    expect(again).toMatchObject({ ok: false, error: { reason: 'policy_changed' } })
  })
})

describe('a cell', () => {
  it('is latched by an abnormal end, takes nothing, and is cleared by a person without arming', async () => {
    const { site, presence } = await ready()
    await arm(site)
    const plan = idOf(await decided(site, fetchPlan(site.plannerId)))
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
    await call('POST', '/v1/cells/cell-1/clear', { token: site.operator, body: { note: 'Empty.' } })
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
    expect(may).toMatchObject({ ok: false, error: { reason: 'session_mismatch' } })
  })
})

/** A plan that is bound and waits for its agent, with the question its session would ask. */
async function bound(site: TestSite) {
  await arm(site)
  const plan = idOf(await decided(site, fetchPlan(site.plannerId)))
  await reaches(site, plan, ['bound'])
  const hub = hubOf(site.site)
  const session = (await reviewOf(site.site, plan).status())?.session ?? ''
  const epoch = (await hub.settings())?.epoch ?? 0
  const ask = {
    session,
    cell: 'cell-1',
    agent_jkt: (await hub.agents())[0]?.jkt ?? '',
    planner: site.plannerId,
    tool: 'storage.fetch',
    epoch,
  }
  await until('authority', async () => (await hub.mayActuate(ask)).ok)
  return { plan, session, ask, hub }
}

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
    expect(stopped.body).toEqual({ stopped: [session] })
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
    const { items } = (await call('GET', '/v1/credentials', { token: site.admin })).body as {
      items: { id: string; role: string }[]
    }
    const mine = items.find((item) => item.role === 'planner')?.id ?? ''
    await call('POST', `/v1/credentials/${mine}/revoke`, { token: site.admin })
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
    await hub.revokePlanner(site.plannerId, 'ada')
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

describe('the window', () => {
  it('is bounded, and a flood by one planner leaves what is known of another', async () => {
    const site = await freshSite()
    const hub = hubOf(site.site)
    const entry = (planner: string, i: number) => ({
      plan: `${planner}-${i}`,
      planner,
      owner: planner,
      at_ms: Date.now() - 100_000 + i,
      verdict: 'reject' as const,
      supersedes: null,
      sketch: [i],
      capabilities: [],
      tools: [],
      codes: [],
      sigma: 0,
      marks: [],
    })
    await hub.remember(entry('quiet', 0))
    for (let i = 0; i < windowRules.entriesPerPlannerMax + 200; i++) {
      await hub.remember(entry('loud', i))
    }
    const window = (await hub.snapshot(null))?.snapshot.window ?? []
    expect(window.filter((one) => one.planner === 'quiet')).toHaveLength(1)
    expect(window.length).toBeLessThanOrEqual(windowRules.entriesPerPlannerMax + 65)
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
    await hubOf(here.site.site).revokePlanner(here.site.plannerId, 'ada')
    const foreign = await call('POST', `/v1/sites/${there.site.site}/stop`, {
      token: here.site.operator,
    })
    expect(foreign.status).toBe(404)
    expect((await running.hub.mayActuate(running.ask)).ok).toBe(true)
    expect((await reviewOf(there.site.site, running.plan).status())?.state).toBe('bound')
    expect(await hubOf(there.site.site).audit(-1)).toEqual(before)
    const seen = await call('GET', `/v1/plans/${running.plan}`, { token: here.site.planner })
    expect(seen.status).toBe(404)
  })
})
