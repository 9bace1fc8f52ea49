// Who is speaking: a credential of a site, or the operator of the deployment. Every failure looks
// the same from outside, whether the credential is unknown, wrong, expired or revoked.
import { authenticate, touchCredential } from '../adapters/credentials.ts'
import { sameDigest, sha256Hex } from '../adapters/secret.ts'
import { limits } from '../protocol/limits.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { Ctx, Principal } from './context.ts'
import type { Refusal } from './problems.ts'

/** The token of `Authorization: Bearer …`, or null. */
export function bearer(request: Request): string | null {
  const match = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(request.headers.get('authorization') ?? '')
  const token = match?.[1]
  return token === undefined || token.length > limits.tokenCharsMax ? null : token
}

/**
 * The credential behind this request, as it is now. Asked again once a body is read: whoever was revoked
 * meanwhile acts no more. A dead store is an outage, never a refusal.
 */
export async function principalOf(c: Ctx): Promise<Result<Principal, Refusal>> {
  const token = bearer(c.req.raw)
  if (token === null) return err({ code: 'credential_invalid' })
  const now_ms = Date.now()
  const found = await authenticate(c.env.DB, token, now_ms)
  if (found === null) return err({ code: 'credential_invalid' })
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
