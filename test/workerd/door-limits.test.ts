// What one caller may cost the others: keys, submissions, plans in judging, sign-ins that fail, and
// strangers who ask for health and metrics all at once.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { limits } from '../../protocol/limits.ts'
import {
  call,
  codeOf,
  credential,
  freshSite,
  submitReading,
  type TestSite,
} from './support/door.ts'
import { bound, ready } from './support/hub.ts'
import { hubOf, loadTinyGraph, reaches, reviewOf } from './support/site.ts'

beforeAll(loadTinyGraph)
afterEach(() => vi.restoreAllMocks())

describe('submissions', () => {
  it('beyond the rate of one credential are answered 429 with the time to wait, texts too', async () => {
    // Judged at once, so that only the rate counts.
    const site = await freshSite()
    let now = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => now)
    await clearJudging(site)
    const answers = []
    for (let i = 0; i < limits.plansPerCredential.burst + 1; i++) {
      answers.push(await submitReading(site, { nodes: [] }))
      await clearJudging(site)
    }
    const last = answers.at(-1)
    expect(answers.slice(0, -1).every(({ status }) => status === 202)).toBe(true)
    expect([last?.status, last && codeOf(last)]).toEqual([429, 'too_many_requests'])
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
    // Another planner of the site still gets in, and so does this one after its wait.
    const other = Object.keys(env.TEST_REGISTRY.planners)[1] ?? ''
    const token = await credential(site.admin, 'planner', other, 'pam')
    expect((await submitReading({ ...site, planner: token, plannerId: other })).status).toBe(202)
    now += 2_000
    await clearJudging(site)
    expect((await submitReading(site)).status).toBe(202)
  })

  it('are refused while as many plans are being judged as may be', async () => {
    const site = await freshSite()
    await runInDurableObject(hubOf(site.site), (_, { storage: { sql } }) => {
      for (let i = 0; i < limits.judgingPerSiteMax; i++) {
        sql.exec(
          `INSERT INTO submitted (plan, plan_digest, planner, owner, credential, keyed, calls, at_ms)
             VALUES (?, 'd', 'p', 'o', 'c', 0, '[]', ?)`,
          `plan-${i}`,
          Date.now(),
        )
      }
    })
    const answer = await submitReading(site)
    expect([answer.status, codeOf(answer)]).toEqual([429, 'too_many_judging'])
    await clearJudging(site)
    expect((await submitReading(site)).status).toBe(202)
  })

  it('under more idempotency keys than one credential may keep are refused, and nothing is lost', async () => {
    const site = await freshSite()
    const first = await submitReading(site, {}, { 'idempotency-key': 'first' })
    expect(first.status).toBe(202)
    const id = await credentialId(site)
    await runInDurableObject(hubOf(site.site), (_, { storage: { sql } }) => {
      sql.exec(
        `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ?)
         INSERT INTO keys SELECT ?, 'k' || i, 'body', 'plan', ? FROM c`,
        limits.idempotencyKeysPerCredentialMax - 1,
        id,
        Date.now(),
      )
    })
    const over = await submitReading(site, {}, { 'idempotency-key': 'one-more' })
    expect([over.status, codeOf(over)]).toEqual([429, 'too_many_keys'])
    const again = await submitReading(site, {}, { 'idempotency-key': 'first' })
    expect(again.body['plan']).toBe(first.body['plan'])
    expect((await submitReading(site)).status).toBe(202)
  })
})

async function clearJudging(site: TestSite): Promise<void> {
  await runInDurableObject(hubOf(site.site), (_, { storage: { sql } }) => {
    sql.exec('UPDATE submitted SET judged_ms = 1')
  })
}

async function credentialId(site: TestSite): Promise<string> {
  const list = await call('GET', '/v1/credentials', { token: site.admin })
  const { items } = list.body as { items: { id: string; role: string }[] }
  return items.find(({ role }) => role === 'planner')?.id ?? ''
}

