// Passkeys: made from a page that is signed in, used to sign in and to sign, listed and ended. A key more than
// the first is made with one that is there, and so is one ended: whoever finds an open page cannot put a key of
// their own in the place of the person's. A lost one is ended by an administrator.
import {
  createPasskey,
  endPasskey,
  listPasskeys,
  withdrawPasskey,
  type Passkey,
} from '../../adapters/passkeys.ts'
import type { Role } from '../../adapters/credentials.ts'
import { openFor } from '../../adapters/sign-ins.ts'
import { jsonObjectSchema } from '../../protocol/json.ts'
import { limits } from '../../protocol/limits.ts'
import { addressOf, bearer } from '../auth.ts'
import type { Ctx, Principal } from '../context.ts'
import { siteHub } from '../objects.ts'
import { passkeyParams } from '../params.ts'
import {
  assertionOptions,
  freshChallenge,
  registeredKey,
  registrationOptions,
  relyingParty,
  usedPasskey,
} from '../passkeys.ts'
import { problem, type Refusal } from '../problems.ts'
import { hasFailedTooOften, noteFailure } from '../rate-limit.ts'
import { refuseSignIn } from '../refused.ts'
import { trailRefused } from '../refused-trail.ts'
import { openRoute, route, type App } from '../routing.ts'
import { isOwnPage } from '../sign-in-cookie.ts'
import { signedInAnswer } from '../signed-in.ts'
import { touchChallenge, touched } from '../touch.ts'

/** Everybody but programs. */
const people: readonly Role[] = ['reviewer', 'operator', 'administrator']

const ownKeys = (c: Ctx, { site, id }: Principal): Promise<Passkey[]> =>
  listPasskeys(c.env.DB, { site, credential: id, now_ms: Date.now() })

/** WebAuthn's own shapes as plain JSON. */
const plain = (options: object) => jsonObjectSchema.parse(JSON.parse(JSON.stringify(options)))

/** A program shows a token: it holds no passkey. */
const fromPage = (c: Ctx): Refusal | null =>
  bearer(c.req.raw) === null
    ? null
    : { code: 'role_forbidden', detail: 'Passkeys are made and used on a page that is signed in.' }

