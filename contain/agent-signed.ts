// What the agent signs inside a socket, as the gateway checks it: `hello`, `start`, `report`.
// Each is compared with the connection and the binding; a good signature over other claims is refused.
import { digest } from '../protocol/digest.ts'
import type { NodeResult } from '../protocol/node-result.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { ReportClaims, RestClaims, StartClaims } from '../protocol/tokens.ts'
import type { Bound } from './checks.ts'
import type { VerifyKeys } from './keys.ts'
import type { ClaimsOf } from './signed.ts'
import { verifySigned } from './verify.ts'

export type AgentSignedFailure = 'signature' | 'mismatch'

/** The proof inside `hello`: the bound key over this connection's challenge nonce. */
export async function verifyHello(
  text: string,
  expected: {
    readonly agent: string
    /** null on the presence socket. */
    readonly session: string | null
    readonly nonce: string
    readonly boot_id: string
    /** This gateway's names; null for a peer that was built before proofs were addressed. */
    readonly names: readonly string[] | null
  },
  keys: VerifyKeys,
): Promise<Result<ClaimsOf<'hello'>, AgentSignedFailure>> {
  const hello = await verifySigned('hello', text, keys)
  if (!hello.ok) return err('signature')
  const { sub, sid, nonce, boot_id, aud } = hello.value
  const { names } = expected
  // A proof for another gateway is a proof that somebody passes on.
  const addressed = names === null || (aud !== undefined && names.includes(aud))
  const same =
    sub === expected.agent &&
    sid === expected.session &&
    nonce === expected.nonce &&
    boot_id === expected.boot_id &&
    addressed
  return same ? ok(hello.value) : err('mismatch')
}

/** Where a `start` or `report` belongs: the node it names and the binding of the session. */
export type NodeBinding = { readonly nid: string; readonly bound: Bound }

function ofNode(claims: StartClaims | ReportClaims, { nid, bound }: NodeBinding): boolean {
  return (
    claims.sub === bound.context.agent &&
    claims.sid === bound.context.session &&
    claims.ctx === bound.ctx &&
    claims.nid === nid &&
    claims.jti === bound.minted.get(nid)?.jti
  )
}

/** The agent's signed intention to actuate one node, on the connection with nonce `connection`. */
export async function verifyStart(
  text: string,
  expected: NodeBinding & { readonly connection: string },
  keys: VerifyKeys,
): Promise<Result<StartClaims, AgentSignedFailure>> {
  const start = await verifySigned('start', text, keys)
  if (!start.ok) return err('signature')
  // Another connection's start is a replay, however good its signature.
  if (start.value.cn !== expected.connection) return err('mismatch')
  return ofNode(start.value, expected) ? ok(start.value) : err('mismatch')
}

/** The agent's signed word on which devices of this session have come to rest. */
export async function verifyRest(
  text: string,
  bound: Bound,
  keys: VerifyKeys,
): Promise<Result<RestClaims, AgentSignedFailure>> {
  const rest = await verifySigned('rest', text, keys)
  if (!rest.ok) return err('signature')
  const { sub, sid, ctx } = rest.value
  const same = sub === bound.context.agent && sid === bound.context.session && ctx === bound.ctx
  return same ? ok(rest.value) : err('mismatch')
}

/**
 * The agent's signed report of one node; it may come on a later connection. A result that comes with it
 * must be the very value whose digest was signed.
 */
export async function verifyReport(
  text: string,
  expected: NodeBinding & { readonly result?: NodeResult | undefined },
  keys: VerifyKeys,
): Promise<Result<ReportClaims, AgentSignedFailure>> {
  const report = await verifySigned('report', text, keys)
  if (!report.ok) return err('signature')
  const { result } = expected
  if (result !== undefined && (await digest('result', result)) !== report.value.result_digest) {
    return err('mismatch')
  }
  return ofNode(report.value, expected) ? ok(report.value) : err('mismatch')
}
