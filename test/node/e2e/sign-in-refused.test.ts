// Who is not let in, and what is not signed, as a table: each refusal looks the same from outside, sets no cookie,
// and stands in the trail of the site with its reason.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { request, type Answer, type SiteHandle } from '../../../lab/local/client.ts'
import { Authenticator, type Bent } from '../support/authenticator.ts'
import { withoutSignature, type Claims } from '../support/identity-provider.ts'
import {
  codeOf,
  cookieOf,
  startSignInWorld,
  type Person,
  type SignInWorld,
} from './sign-in-world.ts'

let world: SignInWorld
let site: SiteHandle
let other: SiteHandle
let rosa: Person
let gone: Person
let elsewhere: Person

beforeAll(async () => {
  world = await startSignInWorld()
  site = await world.site('here')
  other = await world.site('there')
  rosa = await world.person(site, 'rosa')
  gone = await world.person(site, 'gone')
  elsewhere = await world.person(other, 'eli')
  await world.revoke(gone)
})
afterAll(() => world?.close())

const cross = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }

type Bring = { at?: SiteHandle; who?: Person; headers?: Record<string, string> }
const bring = (assertion: string, asked: Bring = {}): Promise<Answer> => {
  const { at = site, who = rosa, headers = world.own } = asked
  return request(world.gateway.url, {
    method: 'POST',
    path: '/v1/sign-ins/access',
    headers: { ...headers, ...(assertion === '' ? {} : { 'cf-access-jwt-assertion': assertion }) },
    body: { site: at.site, credential: who.credential },
  })
}

/** That it is refused so, and that exactly this line is new in the trail. */
async function refused(
  asking: () => Promise<Answer>,
  is: { at?: SiteHandle; code?: string; event?: string; facts: Record<string, unknown> },
): Promise<void> {
  const { at = site, code = 'sign_in_refused', event = 'sign_in_refused', facts } = is
  const before = (await world.trail(at)).length
  const answer = await asking()
  expect([answer.status, codeOf(answer), answer.headers.get('set-cookie')]).toEqual([
    403,
    code,
    null,
  ])
  const lines = (await world.trail(at)).slice(before).filter((line) => line.actor === 'gateway')
  expect(lines).toMatchObject([{ event, facts }])
}

describe('whom the identity provider vouches for', () => {
  it('is let in with the credential that carries the address, and no longer than vouched for', async () => {
    const { provider } = world
    const opened = await bring(await provider.vouch({ email: 'Rosa@Lab.example', expiresS: 600 }))
    expect(opened.status).toBe(201)
    const { expires_ms } = opened.body as { expires_ms: number }
    expect(expires_ms).toBeLessThan(Date.now() + 601_000)
    const me = await world.meBy(cookieOf(opened))
    expect(me.body).toMatchObject({ owner: 'rosa', role: 'reviewer' })
    const line = (await world.trail(site)).at(-1)
    expect(line).toMatchObject({ event: 'signed_in', facts: { way: 'access' } })
  })

  it('sees what is there for the address, and a page of another origin nothing', async () => {
    const look = (headers: Record<string, string>): Promise<Answer> =>
      request(world.gateway.url, { method: 'GET', path: '/v1/sign-in-ways', headers })
    const says = async (email: string) => ({
      'cf-access-jwt-assertion': await world.provider.vouch({ email }),
    })
    expect((await look({ ...world.own, ...(await says(rosa.email)) })).body).toEqual({
      access: {
        email: rosa.email,
        choices: [{ site: 'here', credential: rosa.credential, role: 'reviewer', owner: 'rosa' }],
      },
    })
    const lost = await look({ ...world.own, ...(await says(gone.email)) })
    expect(lost.body).toMatchObject({ access: { choices: [] } })
    expect((await look(world.own)).body).toEqual({ access: null })
    const foreign = await look({ ...cross, ...(await says(rosa.email)) })
    expect([foreign.status, codeOf(foreign)]).toEqual([403, 'origin_forbidden'])
  })

  it('is out when the address is taken away, or the credential revoked', async () => {
    const sue = await world.person(site, 'sue')
    const vouched = (): Promise<string> => world.provider.vouch({ email: sue.email })
    const opened = cookieOf(await bring(await vouched(), { who: sue }))
    const path = `/v1/credentials/${sue.credential}/email`
    const put = (body: object): Promise<Answer> =>
      request(world.gateway.url, { method: 'PUT', path, token: site.admin, body })
    expect(codeOf(await put({ email: rosa.email }))).toBe('email_taken')
    expect((await put({ email: sue.email })).status).toBe(200)
    expect((await world.meBy(opened)).status).toBe(200)
    expect((await put({ email: null })).status).toBe(200)
    expect((await world.meBy(opened)).status).toBe(401)
    expect((await put({ email: sue.email })).status).toBe(200)
    const again = cookieOf(await bring(await vouched(), { who: sue }))
    expect((await world.meBy(again)).status).toBe(200)
    await world.revoke(sue)
    expect((await world.meBy(again)).status).toBe(401)
  })

  it('stays in when the provider is down', async () => {
    const opened = cookieOf(await bring(await world.provider.vouch({ email: rosa.email })))
    world.provider.down(true)
    try {
      expect((await world.meBy(opened)).status).toBe(200)
    } finally {
      world.provider.down(false)
    }
  })
})

