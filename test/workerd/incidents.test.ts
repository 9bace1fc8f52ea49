// What is wrong at a site: each kind is injected where it really arises, is listed with what to do, is told
// through the webhook once when it begins and once when it is over, and is in the trail.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { upsertPlan } from '../../adapters/plan-index.ts'
import { conditionsRunning } from '../../durable-objects/hub/incidents/conditions.ts'
import { incidentKinds, type Incident, type IncidentKind } from '../../protocol/incident.ts'
import type { PlanIndexRow, SessionStatus } from '../../protocol/status.ts'
import { call, type TestSite } from './support/door.ts'
import { bound, cellOf, clear, ended, ready } from './support/hub.ts'
import { hubOf, loadTinyGraph, setPolicy, until, type Presence } from './support/site.ts'

beforeAll(loadTinyGraph)

const now = () => Date.now()

async function open(site: TestSite): Promise<Incident[]> {
  const answer = await call('GET', `/v1/sites/${site.site}/incidents`, { token: site.operator })
  expect(answer.status).toBe(200)
  return (answer.body as { incidents: Incident[] }).incidents
}
const kindsOf = async (site: TestSite): Promise<IncidentKind[]> =>
  (await open(site)).map(({ kind }) => kind).sort()

/** Another life of the hub: it asks everybody at once. */
async function lookAnew(site: TestSite): Promise<IncidentKind[]> {
  await evictDurableObject(hubOf(site.site))
  return kindsOf(site)
}

type Said = { id: string; event: string; kind: IncidentKind; what_to_do?: string }

/** A site with an agent and a webhook, and what was posted to it. */
async function watched(policy: object = {}) {
  const { site, presence } = await ready()
  const hook = `${inject('webhook')}/${crypto.randomUUID()}`
  await setPolicy(site, { review_webhook: hook, ...policy })
  // A message whose receipt a restart has lost comes again, under the same id.
  const posted = async (): Promise<Said[]> => {
    const all = await (await fetch(hook)).json<Said[]>()
    return [...new Map(all.map((one) => [one.id, one])).values()]
  }
  /** Waits until a kind was told: begun, or begun and over. */
  const heard = async (kind: IncidentKind, times: 1 | 2): Promise<Said[]> => {
    await until(`${kind} is told ${times} times`, async () => {
      await runDurableObjectAlarm(hubOf(site.site))
      return (await posted()).filter((one) => one.kind === kind).length >= times
    })
    return (await posted()).filter((one) => one.kind === kind)
  }
  return { site, presence, heard }
}

const sql = (site: TestSite, text: string, ...values: SqlStorageValue[]) =>
  runInDurableObject(hubOf(site.site), (_, { storage }) => {
    storage.sql.exec(text, ...values)
  })

/** Begins, is told with what to do; is over, is told; and is in the trail both times. */
async function comesAndGoes(
  at: Awaited<ReturnType<typeof watched>>,
  kind: IncidentKind,
  steps: { begin: () => unknown; end: () => unknown; kinds?: typeof kindsOf },
): Promise<void> {
  expect(await kindsOf(at.site), kind).not.toContain(kind)
  const { kinds = lookAnew } = steps
  await steps.begin()
  await until(
    `${kind} stands`,
    async () => (await kinds(at.site)).includes(kind),
    // A device has to be down for a quarter of a minute before anybody is told.
    60_000,
  )
  const [first] = await at.heard(kind, 1)
  expect(first?.what_to_do?.length, kind).toBeGreaterThan(20)
  const stands = (await open(at.site)).find((one) => one.kind === kind)
  expect(stands?.what_to_do).toBe(first?.what_to_do)
  expect(stands?.since_ms).toBeLessThanOrEqual(now())
  await steps.end()
  await until(`${kind} is over`, async () => !(await kinds(at.site)).includes(kind), 60_000)
  expect(await at.heard(kind, 2), kind).toHaveLength(2)
  const trail = await hubOf(at.site.site).audit(-1)
  const lines = trail.filter(({ facts }) => facts['kind'] === kind).map(({ event }) => event)
  expect(lines, kind).toEqual(['incident_began', 'incident_over'])
}

const says = (presence: Presence, out: string | null, down: readonly string[] = []): void => {
  presence.outOfService = out
  presence.health(down)
}

