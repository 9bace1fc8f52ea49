// Enrolment by a one-time code: the key is made at the agent, nobody carries it, and every refusal is in
// the trail of the site.
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { agentJwk, strangerJwk } from '../shared/session-fixture.ts'
import { thumbprint } from '../../contain/keys.ts'
import { agentToken } from './support/agent-token.ts'
import { call, codeOf, freshSite, publicHalf, type TestSite } from './support/door.ts'

let site: TestSite
beforeAll(async () => {
  site = await freshSite()
})

const codeFor = async (agent: string, cell: string): Promise<string> => {
  const body = { agent, cell }
  const made = await call('POST', '/v1/agents/codes', { token: site.admin, body })
  expect(made.status).toBe(201)
  return String(made.body['code'])
}
const bring = async (code: string, jwk: { x: string }, jkt?: string) => {
  const key = publicHalf(jwk as never)
  const body = { site: site.site, code, jwk: key, jkt: jkt ?? (await thumbprint(jwk.x)) }
  return call('POST', '/v1/enrolments', { body })
}
const refusals = async () => {
  const trail = await call('GET', `/v1/sites/${site.site}/audit`, { token: site.admin })
  const items = trail.body['items'] as { event: string; facts: Record<string, unknown> }[]
  return items.filter((one) => one.event === 'enrolment_refused').map((one) => one.facts['why'])
}

it('enrols the key that came with the code, once', async () => {
  const code = await codeFor('robot-1', 'bench-1')
  const done = await bring(code, agentJwk)
  expect(done.body).toEqual({
    agent: 'robot-1',
    cell: 'bench-1',
    jkt: await thumbprint(agentJwk.x),
  })
  expect(done.status).toBe(201)
  const jti = `standing-${crypto.randomUUID()}`
  const token = await agentToken(agentJwk, { site: site.site, agent: 'robot-1', jti })
  const standing = await call('GET', '/v1/agent/standing', { token })
  expect(standing.body).toMatchObject({ agent: 'robot-1', cell: 'bench-1' })
  expect((await call('GET', '/v1/agent/standing', { token })).status).toBe(401)
  const again = await bring(code, strangerJwk)
  expect([again.status, codeOf(again)]).toEqual([403, 'enrolment_refused'])
  expect(await refusals()).toContain('used')
})

it('lets one of two in that bring the same code at once', async () => {
  const code = await codeFor('robot-2', 'bench-2')
  const both = await Promise.all([bring(code, agentJwk), bring(code, strangerJwk)])
  expect(both.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([201, 403])
})

it('refuses a code that is wrong, over, of a revoked maker, or of a key that changed on the way', async () => {
  expect((await bring('nobody-made-this', agentJwk)).status).toBe(403)
  const over = await codeFor('robot-3', 'bench-3')
  await env.DB.prepare('UPDATE enrolment_codes SET expires_ms = 1 WHERE agent = ?')
    .bind('robot-3')
    .run()
  expect((await bring(over, agentJwk)).status).toBe(403)
  const fallen = await codeFor('robot-4', 'bench-4')
  await env.DB.prepare('UPDATE enrolment_codes SET credential = ? WHERE agent = ?')
    .bind('cred_revoked', 'robot-4')
    .run()
  expect((await bring(fallen, agentJwk)).status).toBe(403)
  const changed = await codeFor('robot-5', 'bench-5')
  expect((await bring(changed, agentJwk, await thumbprint(strangerJwk.x))).status).toBe(403)
  const expired = await codeFor('robot-7', 'bench-7')
  const maker = `(SELECT credential FROM enrolment_codes WHERE agent = 'robot-7')`
  await env.DB.prepare(`UPDATE credentials SET expires_ms = 1 WHERE id = ${maker}`).run()
  const late = await bring(expired, agentJwk)
  await env.DB.prepare(`UPDATE credentials SET expires_ms = NULL WHERE id = ${maker}`).run()
  expect(late.status).toBe(403)
  const told = await refusals()
  expect(told).toEqual(expect.arrayContaining(['expired', 'maker_revoked', 'thumbprint']))
  // A guess leaves no line: strangers do not write into a site's trail.
  expect(told).not.toContain('wrong')
})

it('is made by administrators only, and says nothing of sites that nobody has', async () => {
  const body = { agent: 'robot-6', cell: 'bench-6' }
  const made = await call('POST', '/v1/agents/codes', { token: site.operator, body })
  expect(codeOf(made)).toBe('role_forbidden')
  const key = { jwk: publicHalf(agentJwk), jkt: await thumbprint(agentJwk.x) }
  const none = await call('POST', '/v1/enrolments', {
    body: { site: 'no-site', code: 'x', ...key },
  })
  expect([none.status, codeOf(none)]).toEqual([403, 'enrolment_refused'])
})
