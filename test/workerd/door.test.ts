// The door as outsiders meet it: who may come in, what is well formed, and that nobody sees or moves
// what is another site's (invariants 6, 9).
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { agentJwk, strangerJwk } from '../shared/session-fixture.ts'
import {
  call,
  codeOf,
  credential,
  freshSite,
  publicHalf,
  readingPlan,
  submitReading,
  type TestSite,
} from './support/door.ts'
import { unmet } from './support/openapi.ts'
import { hush } from '../shared/hush.ts'

hush(/^KNOWLEDGE_UNAVAILABLE: no graph is loaded$/)

const unknownPlan = `plan_${'0'.repeat(26)}`
const unknownSession = `sess_${'0'.repeat(26)}`

let a: TestSite
let b: TestSite

beforeAll(async () => {
  a = await freshSite()
  b = await freshSite()
})

/** Expects that this credential may not do it. */
const no = async (token: string, method: string, path: string, body?: unknown) => {
  const answer = await call(method, path, body === undefined ? { token } : { token, body })
  expect([path, answer.status, codeOf(answer)]).toEqual([path, 403, 'role_forbidden'])
}

describe('every answer', () => {
  it('is a problem with a stable code, and says nothing about the inside', async () => {
    const answer = await call('GET', '/v1/nowhere')
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.body).toMatchObject({
      type: 'urn:portcullis:problem:not_found',
      code: 'not_found',
      status: 404,
    })
    expect(String(answer.body['instance'])).toMatch(/^urn:portcullis:request:[0-9a-f-]{36}$/)
  })

  it('is neither cached nor sniffed', async () => {
    const { headers } = await call('GET', '/healthz')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('tells a wrong method from a wrong path', async () => {
    const answer = await call('DELETE', '/v1/plans')
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, POST')
    expect(codeOf(answer)).toBe('method_not_allowed')
  })
})

describe('credentials', () => {
  it('are needed everywhere, and every wrong one looks the same', async () => {
    const [head, secret] = [a.planner.slice(0, 30), a.planner.slice(30)]
    const flipped = head + (secret.startsWith('A') ? 'B' : 'A') + secret.slice(1)
    const looseLast =
      a.planner.slice(0, -1) + 'ABCDEFGH'.replace(a.planner.slice(-1), '').slice(0, 1)
    const unknown = `pc_${'0'.repeat(26)}_${'A'.repeat(43)}`
    const tokens = [
      undefined,
      'x',
      flipped,
      looseLast,
      unknown,
      `${a.planner}A`,
      env.TEST_OPERATOR_TOKEN,
    ]
    const bodies = new Set<string>()
    for (const token of tokens) {
      const answer = await call('GET', '/v1/plans', token === undefined ? {} : { token })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toContain('Bearer')
      bodies.add(JSON.stringify({ ...answer.body, instance: '' }))
    }
    expect(bodies.size).toBe(1)
  })

  it('may do what their role may do and no more', async () => {
    await no(a.reviewer, 'POST', '/v1/plans', readingPlan(a.plannerId))
    await no(a.planner, 'GET', '/v1/reviews')
    await no(a.operator, 'GET', '/v1/reviews')
    await no(a.admin, 'POST', `/v1/reviews/${unknownPlan}`, {})
    await no(a.planner, 'POST', '/v1/cells/c/arm', { until_ms: 1 })
    await no(a.reviewer, 'POST', '/v1/cells/c/arm', { until_ms: 1 })
    await no(a.planner, 'GET', `/v1/sessions/${unknownSession}`)
    await no(a.operator, 'PUT', '/v1/policies', {})
    await no(a.reviewer, 'POST', '/v1/credentials', {})
    await no(a.planner, 'GET', '/v1/credentials')
    await no(a.operator, 'POST', '/v1/agents', {})
  })

  it('end with their revocation, at the next request', async () => {
    const site = await freshSite()
    const list = await call('GET', '/v1/credentials', { token: site.admin })
    const items = list.body['items'] as { id: string; role: string; subject: string }[]
    const planner = items.find((item) => item.role === 'planner')
    expect(JSON.stringify(items)).not.toContain('sha256')
    expect((await call('GET', '/v1/plans', { token: site.planner })).status).toBe(200)
    const path = `/v1/credentials/${planner?.id}/revoke`
    const first = await call('POST', path, { token: site.admin })
    const again = await call('POST', path, { token: site.admin })
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.body['revoked_ms']).toBe(first.body['revoked_ms'])
    expect((await call('GET', '/v1/plans', { token: site.planner })).status).toBe(401)
  })

  it('end with their expiry', async () => {
    const made = await call('POST', '/v1/credentials', {
      token: a.admin,
      body: { role: 'reviewer', subject: 'old', owner: 'old', expires_ms: Date.now() + 1_000 },
    })
    expect(made.status).toBe(201)
    const token = String(made.body['token'])
    expect((await call('GET', '/v1/reviews', { token })).status).toBe(200)
    await scheduler.wait(1_050)
    expect((await call('GET', '/v1/reviews', { token })).status).toBe(401)
  })

  it('are stored as a digest only', async () => {
    const { results } = await env.DB.prepare('SELECT * FROM credentials').all()
    const stored = JSON.stringify(results)
    for (const token of [a.planner, a.admin]) {
      expect(stored).not.toContain(token.slice(30))
    }
  })
})

