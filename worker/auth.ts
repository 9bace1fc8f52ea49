// Who is speaking: a credential of a site, by its token or by a sign-in, or the deployment's operator. Every failure looks
// the same from outside, whether the credential is unknown, wrong, expired or revoked.
import { authenticate, touchCredential } from '../adapters/credentials.ts'
import { sameDigest, sha256Hex } from '../adapters/secret.ts'
import { signedIn, touchSignIn } from '../adapters/sign-ins.ts'
import { limits } from '../protocol/limits.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { Ctx, Principal } from './context.ts'
import type { Refusal } from './problems.ts'
import { hasFailedTooOften, noteFailure } from './rate-limit.ts'
import { trailRefused } from './refused-trail.ts'
import { isOwnPage, signInCookie } from './sign-in-cookie.ts'

/** The token of `Authorization: Bearer …`, or null. */
export function bearer(request: Request): string | null {
  const match = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(request.headers.get('authorization') ?? '')
  const token = match?.[1]
  return token === undefined || token.length > limits.tokenCharsMax ? null : token
}

/** Digests of tokens that were good a while ago; nothing rests on them but whose turn it is. */
const letIn = new Set<string>()
const letInMax = 10_000

function remember(digest: string): void {
  letIn.delete(digest)
  letIn.add(digest)
  const [oldest] = letIn
  if (letIn.size > letInMax && oldest !== undefined) letIn.delete(oldest)
}

/** Where a request comes from, as the platform says; a deployment without it counts all as one. */
export const addressOf = (request: Request): string =>
  request.headers.get('cf-connecting-ip') ?? 'unknown'

export const tooMany = (retryAfterS: number): Refusal => ({
  code: 'too_many_requests',
  retryAfterS,
})

type Shown = {
  /** What is asked for: a program's token, or the cookie of a person's sign-in. */
  readonly secret: string
  readonly look: () => Promise<{ holder: Principal; touch: () => Promise<void> } | null>
}

/** What the request shows of its sender; a token goes before a cookie. */
function shownBy(c: Ctx, now_ms: number): Result<Shown, Refusal> {
  const token = bearer(c.req.raw)
  const db = c.env.DB
  if (token !== null) {
    const look: Shown['look'] = async () => {
      const holder = await authenticate(db, token, now_ms)
      return holder && { holder, touch: () => touchCredential(db, holder, now_ms) }
    }
    return ok({ secret: token, look })
  }
  const cookie = signInCookie(c.req.raw)
  if (cookie === null) return err({ code: 'credential_invalid' })
  // The browser adds the cookie by itself: only what a page of this origin asked for may use it.
  if (!isOwnPage(c.req.raw)) return err({ code: 'origin_forbidden' })
  const look: Shown['look'] = async () => {
    const found = await signedIn(db, cookie, now_ms)
    // One cookie for all tabs: what a page shows as one person's must not count as another's.
    const believed = c.req.header('portcullis-as')
    if (believed !== undefined && believed !== found?.holder.id) return null
    return found && { holder: found.holder, touch: () => touchSignIn(db, found, now_ms) }
  }
  return ok({ secret: cookie, look })
}

/** Somebody's open browser was used by a page of another origin: nothing happens, and the site learns it. */
async function noteForeignPage(c: Ctx, now_ms: number): Promise<void> {
  const found = await signedIn(c.env.DB, signInCookie(c.req.raw) ?? '', now_ms)
  if (found === null) return
  const { sign_in, holder } = found
  const from = (c.req.header('origin') ?? '').slice(0, 200)
  const facts = { why: 'origin', from, sign_in, credential: holder.id }
  await trailRefused(c, holder.site, { event: 'page_refused', facts })
}

/**
 * The credential behind this request, as it is now. Asked again once a body is read: whoever was revoked
 * meanwhile acts no more. A dead store is an outage, never a refusal.
 */
export async function principalOf(c: Ctx): Promise<Result<Principal, Refusal>> {
  const now_ms = Date.now()
  const address = addressOf(c.req.raw)
  const shown = shownBy(c, now_ms)
  if (!shown.ok) {
    if (hasFailedTooOften(address, now_ms)) return err(tooMany(1))
    if (shown.error.code === 'origin_forbidden') await noteForeignPage(c, now_ms)
    return shown
  }
  const known = await sha256Hex(new TextEncoder().encode(shown.value.secret))
  // Whoever was let in a while ago is asked for as ever; a stranger from there waits.
  if (!letIn.has(known) && hasFailedTooOften(address, now_ms)) return err(tooMany(1))
  const found = await shown.value.look()
  if (found === null) {
    letIn.delete(known)
    noteFailure(address, now_ms)
    return err({ code: 'credential_invalid' })
  }
  remember(known)
  c.executionCtx.waitUntil(
    // The note of last use is a convenience: its failure must not refuse anybody.
    found.touch().catch(() => undefined),
  )
  return ok(found.holder)
}

/**
 * Whether the request shows a token of the deployment itself: the operator's, who may create sites, or that
 * of whoever scrapes metrics. `name` is the secret's, for the answer when it is not set.
 */
export async function showsDeploymentToken(
  c: Ctx,
  name: string,
  expected: string | undefined,
): Promise<Result<void, Refusal>> {
  if (expected === undefined) return err({ code: 'not_configured', detail: `${name} is not set.` })
  const now_ms = Date.now()
  const address = addressOf(c.req.raw)
  const token = bearer(c.req.raw)
  if (token === null) return err({ code: 'credential_invalid' })
  const digest = await sha256Hex(new TextEncoder().encode(token))
  if (!letIn.has(digest) && hasFailedTooOften(address, now_ms)) return err(tooMany(1))
  if (sameDigest(digest, expected.toLowerCase())) {
    remember(digest)
    return ok(undefined)
  }
  noteFailure(address, now_ms)
  return err({ code: 'credential_invalid' })
}
