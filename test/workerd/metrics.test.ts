// What a scraper reads: by a token of its own, of every site, and also when a site does not answer.
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { noteMeasures } from '../../adapters/measures-d1.ts'
import { upsertPlan } from '../../adapters/plan-index.ts'
import type { PlanIndexRow } from '../../protocol/status.ts'
import { histogram, textOf } from '../../worker/metrics/text.ts'
import { liveFamilies } from '../../worker/metrics/live.ts'
import { measuredFamilies } from '../../worker/metrics/measured.ts'
import { storedFamilies } from '../../worker/metrics/stored.ts'
import { call, codeOf, freshSite, publicHalf, type TestSite } from './support/door.ts'
import { agentJwk } from '../shared/session-fixture.ts'

let site: TestSite
beforeAll(async () => {
  site = await freshSite()
  const jwk = publicHalf(agentJwk)
  const body = { agent: 'arm', cell: 'bench', jwk }
  const made = await call('POST', '/v1/agents', { token: site.admin, body })
  expect(made.status).toBe(201)
})

const scrape = (token: string) => call('GET', '/metrics', { token })

it('is for the metrics token alone, which can do nothing else', async () => {
  expect((await call('GET', '/metrics')).status).toBe(401)
  for (const token of [site.admin, env.TEST_OPERATOR_TOKEN, 'x']) {
    expect((await scrape(token)).status).toBe(401)
  }
  expect((await scrape(env.TEST_METRICS_TOKEN)).status).toBe(200)
  const made = await call('POST', '/v1/sites', {
    token: env.TEST_METRICS_TOKEN,
    body: { site: 'x', administrator: { subject: 'a', owner: 'a' } },
  })
  expect([made.status, codeOf(made)]).toEqual([401, 'credential_invalid'])
})

