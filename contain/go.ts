// The last word before metal moves: a signed `go`, good once, for one node, one start, half a second.
// Its age is measured on the agent's own monotonic clock from its own start (docs/decisions/0002), so
// neither side's wall clock can stretch it.
import { limits } from '../protocol/limits.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { GoClaims, NodeTokenClaims, StartClaims } from '../protocol/tokens.ts'
import type { VerifyKeys } from './keys.ts'
import { verifySigned } from './verify.ts'

/** The claims of the `go` that answers `start` for the node of `token`. */
export function goClaims(token: NodeTokenClaims, start: StartClaims, nowMs: number): GoClaims {
  return {
    iss: token.iss,
    aud: token.aud,
    sub: token.sub,
    jti: token.jti,
    sid: token.sid,
    nid: token.nid,
    ctx: token.ctx,
    args: token.args,
    nonce: start.nonce,
    iat_ms: nowMs,
    exp_ms: nowMs + limits.goLifetimeMs,
  }
}

export type GoFailure = 'go_signature' | 'go_mismatch' | 'go_nonce' | 'go_late'

/** What the agent holds of the node it wants to actuate. */
export type GoExpectation = {
  readonly token: NodeTokenClaims
  /** The nonce of this agent's own start; a `go` for another start is refused. */
  readonly nonce: string
  /** Milliseconds on the monotonic clock since that start was sent. */
  readonly elapsed_ms: number
}

/** Verifies a `go` against the token, the start and the agent's own clock. */
export async function verifyGo(
  text: string,
  expected: GoExpectation,
  keys: VerifyKeys,
): Promise<Result<GoClaims, GoFailure>> {
  const go = await verifySigned('go', text, keys)
  if (!go.ok) return err('go_signature')
  const { token } = expected
  const same =
    go.value.iss === token.iss &&
    go.value.aud === token.aud &&
    go.value.sub === token.sub &&
    go.value.jti === token.jti &&
    go.value.sid === token.sid &&
    go.value.nid === token.nid &&
    go.value.ctx === token.ctx &&
    go.value.args === token.args
  if (!same) return err('go_mismatch')
  if (go.value.nonce !== expected.nonce) return err('go_nonce')
  return goIsLate(expected.elapsed_ms) ? err('go_late') : ok(go.value)
}

/** True when a `go` may no longer be used; the agent asks again in the very tick of the call. */
export function goIsLate(elapsedMs: number): boolean {
  return !(elapsedMs >= 0 && elapsedMs <= limits.goLifetimeMs)
}
