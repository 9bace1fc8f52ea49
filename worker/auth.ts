// Who is speaking: a credential of a site, or the operator of the deployment. Every failure looks
// the same from outside, whether the credential is unknown, wrong, expired or revoked.
import { authenticate, touchCredential } from '../adapters/credentials.ts'
import { sameDigest, sha256Hex } from '../adapters/secret.ts'
import { limits } from '../protocol/limits.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { Ctx, Principal } from './context.ts'
import type { Refusal } from './problems.ts'
import { hasFailedTooOften, noteFailure } from './rate-limit.ts'

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

/**
 * The credential behind this request, as it is now. Asked again once a body is read: whoever was revoked
 * meanwhile acts no more. A dead store is an outage, never a refusal.
 */
export async function principalOf(c: Ctx): Promise<Result<Principal, Refusal>> {
  const now_ms = Date.now()
  const address = addressOf(c.req.raw)
  const token = bearer(c.req.raw)
  const refused = { code: 'credential_invalid' } as const
  if (token === null) return err(hasFailedTooOften(address, now_ms) ? tooMany(1) : refused)
  const known = await sha256Hex(new TextEncoder().encode(token))
  // Whoever was let in a while ago is asked for as ever; a stranger from there waits.
  if (!letIn.has(known) && hasFailedTooOften(address, now_ms)) return err(tooMany(1))
  const found = await authenticate(c.env.DB, token, now_ms)
  if (found === null) {
    letIn.delete(known)
    noteFailure(address, now_ms)
    return err(refused)
  }
  remember(known)
  c.executionCtx.waitUntil(
    // The note of last use is a convenience: its failure must not refuse anybody.
    touchCredential(c.env.DB, found, now_ms).catch(() => undefined),
  )
  return ok(found)
}

/** True when the request comes from the operator of the deployment, who may create sites. */
export async function isDeploymentOperator(c: Ctx): Promise<Result<void, Refusal>> {
  const expected = c.env.OPERATOR_TOKEN_SHA256
  if (expected === undefined) {
    return err({ code: 'not_configured', detail: 'OPERATOR_TOKEN_SHA256 is not set.' })
  }
  const token = bearer(c.req.raw)
  if (token === null) return err({ code: 'credential_invalid' })
  const digest = await sha256Hex(new TextEncoder().encode(token))
  return sameDigest(digest, expected.toLowerCase())
    ? ok(undefined)
    : err({ code: 'credential_invalid' })
}