it('names cells, agents and people’s roles of every site', async () => {
  const { text, headers } = await scrape(env.TEST_METRICS_TOKEN)
  expect(headers.get('content-type')).toContain('text/plain')
  const of = `site="${site.site}"`
  for (const line of [
    `portcullis_site_up{${of}} 1`,
    `portcullis_credentials{${of},role="planner"} 1`,
    `portcullis_cell_latched{${of},cell="bench",reason=""} 0`,
    `portcullis_agent_online{${of},cell="bench",agent="arm"} 0`,
  ]) {
    expect(text.split('\n')).toContain(line)
  }
  // A format that a scraper refuses as a whole would blind everybody.
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(/^(# (HELP|TYPE) \S+ .+|[a-z_]+(\{([a-z]+="[^"]*",?)*\})? -?[0-9.e+-]+)$/)
  }
})

const row = (plan: string, more: Partial<PlanIndexRow>): PlanIndexRow => ({
  site: site.site,
  plan,
  version: 1,
  planner: 'p',
  owner: 'pia',
  state: 'judging',
  verdict: null,
  reasons: [],
  concern: null,
  packet_digest: null,
  review_expires_ms: null,
  assignee: null,
  supersedes: null,
  session: null,
  session_reason: null,
  received_ms: 1_000,
  decided_ms: null,
  ended_ms: null,
  summary: null,
  ...more,
})

it('counts each plan once, whatever copies come and in which order, and forgets none that was deleted', async () => {
  const a = row('plan_metrics_a', {})
  await upsertPlan(env.DB, a)
  const then: PlanIndexRow = {
    ...a,
    version: 2,
    state: 'bound',
    verdict: 'accept',
    reasons: ['all_accept'],
    decided_ms: 1_200,
  }
  for (let i = 0; i < 3; i += 1) await upsertPlan(env.DB, then)
  await upsertPlan(env.DB, a)
  await upsertPlan(env.DB, {
    ...then,
    version: 3,
    state: 'terminated',
    session_reason: 'agent_lost',
    ended_ms: 11_200,
  })
  // One that arrives decided, and took longer than any bound.
  await upsertPlan(
    env.DB,
    row('plan_metrics_b', {
      version: 4,
      state: 'rejected',
      verdict: 'reject',
      reasons: ['breach_reject'],
      decided_ms: 1e9,
    }),
  )
  const read = async (): Promise<string[]> =>
    textOf(await storedFamilies(env.DB, Date.now())).split('\n')
  const of = `site="${site.site}"`
  const expected = [
    `portcullis_plans{${of},state="terminated",verdict="accept"} 1`,
    `portcullis_reasons_total{${of},of="decision",reason="all_accept"} 1`,
    `portcullis_reasons_total{${of},of="run",reason="agent_lost"} 1`,
    `portcullis_plan_seconds_bucket{${of},stage="verdict",le="0.05"} 0`,
    `portcullis_plan_seconds_bucket{${of},stage="verdict",le="0.25"} 1`,
    `portcullis_plan_seconds_bucket{${of},stage="verdict",le="14400"} 1`,
    `portcullis_plan_seconds_bucket{${of},stage="verdict",le="+Inf"} 2`,
    `portcullis_plan_seconds_count{${of},stage="verdict"} 2`,
    `portcullis_plan_seconds_bucket{${of},stage="run",le="30"} 1`,
    `portcullis_plan_seconds_sum{${of},stage="run"} 10`,
  ]
  expect(await read()).toEqual(expect.arrayContaining(expected))
  await env.DB.prepare('DELETE FROM plans WHERE plan LIKE ?').bind('plan_metrics_%').run()
  const left = await read()
  expect(left).toEqual(expect.arrayContaining(expected.slice(1)))
  expect(left).not.toContain(expected[0])
})

it('tells of reviews that wait and of when the first one ends', async () => {
  const expires = Date.now() + 90_000
  const received_ms = Date.now() - 60_000
  const open = { state: 'escalated', received_ms, review_expires_ms: expires } as const
  await upsertPlan(env.DB, row('plan_metrics_c', open))
  const families = await storedFamilies(env.DB, Date.now())
  const value = (name: string) =>
    families
      .find((one) => one.name === name)
      ?.samples.find(({ labels }) => labels['site'] === site.site)?.value ?? NaN
  expect(value('portcullis_reviews_open')).toBe(1)
  expect(value('portcullis_review_oldest_seconds')).toBeGreaterThanOrEqual(60)
  expect(value('portcullis_review_expires_seconds')).toBeLessThanOrEqual(90)
  await env.DB.prepare('DELETE FROM plans WHERE plan = ?').bind('plan_metrics_c').run()
})

it('escapes what names bring, and adds buckets up', () => {
  const samples = [{ labels: { cell: 'a"b\\c\nd' }, value: 1 }]
  expect(textOf([{ name: 'x', help: 'h', type: 'gauge', samples }])).toBe(
    '# HELP x h\n# TYPE x gauge\nx{cell="a\\"b\\\\c\\nd"} 1\n',
  )
  const counts = new Map([
    [1, 2],
    [Infinity, 1],
  ])
  expect(histogram({}, [1, 5], counts, 9).map(({ value }) => value)).toEqual([2, 2, 3, 9, 3])
})

it('keeps nobody waiting for a site that does not answer', async () => {
  const mute = { cells: () => new Promise<never>(() => undefined) }
  const getByName = (name: string): unknown =>
    name === site.site ? mute : env.SITE_HUB.getByName(name)
  const SITE_HUB = new Proxy(env.SITE_HUB, {
    get: (hubs, key): unknown => (key === 'getByName' ? getByName : Reflect.get(hubs, key)),
  })
  await freshSite()
  const families = await liveFamilies({ ...env, SITE_HUB }, Date.now())
  const up = families.find(({ name }) => name === 'portcullis_site_up')?.samples ?? []
  expect(up.find(({ labels }) => labels['site'] === site.site)?.value).toBe(0)
  expect(up.filter(({ value }) => value === 1).length).toBeGreaterThan(0)
})

it('tells how late a go was, how long stops and judges took, how judges ended and what they cost', async () => {
  await noteMeasures(env.DB, site.site, [
    { name: 'go_seconds', label: '', value: 0.02 },
    { name: 'go_seconds', label: '', value: 9 },
    { name: 'stop_seconds', label: '', value: 0.2 },
    { name: 'judge_seconds', label: 'acme', value: 3 },
    { name: 'judge_outcomes', label: 'acme answered', value: 0.25 },
    { name: 'judge_outcomes', label: 'acme answered', value: 0.5 },
    { name: 'judge_outcomes', label: 'acme late', value: 0 },
  ])
  await noteMeasures(env.DB, site.site, [{ name: 'go_seconds', label: '', value: 0.02 }])
  const lines = textOf(await measuredFamilies(env.DB)).split('\n')
  const of = `site="${site.site}"`
  for (const line of [
    `portcullis_go_seconds_bucket{${of},le="0.01"} 0`,
    `portcullis_go_seconds_bucket{${of},le="0.05"} 2`,
    `portcullis_go_seconds_bucket{${of},le="5"} 2`,
    `portcullis_go_seconds_bucket{${of},le="+Inf"} 3`,
    `portcullis_go_seconds_count{${of}} 3`,
    `portcullis_stop_seconds_bucket{${of},le="0.25"} 1`,
    `portcullis_judge_seconds_bucket{${of},vendor="acme",le="5"} 1`,
    `portcullis_judges_total{${of},vendor="acme",outcome="answered"} 2`,
    `portcullis_judges_total{${of},vendor="acme",outcome="late"} 1`,
    `portcullis_judge_cost_usd_total{${of},vendor="acme",outcome="answered"} 0.75`,
  ]) {
    expect(lines).toContain(line)
  }
  // A store that is down loses a count and nothing else.
  const down = {
    batch: () => Promise.reject(new Error('down')),
    prepare: () => ({ bind: () => 0 }),
  }
  await noteMeasures(down as unknown as D1Database, site.site, [
    { name: 'go_seconds', label: '', value: 1 },
  ])
})
