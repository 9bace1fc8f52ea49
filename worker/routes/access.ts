// Signing in as whom the identity provider vouches for. It gives a sign-in of a credential that carries the
// person's address, and nothing without one; afterwards the provider is not asked any more.
import {
  accessOf,
  keptKeys,
  vouchedBy,
  type AccessRefusal,
  type Vouched,
} from '../../adapters/access.ts'
import { isInForce } from '../../adapters/credentials.ts'
import {
  credentialsByEmail,
  credentialWithEmail,
  setCredentialEmail,
} from '../../adapters/emails.ts'
import { openFor } from '../../adapters/sign-ins.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { limits } from '../../protocol/limits.ts'
import { err, type Result } from '../../protocol/result.ts'
import { addressOf } from '../auth.ts'
import type { Ctx } from '../context.ts'
import { siteHub } from '../objects.ts'
import { credentialParams } from '../params.ts'
import { problem, type Refusal } from '../problems.ts'
import { hasFailedTooOften } from '../rate-limit.ts'
import { refuseSignIn } from '../refused.ts'
import { openRoute, route, type App } from '../routing.ts'
import { isOwnPage } from '../sign-in-cookie.ts'
import { signedInAnswer } from '../signed-in.ts'

const notConfigured = (detail: string): Refusal => ({ code: 'not_configured', detail })

/** Whom the provider vouches for in this request. */
async function vouched(c: Ctx, now_ms: number): Promise<Result<Vouched, AccessRefusal | Refusal>> {
  const access = accessOf(c.env)
  if (access === null) return err(notConfigured('This deployment asks no identity provider.'))
  if (!access.ok) return err(notConfigured(access.error))
  const text = c.req.header('cf-access-jwt-assertion')
  return vouchedBy(text, access.value, { keys: keptKeys(access.value.issuer), now_ms })
}

export function accessRoutes(app: App): void {
  openRoute(
    app,
    {
      method: 'get',
      path: '/v1/sign-in-ways',
      tag: 'sign-ins',
      summary: 'How whoever opens the page can sign in, without knowing anything yet.',
      security: 'none',
      answers: { 200: { description: 'The ways.', schema: 'SignInWays' } },
      refusals: ['origin_forbidden'],
    },
    async (c) => {
      if (!isOwnPage(c.req.raw)) return problem({ code: 'origin_forbidden' }, c.var.requestId)
      const now_ms = Date.now()
      const who = await vouched(c, now_ms)
      if (!who.ok) return c.json({ access: null })
      const found = await credentialsByEmail(c.env.DB, who.value.email, now_ms)
      const choices = found.map(({ site, id, role, owner }) => ({
        site,
        credential: id,
        role,
        owner,
      }))
      return c.json({ access: { email: who.value.email, choices } })
    },
  )
  openRoute(
    app,
    {
      method: 'post',
      path: '/v1/sign-ins/access',
      tag: 'sign-ins',
      summary:
        'Sign in as whom the identity provider in front vouches for, with a credential that carries the address. The answer sets a cookie.',
      security: 'none',
      body: { schema: 'AccessSignInInput', bytesMax: limits.smallBodyBytesMax },
      answers: {
        201: { description: 'Signed in.', schema: 'SignedIn', headers: ['set-cookie'] },
      },
      refusals: ['sign_in_refused', 'origin_forbidden', 'too_many_requests', 'not_configured'],
    },
    async (c, { body }) => {
      const { requestId } = c.var
      const now_ms = Date.now()
      const { site, credential } = body
      if (hasFailedTooOften(addressOf(c.req.raw), now_ms)) {
        return problem({ code: 'too_many_requests', retryAfterS: 60 }, requestId)
      }
      const refuse = (why: string, more: JsonObject = {}) =>
        refuseSignIn(c, site, { way: 'access', why, credential, ...more })
      if (!isOwnPage(c.req.raw)) return refuse('origin')
      const who = await vouched(c, now_ms)
      if (!who.ok) {
        return typeof who.error === 'string' ? refuse(who.error) : problem(who.error, requestId)
      }
      const { email, until_ms } = who.value
      const holder = await credentialWithEmail(c.env.DB, { site, id: credential, email })
      if (holder === null) return refuse('no_such_person', { email })
      if (!isInForce(holder, now_ms)) return refuse('credential_not_in_force', { email })
      const opening = {
        holder,
        made_with: holder.id,
        parent: null,
        until_ms,
        way: 'access',
      } as const
      return signedInAnswer(c, await openFor(c.env.DB, opening, now_ms), 'access')
    },
  )
  route(
    app,
    {
      method: 'put',
      path: '/v1/credentials/{credential}/email',
      tag: 'credentials',
      summary:
        'Put the address on a person’s credential under which the identity provider knows them, or take it away. Sign-ins that rested on another one end.',
      roles: ['administrator'],
      params: credentialParams,
      body: { schema: 'CredentialEmailInput', bytesMax: limits.smallBodyBytesMax },
      answers: { 200: { description: 'Set.', schema: 'Credential' } },
      refusals: ['email_taken'],
    },
    async (c, { principal, params, body }) => {
      const { site, owner } = principal
      const at = { site, id: params.credential, email: body.email, by: owner, now_ms: Date.now() }
      const set = await setCredentialEmail(c.env.DB, at)
      if (!set.ok) return problem({ code: set.error }, c.var.requestId)
      const { id, email } = set.value
      try {
        await siteHub(c.env, site).note(owner, 'credential_email_set', { credential: id, email })
      } catch (cause) {
        // An address that left no line in the trail must let nobody in.
        await setCredentialEmail(c.env.DB, { ...at, email: null })
        throw cause
      }
      return c.json(set.value)
    },
  )
}
