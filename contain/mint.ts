// Mints everything a session is opened with: one token per node, the manifest and the receipt. Minted
// once, at binding; the agent receives them one at a time and can verify but never mint.
import { limits } from '../protocol/limits.ts'
import type { Context, Decision } from '../protocol/records.ts'
import type { NodeTokenClaims } from '../protocol/tokens.ts'
import type { SigningKey } from './keys.ts'
import { signClaims, signTrusted } from './sign.ts'

export type MintSpec = {
  readonly iss: string
  readonly context: Context
  /** H of the context. */
  readonly ctx: string
  /** `nid → digest of its args`. */
  readonly args: ReadonlyMap<string, string>
  /** Fresh ids, one per node of the order: `jti_…`. Randomness is the caller's. */
  readonly jtis: readonly string[]
  readonly now_ms: number
}

export type MintedToken = {
  readonly nid: string
  readonly jti: string
  readonly args_digest: string
  readonly token: string
}

/** iat, nbf, exp in seconds. `nbf` leaves room for the agent's clock; `exp` never passes the deadline. */
function lifetime(spec: MintSpec): { iat: number; nbf: number; exp: number } {
  return {
    iat: Math.floor(spec.now_ms / 1000),
    nbf: Math.max(0, Math.floor((spec.now_ms - limits.clockSkewMsMax) / 1000)),
    exp: Math.floor(spec.context.deadline / 1000),
  }
}

function claimsOf(spec: MintSpec, seq: number): NodeTokenClaims {
  const { context } = spec
  const nid = context.order[seq]
  const node = context.plan.nodes.find((candidate) => candidate.id === nid)
  const args = nid === undefined ? undefined : spec.args.get(nid)
  const jti = spec.jtis[seq]
  if (node === undefined || args === undefined || jti === undefined) {
    throw new TypeError('mint: order, args and jtis do not belong to one context')
  }
  return {
    iss: spec.iss,
    aud: context.site,
    sub: context.agent,
    sid: context.session,
    nid: node.id,
    tool: node.tool,
    seq,
    args,
    ctx: spec.ctx,
    ...lifetime(spec),
    jti,
    cnf: { jkt: context.agent_jkt },
  }
}

/** One token per node, in the order. */
export async function mintTokens(key: SigningKey, spec: MintSpec): Promise<MintedToken[]> {
  const out: MintedToken[] = []
  for (const seq of spec.context.order.keys()) {
    const claims = claimsOf(spec, seq)
    const token = await signTrusted(key, 'node', claims)
    out.push({ nid: claims.nid, jti: claims.jti, args_digest: claims.args, token })
  }
  return out
}

/** The signed list jti ↔ node, so that no token can be swapped in later. */
export function mintManifest(
  key: SigningKey,
  spec: MintSpec,
  tokens: readonly MintedToken[],
): Promise<string> {
  const { iat, exp } = lifetime(spec)
  return signClaims(key, 'manifest', {
    iss: spec.iss,
    aud: spec.context.site,
    sub: spec.context.agent,
    sid: spec.context.session,
    ctx: spec.ctx,
    nodes: tokens.map(({ nid, jti }, seq) => ({ nid, jti, seq })),
    iat,
    exp,
  })
}

/** The signed decision. Throws unless it is an accept: no other decision has a receipt. */
export function mintReceipt(
  key: SigningKey,
  spec: MintSpec,
  decided: { readonly decision: Decision; readonly plan_digest: string },
): Promise<string> {
  const { decision } = decided
  if (decision.verdict !== 'accept') throw new TypeError('only an accept has a receipt')
  const { iat, exp } = lifetime(spec)
  return signClaims(key, 'receipt', {
    iss: spec.iss,
    aud: spec.context.site,
    sub: spec.context.agent,
    sid: spec.context.session,
    ctx: spec.ctx,
    verdict: 'accept',
    plan_digest: decided.plan_digest,
    decision_digest: spec.context.decision_digest,
    valid_until_ms: decision.valid_until,
    approvers: decision.approvals.map((approval) => approval.approver),
    iat,
    exp,
  })
}
