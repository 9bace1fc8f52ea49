// The door as machines meet it: agents dial in, planners speak MCP, anyone reads keys and health.
import { env, exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { problems } from '../../worker/problems.ts'
import { limits } from '../../protocol/limits.ts'
import { agentJwk, strangerJwk } from '../shared/session-fixture.ts'
import { agentToken } from './support/agent-token.ts'
import {
  call,
  codeOf,
  freshSite,
  publicHalf,
  readingPlan,
  type Answer,
  type TestSite,
} from './support/door.ts'
import { unmet } from './support/openapi.ts'
import { hush } from '../shared/hush.ts'

hush(/^\{"event":"agent_refused"/)

let a: TestSite
let b: TestSite

beforeAll(async () => {
  a = await freshSite()
  b = await freshSite()
})

const upgrade = (path: string, token?: string, headers: Record<string, string> = {}) =>
  exports.default.fetch(
    new Request(`https://gateway.test${path}`, {
      headers: {
        upgrade: 'websocket',
        ...headers,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
    }),
  )

const refused = async (token?: string) => {
  const answer = await upgrade('/v1/agent', token)
  const { code } = await answer.json<{ code: string }>()
  return [answer.status, code]
}

const rpc = (token: string, method: string, params: unknown, headers = {}) =>
  call('POST', '/mcp', {
    token,
    body: { jsonrpc: '2.0', id: 1, method, params },
    headers: { accept: 'application/json, text/event-stream', ...headers },
  })
/** What came as JSON or as one event. */
function resultIn(answer: Answer): unknown {
  const line = answer.text.split('\n').find((text) => text.startsWith('data: '))
  const message = JSON.parse(line === undefined ? answer.text : line.slice(6)) as {
    result: unknown
  }
  return message.result
}
const tool = async (token: string, name: string, args: unknown) => {
  const answer = await rpc(token, 'tools/call', { name, arguments: args })
  const { content, isError } = resultIn(answer) as {
    content: { text: string }[]
    isError?: boolean
  }
  return { isError: isError === true, value: JSON.parse(content[0]?.text ?? '') as unknown }
}

describe('an agent’s upgrade', () => {
  let site: TestSite
  let n = 0
  const jti = () => `jti-${++n}`
  beforeAll(async () => {
    site = await freshSite()
    for (const [agent, cell, jwk] of [
      ['robot', 'cell-1', agentJwk],
      ['other', 'cell-2', strangerJwk],
    ] as const) {
      await call('POST', '/v1/agents', {
        token: site.admin,
        body: { agent, cell, jwk: publicHalf(jwk) },
      })
    }
  })

  it('is taken with a fresh token by the enrolled key, once', async () => {
    const token = await agentToken(agentJwk, { site: site.site, agent: 'robot', jti: jti() })
    const answer = await upgrade('/v1/agent', token)
    expect(answer.status).toBe(101)
    const socket = answer.webSocket
    if (socket === null) throw new TypeError('no socket')
    socket.accept()
    const first = await new Promise<string>((resolve) => {
      socket.addEventListener('message', (event) => resolve(String(event.data)))
    })
    expect(JSON.parse(first)).toMatchObject({ v: 1, type: 'challenge' })
    socket.close(1000, 'done')
    expect(await refused(token)).toEqual([401, 'agent_token_invalid'])
  })

  it('is refused without a token, and with any wrong one, in the same words', async () => {
    const now = Math.floor(Date.now() / 1_000)
    const right = { site: site.site, agent: 'robot' }
    const good = await agentToken(agentJwk, { ...right, jti: jti() })
    const wrong = [
      undefined,
      site.admin,
      await agentToken(agentJwk, { ...right, jti: jti(), iat_s: now - 120 }),
      await agentToken(agentJwk, { ...right, jti: jti(), iat_s: now + 120 }),
      await agentToken(agentJwk, { ...right, jti: jti(), life_s: limits.agentJwtLifetimeS + 1 }),
      await agentToken(strangerJwk, { ...right, jti: jti() }),
      await agentToken(agentJwk, { site: site.site, agent: 'other', jti: jti() }),
      await agentToken(agentJwk, { site: site.site, agent: 'nobody', jti: jti() }),
      await agentToken(agentJwk, { site: a.site, agent: 'robot', jti: jti() }),
      `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`,
      `${good}A`,
      good.split('.').slice(0, 2).join('.'),
    ]
    for (const token of wrong) expect(await refused(token)).toEqual([401, 'agent_token_invalid'])
  })

  it('lives at the limit of its life', async () => {
    const token = await agentToken(agentJwk, {
      site: site.site,
      agent: 'robot',
      jti: jti(),
      life_s: limits.agentJwtLifetimeS,
    })
    const answer = await upgrade('/v1/agent', token)
    expect(answer.status).toBe(101)
    answer.webSocket?.accept()
    answer.webSocket?.close(1000, 'done')
  })

  it('cannot borrow another name through headers of its own', async () => {
    const token = await agentToken(strangerJwk, { site: site.site, agent: 'other', jti: jti() })
    const answer = await upgrade('/v1/agent', token, {
      'x-portcullis-agent': 'robot',
      'x-portcullis-jkt': 'x',
      'x-portcullis-site': a.site,
    })
    expect(answer.status).toBe(101)
    const socket = answer.webSocket
    if (socket === null) throw new TypeError('no socket')
    socket.accept()
    const messages: Record<string, unknown>[] = []
    const closed = new Promise<void>((resolve) => {
      socket.addEventListener('close', () => resolve())
      socket.addEventListener('message', (event) => {
        const frame = JSON.parse(String(event.data)) as Record<string, unknown>
        messages.push(frame)
        if (frame['type'] !== 'challenge') return
        const hello = { v: 1, fid: 'f1', nonce: frame['nonce'], type: 'hello', boot_id: 'b1' }
        // It says it serves the other agent's cell; the hub knows it by the key that was proven.
        socket.send(JSON.stringify({ ...hello, cell: 'cell-1', proof: 'x' }))
      })
    })
    await closed
    expect(messages.at(-1)).toMatchObject({ type: 'error', code: 'key_not_bound' })
    expect(String(messages.at(-1)?.['detail'])).toContain('cell-2')
  })

  it('needs WebSocket, and is not for pages', async () => {
    const plain = await call('GET', '/v1/agent')
    expect([plain.status, codeOf(plain)]).toEqual([426, 'upgrade_required'])
    const token = await agentToken(agentJwk, { site: site.site, agent: 'robot', jti: jti() })
    const page = await upgrade('/v1/agent', token, { origin: 'https://gateway.test' })
    expect(page.status).toBe(403)
    await page.body?.cancel()
  })

  it('is refused once the agent is revoked', async () => {
    const revoked = await call('POST', '/v1/agents/robot/revoke', { token: site.admin })
    expect(revoked.status).toBe(200)
    const token = await agentToken(agentJwk, { site: site.site, agent: 'robot', jti: jti() })
    expect(await refused(token)).toEqual([401, 'agent_token_invalid'])
  })
})

describe('the MCP intake', () => {
  it('takes a plan, shows it and withdraws it', async () => {
    const plan = readingPlan(a.plannerId)
    const taken = await tool(a.planner, 'submit_plan', { plan, idempotency_key: 'mcp-1' })
    expect(taken.isError).toBe(false)
    const { plan: id } = taken.value as { plan: string }
    const again = await tool(a.planner, 'submit_plan', { plan, idempotency_key: 'mcp-1' })
    expect((again.value as { plan: string }).plan).toBe(id)
    const seen = await tool(a.planner, 'get_plan', { plan: id })
    expect(seen.value).toMatchObject({ plan: id, planner: a.plannerId })
    const tools = await tool(a.planner, 'list_tools', {})
    expect((tools.value as { tools: unknown[] }).tools.length).toBe(env.TEST_REGISTRY.tools.length)
    await tool(a.planner, 'withdraw_plan', { plan: id })
    expect((await tool(b.planner, 'get_plan', { plan: id })).isError).toBe(true)
  })

  it('gives the same violations as HTTP', async () => {
    const answer = await tool(a.planner, 'submit_plan', { plan: { goal: 1 } })
    expect(answer.isError).toBe(true)
    expect(answer.value).toMatchObject({ code: 'violations' })
  })

  it('refuses a message that two readers could read differently', async () => {
    const raw = '{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}'
    const answer = await call('POST', '/mcp', { token: a.planner, raw })
    expect(answer.status).toBe(422)
    expect(answer.body['violations']).toMatchObject([{ code: 'duplicate_key' }])
  })

  it('shows arguments that hold no reference: some clients follow none', async () => {
    const answer = await rpc(a.planner, 'tools/list', {})
    const { tools } = resultIn(answer) as { tools: { inputSchema: object }[] }
    expect(tools.length).toBeGreaterThan(5)
    expect(JSON.stringify(tools.map((one) => one.inputSchema))).not.toMatch(/\$ref|\$defs/)
    expect(JSON.stringify(tools)).toContain('"instructions"')
  })

  it('refuses strangers, other roles and foreign pages', async () => {
    expect((await rpc('x', 'tools/list', {})).status).toBe(401)
    expect((await rpc(a.admin, 'tools/list', {})).status).toBe(403)
    const page = await rpc(a.planner, 'tools/list', {}, { origin: 'https://evil.test' })
    expect([page.status, codeOf(page)]).toEqual([403, 'origin_forbidden'])
  })
})

describe('what anyone may read', () => {
  it('has keys without a private half', async () => {
    const answer = await call('GET', '/.well-known/jwks.json')
    const keys = answer.body['keys'] as Record<string, unknown>[]
    expect(keys).toHaveLength(1)
    expect(Object.keys(keys[0] ?? {}).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
  })

  it('says that it is well', async () => {
    const answer = await call('GET', '/healthz')
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ status: 'ok', checks: { storage: 'ok', signer: 'ok' } })
  })

  it('has a page that loads nothing from elsewhere', async () => {
    const moved = await call('GET', '/console')
    expect([moved.status, moved.headers.get('location')]).toEqual([308, '/console/'])
    const page = await call('GET', '/console/')
    expect(page.status).toBe(200)
    const csp = page.headers.get('content-security-policy') ?? ''
    expect(csp).toContain("default-src 'none'")
    expect(csp).not.toContain('unsafe-inline')
    expect(page.text).not.toMatch(/https?:\/\//)
    expect((await call('GET', '/console/nothing.js')).status).toBe(404)
  })
})

describe('the codes of problems', () => {
  it('are stable: clients match on them, so none changes its name or status', () => {
    const table = Object.entries(problems).map(([code, { status }]) => `${status} ${code}`)
    expect(table).toEqual([
      '400 query_invalid',
      '400 header_invalid',
      '401 credential_invalid',
      '401 agent_token_invalid',
      '403 enrolment_refused',
      '403 sign_in_refused',
      '403 passkey_refused',
      '403 touch_needed',
      '403 touch_refused',
      '403 role_forbidden',
      '403 origin_forbidden',
      '403 conflict_of_interest',
      '404 not_found',
      '405 method_not_allowed',
      '409 outdated',
      '409 last_administrator',
      '409 no_passkey',
      '409 email_taken',
      '408 body_too_slow',
      '409 site_exists',
      '409 cell_taken',
      '409 too_late',
      '409 not_over',
      '409 template_standing',
      '409 on_hold',
      '409 not_escalated',
      '409 stale_packet',
      '409 stale_assignee',
      '409 no_such_reviewer',
      '409 already_resolved',
      '409 same_approver',
      '409 review_expired',
      '409 not_proposed',
      '409 template_refused',
      '409 template_expired',
      '429 too_many_templates',
      '409 needs_clearance',
      '409 session_running',
      '409 session_unreachable',
      '409 nothing_to_release',
      '409 not_at_rest',
      '409 stale_change',
      '409 site_not_ready',
      '422 idempotency_conflict',
      '410 part_expired',
      '403 part_withheld',
      '413 body_too_large',
      '415 media_type',
      '422 violations',
      '426 upgrade_required',
      '429 queue_full',
      '429 queue_share_full',
      '429 too_many_records',
      '429 too_many_holds',
      '429 too_many_requests',
      '429 too_many_keys',
      '429 too_many_judging',
      '429 too_many_agents',
      '429 too_many_credentials',
      '429 too_many_passkeys',
      '502 part_changed',
      '503 part_unreachable',
      '429 too_many_parts',
      '500 internal',
      '503 unavailable',
      '503 not_configured',
    ])
  })
})

describe('the OpenAPI document', () => {
  it('is complete: every route, every reference, and every answer of this file fits it', async () => {
    const answer = await call('GET', '/openapi.json')
    expect(answer.body['openapi']).toBe('3.1.0')
    expect(unmet(answer.body)).toEqual([])
  })
})
