// SiteHub in the real runtime, with its reviews and sessions: the queue, one session per plan through
// races and evictions, and every reason not to bind.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { QueueEntry } from '../../durable-objects/contracts.ts'
import { limits } from '../../protocol/limits.ts'
import { call, freshSite, type TestSite } from './support/door.ts'
import {
  robot,
  freshSession,
  ready,
  arm,
  cellOf,
  ended,
  request,
  queuedPlan,
  refusalOf,
} from './support/hub.ts'
import {
  decided,
  enrolAgent,
  hubOf,
  idOf,
  reaches,
  readPlan,
  reviewOf,
  sessionOf,
  setPolicy,
  until,
  loadTinyGraph,
} from './support/site.ts'

beforeAll(loadTinyGraph)

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
      planner: `planner-${i % 8}`,
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
      if (!answer.ok) expect(answer.error.code).toBe('already_bound')
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
    expect(answer).toMatchObject({ ok: false, error: { code: 'floor_raised' } })
    expect((await reviewOf(site.site, plan).status())?.state).toBe('expired')
  })

  it('when it has run out, was withdrawn, holds no node or was never an accept', async () => {
    const { site } = await ready()
    const bind = async (plan: string, now_ms = Date.now()) => {
      const answer = await reviewOf(site.site, plan).bind({ ...(await request(site)), now_ms })
      return answer.ok ? 'ok' : answer.error.code
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
    expect(again).toMatchObject({ ok: false, error: { code: 'policy_changed' } })
  })
})