describe('sites', () => {
  it('are created by the operator of the deployment alone, once', async () => {
    const body = { site: 'lonely', administrator: { subject: 'adm', owner: 'adm' } }
    for (const token of [a.admin, 'guess']) {
      expect((await call('POST', '/v1/sites', { token, body })).status).toBe(401)
    }
    const token = env.TEST_OPERATOR_TOKEN
    const [first, second] = await Promise.all([
      call('POST', '/v1/sites', { token, body }),
      call('POST', '/v1/sites', { token, body }),
    ])
    expect(new Set([first.status, second.status])).toEqual(new Set([201, 409]))
  })

  it('refuse names that could reach into another name', async () => {
    for (const site of ['a/b', 'A', '', '..', 'a'.repeat(64), 'ä']) {
      const answer = await call('POST', '/v1/sites', {
        token: env.TEST_OPERATOR_TOKEN,
        body: { site, administrator: { subject: 'a', owner: 'a' } },
      })
      expect([site, answer.status, codeOf(answer)]).toEqual([site, 422, 'violations'])
    }
  })

  it('without a registry take no plan', async () => {
    const site = await freshSite({ registry: false })
    const answer = await submitReading(site)
    expect([answer.status, codeOf(answer)]).toEqual([409, 'site_not_ready'])
    expect(answer.headers.get('retry-after')).toBe('60')
  })
})

describe('another site', () => {
  it('is not there: every route answers a foreign id like one that never was', async () => {
    const made = await submitReading(b)
    const plan = String(made.body['plan'])
    const enrolled = await call('POST', '/v1/agents', {
      token: b.admin,
      body: { agent: 'agent-b', cell: 'cell-b', jwk: publicHalf(agentJwk) },
    })
    expect(enrolled.status).toBe(201)
    const list = await call('GET', '/v1/credentials', { token: b.admin })
    const id = (list.body['items'] as { id: string }[])[0]?.id
    const review = { verdict: 'accept', rationale: 'x', packet_digest: `packet:${'A'.repeat(43)}` }
    const foreign: [string, string, string, unknown?][] = [
      [a.planner, 'GET', `/v1/plans/${plan}`],
      [a.planner, 'GET', `/v1/plans/${plan}/events`],
      [a.planner, 'POST', `/v1/plans/${plan}/withdraw`],
      [a.reviewer, 'GET', `/v1/plans/${plan}`],
      [a.reviewer, 'GET', `/v1/reviews/${plan}`],
      [a.reviewer, 'POST', `/v1/reviews/${plan}`, review],
      [a.operator, 'GET', `/v1/sessions/${unknownSession}`],
      [a.operator, 'GET', `/v1/sessions/${unknownSession}/audit`],
      [a.planner, 'GET', `/v1/sessions/${unknownSession}/nodes/n/result`],
      [a.operator, 'GET', `/v1/sessions/${unknownSession}/nodes/n/parts/blob:${'A'.repeat(43)}`],
      [a.operator, 'POST', `/v1/sessions/${unknownSession}/stop`],
      [a.operator, 'POST', '/v1/cells/cell-b/arm', { until_ms: Date.now() + 600_000 }],
      [a.operator, 'POST', '/v1/cells/cell-b/disarm'],
      [a.operator, 'POST', '/v1/cells/cell-b/clear', { note: 'x' }],
      [a.operator, 'POST', '/v1/cells/cell-b/stop'],
      [a.operator, 'POST', `/v1/sites/${b.site}/stop`],
      [a.reviewer, 'GET', `/v1/reviews/${plan}/audit`],
      [a.operator, 'GET', `/v1/sites/${b.site}/audit`],
      [a.reviewer, 'POST', `/v1/memories/failure:${plan}/resolve`, { reason: 'x' }],
      [a.admin, 'POST', `/v1/credentials/${id}/revoke`],
      [a.admin, 'POST', '/v1/agents/agent-b/revoke'],
    ]
    for (const [token, method, path, body] of foreign) {
      const answer = await call(method, path, body === undefined ? { token } : { token, body })
      expect([path, answer.status, codeOf(answer)]).toEqual([path, 404, 'not_found'])
      expect(answer.text).not.toContain(b.site)
    }
    const seen = await call('GET', `/v1/plans/${plan}`, { token: b.planner })
    expect(seen.status).toBe(200)
  })

  it('shows nothing of itself in lists', async () => {
    const mine = await submitReading(a)
    await submitReading(b)
    const plans = await call('GET', '/v1/plans', { token: a.reviewer })
    const cells = await call('GET', '/v1/cells', { token: a.operator })
    const agents = await call('GET', '/v1/agents', { token: a.admin })
    const site = await call('GET', '/v1/sites', { token: a.admin })
    expect(cells.body['items']).toEqual([])
    expect(agents.body['items']).toEqual([])
    expect(site.body['site']).toBe(a.site)
    const { results } = await env.DB.prepare('SELECT plan FROM plans WHERE site = ?')
      .bind(b.site)
      .all<{ plan: string }>()
    for (const { plan } of results) expect(plans.text).not.toContain(plan)
    expect(mine.status).toBe(202)
  })

  it('nor does another planner of the same site', async () => {
    const other = Object.keys(env.TEST_REGISTRY.planners)[1] ?? 'other'
    const token = await credential(a.admin, 'planner', other, 'otto')
    const plan = String((await submitReading(a)).body['plan'])
    expect((await call('GET', `/v1/plans/${plan}`, { token })).status).toBe(404)
    expect((await call('POST', `/v1/plans/${plan}/withdraw`, { token })).status).toBe(404)
    const superseding = await call('POST', '/v1/plans', {
      token,
      body: readingPlan(other, { supersedes: plan }),
    })
    expect(superseding.status).toBe(422)
    expect(superseding.body['violations']).toMatchObject([
      { code: 'supersedes_unknown', at: '/supersedes' },
    ])
  })
})

