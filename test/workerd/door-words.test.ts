// What the door says: forbidden addresses, violations and reasons in words, health, its own description.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../protocol/limits.ts'
import {
  call,
  codesOf,
  freshSite,
  readingPlan,
  submitReading,
  type TestSite,
} from './support/door.ts'
import type { Packet } from '../../protocol/records.ts'
import { planView } from '../../worker/views.ts'
import { unmet } from './support/openapi.ts'
import { reviewOf } from './support/site.ts'
import { hush } from '../shared/hush.ts'

hush(/^KNOWLEDGE_UNAVAILABLE: no graph is loaded$/)

let a: TestSite

beforeAll(async () => {
  a = await freshSite()
})

describe('a policy', () => {
  it('with an address that may not be called is refused when it is set', async () => {
    const urls = [
      'http://10.0.0.1:22/',
      'https://169.254.169.254/latest',
      'http://example.com/',
      'https://user:pw@example.com/',
      'https://localhost../x',
      'https://foo.localdomain/',
      'https://[fec0::1]/',
      'https://192.88.99.1/',
      'https://example.com:22/',
    ]
    for (const url of urls) {
      const hook = await call('PUT', '/v1/policies', {
        token: a.admin,
        body: { review_webhook: url },
      })
      expect([url, codesOf(hook)]).toEqual([url, [['url_forbidden', '/review_webhook']]])
      const endpoints = [{ name: 'own', wire: 'openai', url, key_name: 'k' }]
      const own = await call('PUT', '/v1/policies', { token: a.admin, body: { endpoints } })
      expect([url, codesOf(own)]).toEqual([url, [['url_forbidden', '/endpoints/0/url']]])
    }
    const body = { review_webhook: 'https://hooks.example.com:8443/x' }
    const { admin } = await freshSite()
    expect((await call('PUT', '/v1/policies', { token: admin, body })).status).toBe(200)
  })
})

describe('violations and reasons', () => {
  it('say in words what is wrong and what to do', async () => {
    const { goal: _, ...rest } = readingPlan(a.plannerId)
    const answer = await call('POST', '/v1/plans', {
      token: a.planner,
      body: { ...rest, nodes: 3, extra: 1 },
    })
    expect(answer.body['violations']).toMatchObject([
      { at: '/goal', message: 'goal is missing' },
      { at: '/nodes', message: 'nodes must be an array, not a number' },
      { code: 'unknown_field', at: '/extra', message: 'a plan has no field extra' },
    ])
    for (const { remedy } of answer.body['violations'] as { remedy: string }[]) {
      expect(remedy.length).toBeGreaterThan(10)
    }
  })

  it('of a decision come with a remedy for each', async () => {
    const decided = await submitReading(a, {}, { prefer: 'wait=20' })
    const reasons = decided.body['reasons'] as string[]
    const remedies = decided.body['remedies'] as { reason: string; remedy: string }[]
    expect(remedies.map(({ reason }) => reason)).toEqual(reasons)
    expect(remedies.length).toBeGreaterThan(0)
  })

  it('tell a planner of a memory that holds its plan up, and not which plan it was', async () => {
    const plan = String((await submitReading(a, {}, { prefer: 'wait=20' })).body['plan'])
    const record = await reviewOf(a.site, plan).record()
    if (record?.packet == null) throw new TypeError('a decided plan has a packet')
    const match = {
      memory: 'failure:secret',
      plan: 'plan_of_somebody_else',
      basis: 'person' as const,
      similarity: 0.9,
      via: [],
      codes: [],
    }
    const seen = (effect: 'escalates' | 'told') => {
      const memory = [{ ...match, effect }]
      const packet = { ...record.packet, memory } as unknown as Packet
      return planView(record.status, packet, { waiting_for: null, nodes: [] })
    }
    const told = seen('escalates')
    const [matched] = told.findings.filter(({ code }) => code === 'MEMORY_MATCH')
    expect(matched?.at).toBe('')
    expect(matched?.remedy).toContain('supersedes')
    expect(JSON.stringify(told)).not.toMatch(/secret|somebody|0\.9/)
    expect(seen('told').findings.map(({ code }) => code)).not.toContain('MEMORY_MATCH')
  })
})

describe('the health check', () => {
  it('is answered from a few seconds ago, however often it is asked', async () => {
    const knowledge = async () =>
      ((await call('GET', '/healthz')).body['checks'] as { knowledge: string }).knowledge
    await scheduler.wait(limits.healthMsMax + 50)
    expect(await knowledge()).toBe('none')
    await env.DB.prepare(
      `INSERT INTO kg_active (one, version, slot, model, nodes) VALUES (1, 'v', 0, 'm', 0)`,
    ).run()
    try {
      expect(await knowledge()).toBe('none')
      await scheduler.wait(limits.healthMsMax + 50)
      expect(await knowledge()).toBe('v')
    } finally {
      await env.DB.prepare('DELETE FROM kg_active').run()
    }
  })
})

describe('the OpenAPI document', () => {
  it('fits every answer of this file, and names servers and headers', async () => {
    const { body } = await call('GET', '/openapi.json')
    expect(unmet(body)).toEqual([])
    expect(body['servers']).toMatchObject([{ url: '/' }])
    const text = JSON.stringify(body)
    for (const header of ['location', 'preference-applied', 'retry-after']) {
      expect(text).toContain(`"${header}":{"description"`)
    }
  })
})