export function passkeyRoutes(app: App): void {
  route(
    app,
    {
      method: 'post',
      path: '/v1/passkeys/options',
      tag: 'sign-ins',
      summary: 'What the browser is asked for a new passkey. Good once, for two minutes.',
      roles: people,
      answers: { 200: { description: 'The question.', schema: 'PasskeyOptions' } },
    },
    async (c, { principal }) => {
      const refused = fromPage(c)
      if (refused !== null) return problem(refused, c.var.requestId)
      const of = { purpose: 'register', credential: principal.id } as const
      const challenge = await freshChallenge(c, of, Date.now())
      const keys = await ownKeys(c, principal)
      return c.json({
        options: plain(await registrationOptions(c, principal, { challenge, keys })),
      })
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/passkeys',
      tag: 'sign-ins',
      summary:
        'Keep a passkey that the browser has made; a second one needs a touch of one before.',
      roles: people,
      body: { schema: 'PasskeyInput', bytesMax: limits.smallBodyBytesMax },
      answers: { 201: { description: 'Kept.', schema: 'Passkey' } },
      refusals: ['passkey_refused', 'touch_needed', 'touch_refused', 'too_many_passkeys'],
    },
    async (c, { principal, body }) => {
      const { requestId } = c.var
      const { site, owner, id: credential } = principal
      const { name, answer, touch } = body
      const notPage = fromPage(c)
      if (notPage !== null) return problem(notPage, requestId)
      const before = await ownKeys(c, principal)
      if (before.length > 0 && touch === undefined) {
        return problem({ code: 'touch_needed' }, requestId)
      }
      const key = await registeredKey(c, answer, credential)
      if (!key.ok) {
        const facts = { why: key.error, credential }
        await trailRefused(c, site, { event: 'passkey_refused', facts })
        return problem({ code: 'passkey_refused' }, requestId)
      }
      if (touch !== undefined) {
        const signing = { act: 'add_passkey', of: key.value.id, digest: null } as const
        const by = await touched(c, principal, { signing, answer: touch })
        if (!by.ok) return problem(by.error, requestId)
      }
      const { rp_id } = relyingParty(c.req.raw)
      const made = { ...key.value, holder: principal, name, rp_id }
      const kept = await createPasskey(c.env.DB, made, Date.now())
      if (!kept.ok) {
        const code = kept.error === 'passkey_exists' ? 'passkey_refused' : kept.error
        return problem({ code }, requestId)
      }
      const { id, expires_ms } = kept.value
      try {
        const facts = { passkey: id, credential, rp_id, expires_ms }
        await siteHub(c.env, site).note(owner, 'passkey_added', facts)
      } catch (cause) {
        await withdrawPasskey(c.env.DB, id)
        throw cause
      }
      return c.json(kept.value, 201)
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/passkeys',
      tag: 'sign-ins',
      summary:
        'Passkeys that are good, newest first: of the site for administrators, else your own.',
      roles: people,
      answers: { 200: { description: 'At most one page of them.', schema: 'PasskeyList' } },
    },
    async (c, { principal }) => {
      const credential = principal.role === 'administrator' ? null : principal.id
      const at = { site: principal.site, credential, now_ms: Date.now() }
      return c.json({ items: await listPasskeys(c.env.DB, at), next: null })
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/passkeys/{passkey}/end',
      tag: 'sign-ins',
      summary:
        'End a passkey, and the sign-ins that its credential opened by one. Your own with a touch; an administrator without.',
      roles: people,
      params: passkeyParams,
      body: { schema: 'PasskeyEndInput', bytesMax: limits.smallBodyBytesMax },
      answers: { 200: { description: 'Ended, now or before.', schema: 'Passkey' } },
      refusals: ['touch_needed', 'touch_refused'],
    },
    async (c, { principal, params, body }) => {
      const { site, owner, role, id: own } = principal
      const mayAll = role === 'administrator'
      if (!mayAll && body.touch === undefined) {
        const detail = 'An administrator ends a lost one without it.'
        return problem({ code: 'touch_needed', detail }, c.var.requestId)
      }
      if (!mayAll && body.touch !== undefined) {
        const signing = { act: 'end_passkey', of: params.passkey, digest: null } as const
        const by = await touched(c, principal, { signing, answer: body.touch })
        if (!by.ok) return problem(by.error, c.var.requestId)
      }
      const ended = await endPasskey(c.env.DB, {
        site,
        id: params.passkey,
        credential: mayAll ? null : own,
        by: owner,
        now_ms: Date.now(),
      })
      if (!ended.ok) return problem({ code: 'not_found' }, c.var.requestId)
      const { id, credential } = ended.value
      await siteHub(c.env, site).note(owner, 'passkey_ended', { passkey: id, credential })
      return c.json(ended.value)
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/touches',
      tag: 'sign-ins',
      summary:
        'What the browser is asked for a touch that signs one thing: exactly what was displayed. Good once, for two minutes.',
      roles: people,
      body: { schema: 'TouchInput', bytesMax: limits.smallBodyBytesMax },
      answers: { 200: { description: 'The question.', schema: 'PasskeyOptions' } },
      refusals: ['no_passkey'],
    },
    async (c, { principal, body }) => {
      const refused = fromPage(c)
      if (refused !== null) return problem(refused, c.var.requestId)
      const { rp_id } = relyingParty(c.req.raw)
      const keys = (await ownKeys(c, principal)).filter((key) => key.rp_id === rp_id)
      if (keys.length === 0) return problem({ code: 'no_passkey' }, c.var.requestId)
      const challenge = await touchChallenge(c, principal, body)
      return c.json({ options: plain(await assertionOptions(c, challenge, keys)) })
    },
  )
  openRoute(
    app,
    {
      method: 'post',
      path: '/v1/sign-ins/passkey/options',
      tag: 'sign-ins',
      summary: 'What the browser is asked for to sign in by a passkey. Good once, for two minutes.',
      security: 'none',
      answers: { 200: { description: 'The question.', schema: 'PasskeyOptions' } },
      refusals: ['origin_forbidden', 'too_many_requests'],
    },
    async (c) => {
      const now_ms = Date.now()
      const address = addressOf(c.req.raw)
      if (!isOwnPage(c.req.raw)) return problem({ code: 'origin_forbidden' }, c.var.requestId)
      if (hasFailedTooOften(address, now_ms)) {
        return problem({ code: 'too_many_requests', retryAfterS: 60 }, c.var.requestId)
      }
      // Each is a row, and nobody has shown who they are: it counts as a knock.
      noteFailure(address, now_ms)
      const of = { purpose: 'sign_in', credential: null } as const
      const challenge = await freshChallenge(c, of, now_ms)
      return c.json({ options: plain(await assertionOptions(c, challenge, [])) })
    },
  )
  openRoute(
    app,
    {
      method: 'post',
      path: '/v1/sign-ins/passkey',
      tag: 'sign-ins',
      summary: 'Sign in by a passkey. The answer sets a cookie.',
      security: 'none',
      body: { schema: 'PasskeySignInInput', bytesMax: limits.smallBodyBytesMax },
      answers: {
        201: { description: 'Signed in.', schema: 'SignedIn', headers: ['set-cookie'] },
      },
      refusals: ['sign_in_refused', 'origin_forbidden', 'too_many_requests'],
    },
    async (c, { body }) => {
      const now_ms = Date.now()
      const { answer } = body
      if (hasFailedTooOften(addressOf(c.req.raw), now_ms)) {
        return problem({ code: 'too_many_requests', retryAfterS: 60 }, c.var.requestId)
      }
      const used = await usedPasskey(c, answer, { purpose: 'sign_in', credential: null })
      const known = used.ok ? used.value.passkey : used.error.known
      // The page that asks counts as well as the one that the browser signed.
      const why = used.ok ? (isOwnPage(c.req.raw) ? null : 'origin') : used.error.why
      if (!used.ok || why !== null) {
        const facts = { way: 'passkey', why: why ?? 'origin', passkey: answer.id }
        const more = known === null ? {} : { credential: known.credential }
        return refuseSignIn(c, known?.site ?? null, { ...facts, ...more })
      }
      const { holder, passkey } = used.value
      const until_ms = passkey.expires_ms
      const opening = {
        holder,
        made_with: holder.id,
        parent: null,
        until_ms,
        way: 'passkey',
      } as const
      const opened = await openFor(c.env.DB, opening, now_ms)
      return signedInAnswer(c, opened, 'passkey', { passkey: passkey.id })
    },
  )
}