describe('cells', () => {
  it('are armed by an operator, stopped by anybody who watches', async () => {
    const site = await freshSite()
    await call('POST', '/v1/agents', {
      token: site.admin,
      body: { agent: 'arm-1', cell: 'cell-1', jwk: publicHalf(agentJwk) },
    })
    const until_ms = Date.now() + 60_000
    const armed = await call('POST', '/v1/cells/cell-1/arm', {
      token: site.operator,
      body: { until_ms },
    })
    expect(armed.body).toMatchObject({ armed_until_ms: until_ms, armed_by: 'olga' })
    const stopped = await call('POST', '/v1/cells/cell-1/stop', { token: site.reviewer })
    expect(stopped.body['armed_until_ms']).toBe(null)
    const taken = await call('POST', '/v1/agents', {
      token: site.admin,
      body: { agent: 'arm-2', cell: 'cell-1', jwk: publicHalf(strangerJwk) },
    })
    expect([taken.status, codeOf(taken)]).toEqual([409, 'cell_taken'])
    const site2 = await call('POST', `/v1/sites/${site.site}/stop`, { token: site.operator })
    expect(site2.body).toEqual({ sessions: [] })
    const trail = await call('GET', `/v1/sites/${site.site}/audit`, { token: site.admin })
    const entries = trail.body['items'] as { event: string; prev: string; digest: string }[]
    expect(entries.map((entry) => entry.event)).toContain('cell_armed')
    for (const [i, entry] of entries.entries())
      expect(entry.prev).toBe(entries[i - 1]?.digest ?? '')
  })
})

describe('the policy and the registry', () => {
  it('are closed: an unknown field is refused with its place', async () => {
    const policy = await call('PUT', '/v1/policies', { token: a.admin, body: { pannel: 'live' } })
    expect(policy.status).toBe(422)
    expect(policy.body['violations']).toMatchObject([{ code: 'unknown_field' }])
    const registry = await call('PUT', '/v1/tools', {
      token: a.admin,
      body: { ...env.TEST_REGISTRY, extra: true },
    })
    expect(registry.status).toBe(422)
  })

  it('keep no model key of a site while the deployment cannot seal it', async () => {
    const answer = await call('PUT', '/v1/policies/keys/own-key', {
      token: a.admin,
      body: { key: 'sk-secret' },
    })
    expect([answer.status, codeOf(answer)]).toEqual([503, 'not_configured'])
    expect(answer.text).not.toContain('sk-secret')
  })

  it('are named by digest, and planners see only what they may call', async () => {
    const site = await freshSite()
    const before = await call('GET', '/v1/policies', { token: site.admin })
    const put = await call('PUT', '/v1/policies', {
      token: site.admin,
      body: { alert_level: 'high' },
    })
    expect(put.body['policy_version']).not.toBe(before.body['policy_version'])
    const tools = await call('GET', '/v1/tools', { token: site.planner })
    expect(tools.body['registry']).toBe(null)
    expect(tools.text).not.toContain('definition_digest')
    const admin = await call('GET', '/v1/tools', { token: site.admin })
    expect(admin.text).toContain('definition_digest')
  })
})

describe('the OpenAPI document', () => {
  it('is complete: every route, every reference, and every answer of this file fits it', async () => {
    const answer = await call('GET', '/openapi.json')
    expect(answer.body['openapi']).toBe('3.1.0')
    expect(unmet(answer.body)).toEqual([])
  })
})
