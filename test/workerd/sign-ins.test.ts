// People sign in by a one-time code and a cookie; what the cookie may do, and for whom it does nothing.
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { endPasskey } from '../../adapters/passkeys.ts'
import { call, codeOf, credential, freshSite, type Answer, type TestSite } from './support/door.ts'

let site: TestSite
beforeAll(async () => {
  site = await freshSite()
})

const own = { origin: 'https://gateway.test', 'sec-fetch-site': 'same-origin' }

async function codeFor(token: string, body: Record<string, unknown> = {}): Promise<string> {
  const made = await call('POST', '/v1/sign-in-codes', { token, body })
  expect(made.status).toBe(201)
  return String(made.body['code'])
}
const bring = (code: string, headers: Record<string, string> = own): Promise<Answer> =>
  call('POST', '/v1/sign-ins', { body: { code }, headers })
const cookieOf = (answer: Answer): string =>
  (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
async function signIn(token: string): Promise<string> {
  const opened = await bring(await codeFor(token))
  expect(opened.status).toBe(201)
  return cookieOf(opened)
}
const me = (cookie: string, headers: Record<string, string> = own): Promise<Answer> =>
  call('GET', '/v1/me', { headers: { ...headers, cookie } })
const idOf = async (token: string): Promise<string> =>
  String((await call('GET', '/v1/me', { token })).body['credential'])

it('opens once, with a cookie that no script reads and no neighbour sets', async () => {
  const code = await codeFor(site.reviewer)
  const opened = await bring(code)
  const cookie = opened.headers.get('set-cookie') ?? ''
  for (const part of ['__Host-portcullis=', 'HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/']) {
    expect(cookie).toContain(part)
  }
  expect(opened.text).not.toContain(cookieOf(opened).split('.')[1])
  expect((await me(cookieOf(opened))).body).toMatchObject({ role: 'reviewer', owner: 'rosa' })
  const again = await bring(code)
  expect([again.status, codeOf(again)]).toEqual([403, 'sign_in_refused'])
  const raced = await codeFor(site.reviewer)
  const both = await Promise.all([bring(raced), bring(raced)])
  expect(both.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([201, 403])
})

it('is refused to pages of another origin, whatever they ask', async () => {
  const cookie = await signIn(site.reviewer)
  for (const from of ['cross-site', 'same-site', 'none']) {
    const refused = await me(cookie, { 'sec-fetch-site': from })
    expect([refused.status, codeOf(refused)]).toEqual([403, 'origin_forbidden'])
  }
  const stop = (headers: Record<string, string>): Promise<Answer> =>
    call('POST', '/v1/sign-in-codes', { body: {}, headers: { ...headers, cookie } })
  expect((await stop({})).status).toBe(403)
  expect((await stop({ origin: 'https://evil.example' })).status).toBe(403)
  expect((await stop({ origin: own.origin })).status).toBe(201)
  const lured = await bring(await codeFor(site.reviewer), { 'sec-fetch-site': 'cross-site' })
  expect([lured.status, lured.headers.get('set-cookie')]).toEqual([403, null])
})

it('ends with its credential, by hand and by time', async () => {
  const owner = `uma-${crypto.randomUUID()}`
  const token = await credential(site.admin, 'reviewer', owner, owner)
  const revoked = await signIn(token)
  const unused = await codeFor(token)
  await call('POST', `/v1/credentials/${await idOf(token)}/revoke`, { token: site.admin })
  expect((await me(revoked)).status).toBe(401)
  expect((await bring(unused)).status).toBe(403)

  const cookie = await signIn(site.operator)
  const [value = ''] = cookie.split('=').slice(1)
  const [id = ''] = value.split('.')
  const end = (with_: { token?: string; headers?: Record<string, string> }): Promise<Answer> =>
    call('POST', `/v1/sign-ins/${id}/end`, with_)
  expect((await end({ token: site.reviewer })).status).toBe(404)
  expect((await me(cookie)).status).toBe(200)
  const ended = await end({ headers: { ...own, cookie } })
  expect(ended.body).toMatchObject({ ended_by: 'olga', current: true })
  expect(ended.headers.get('set-cookie')).toContain('Max-Age=0')
  expect((await me(cookie)).status).toBe(401)

  const late = await signIn(site.operator)
  await env.DB.prepare('UPDATE sign_ins SET expires_ms = 1 WHERE ended_ms IS NULL').run()
  expect((await me(late)).status).toBe(401)
  const old = await codeFor(site.operator)
  await env.DB.prepare('UPDATE sign_in_codes SET expires_ms = 1').run()
  expect((await bring(old)).status).toBe(403)
})

it('takes no altered cookie, and no other site or plain name', async () => {
  const cookie = await signIn(site.reviewer)
  const last = cookie.at(-1) === 'A' ? 'E' : 'A'
  for (const wrong of [
    cookie.slice(0, -1) + last,
    `${cookie}.x`,
    cookie.replace('__Host-portcullis', 'portcullis-local'),
    cookie.replace(/sign_.{4}/, 'sign_0000'),
    cookie.replace(/\..*/, '.'),
  ]) {
    expect((await me(wrong)).status).toBe(401)
  }
  const other = await freshSite()
  const [, value = ''] = cookie.split('=')
  const foreign = await call('POST', `/v1/sign-ins/${value.split('.')[0]}/end`, {
    token: other.admin,
  })
  expect(foreign.status).toBe(404)
  const seen = await call('GET', '/v1/sign-ins', { token: other.admin })
  expect(seen.body['items']).toEqual([])
})

it('is made by oneself or by an administrator, for people of the site alone', async () => {
  const reviewer = await idOf(site.reviewer)
  const planner = await idOf(site.planner)
  const ask = (token: string, of: string): Promise<Answer> =>
    call('POST', '/v1/sign-in-codes', { token, body: { credential: of } })
  const byAdmin = await ask(site.admin, reviewer)
  expect(byAdmin.body).toMatchObject({ credential: reviewer, owner: 'rosa' })
  expect(String(byAdmin.body['link'])).toBe(
    `https://gateway.test/console/#/sign-in/${String(byAdmin.body['code'])}`,
  )
  expect(codeOf(await ask(site.operator, reviewer))).toBe('role_forbidden')
  expect(codeOf(await ask(site.admin, planner))).toBe('role_forbidden')
  const self = await call('POST', '/v1/sign-in-codes', { token: site.planner, body: {} })
  expect(codeOf(self)).toBe('role_forbidden')
  expect((await ask((await freshSite()).admin, reviewer)).status).toBe(404)
})

it('falls with the administrator who made the code', async () => {
  const owner = `ann-${crypto.randomUUID()}`
  const second = await credential(site.admin, 'administrator', owner, owner)
  const code = await codeFor(second, { credential: await idOf(site.reviewer) })
  await call('POST', `/v1/credentials/${await idOf(second)}/revoke`, { token: site.admin })
  expect((await bring(code)).status).toBe(403)
})

it('falls, once open, with the administrator who let it in', async () => {
  const owner = `amy-${crypto.randomUUID()}`
  const second = await credential(site.admin, 'administrator', owner, owner)
  const opened = await bring(await codeFor(second, { credential: await idOf(site.reviewer) }))
  const cookie = cookieOf(opened)
  expect((await me(cookie)).body).toMatchObject({ owner: 'rosa' })
  await call('POST', `/v1/credentials/${await idOf(second)}/revoke`, { token: site.admin })
  expect((await me(cookie)).status).toBe(401)
})

it('ends with the sign-in from which it was opened, and never lasts longer', async () => {
  const cookie = await signIn(site.reviewer)
  const asks = { body: {}, headers: { ...own, cookie } }
  const first = await call('POST', '/v1/sign-in-codes', asks)
  const late = await call('POST', '/v1/sign-in-codes', asks)
  const id = cookie.split('=')[1]?.split('.')[0] ?? ''
  const until = Date.now() + 60_000
  await env.DB.prepare('UPDATE sign_ins SET expires_ms = ? WHERE id = ?').bind(until, id).run()
  const child = await bring(String(first.body['code']))
  expect(child.body['expires_ms']).toBe(until)
  expect((await me(cookieOf(child))).status).toBe(200)
  await call('POST', `/v1/sign-ins/${id}/end`, { token: site.reviewer })
  expect((await me(cookieOf(child))).status).toBe(401)
  expect((await bring(String(late.body['code']))).status).toBe(403)
})

it('lists what is open, keeps ten, and tells the trail', async () => {
  const owner = `eve-${crypto.randomUUID()}`
  const token = await credential(site.admin, 'operator', owner, owner)
  const first = await signIn(token)
  for (let i = 0; i < 10; i += 1) await signIn(token)
  expect((await me(first)).status).toBe(401)
  const mine = (await call('GET', '/v1/sign-ins', { token })).body['items'] as object[]
  expect(mine).toHaveLength(10)
  const all = (await call('GET', '/v1/sign-ins', { token: site.admin })).body['items']
  expect((all as { owner: string }[]).some((one) => one.owner === owner)).toBe(true)
  const trail = await call('GET', `/v1/sites/${site.site}/audit`, { token: site.admin })
  const events = (trail.body['items'] as { event: string }[]).map((one) => one.event)
  for (const event of ['sign_in_code_made', 'signed_in']) expect(events).toContain(event)
})

it('lets somebody go by one act: every credential, every sign-in, and the last administrator stays', async () => {
  const owner = `leo-${crypto.randomUUID()}`
  const first = await credential(site.admin, 'reviewer', owner, owner)
  const second = await credential(site.admin, 'operator', owner, owner)
  const other = await credential(site.admin, 'operator', `${owner}-2`, `${owner}-2`)
  const cookie = await signIn(first)
  const off = (who: string, token: string): Promise<Answer> =>
    call('POST', `/v1/owners/${who}/revoke`, { token })
  expect((await off(owner, site.reviewer)).status).toBe(403)
  const foreign = await off(owner, (await freshSite()).admin)
  expect(foreign.body['items']).toEqual([])
  const gone = await off(owner, site.admin)
  expect(gone.body['items']).toHaveLength(2)
  for (const token of [first, second]) {
    expect((await call('GET', '/v1/me', { token })).status).toBe(401)
  }
  expect((await me(cookie)).status).toBe(401)
  // A call that failed half way is made good by the next: each is told to the hub again.
  expect((await off(owner, site.admin)).body['items']).toHaveLength(2)
  expect((await call('GET', '/v1/me', { token: other })).status).toBe(200)
  const alone = await freshSite()
  const refused = await off('ada', alone.admin)
  expect([refused.status, codeOf(refused)]).toEqual([409, 'last_administrator'])
  expect((await call('GET', '/v1/me', { token: alone.admin })).status).toBe(200)
  // With another administrator the own credential goes too, and goes last.
  const heir = await credential(alone.admin, 'administrator', 'hei', 'hei')
  const left = await credential(alone.admin, 'operator', 'ada-2', 'ada')
  expect((await off('ada', alone.admin)).body['items']).toHaveLength(2)
  for (const token of [alone.admin, left]) {
    expect((await call('GET', '/v1/me', { token })).status).toBe(401)
  }
  expect((await call('GET', '/v1/me', { token: heir })).status).toBe(200)
})

it.each(['access', 'passkey'])(
  'falls with what it rests on, and so does what was opened from it (%s)',
  async (way) => {
    const who = await credential(site.admin, 'reviewer', `child-${way}`, `child-${way}`)
    const holder = await idOf(who)
    const path = `/v1/credentials/${holder}/email`
    const email = (value: string | null) =>
      call('PUT', path, { token: site.admin, body: { email: value } })
    expect((await email(`child-${way}@lab.example`)).status).toBe(200)
    const first = await signIn(who)
    await env.DB.prepare(`UPDATE sign_ins SET way = ?1 WHERE credential = ?2`)
      .bind(way, holder)
      .run()
    const made = await call('POST', '/v1/sign-in-codes', {
      body: {},
      headers: { ...own, cookie: first },
    })
    const child = cookieOf(await bring(String(made.body['code'])))
    expect((await me(child)).status).toBe(200)
    if (way === 'access') await email(null)
    else {
      await env.DB.prepare(
        `INSERT INTO passkeys (id, site, credential, name, public_key, counter, rp_id, created_ms, expires_ms)
         VALUES ('key-of-child', ?1, ?2, 'key', 'none', 0, 'gateway.test', 0, 9e15)`,
      )
        .bind(site.site, holder)
        .run()
      const at = { site: site.site, id: 'key-of-child', credential: null, by: 'ada' }
      expect((await endPasskey(env.DB, { ...at, now_ms: Date.now() })).ok).toBe(true)
    }
    expect((await me(first)).status).toBe(401)
    expect((await me(child)).status).toBe(401)
  },
)
