// The last word before metal moves: a signed `go`, good once, for one node, one start, half a second.
// Its age is measured from the agent's own start, on its monotonic and on its wall clock: the wall clock
// alone can be set, and the monotonic one stands still while a machine is suspended.
import { limits } from '../protocol/limits.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { GoClaims, NodeTokenClaims, StartClaims } from '../protocol/tokens.ts'
import type { VerifyKeys } from './keys.ts'
import { verifySigned } from './verify.ts'

/** The claims of the `go` that answers `start` for the node of `token`, whose arguments are the plan's own. */
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
  /** Digest of the arguments that this agent will hand to the device, from its own results. */
  readonly args: string
  /** The nonce of this agent's own start; a `go` for another start is refused. */
  readonly nonce: string
  /** Since that start was sent. */
  readonly elapsed: Elapsed
  /** The agent's wall clock. */
  readonly now_ms: number
}

/** Milliseconds that passed, by two clocks that fail in different ways. */
export type Elapsed = { readonly monotonic_ms: number; readonly wall_ms: number }

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
    go.value.args === expected.args
  if (!same) return err('go_mismatch')
  if (go.value.nonce !== expected.nonce) return err('go_nonce')
  // The gateway's own time, as far as the two wall clocks may differ.
  const past = expected.now_ms >= go.value.exp_ms + limits.clockSkewMsMax
  return past || goIsLate(expected.elapsed) ? err('go_late') : ok(go.value)
}

/**
 * True when a `go` may no longer be used; the agent asks again in the very tick of the call. Late when
 * either clock says so, and when they disagree: then one of them stood still or was set.
 */
export function goIsLate({ monotonic_ms, wall_ms }: Elapsed): boolean {
  const inTime = monotonic_ms >= 0 && Math.max(monotonic_ms, wall_ms) <= limits.goLifetimeMs
  const agree = Math.abs(wall_ms - monotonic_ms) <= limits.goLifetimeMs
  return !(inTime && agree)
}
