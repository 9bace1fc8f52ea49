// How people sign in at the console: a one-time code opens a sign-in, a cookie carries it, and it can be
// seen and ended. Programs go on showing the token of their credential.
import {
  createSignInCode,
  credentialInForce,
  endSignIn,
  listSignIns,
  openSignIn,
  type SignIn,
} from '../../adapters/sign-ins.ts'
import type { Role } from '../../adapters/credentials.ts'
import { limits } from '../../protocol/limits.ts'
import { addressOf, bearer } from '../auth.ts'
import type { Principal } from '../context.ts'
import { siteHub } from '../objects.ts'
import { signInParams } from '../params.ts'
import { problem } from '../problems.ts'
import { hasFailedTooOften, noteFailure } from '../rate-limit.ts'
import { openRoute, route, type App } from '../routing.ts'
import { isOwnPage, namedSignIn, setSignInCookie } from '../sign-in-cookie.ts'
import { signedInAnswer } from '../signed-in.ts'

/** Everybody but programs. */
const people: readonly Role[] = ['reviewer', 'operator', 'administrator']

/** Administrators see and end those of everybody at the site, others their own. */
const whose = (principal: Principal): string | null =>
  principal.role === 'administrator' ? null : principal.id

const shown = (signIn: SignIn, request: Request) => ({
  ...signIn,
  current: request.headers.get('authorization') === null && namedSignIn(request) === signIn.id,
})

export function signInRoutes(app: App): void {
  route(
    app,
    {
      method: 'post',
      path: '/v1/sign-in-codes',
      tag: 'sign-ins',
      summary:
        'Make a one-time code by which a person signs in at the console; it is shown once. For another person: administrators only.',
      roles: people,
      body: { schema: 'SignInCodeInput', bytesMax: limits.smallBodyBytesMax },
      answers: { 201: { description: 'Made.', schema: 'SignInCode' } },
    },
    async (c, { principal, body }) => {
      const { site, id, owner, role } = principal
      const { requestId } = c.var
      const wanted = body.credential ?? id
      if (wanted !== id && role !== 'administrator') {
        const detail = 'Only an administrator makes a code for somebody else.'
        return problem({ code: 'role_forbidden', detail }, requestId)
      }
      const now_ms = Date.now()
      const holder = await credentialInForce(c.env.DB, { site, id: wanted, now_ms })
      if (holder === null) return problem({ code: 'not_found' }, requestId)
      if (!people.includes(holder.role)) {
        const detail = `A ${holder.role} is a program: it shows the token of its credential.`
        return problem({ code: 'role_forbidden', detail }, requestId)
      }
      const facts = { credential: holder.id, role: holder.role, owner: holder.owner }
      // First the trail: a code that left no line in it must not work.
      await siteHub(c.env, site).note(owner, 'sign_in_code_made', facts)
      const parent = bearer(c.req.raw) === null ? namedSignIn(c.req.raw) : null
      const code = { site, credential: holder.id, made_with: id, parent }
      const made = await createSignInCode(c.env.DB, code, now_ms)
      if (!made.ok) {
        const detail = 'Many codes that you made have not been used yet.'
        return problem({ code: 'too_many_requests', detail, retryAfterS: 60 }, requestId)
      }
      const link = `${new URL(c.req.url).origin}/console/#/sign-in/${made.value.code}`
      return c.json({ ...made.value, link, credential: holder.id, owner: holder.owner }, 201)
    },
  )
  openRoute(
    app,
    {
      method: 'post',
      path: '/v1/sign-ins',
      tag: 'sign-ins',
      summary: 'Sign in with a one-time code, which is used up by it. The answer sets a cookie.',
      security: 'none',
      body: { schema: 'SignInInput', bytesMax: limits.smallBodyBytesMax },
      answers: {
        201: { description: 'Signed in.', schema: 'SignedIn', headers: ['set-cookie'] },
      },
      refusals: ['sign_in_refused', 'origin_forbidden', 'too_many_requests'],
    },
    async (c, { body }) => {
      const { requestId } = c.var
      const now_ms = Date.now()
      const address = addressOf(c.req.raw)
      if (hasFailedTooOften(address, now_ms)) {
        return problem({ code: 'too_many_requests', retryAfterS: 60 }, requestId)
      }
      // Another origin must not sign its visitor in as somebody else.
      if (!isOwnPage(c.req.raw)) return problem({ code: 'origin_forbidden' }, requestId)
      const opened = await openSignIn(c.env.DB, body.code, now_ms)
      if (opened === null) {
        noteFailure(address, now_ms)
        return problem({ code: 'sign_in_refused' }, requestId)
      }
      return signedInAnswer(c, opened, 'code')
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/sign-ins',
      tag: 'sign-ins',
      summary: 'Open sign-ins, newest first: of the site for administrators, else your own.',
      roles: people,
      answers: { 200: { description: 'At most one page of them.', schema: 'SignInList' } },
    },
    async (c, { principal }) => {
      const at = { site: principal.site, credential: whose(principal), now_ms: Date.now() }
      const rows = await listSignIns(c.env.DB, at)
      return c.json({ items: rows.map((row) => shown(row, c.req.raw)), next: null })
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/sign-ins/{sign_in}/end',
      tag: 'sign-ins',
      summary: 'End a sign-in. It holds at the next request; its credential stays.',
      roles: people,
      params: signInParams,
      answers: { 200: { description: 'Ended, now or before.', schema: 'SignIn' } },
    },
    async (c, { principal, params }) => {
      const { site, owner } = principal
      const ended = await endSignIn(c.env.DB, {
        site,
        id: params.sign_in,
        credential: whose(principal),
        by: owner,
        now_ms: Date.now(),
      })
      if (!ended.ok) return problem({ code: 'not_found' }, c.var.requestId)
      const { id, credential } = ended.value
      await siteHub(c.env, site).note(owner, 'sign_in_ended', { sign_in: id, credential })
      if (namedSignIn(c.req.raw) === id) c.header('set-cookie', setSignInCookie(c.req.raw, '', 0))
      return c.json(shown(ended.value, c.req.raw))
    },
  )
}