const email = 'rosa@lab.example'
const say = (claims: Claims) => (): Promise<string> => world.provider.vouch({ email, ...claims })
type AccessRow = [
  why: string,
  assertion: () => Promise<string> | string,
  more?: () => Bring,
  code?: string,
]
const byAssertion: AccessRow[] = [
  ['missing', () => ''],
  ['malformed', () => 'a.b.c'],
  ['audience', say({ audience: 'another-application' })],
  ['issuer', say({ issuer: 'https://other.cloudflareaccess.com' })],
  ['expired', say({ expiresS: -30 })],
  ['key', () => world.provider.forge({ email }, 'unknown')],
  ['signature', () => world.provider.forge({ email }, 'known')],
  ['algorithm', () => world.provider.hmac({ email })],
  ['algorithm', async () => withoutSignature(await world.provider.vouch({ email }))],
  ['claims', () => world.provider.vouch({})],
  ['no_such_person', say({ email: 'nobody@lab.example' })],
  ['no_such_person', say({ email: 'eli@lab.example' }), () => ({ who: elsewhere })],
  ['no_such_person', say({}), () => ({ at: other })],
  ['no_such_person', say({}), () => ({ who: elsewhere, at: other })],
  ['credential_not_in_force', say({ email: 'gone@lab.example' }), () => ({ who: gone })],
  ['origin', say({}), () => ({ headers: cross }), 'origin_forbidden'],
]

describe('by an assertion of the identity provider', () => {
  it.each(byAssertion)('refuses: %s', async (why, assertion, more = () => ({}), code) => {
    const asked = more()
    await refused(async () => bring(await assertion(), asked), {
      at: asked.at ?? site,
      facts: { way: 'access', why },
      ...(code === undefined ? {} : { code }),
    })
  })
})

type PasskeyRow = [why: string, bent: Bent, before?: (who: Person, key: Authenticator) => unknown]
const byPasskey: PasskeyRow[] = [
  ['challenge_unknown', { challenge: 'A'.repeat(43) }],
  [
    'challenge_expired',
    {},
    () => world.sql("UPDATE passkey_challenges SET expires_ms = 1 WHERE purpose = 'sign_in'"),
  ],
  [
    'challenge_of_another',
    {},
    () => world.sql("UPDATE passkey_challenges SET purpose = 'touch' WHERE purpose = 'sign_in'"),
  ],
  ['other_origin', { origin: 'https://evil.example' }],
  ['other_origin', { crossOrigin: true }],
  ['relying_party', { rpId: 'evil.example' }],
  [
    'relying_party',
    {},
    (_, { id }) => world.sql("UPDATE passkeys SET rp_id = 'old.example' WHERE id = ?", id),
  ],
  ['not_verified', { verified: false }],
  ['counter', { counter: 1 }],
  ['counter', { counter: 0 }],
  [
    'passkey_expired',
    {},
    (_, { id }) => world.sql('UPDATE passkeys SET expires_ms = 1 WHERE id = ?', id),
  ],
  ['passkey_ended', {}, (who, { id }) => world.endPasskey(who.site, id)],
  ['credential_not_in_force', {}, (who) => world.revoke(who)],
]

const options = '/v1/sign-ins/passkey/options'
const byKey = (answer: object, headers = world.own): Promise<Answer> =>
  request(world.gateway.url, {
    method: 'POST',
    path: '/v1/sign-ins/passkey',
    headers,
    body: { answer },
  })