describe('an incident comes, is told with what to do, and goes by itself', () => {
  it('of agents and their devices', async () => {
    const at = await watched()
    const { site, presence } = at
    for (const [kind, out] of [
      ['ledger_failing', 'ledger_failed'],
      ['clock_skew', 'clock_skew'],
      ['local_latch', 'local_latch'],
    ] as const) {
      await comesAndGoes(at, kind, {
        begin: () => says(presence, out),
        end: () => says(presence, null),
      })
    }
    const server = Object.keys((await hubOf(site.site).agents())[0]?.health?.servers ?? {})[0] ?? ''
    await comesAndGoes(at, 'device_down', {
      begin: () => says(presence, null, [server]),
      end: () => says(presence, null),
      // An object that is evicted all the time hears no agent often enough to call it there.
      kinds: kindsOf,
    })
  }, 180_000)

  it('of an agent that is lost', async () => {
    const at = await watched()
    await comesAndGoes(at, 'agent_lost', {
      begin: async () => {
        at.presence.close()
        await until('gone', async () => (await hubOf(at.site.site).agents())[0]?.online === false)
        await sql(at.site, 'UPDATE agents SET last_seen_ms = ?', now() - 31_000)
      },
      end: () => sql(at.site, 'UPDATE agents SET revoked = 1'),
    })
  })

  it('of cells, stops and the queue', async () => {
    const at = await watched()
    const { site } = at
    const { session, plan, hub } = await bound(site)
    await comesAndGoes(at, 'cell_latched', {
      begin: () => hub.sessionEnded(ended(session, plan, { latch: true, reason: 'node_unknown' })),
      end: () => clear(site),
    })
    await comesAndGoes(at, 'site_restored', {
      begin: () =>
        sql(site, `UPDATE cells SET needs_clearance = 1, latch_reason = 'site_restored'`),
      end: () => clear(site),
    })
    expect((await cellOf(site))?.needs_clearance).toBe(false)
    await comesAndGoes(at, 'stop_unconfirmed', {
      begin: () =>
        sql(
          site,
          `INSERT INTO stops (session, cell, reason, by, at_ms, state, attempts, next_ms)
             VALUES ('sess_far', 'cell-1', 'stopped_by_person', 'ada', ?, 'wanted', 2, ?)`,
          now(),
          now() + 600_000,
        ),
      end: () => sql(site, `DELETE FROM stops WHERE session = 'sess_far'`),
    })
    await comesAndGoes(at, 'queue_old', {
      begin: () =>
        sql(
          site,
          `INSERT INTO queue (plan, entry, enqueued_ms) VALUES ('plan_old', ?, ?)`,
          JSON.stringify({ plan: 'plan_old', planner: 'p', received_ms: now(), cell: 'none' }),
          now() - 901_000,
        ),
      end: () => sql(site, `DELETE FROM queue WHERE plan = 'plan_old'`),
    })
  }, 180_000)

  it('of a stop of a whole cell in which nothing runs', async () => {
    const at = await watched()
    const { site } = at
    await comesAndGoes(at, 'stop_unconfirmed', {
      begin: () =>
        sql(
          site,
          `INSERT INTO cell_stops (stop, cell, kind, by, at_ms, state, calls, attempts, next_ms)
             VALUES ('stop_far', 'cell-1', 'stop', 'ada', ?, 'wanted', '[]', 2, ?)`,
          now(),
          now() + 600_000,
        ),
      end: () => sql(site, `DELETE FROM cell_stops WHERE stop = 'stop_far'`),
    })
  }, 60_000)

  it('of reviews, money, judges and planners', async () => {
    const at = await watched({ budget: { cost_usd: null, latency_ms: null, day_usd: 10 } })
    const { site } = at
    const day = new Date().toISOString().slice(0, 10)
    const row = (plan: string, more: Partial<PlanIndexRow>): PlanIndexRow => ({
      site: site.site,
      plan: `${plan}_${site.site}`,
      version: 1,
      planner: 'p',
      owner: 'pia',
      assignee: null,
      state: 'rejected',
      verdict: 'reject',
      reasons: ['floor_block'],
      concern: null,
      packet_digest: null,
      review_expires_ms: null,
      supersedes: null,
      session: null,
      session_reason: null,
      received_ms: now(),
      decided_ms: now(),
      ended_ms: null,
      summary: null,
      ...more,
    })
    await comesAndGoes(at, 'review_expiring', {
      begin: () =>
        upsertPlan(env.DB, row('r', { state: 'escalated', review_expires_ms: now() + 600_000 })),
      end: () =>
        env.DB.prepare(`UPDATE plans SET state = 'rejected' WHERE site = ?`).bind(site.site).run(),
    })
    const spend = (usd: number) =>
      env.DB.prepare('INSERT OR REPLACE INTO judge_spend (site, day, usd) VALUES (?, ?, ?)')
        .bind(site.site, day, usd)
        .run()
    await comesAndGoes(at, 'budget_spent', { begin: () => spend(9), end: () => spend(1) })
    const without: Partial<PlanIndexRow> = {
      verdict: 'escalate',
      state: 'withdrawn',
      reasons: ['depth_short'],
    }
    await comesAndGoes(at, 'judges_down', {
      begin: async () => {
        await upsertPlan(env.DB, row('o1', without))
        await upsertPlan(env.DB, row('o2', without))
      },
      end: () => upsertPlan(env.DB, row('o3', { received_ms: now() + 5, verdict: 'accept' })),
    })
    await comesAndGoes(at, 'refusals_repeated', {
      begin: async () => {
        for (let i = 0; i < 20; i++) await upsertPlan(env.DB, row(`x${i}`, { planner: 'q' }))
      },
      end: () => env.DB.prepare('DELETE FROM plans WHERE site = ?').bind(site.site).run(),
    })
  }, 180_000)

  it('of a running step that says nothing, or runs past its time', () => {
    const session = {
      session: 'sess_1',
      nodes: [
        { nid: 'a', state: 'completed' },
        { nid: 'b', state: 'executing', stuck_since_ms: 5 },
        { nid: 'c', state: 'executing', late_since_ms: 7 },
      ],
    } as unknown as SessionStatus
    expect(conditionsRunning([session])).toMatchObject([
      { kind: 'step_stuck', about: 'sess_1/b', since_ms: 5, facts: { why: 'silent' } },
      { kind: 'step_stuck', about: 'sess_1/c', since_ms: 7, facts: { why: 'late' } },
    ])
  })

  it('whatever it is: every kind is injected above', () => {
    expect(incidentKinds).toHaveLength(14)
  })
})

describe('the list of incidents', () => {
  it('is for people of the site alone', async () => {
    const { site } = await ready()
    const path = `/v1/sites/${site.site}/incidents`
    expect((await call('GET', path, { token: site.planner })).status).toBe(403)
    const other = (await ready()).site
    expect((await call('GET', path, { token: other.operator })).status).toBe(404)
  })
})
