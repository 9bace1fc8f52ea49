// What the object behind a plan survives: passes of the judges that take it down, receivers that never
// answer, rows of the version before, rows of the version after, and rows that nobody can read.
import {
  abortAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { rederiveRecord, type StoredRecord } from '../../verify/rederive.ts'
import { passesMax } from '../../verify/review/step.ts'
import { agentJwk } from '../shared/session-fixture.ts'
import { call, freshSite, type TestSite } from './support/door.ts'
import {
  decided,
  enrolAgent,
  escalating,
  fetchPlan,
  hubOf,
  idOf,
  loadTinyGraph,
  reaches,
  readPlan,
  reviewOf,
  setPolicy,
  until,
} from './support/site.ts'
import { hush } from '../shared/hush.ts'

hush(/^review: .*StateUnreadable/, /^outbox webhook: Error: webhook answered 503$/)

beforeAll(loadTinyGraph)
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

async function readySite(policy: object): Promise<TestSite> {
  const site = await freshSite()
  await setPolicy(site, policy)
  const agent = await enrolAgent(site, { agent: 'robot', cell: 'cell-1', jwk: agentJwk })
  agent.health()
  await until('health', async () => (await hubOf(site.site).agents())[0]?.health !== null)
  return site
}

const waiting = async (site: TestSite): Promise<string> => {
  const answer = await decided(site, readPlan(site.plannerId))
  expect(answer.body['state']).toBe('escalated')
  return idOf(answer)
}

/** A call right after an abort may still meet the old instance. */
async function patient<T>(ask: () => Promise<T>): Promise<T> {
  for (let i = 0; ; i++) {
    try {
      return await ask()
    } catch (cause) {
      if (i > 5) throw cause
      await scheduler.wait(20)
    }
  }
}

const sql = <T>(site: TestSite, plan: string, work: (of: SqlStorage) => T): Promise<T> =>
  patient(() =>
    runInDurableObject(reviewOf(site.site, plan), (_, state) => work(state.storage.sql)),
  )

type Stored = { state: Record<string, unknown>; [field: string]: unknown }

const rowOf = (site: TestSite, plan: string): Promise<Stored> =>
  sql(site, plan, (of) => {
    const { row } = of.exec<{ row: string }>('SELECT row FROM review').one()
    return JSON.parse(row) as Stored
  })

/** Changes the stored row behind the back of the object, which then begins anew from it. */
async function rewrite(site: TestSite, plan: string, change: (row: Stored) => Stored) {
  await sql(site, plan, (of) => {
    const { row } = of.exec<{ row: string }>('SELECT row FROM review').one()
    of.exec('UPDATE review SET row = ?', JSON.stringify(change(JSON.parse(row) as Stored)))
  })
  await evictDurableObject(reviewOf(site.site, plan))
}

describe('a pass of the judges that takes the object with it', () => {
  it('is counted before it begins; after enough of them a person is asked (invariant 4)', async () => {
    const site = await readySite({})
    const never = new Promise<never>(() => undefined)
    let begun = 0
    const stuck = { bind: () => stuck, first: () => never, all: () => never, raw: () => never }
    const prototype = Object.getPrototypeOf(env.DB) as D1Database
    const real = prototype.prepare.bind(env.DB)
    vi.spyOn(prototype, 'prepare').mockImplementation((text: string) => {
      if (!text.includes('kg_active')) return real(text)
      begun += 1
      return stuck as unknown as D1PreparedStatement
    })
    const body = readPlan(site.plannerId)
    const taken = await call('POST', '/v1/plans', { token: site.planner, body })
    const plan = idOf(taken)
    for (let pass = 1; pass <= passesMax; pass++) {
      await until(`pass ${pass}`, () => Promise.resolve(begun === pass), 10_000)
      // The pass was written down before it began, and an alarm stands that needs nobody.
      expect((await rowOf(site, plan)).state).toMatchObject({ state: 'judging', passes: pass })
      await abortAllDurableObjects()
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 70_000 })
      // The new instance has an alarm of its own; it is only rung early here.
      await patient(() => reviewOf(site.site, plan).status())
      void runDurableObjectAlarm(reviewOf(site.site, plan)).catch(() => undefined)
    }
    await reaches(site, plan, ['escalated'])
    const status = await reviewOf(site.site, plan).status()
    expect(status?.reasons).toContain('judging_failed')
    expect(begun).toBe(passesMax)
    vi.useRealTimers()
    const text = await reviewOf(site.site, plan).evidence()
    expect(await rederiveRecord(JSON.parse(text ?? '') as StoredRecord)).toEqual([])
  })

  it('leaves an alarm behind in every state that waits for time', async () => {
    const site = await readySite(escalating)
    const plan = await waiting(site)
    await abortAllDurableObjects()
    const due = await patient(() =>
      runInDurableObject(reviewOf(site.site, plan), (_, state) => state.storage.getAlarm()),
    )
    expect(due).not.toBe(null)
  })
})