describe('sign-ins that fail', () => {
  it('are counted by address: a stranger waits, whoever was let in before goes on', async () => {
    const site = await freshSite()
    const headers = { 'cf-connecting-ip': '203.0.113.7' }
    expect((await call('GET', '/v1/plans', { token: site.planner, headers })).status).toBe(200)
    const wrong = `${site.planner.slice(0, -4)}AAAA`
    const { burst, perS } = limits.failedSignInsPerAddress
    const statuses: number[] = []
    // On a slow machine some are given back meanwhile: never more than time allows.
    const begun = Date.now()
    while (statuses.at(-1) !== 429) {
      const allowed = burst + ((Date.now() - begun) / 1_000) * perS + 20
      expect(statuses.length).toBeLessThan(allowed)
      const tries = Array.from({ length: 20 }, () =>
        call('GET', '/v1/plans', { token: wrong, headers }),
      )
      const told = (await Promise.all(tries)).map(({ status }) => status)
      statuses.push(...told.toSorted((one, other) => one - other))
    }
    expect([...new Set(statuses)]).toEqual([401, 429])
    expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(burst)
    expect((await call('GET', '/v1/plans', { token: site.planner, headers })).status).toBe(200)
    // Another address has not failed.
    const other = { 'cf-connecting-ip': '203.0.113.8' }
    expect((await call('GET', '/v1/plans', { token: wrong, headers: other })).status).toBe(401)
  })
})

describe('strangers who all ask at once', () => {
  it('cost the storage as much as one', async () => {
    const prepare = vi.spyOn(env.DB, 'prepare')
    for (const path of ['/metrics', '/healthz']) {
      const asked = async (n: number): Promise<number> => {
        // What was read a few seconds ago is not read again: each counts from nothing.
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
        prepare.mockClear()
        const one = () => call('GET', path, { token: env.TEST_METRICS_TOKEN })
        const answers = await Promise.all(Array.from({ length: n }, one))
        expect(answers.every(({ status }) => status === 200)).toBe(true)
        return prepare.mock.calls.length
      }
      const alone = await asked(1)
      expect(alone).toBeGreaterThan(0)
      expect(await asked(40)).toBe(alone)
      vi.useRealTimers()
      // The clock went back: what was read in its future is not told.
      prepare.mockClear()
      expect((await call('GET', path, { token: env.TEST_METRICS_TOKEN })).status).toBe(200)
      expect(prepare).toHaveBeenCalled()
    }
  })

  it('and metrics read no plan, however many there are', async () => {
    const { site } = await ready()
    const { plan } = await bound(site)
    await reaches(site, plan, ['bound'])
    const { results } = await env.DB.prepare(
      `EXPLAIN QUERY PLAN SELECT state, verdict, n FROM plan_counts WHERE n > 0`,
    ).all<{ detail: string }>()
    expect(results.map(({ detail }) => detail).join()).not.toMatch(/\bplans\b/)
    const counted = await env.DB.prepare('SELECT SUM(n) AS n FROM plan_counts').first<number>('n')
    const real = await env.DB.prepare('SELECT COUNT(*) AS n FROM plans').first<number>('n')
    expect(counted).toBe(real)
    expect(real).toBeGreaterThan(0)
  })
})

describe('a planner', () => {
  it('may stop its own run and nobody else’s, and withdrawing too late says how', async () => {
    const { site } = await ready()
    const { plan, session } = await bound(site)
    const late = await call('POST', `/v1/plans/${plan}/withdraw`, { token: site.planner })
    expect([late.status, codeOf(late)]).toEqual([409, 'too_late'])
    expect(String(late.body['detail'])).toContain(`/v1/sessions/${session}/stop`)
    const other = Object.keys(env.TEST_REGISTRY.planners)[1] ?? ''
    const foreign = await credential(site.admin, 'planner', other, 'pam')
    const path = `/v1/sessions/${session}/stop`
    expect((await call('POST', path, { token: foreign })).status).toBe(404)
    const stopped = await call('POST', path, { token: site.planner })
    expect([stopped.status, stopped.body['stop']]).toEqual([200, 'stopped'])
    await reaches(site, plan, ['terminated'])
    expect((await reviewOf(site.site, plan).status())?.session_reason).toBe('stopped_by_person')
  })
})
