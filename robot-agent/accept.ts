// What the agent must hold true of a `welcome` before it asks for anything: keys, order, H, receipt,
// manifest, and that the context is the one it accepted before.
import type { Bound } from '../contain/checks.ts'
import type { VerifyKeys } from '../contain/keys.ts'
import {
  acceptWelcome,
  type AcceptedWelcome,
  type Welcome,
  type WelcomeFailure,
} from '../contain/receipt.ts'
import { readSigned, verifySigned } from '../contain/verify.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { AbortReason } from './machine-types.ts'
import type { SessionDeps } from './session-deps.ts'

export type AcceptFailure = WelcomeFailure | 'keys_unreachable' | 'keys_not_pinned'
export type Accepted = { readonly bound: AcceptedWelcome; readonly keys: VerifyKeys }

const contextFailures: ReadonlySet<AcceptFailure> = new Set([
  'graph_invalid',
  'order_mismatch',
  'hash_mismatch',
  'not_for_this_agent',
  'rows_missing',
  'rows_mismatch',
])

/** The word of the wire for a refused welcome. */
export function abortReasonOf(failure: AcceptFailure): AbortReason {
  return contextFailures.has(failure) ? 'context_mismatch' : 'receipt_invalid'
}

/** The issuer that the receipt names; believed only once its signature is. */
function claimedIssuer(receipt: string): string {
  const read = readSigned('receipt', receipt)
  const claimed = read.ok ? (read.value.payload as { iss?: unknown } | null)?.iss : null
  return typeof claimed === 'string' ? claimed : ''
}

/** Accepts a welcome of `session`; `before` is what an earlier connection has accepted. */
export async function acceptSession(
  welcome: Welcome,
  at: { readonly session: string; readonly before: Bound | null },
  deps: SessionDeps,
): Promise<Result<Accepted, AcceptFailure>> {
  const { config, signer, nowMs, bootId } = deps
  const fetched = await deps.keys.get(true)
  if (!fetched.ok) {
    return err(fetched.error === 'not_pinned' ? 'keys_not_pinned' : 'keys_unreachable')
  }
  const keys = fetched.value
  const iss = config.issuer ?? at.before?.iss ?? claimedIssuer(welcome.receipt)
  const { site, cell, agent } = config
  const me = { iss, site, cell, agent, jkt: signer.jkt, boot_id: bootId, session: at.session }
  const accepted = await acceptWelcome(welcome, me, { keys, now_ms: nowMs() })
  if (!accepted.ok) return accepted
  const bound = accepted.value
  // A context once accepted is the only one of this session, whatever comes later.
  if (at.before !== null && at.before.ctx !== bound.ctx) return err('hash_mismatch')
  const receipt = await verifySigned('receipt', welcome.receipt, keys)
  if (!receipt.ok) return err('receipt_signature')
  // The decision was still valid when the session was bound.
  const stale = receipt.value.iat * 1000 > receipt.value.valid_until_ms
  return stale ? err('receipt_expired') : ok({ bound, keys })
}