describe('a receiver that never answers', () => {
  it('is given up, and the trail calls it that', async () => {
    const hook = `${inject('webhook')}/down-${crypto.randomUUID()}`
    const site = await readySite({ ...escalating, review_webhook: hook, reminder_ms: 600_000_000 })
    const plan = await waiting(site)
    await sql(site, plan, (of) => {
      of.exec(`UPDATE outbox SET attempts = 7, due_ms = 0 WHERE kind = 'webhook'`)
    })
    await runDurableObjectAlarm(reviewOf(site.site, plan))
    await until('the trail', async () => {
      const trail = await reviewOf(site.site, plan).audit(-1)
      return trail.some(({ event }) => event === 'message_given_up')
    })
    const trail = await reviewOf(site.site, plan).audit(-1)
    expect(trail.at(-1)).toMatchObject({ event: 'message_given_up', facts: { kind: 'webhook' } })
    const left = await sql(site, plan, (of) =>
      of.exec(`SELECT id FROM outbox WHERE kind = 'webhook'`).toArray(),
    )
    expect(left).toEqual([])
  })

  it('keeps a message that only a newer version knows', async () => {
    const site = await readySite(escalating)
    const plan = await waiting(site)
    await sql(site, plan, (of) => {
      of.exec(`INSERT INTO outbox (id, kind, body, due_ms) VALUES ('new', 'new', '{}', 0)`)
    })
    await runDurableObjectAlarm(reviewOf(site.site, plan))
    const left = await sql(site, plan, (of) =>
      of.exec<{ due_ms: number }>(`SELECT due_ms FROM outbox WHERE id = 'new'`).toArray(),
    )
    expect(left[0]?.due_ms).toBeGreaterThan(Date.now())
  })
})

/** Writes the plan as the first version stored it, and takes the present form away. */
async function asFirstVersion(site: TestSite, plan: string, more: Record<string, string>) {
  const status = await reviewOf(site.site, plan).status()
  const text = await reviewOf(site.site, plan).evidence()
  const record = JSON.parse(text ?? '') as StoredRecord
  if (status === null) throw new TypeError('a started plan')
  await sql(site, plan, (of) => {
    of.exec('CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL)')
    of.exec(`CREATE TABLE approvals (approver TEXT PRIMARY KEY, approval TEXT NOT NULL,
      at_ms REAL NOT NULL)`)
    const facts: Record<string, string> = {
      plan_id: plan,
      plan_digest: record.plan_digest,
      supersedes: '',
      submitter: JSON.stringify(record.submitter),
      received_ms: String(record.received_ms),
      state: status.state,
      version: '3',
      packet_digest: status.packet_digest ?? '',
      classification: 'safety',
      decision: JSON.stringify(status.decision),
      decision_digest: status.decision_digest ?? '',
      decided_ms: String(status.decided_ms),
      linked: '{}',
      ...more,
    }
    for (const [key, value] of Object.entries(facts)) {
      of.exec('INSERT INTO facts VALUES (?, ?)', key, value)
    }
    of.exec(`DELETE FROM parts WHERE key IN ('head', 'linked')`)
    of.exec('DROP TABLE review')
  })
  await evictDurableObject(reviewOf(site.site, plan))
  return status
}

describe('a stored row', () => {
  it('of the version before is read, and goes on', async () => {
    const site = await readySite(escalating)
    const plan = await waiting(site)
    const before = await asFirstVersion(site, plan, {})
    expect(await reviewOf(site.site, plan).status()).toEqual(before)
    const reject = { verdict: 'reject', rationale: 'No.', packet_digest: before.packet_digest }
    const done = await call('POST', `/v1/reviews/${plan}`, { token: site.reviewer, body: reject })
    expect([done.status, done.body['state']]).toEqual([200, 'rejected'])
    await evictDurableObject(reviewOf(site.site, plan))
    const text = await reviewOf(site.site, plan).evidence()
    expect(await rederiveRecord(JSON.parse(text ?? '') as StoredRecord)).toEqual([])
  })

  it('of the version before, waiting in the queue, is bound', async () => {
    const site = await readySite({})
    const plan = idOf(await decided(site, fetchPlan(site.plannerId)))
    await until('queued', async () => ((await hubOf(site.site).cells())[0]?.queued ?? 0) > 0)
    await asFirstVersion(site, plan, {})
    await hubOf(site.site).arm('cell-1', Date.now() + 600_000, {
      by: 'olga',
      credential: 'of-olga',
      seen: null,
    })
    await reaches(site, plan, ['bound'])
    expect((await rowOf(site, plan)).state).toMatchObject({ state: 'bound' })
  })

  it('with fields that only a newer version knows is read without them', async () => {
    const site = await readySite(escalating)
    const plan = await waiting(site)
    const before = await reviewOf(site.site, plan).status()
    await rewrite(site, plan, (row) => ({
      ...row,
      later: { much: 'more' },
      state: { ...row.state, asked_of: ['rosa'] },
    }))
    expect(await reviewOf(site.site, plan).status()).toEqual(before)
    const body = { verdict: 'accept', rationale: 'Yes.', packet_digest: before?.packet_digest }
    const done = await call('POST', `/v1/reviews/${plan}`, { token: site.reviewer, body })
    expect([done.status, done.body['verdict']]).toEqual([200, 'accept'])
  })

  it('that cannot be read is said to be unreadable: nothing runs, nothing is lost (invariant 13)', async () => {
    const site = await readySite({})
    const plan = idOf(await decided(site, fetchPlan(site.plannerId)))
    await rewrite(site, plan, (row) => ({ ...row, state: { state: 'somewhere' } }))
    const review = reviewOf(site.site, plan)
    await expect(patient(() => review.status())).rejects.toThrow(
      /state of this plan cannot be read/,
    )
    // The trail is still there for people, and the plan is bound by nobody.
    expect((await review.audit(-1)).length).toBeGreaterThan(0)
    await hubOf(site.site).arm('cell-1', Date.now() + 600_000, {
      by: 'olga',
      credential: 'of-olga',
      seen: null,
    })
    await until('the refusal', async () => {
      const trail = await hubOf(site.site).audit(-1)
      return trail.some(
        ({ event, facts }) => event === 'bind_refused' && facts['reason'] === 'state_unreadable',
      )
    })
    // The alarm goes on asking: the version that can read it finds it.
    await runDurableObjectAlarm(review)
    const due = await runInDurableObject(review, (_, state) => state.storage.getAlarm())
    expect(due).not.toBe(null)
  })
})