describe('by a passkey', () => {
  let n = 0
  const somebody = async (): Promise<{ who: Person; key: Authenticator }> => {
    const who = await world.person(site, `key-${(n += 1)}`)
    return { who, key: await world.passkey(who) }
  }

  it('lets in, and ends what it opened with itself', async () => {
    const { who, key } = await somebody()
    const opened = await byKey(key.get(await world.asked(options)))
    expect(opened.status).toBe(201)
    const cookie = cookieOf(opened)
    expect((await world.meBy(cookie)).body).toMatchObject({ credential: who.credential })
    const { items } = (await world.page('GET', '/v1/sign-ins', cookie)).body as { items: object[] }
    expect(items).toMatchObject([{ way: 'passkey', current: true }, { way: 'code' }])
    const end = (body: object): Promise<Answer> =>
      world.page('POST', `/v1/passkeys/${key.id}/end`, cookie, body)
    expect(codeOf(await end({}))).toBe('touch_needed')
    const about = { act: 'end_passkey', of: key.id, digest: null }
    const touch = key.get(await world.asked('/v1/touches', cookie, about))
    expect((await end({ touch })).status).toBe(200)
    expect((await world.meBy(cookie)).status).toBe(401)
  })

  it.each(byPasskey)('refuses: %s %j', async (why, bent, before) => {
    const { who, key } = await somebody()
    expect((await byKey(key.get(await world.asked(options)))).status).toBe(201)
    const asked = await world.asked(options)
    await before?.(who, key)
    const facts = { way: 'passkey', why, passkey: key.id, credential: who.credential }
    await refused(() => byKey(key.get(asked, bent)), { facts })
  })

  it('refuses an answer that was given before, an altered one, and one from another page', async () => {
    const { key } = await somebody()
    const answer = key.get(await world.asked(options))
    expect((await byKey(answer)).status).toBe(201)
    await refused(() => byKey(answer), { facts: { why: 'challenge_replayed' } })
    const altered = key.get(await world.asked(options))
    altered.response.signature = key.get(await world.asked(options)).response.signature
    await refused(() => byKey(altered), { facts: { why: 'signature' } })
    const fresh = key.get(await world.asked(options))
    const code = 'origin_forbidden'
    await refused(() => byKey(fresh, cross), { code, facts: { why: 'origin' } })
    await refused(() => byKey(fresh), { facts: { why: 'challenge_replayed' } })
  })

  it('takes a second key with a touch of the first alone, and none from a program', async () => {
    const { who, key } = await somebody()
    const cookie = await world.signedIn(who)
    const second = new Authenticator(world.gateway.url)
    const add = async (touch?: object): Promise<Answer> => {
      const answer = second.create(await world.asked('/v1/passkeys/options', cookie))
      return world.page('POST', '/v1/passkeys', cookie, {
        name: 'second',
        answer,
        ...(touch && { touch }),
      })
    }
    expect(codeOf(await add())).toBe('touch_needed')
    const about = { act: 'add_passkey', of: second.id, digest: null }
    const touch = key.get(await world.asked('/v1/touches', cookie, about))
    expect((await add(touch)).status).toBe(201)
    const path = '/v1/passkeys/options'
    const program = await request(world.gateway.url, { method: 'POST', path, token: who.token })
    expect(codeOf(program)).toBe('role_forbidden')
  })
})

describe('with the cookie of an open page', () => {
  it('does nothing for a page of another origin, and tells the site', async () => {
    const cookie = await world.signedIn(rosa)
    const asking = (): Promise<Answer> =>
      request(world.gateway.url, {
        method: 'POST',
        path: '/v1/sign-in-codes',
        headers: { ...cross, cookie },
        body: {},
      })
    const facts = { why: 'origin', from: cross.origin, credential: rosa.credential }
    await refused(asking, { code: 'origin_forbidden', event: 'page_refused', facts })
  })
})

describe('a flood of refusals', () => {
  it('leaves sixty lines an hour in the trail, and one that says there are more', async () => {
    const flooded = await world.site('flooded')
    const flood = Array.from({ length: 80 }, () => bring('a.b.c', { at: flooded }))
    for (const one of await Promise.all(flood)) expect(one.status).toBe(403)
    const lines = (await world.trail(flooded)).map(({ event }) => event)
    const count = (event: string): number => lines.filter((one) => one === event).length
    expect([count('sign_in_refused'), count('sign_ins_refused_often')]).toEqual([60, 1])
  })

  it('of strangers takes no line from what a known credential is refused', async () => {
    const strangers = Array.from({ length: 70 }, () => bring('a.b.c'))
    await Promise.all(strangers)
    const cookie = await world.signedIn(rosa)
    const asking = (): Promise<Answer> =>
      request(world.gateway.url, {
        method: 'POST',
        path: '/v1/sign-in-codes',
        headers: { ...cross, cookie },
        body: {},
      })
    const facts = { why: 'origin', from: cross.origin, credential: rosa.credential }
    await refused(asking, { code: 'origin_forbidden', event: 'page_refused', facts })
  })
})
