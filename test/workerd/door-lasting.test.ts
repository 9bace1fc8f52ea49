// What must hold although time passes at the door: a revocation against a request that is still being
// sent, a repeat after the site has changed, a queue that one planner fills, times that are over.
import { env, exports } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../protocol/limits.ts'
import { readBytes } from '../../worker/body.ts'
import { agentJwk } from '../shared/session-fixture.ts'
import {
  call,
  codeOf,
  codesOf,
  credential,
  freshSite,
  publicHalf,
  readingPlan,
  submitReading,
  type Answer,
  type TestSite,
} from './support/door.ts'
import { unmet } from './support/openapi.ts'
import { readPlan } from './support/site.ts'
import { hush } from '../shared/hush.ts'

hush(/^KNOWLEDGE_UNAVAILABLE: no graph is loaded$/)

let a: TestSite

beforeAll(async () => {
  a = await freshSite()
})

type Item = {
  id: string
  role: string
  subject: string
  last_used_ms: number | null
  created_by: string
  revoked_by: string
}

const credentials = async (site: TestSite): Promise<Item[]> =>
  (await call('GET', '/v1/credentials', { token: site.admin })).body['items'] as Item[]

const idOf = async (site: TestSite, role: string, subject: string): Promise<string> =>
  (await credentials(site)).find((item) => item.role === role && item.subject === subject)?.id ?? ''

/** Waits until the credential was let in: only what began with it is put to the test. */
const letIn = (site: TestSite, role: string) =>
  expect
    .poll(
      async () => (await credentials(site)).findLast((item) => item.role === role)?.last_used_ms,
    )
    .toEqual(expect.any(Number))

const revoke = (site: TestSite, id: string): Promise<Answer> =>
  call('POST', `/v1/credentials/${id}/revoke`, { token: site.admin })

const eventsOf = async (
  site: TestSite,
): Promise<{ event: string; actor: string; facts: object }[]> =>
  (await call('GET', `/v1/sites/${site.site}/audit`, { token: site.reviewer })).body['items'] as {
    event: string
    actor: string
    facts: object
  }[]

