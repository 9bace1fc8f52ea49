// Where a site's policy says so, an acceptance is signed by the person's own key, for exactly this packet, once;
// and the trail keeps what anybody needs to check that signature again.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCredential, must, type Answer, type SiteHandle } from '../../../lab/local/client.ts'
import type { Authenticator } from '../support/authenticator.ts'
import { codeOf, startSignInWorld, type Person, type SignInWorld } from './sign-in-world.ts'

const planner = 'planner-wetlab-01'
let world: SignInWorld
let site: SiteHandle
let rosa: Person
let key: Authenticator
let cookie: string
let token: string

beforeAll(async () => {
  world = await startSignInWorld()
  // Model judges that nobody has configured: every plan waits for a person.
  site = await world.site('signing', { panel: 'live', touch_to_accept: true })
  rosa = await world.person(site, 'rosa')
  key = await world.passkey(rosa)
  cookie = await world.signedIn(rosa)
  token = await createCredential(site, { role: 'planner', subject: planner, owner: 'pia' })
})
afterAll(() => world?.close())

type Open = { plan: string; digest: string }
async function waiting(goal: string): Promise<Open> {
  const { plan } = await must<{ plan: string }>(site.base, {
    method: 'POST',
    path: '/v1/plans',
    token,
    headers: { prefer: 'wait=20' },
    body: { goal, instructions: ['Read it once.'], planner: { id: planner }, nodes: [] },
  })
  const { body } = await world.page('GET', `/v1/reviews/${plan}`, cookie)
  const { status } = body as { status: { packet_digest: string; state: string } }
  expect(status.state).toBe('escalated')
  return { plan, digest: status.packet_digest }
}

const decide = ({ plan, digest }: Open, verdict: string, touch?: object): Promise<Answer> =>
  world.page('POST', `/v1/reviews/${plan}`, cookie, {
    verdict,
    rationale: 'Looked at it.',
    packet_digest: digest,
    ...(touch && { touch }),
  })
const touchFor = async ({ plan, digest }: Open): Promise<object> =>
  key.get(await world.asked('/v1/touches', cookie, { act: 'accept_plan', of: plan, digest }))
const whyNot = async (): Promise<unknown[]> =>
  (await world.trail(site))
    .filter(({ event }) => event === 'touch_refused')
    .map(({ facts }) => facts['why'])

it('accepts nothing without a touch, or with one for something else, used, or taken long ago', async () => {
  const open = await waiting('Read the first value.')
  const another = await waiting('Read the second value.')
  expect(codeOf(await decide(open, 'accept'))).toBe('touch_needed')
  const forAnother = await touchFor(another)
  expect(codeOf(await decide(open, 'accept', forAnother))).toBe('touch_refused')
  expect(codeOf(await decide(another, 'accept', forAnother))).toBe('touch_refused')
  const late = await touchFor(open)
  await world.sql('UPDATE passkey_challenges SET expires_ms = 1 WHERE used_ms IS NULL')
  expect(codeOf(await decide(open, 'accept', late))).toBe('touch_refused')
  expect(await whyNot()).toEqual(['another_signing', 'challenge_replayed', 'challenge_expired'])
  const stale = await decide({ ...open, digest: another.digest }, 'accept', await touchFor(open))
  expect(codeOf(stale)).toBe('touch_refused')
  // To say no takes no key.
  expect((await decide(another, 'reject')).body).toMatchObject({ state: 'rejected' })
})

it('accepts with one, and keeps in the trail what proves it', async () => {
  const open = await waiting('Read the third value.')
  const done = await decide(open, 'accept', await touchFor(open))
  expect([done.status, done.body]).toMatchObject([200, { verdict: 'accept' }])
  const trail = await world.page('GET', `/v1/reviews/${open.plan}/audit`, cookie)
  const { items } = trail.body as { items: { event: string; facts: Record<string, unknown> }[] }
  const facts = items.find(({ event }) => event === 'reviewed')?.facts ?? {}
  const touch = facts['touch'] as Record<string, string>
  const { about = '', client_data = '', authenticator_data = '', signature = '' } = touch
  expect(JSON.parse(about)).toMatchObject({
    act: 'accept_plan',
    of: open.plan,
    digest: open.digest,
    credential: rosa.credential,
    site: 'signing',
  })
  const client = Buffer.from(client_data, 'base64url')
  const { challenge } = JSON.parse(client.toString()) as { challenge: string }
  expect(challenge).toBe(createHash('sha256').update(about).digest('base64url'))
  const cose = Buffer.from(touch['public_key'] ?? '', 'base64url')
  const point = { x: cose.subarray(10, 42), y: cose.subarray(45, 77) }
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.x.toString('base64url'),
    y: point.y.toString('base64url'),
  }
  const signed = Buffer.concat([
    Buffer.from(authenticator_data, 'base64url'),
    createHash('sha256').update(client).digest(),
  ])
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  expect(verify('sha256', signed, publicKey, Buffer.from(signature, 'base64url'))).toBe(true)
})
