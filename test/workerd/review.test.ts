// PlanReview in the real runtime: the durable wait for a person, who may resolve what, expiry,
// withdrawal at every state, versions of a plan, and the record from which all of it follows.
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { digest } from '../../protocol/digest.ts'
import { rederiveRecord, type StoredRecord } from '../../verify/rederive.ts'
import { agentJwk } from '../shared/session-fixture.ts'
import { call, codeOf, credential, freshSite, type TestSite } from './support/door.ts'
import {
  blockedPlan,
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

hush(/^outbox webhook: Error: webhook answered 503$/)

beforeAll(loadTinyGraph)

/** A fresh site whose one agent has reported healthy devices. */
async function readySite(policy: object | null = null): Promise<TestSite> {
  const site = await freshSite()
  if (policy !== null) await setPolicy(site, policy)
  const agent = await enrolAgent(site, { agent: 'robot', cell: 'cell-1', jwk: agentJwk })
  agent.health()
  await until('health', async () => {
    const agents = await hubOf(site.site).agents()
    return agents[0]?.health !== null
  })
  return site
}

type Review = { verdict?: 'accept' | 'reject'; packet_digest?: string; token?: string }

const packetDigest = async (site: TestSite, plan: string): Promise<string> =>
  (await reviewOf(site.site, plan).status())?.packet_digest ?? ''

async function resolve(site: TestSite, plan: string, review: Review = {}) {
  const packet_digest = review.packet_digest ?? (await packetDigest(site, plan))
  return call('POST', `/v1/reviews/${plan}`, {
    token: review.token ?? site.reviewer,
    body: { verdict: review.verdict ?? 'accept', rationale: 'Looked at it.', packet_digest },
  })
}

const waiting = async (site: TestSite): Promise<string> => {
  const answer = await decided(site, readPlan(site.plannerId))
  expect(answer.body['state']).toBe('escalated')
  return idOf(answer)
}

describe('an escalated plan', () => {
  it('waits through evictions and is resolved by the packet that was displayed', async () => {
    const site = await readySite(escalating)
    const plan = await waiting(site)
    const review = reviewOf(site.site, plan)
    await evictDurableObject(review)
    const shown = await call('GET', `/v1/reviews/${plan}`, { token: site.reviewer })
    const status = shown.body['status'] as { packet_digest: string }
    expect(status.packet_digest).toBe(await digest('packet', shown.body['packet'] as object))
    await evictDurableObject(review)
    const done = await resolve(site, plan, { packet_digest: status.packet_digest })
    expect([done.status, done.body['verdict']]).toEqual([200, 'accept'])
    const decision = (await review.status())?.decision
    expect(decision?.approvals).toMatchObject([
      { approver: 'rosa', verdict: 'accept', packet_digest: status.packet_digest },
    ])
    await reaches(site, plan, ['queued', 'bound'])
  })

  it('answers a second, stale or conflicted resolution, which changes nothing', async () => {
    const site = await readySite(escalating)
    const plan = await waiting(site)
    const stale = await resolve(site, plan, { packet_digest: `packet:${'A'.repeat(43)}` })
    expect([stale.status, codeOf(stale)]).toEqual([409, 'stale_packet'])
    // The planner's owner is pia; spelling does not make another person of her.
    const owner = await credential(site.admin, 'reviewer', 'pia-reviews', ' PIA '.trim())
    const own = await resolve(site, plan, { token: owner })
    expect([own.status, codeOf(own)]).toEqual([403, 'conflict_of_interest'])
    expect((await reviewOf(site.site, plan).status())?.state).toBe('escalated')
    expect((await resolve(site, plan, { verdict: 'reject' })).body['verdict']).toBe('reject')
    const before = await reviewOf(site.site, plan).evidence()
    const late = await resolve(site, plan, { verdict: 'accept' })
    expect([late.status, codeOf(late)]).toEqual([409, 'already_resolved'])
    expect(await reviewOf(site.site, plan).evidence()).toBe(before)
  })

  it('cannot be accepted once the site has changed, but still rejected', async () => {
    const site = await readySite(escalating)
    const plan = await waiting(site)
    await setPolicy(site, { ...escalating, reminder_ms: 60_000 })
    const late = await resolve(site, plan)
    expect([late.status, codeOf(late)]).toEqual([409, 'outdated'])
    expect(await reviewOf(site.site, plan).status()).toMatchObject({
      state: 'escalated',
      decision: { verdict: 'escalate', approvals: [] },
    })
    // Back to the policy of then: what was stopped in between stays stopped.
    await setPolicy(site, escalating)
    expect(codeOf(await resolve(site, plan))).toBe('outdated')
    expect((await resolve(site, plan, { verdict: 'reject' })).body['verdict']).toBe('reject')
  })

  it('needs two different people where the policy asks for them', async () => {
    const site = await readySite({ ...escalating, approvals_required: 2 })
    const plan = await waiting(site)
    expect((await resolve(site, plan)).body['state']).toBe('escalated')
    const again = await credential(site.admin, 'reviewer', 'rosa-2', 'Rosa')
    expect(codeOf(await resolve(site, plan))).toBe('same_approver')
    expect(codeOf(await resolve(site, plan, { token: again }))).toBe('same_approver')
    const second = await credential(site.admin, 'reviewer', 'ravi', 'ravi')
    const done = await resolve(site, plan, { token: second })
    expect(done.body['verdict']).toBe('accept')
    expect((await reviewOf(site.site, plan).status())?.decision?.approvals).toHaveLength(2)
  })

  it('is resolved once when two people answer at the same moment', async () => {
    const site = await readySite(escalating)
    const plan = await waiting(site)
    const second = await credential(site.admin, 'reviewer', 'ravi', 'ravi')
    const answers = await Promise.all([
      resolve(site, plan, { verdict: 'accept' }),
      resolve(site, plan, { verdict: 'reject', token: second }),
    ])
    expect(answers.map((answer) => answer.status).toSorted((x, y) => x - y)).toEqual([200, 409])
  })

  it('is rejected when nobody answers in the time of its class, alarm or not', async () => {
    const expiry = { safety: 1_000, alignment: 1_000, adversarial: 1_000 }
    const site = await readySite({ ...escalating, review_expiry_ms: expiry })
    const one = await waiting(site)
    await reaches(site, one, ['expired'])
    const status = await reviewOf(site.site, one).status()
    expect([status?.verdict, status?.reasons]).toEqual(['reject', ['review_expired']])
    expect(codeOf(await resolve(site, one))).toBe('review_expired')
    // A lost alarm: the resolution itself finds that the time is up.
    const two = await waiting(site)
    await runInDurableObject(reviewOf(site.site, two), async (_, state) => {
      await state.storage.deleteAlarm()
    })
    await scheduler.wait(1_100)
    expect(codeOf(await resolve(site, two))).toBe('review_expired')
    expect((await reviewOf(site.site, two).status())?.state).toBe('expired')
  })

  it('reminds by webhook, and stops when somebody has answered', async () => {
    const hook = `${inject('webhook')}/${crypto.randomUUID()}`
    const site = await readySite({ ...escalating, review_webhook: hook, reminder_ms: 1_000 })
    const plan = await waiting(site)
    const posted = async () =>
      (await fetch(hook)).json<
        { id: string; event: string; plan: string; packet_digest: string }[]
      >()
    await until('two reminders', async () => (await posted()).length >= 2)
    const [first] = await posted()
    expect(first).toMatchObject({ plan, packet_digest: await packetDigest(site, plan) })
    await resolve(site, plan, { verdict: 'reject' })
    const closed = async () => (await posted()).filter(({ event }) => event === 'review_closed')
    await until('the end of the review', async () => (await closed()).length > 0)
    const count = (await posted()).length
    await scheduler.wait(1_500)
    const all = await posted()
    expect([all.length, all.at(-1)?.event]).toEqual([count, 'review_closed'])
    // A receiver that hears the same message twice knows it by its id.
    expect(new Set(all.map(({ id }) => id)).size).toBe(count)
  })

  it('keeps one reminder for a webhook that is down, however long', async () => {
    const hook = `${inject('webhook')}/down-${crypto.randomUUID()}`
    const site = await readySite({ ...escalating, review_webhook: hook, reminder_ms: 1_000 })
    const plan = await waiting(site)
    await scheduler.wait(2_500)
    const rows = await runInDurableObject(reviewOf(site.site, plan), (_, state) =>
      state.storage.sql.exec(`SELECT id FROM outbox WHERE kind = 'webhook'`).toArray(),
    )
    expect(rows.length).toBeLessThanOrEqual(1)
    expect((await resolve(site, plan, { verdict: 'reject' })).status).toBe(200)
  })
})

describe('a blocked plan', () => {
  it('is recorded, calls no judge, and no person can lower it', async () => {
    const site = await readySite()
    const answer = await decided(site, blockedPlan(site.plannerId))
    expect([answer.body['state'], answer.body['verdict']]).toEqual(['rejected', 'reject'])
    const plan = idOf(answer)
    const record = await reviewOf(site.site, plan).record()
    expect(record?.packet).toMatchObject({ opinions: [], chief: null, floor: { level: 'block' } })
    const lowered = await resolve(site, plan)
    expect([lowered.status, codeOf(lowered)]).toEqual([409, 'not_escalated'])
  })
})

describe('asking', () => {
  it('for a plan that was never submitted leaves nothing behind', async () => {
    const review = reviewOf('nowhere', `plan_${'7'.repeat(26)}`)
    expect(await review.status()).toBe(null)
    expect(await review.record()).toBe(null)
    expect(await review.evidence()).toBe(null)
    expect(await review.audit(-1)).toEqual([])
    expect(await review.withdraw('x')).toMatchObject({ ok: false, error: { code: 'not_found' } })
    const tables = await runInDurableObject(review, (_, state) =>
      state.storage.sql
        .exec(`SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'`)
        .toArray(),
    )
    expect(tables).toEqual([])
  })

  it('to start twice gives the first plan back', async () => {
    const site = await readySite(escalating)
    const plan = await waiting(site)
    const text = await reviewOf(site.site, plan).evidence()
    const record = JSON.parse(text ?? '') as StoredRecord
    const before = await reviewOf(site.site, plan).status()
    const other = { ...record, plan: { ...record.plan, goal: 'Something else.' } }
    expect(await reviewOf(site.site, plan).start(other)).toEqual(before)
    expect(await reviewOf(site.site, plan).evidence()).toBe(text)
  })
})

describe('a withdrawal', () => {
  it('is taken before anything runs and is too late after', async () => {
    const site = await readySite(escalating)
    const escalated = await waiting(site)
    const withdraw = (plan: string) =>
      call('POST', `/v1/plans/${plan}/withdraw`, { token: site.planner })
    expect((await withdraw(escalated)).body['state']).toBe('withdrawn')
    expect((await withdraw(escalated)).status).toBe(200)
    expect(codeOf(await resolve(site, escalated))).toBe('not_escalated')
    await setPolicy(site, {})
    // Queued: the cell is not armed.
    const queued = idOf(await decided(site, fetchPlan(site.plannerId)))
    await until('in the queue', async () => ((await hubOf(site.site).cells())[0]?.queued ?? 0) > 0)
    expect((await withdraw(queued)).body['state']).toBe('withdrawn')
    await until('out of the queue', async () => (await hubOf(site.site).cells())[0]?.queued === 0)
    const judging = idOf(
      await call('POST', '/v1/plans', { token: site.planner, body: readPlan(site.plannerId) }),
    )
    await withdraw(judging)
    await scheduler.wait(300)
    expect((await reviewOf(site.site, judging).status())?.state).toBe('withdrawn')
    const rejected = idOf(await decided(site, blockedPlan(site.plannerId)))
    expect(codeOf(await withdraw(rejected))).toBe('too_late')
    const running = idOf(await decided(site, readPlan(site.plannerId, 'ST-7')))
    await reaches(site, running, ['bound'])
    expect(codeOf(await withdraw(running))).toBe('too_late')
  })
})

describe('a later version', () => {
  it('withdraws the one it supersedes and shows what changed', async () => {
    const site = await readySite(escalating)
    const first = await waiting(site)
    const next = readPlan(site.plannerId, 'ST-200', { supersedes: first })
    const second = idOf(await decided(site, next))
    await reaches(site, first, ['withdrawn'])
    const shown = await call('GET', `/v1/reviews/${second}`, { token: site.reviewer })
    expect(shown.body['lineage']).toMatchObject([{ plan: first, state: 'withdrawn' }])
    const [{ differences } = { differences: [] }] = shown.body['lineage'] as {
      differences: { at: string }[]
    }[]
    expect(differences.map((one) => one.at)).toContain('/nodes/0/args/sample_id')
  })

  it('raises the floor when the lineage was refused too often', async () => {
    const site = await readySite()
    let last: string | undefined
    for (let i = 0; i < 6; i++) {
      const plan = { ...blockedPlan(site.plannerId), ...(last ? { supersedes: last } : {}) }
      last = idOf(await decided(site, plan))
    }
    const record = await reviewOf(site.site, last ?? '').record()
    expect(record?.packet?.floor.findings.map((found) => found.code)).toContain('WINDOW_RETRIES')
  })
})

describe('the record (invariant 8)', () => {
  const evidence = async (site: TestSite, plan: string): Promise<StoredRecord> =>
    JSON.parse((await reviewOf(site.site, plan).evidence()) ?? '') as StoredRecord

  it('gives floor, decision and digests again: accepted, escalated, resolved, expired, blocked', async () => {
    const site = await readySite()
    const accepted = idOf(await decided(site, readPlan(site.plannerId)))
    const blocked = idOf(await decided(site, blockedPlan(site.plannerId)))
    const expiry = { safety: 1_000, alignment: 1_000, adversarial: 1_000 }
    await setPolicy(site, { ...escalating, review_expiry_ms: expiry })
    const expired = await waiting(site)
    await setPolicy(site, escalating)
    const escalated = await waiting(site)
    const resolved = await waiting(site)
    await resolve(site, resolved)
    await reaches(site, expired, ['expired'])
    for (const plan of [accepted, blocked, escalated, resolved, expired]) {
      expect(await rederiveRecord(await evidence(site, plan))).toEqual([])
    }
  })

  it('shows every changed value, wherever it stands', async () => {
    const site = await readySite(escalating)
    const plan = await waiting(site)
    await resolve(site, plan)
    const record = await evidence(site, plan)
    const registry = record.snapshot.registry
    // The registry is under one digest: a few of its places stand for all.
    const slim = { ...record, snapshot: { ...record.snapshot, registry: null } }
    const paths: (string | number)[][] = [['snapshot', 'registry', 'tools', 3, 'risk_class']]
    const walk = (value: unknown, path: (string | number)[]): void => {
      if (typeof value !== 'object' || value === null) {
        if (path[1] !== 'registry') paths.push(path)
        return
      }
      for (const [key, inner] of Object.entries(value)) {
        walk(inner, [...path, Array.isArray(value) ? Number(key) : key])
      }
    }
    walk(slim, [])
    const sampled = paths.filter((path, i) => !path.includes('agents') || i % 20 === 0)
    expect(sampled.length).toBeGreaterThan(100)
    for (const path of sampled) {
      const changed = structuredClone({ ...record, snapshot: { ...record.snapshot, registry } })
      let at = changed as unknown as Record<string | number, unknown>
      for (const key of path.slice(0, -1)) at = at[key] as typeof at
      const key = path.at(-1) ?? ''
      const old = at[key]
      at[key] =
        typeof old === 'number' ? old + 1 : typeof old === 'boolean' ? !old : `${String(old)}x`
      const found = await rederiveRecord(changed).catch(() => ['unreadable'])
      expect(found, path.join('/')).not.toEqual([])
    }
    for (let i = 0; i < record.audit.length - 1; i++) {
      const audit = record.audit.filter((_, j) => j !== i)
      expect(await rederiveRecord({ ...record, audit })).not.toEqual([])
    }
  })

  it('holds a site at its limits: 512 tools and a full window', async () => {
    const site = await readySite(escalating)
    const plan = await waiting(site)
    const record = await evidence(site, plan)
    const [tool] = record.snapshot.registry.tools
    if (tool === undefined) throw new TypeError('the demo site has tools')
    const text = 'x'.repeat(1_500)
    const tools = Array.from({ length: 512 }, (_, i) => ({
      ...tool,
      name: `bulk.tool_${i}`,
      description: text,
    }))
    const entry = {
      plan: 'p',
      planner: 'other',
      owner: 'other',
      at_ms: record.received_ms,
      verdict: 'accept' as const,
      supersedes: null,
      sketch: Array.from({ length: 64 }, () => 4_000_000_000),
      capabilities: ['lims.read'],
      tools: Array.from({ length: 30 }, (_, i) => `bulk.tool_${i}`),
      codes: [],
      sigma: 0,
      marks: [],
    }
    const window = Array.from({ length: 2_000 }, (_, i) => ({ ...entry, plan: `w${i}` }))
    const id = `plan_${'5'.repeat(26)}`
    const registry = { ...record.snapshot.registry, tools }
    const big = { ...record, plan_id: id, snapshot: { ...record.snapshot, registry, window } }
    expect(JSON.stringify(big.snapshot).length).toBeGreaterThan(2_000_000)
    await reviewOf(site.site, id).start(big)
    await evictDurableObject(reviewOf(site.site, id))
    const back = JSON.parse((await reviewOf(site.site, id).evidence()) ?? '') as StoredRecord
    expect(back.snapshot).toEqual(big.snapshot)
  })
})