/** Begins a request and gives what ends its body. */
function begun(path: string, token: string, text: string) {
  const pipe = new TransformStream<Uint8Array, Uint8Array>()
  const writer = pipe.writable.getWriter()
  const bytes = new TextEncoder().encode(text)
  const answer = exports.default.fetch(
    new Request(`https://gateway.test${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: pipe.readable,
    }),
  )
  const finish = async (): Promise<Response> => {
    // A request that was answered already takes no more of its body.
    await writer.write(bytes.slice(1)).catch(() => undefined)
    await writer.close().catch(() => undefined)
    return answer
  }
  return { first: writer.write(bytes.slice(0, 1)), finish }
}

describe('a request that began before its credential was revoked', () => {
  it('creates no credential', async () => {
    const site = await freshSite()
    const token = await credential(site.admin, 'administrator', 'mallory', 'mallory')
    const body = { role: 'administrator', subject: 'backdoor', owner: 'mallory' }
    const open = begun('/v1/credentials', token, JSON.stringify(body))
    await open.first
    await letIn(site, 'administrator')
    expect((await revoke(site, await idOf(site, 'administrator', 'mallory'))).status).toBe(200)
    expect((await open.finish()).status).toBe(401)
    expect(await idOf(site, 'administrator', 'backdoor')).toBe('')
  })

  it('submits no plan, neither over HTTP nor over MCP', async () => {
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'submit_plan', arguments: { plan: readingPlan(a.plannerId) } },
    }
    for (const [path, body] of [
      ['/v1/plans', readingPlan(a.plannerId)],
      ['/mcp', message],
    ] as const) {
      const site = await freshSite()
      const open = begun(path, site.planner, JSON.stringify(body))
      await open.first
      await letIn(site, 'planner')
      await revoke(site, await idOf(site, 'planner', site.plannerId))
      expect([path, (await open.finish()).status]).toEqual([path, 401])
      const list = await call('GET', '/v1/plans', { token: site.reviewer })
      expect(list.body['items']).toEqual([])
    }
  })

  it('is not held open for ever: a body has its time', async () => {
    const request = (body: ReadableStream) =>
      new Request('https://gateway.test/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    let cancelled = false
    const endless = new ReadableStream({
      cancel() {
        cancelled = true
      },
    })
    const slow = await readBytes(request(endless), { bytesMax: 10, timeoutMs: 50 })
    expect(slow).toEqual({ ok: false, error: { code: 'body_too_slow' } })
    expect(cancelled).toBe(true)
    const quick = await readBytes(request(new Blob(['{}']).stream()), {
      bytesMax: 10,
      timeoutMs: 5_000,
    })
    expect(quick.ok && new TextDecoder().decode(quick.value)).toBe('{}')
  })
})

describe('a stream of events', () => {
  it('ends when the credential is revoked', async () => {
    const site = await freshSite()
    await call('PUT', '/v1/policies', { token: site.admin, body: { panel: 'live' } })
    const taken = await submitReading(site, {}, { prefer: 'wait=20' })
    expect(taken.body['state']).toBe('escalated')
    const stream = call('GET', `/v1/plans/${String(taken.body['plan'])}/events`, {
      token: site.planner,
    })
    await scheduler.wait(200)
    await revoke(site, await idOf(site, 'planner', site.plannerId))
    expect((await stream).text).toContain('"state":"escalated"')
  })
})

describe('a repeat with the same key', () => {
  const key = { 'idempotency-key': 'once' }

  it('gets the first plan although the site has changed since', async () => {
    const site = await freshSite()
    const first = await submitReading(site, {}, key)
    const [name] = Object.keys(env.TEST_REGISTRY.planners)
    expect(name).toBe(site.plannerId)
    const changed = { ...env.TEST_REGISTRY, tools: env.TEST_REGISTRY.tools.slice(1) }
    const put = await call('PUT', '/v1/tools', { token: site.admin, body: changed })
    expect(put.status).toBe(200)
    const again = await submitReading(site, {}, key)
    expect(again.body['plan']).toBe(first.body['plan'])
  })

  it('is the same however it is spelled and whichever way it comes', async () => {
    const site = await freshSite()
    const first = await submitReading(site, {}, key)
    const { goal, ...rest } = readingPlan(site.plannerId)
    const raw = JSON.stringify({ ...rest, goal }, null, 2)
    const spelled = await call('POST', '/v1/plans', { token: site.planner, raw, headers: key })
    expect(spelled.body['plan']).toBe(first.body['plan'])
    const broken = await call('POST', '/v1/plans', { token: site.planner, raw: '{', headers: key })
    expect(codesOf(broken)).toEqual([['not_json', '']])
    const mcp = await call('POST', '/mcp', {
      token: site.planner,
      headers: { accept: 'application/json, text/event-stream' },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'submit_plan',
          arguments: { plan: readingPlan(site.plannerId), idempotency_key: 'once' },
        },
      },
    })
    expect(mcp.text).toContain(String(first.body['plan']))
  })
})

describe('a plan for one agent', () => {
  it('is refused when no such agent is enrolled', async () => {
    const site = await freshSite()
    const body = { agent: 'arm-9', cell: 'cell-9', jwk: publicHalf(agentJwk) }
    const before = await submitReading(site, { agent: 'arm-9' })
    expect(codesOf(before)).toEqual([['agent_unknown', '/agent']])
    await call('POST', '/v1/agents', { token: site.admin, body })
    expect((await submitReading(site, { agent: 'arm-9' })).status).toBe(202)
    await call('POST', '/v1/agents/arm-9/revoke', { token: site.admin })
    expect(codesOf(await submitReading(site, { agent: 'arm-9' }))).toEqual([
      ['agent_unknown', '/agent'],
    ])
  })
})

describe('the queue', () => {
  it('keeps room for other planners when one has its share', async () => {
    const site = await freshSite()
    const hub = env.SITE_HUB.getByName(site.site)
    const entry = (plan: string, planner: string) => ({
      plan,
      planner,
      owner: 'pia',
      agent: null,
      servers: ['none'],
      sandboxes: [],
      physical: false,
      received_ms: Date.now(),
      valid_until_ms: Date.now() + 600_000,
    })
    await runInDurableObject(hub, (_, { storage }) => {
      for (let i = 1; i < limits.queuedPlansPerPlannerMax; i++) {
        const text = JSON.stringify(entry(`p${i}`, site.plannerId))
        storage.sql.exec('INSERT INTO queue VALUES (?, ?, 0)', `p${i}`, text)
      }
    })
    const submit = (name: string, token: string) =>
      call('POST', '/v1/plans', { token, body: readPlan(name) })
    const other = Object.keys(env.TEST_REGISTRY.planners)[1] ?? ''
    const others = await credential(site.admin, 'planner', other, 'otto')
    expect((await submit(site.plannerId, site.planner)).status).toBe(202)
    expect((await hub.enqueue(entry('last', site.plannerId))).ok).toBe(true)
    const over = await hub.enqueue(entry('over', site.plannerId))
    expect(over).toEqual({ ok: false, error: { reason: 'queue_full' } })
    const full = await submit(site.plannerId, site.planner)
    expect([full.status, codeOf(full)]).toEqual([429, 'queue_share_full'])
    expect(full.headers.get('retry-after')).toBe('30')
    expect(full.body['detail']).toContain(String(limits.queuedPlansPerPlannerMax))
    expect((await submit(other, others)).status).not.toBe(429)
    expect((await hub.enqueue(entry('theirs', other))).ok).toBe(true)
  })
})

describe('times that people send', () => {
  it('lie ahead, and an arming no further than its cap', async () => {
    const site = await freshSite()
    const body = { agent: 'arm-1', cell: 'cell-1', jwk: publicHalf(agentJwk) }
    await call('POST', '/v1/agents', { token: site.admin, body })
    const arm = (until_ms: number) =>
      call('POST', '/v1/cells/cell-1/arm', { token: site.operator, body: { until_ms } })
    expect(codesOf(await arm(1))).toEqual([['time_past', '/until_ms']])
    const far = await arm(Date.now() + limits.armingMsMax + limits.clockSkewMsMax + 1_000)
    expect(codesOf(far)).toEqual([['time_too_far', '/until_ms']])
    expect(far.text).toContain('8 hours')
    expect((await arm(Date.now() + limits.armingMsMax)).status).toBe(200)
    const born = await call('POST', '/v1/credentials', {
      token: site.admin,
      body: { role: 'reviewer', subject: 'x', owner: 'x', expires_ms: 1 },
    })
    expect(codesOf(born)).toEqual([['time_past', '/expires_ms']])
  })
})

describe('the trail of a site', () => {
  it('names who created and revoked a credential and who settled a memory', async () => {
    const site = await freshSite()
    await credential(site.admin, 'reviewer', 'rudi', 'rudi')
    const id = await idOf(site, 'reviewer', 'rudi')
    await revoke(site, id)
    const row = (await credentials(site)).find((item) => item.id === id)
    expect([row?.created_by, row?.revoked_by]).toEqual(['ada', 'ada'])
    await env.DB.prepare(
      `INSERT INTO memory (site, id, kind, event, plan, plan_digest, planner, owner, policy_version,
         basis, codes, culprits, at_ms, expires_ms)
       VALUES (?1, 'failure:x', 'failure', 'rejected', 'p', 'd', 'n', 'o', 'v', 'floor', '[]', '[]', ?2, ?3)`,
    )
      .bind(site.site, Date.now(), Date.now() + 600_000)
      .run()
    const settled = await call('POST', '/v1/memories/failure:x/resolve', {
      token: site.reviewer,
      body: { reason: 'It was a drill.' },
    })
    expect(settled.status).toBe(200)
    const events = await eventsOf(site)
    const of = (event: string, text: string) =>
      events.filter((one) => one.event === event && JSON.stringify(one.facts).includes(text))
    expect(of('credential_created', id)).toMatchObject([{ actor: 'ada' }])
    expect(of('credential_revoked', id)).toMatchObject([{ actor: 'ada' }])
    expect(of('memory_settled', 'failure:x')).toMatchObject([{ actor: 'rosa' }])
    expect(of('credential_created', '"administrator"')).toMatchObject([
      { actor: 'deployment-operator' },
    ])
    expect(JSON.stringify(events)).not.toContain(site.planner.slice(30))
  })
})

describe('the last administrator', () => {
  it('stays until another one is there, whom the operator of the deployment can make', async () => {
    const site = await freshSite()
    const own = await idOf(site, 'administrator', 'admin')
    const last = await revoke(site, own)
    expect([last.status, codeOf(last)]).toEqual([409, 'last_administrator'])
    const path = `/v1/sites/${site.site}/administrators`
    const body = { subject: 'second', owner: 'bea' }
    expect((await call('POST', path, { token: site.admin, body })).status).toBe(401)
    const operator = { token: env.TEST_OPERATOR_TOKEN, body }
    expect((await call('POST', '/v1/sites/no-such/administrators', operator)).status).toBe(404)
    const second = await call('POST', path, operator)
    expect(second.status).toBe(201)
    const token = String(second.body['token'])
    const gone = await call('POST', `/v1/credentials/${own}/revoke`, { token })
    expect(gone.status).toBe(200)
    const seconds = (second.body['credential'] as { id: string }).id
    // Two that revoke each other at once leave one.
    const third = await call('POST', path, operator)
    const thirds = (third.body['credential'] as { id: string }).id
    const both = await Promise.all([
      call('POST', `/v1/credentials/${thirds}/revoke`, { token }),
      call('POST', `/v1/credentials/${seconds}/revoke`, { token: String(third.body['token']) }),
    ])
    expect(both.filter((answer) => answer.status === 200)).toHaveLength(1)
  })
})

describe('the OpenAPI document', () => {
  it('fits every answer of this file', async () => {
    expect(unmet((await call('GET', '/openapi.json')).body)).toEqual([])
  })
})
