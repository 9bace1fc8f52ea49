// The eight checks, in their order, then holder of key and revocation. One function for both sides: the
// session calls it before `go`, the agent before it actuates. Each failure has its own code.
import { z } from 'zod'
import type { NodeProgress } from '../protocol/frames.ts'
import type { JsonValue } from '../protocol/json.ts'
import type { PlanNode } from '../protocol/plan.ts'
import type { CheckFailure } from '../protocol/reasons.ts'
import type { Context } from '../protocol/records.ts'
import { err, ok, unreachable, type Result } from '../protocol/result.ts'
import type { NodeTokenClaims } from '../protocol/tokens.ts'
import type { VerifyKeys } from './keys.ts'
import { proveSigned, readSigned, type VerifyFailure } from './verify.ts'

/** A presented token, opened once: whose it says it is, and what its signature proves. */
export type OpenedToken = {
  readonly text: string
  /** `jti` as written, believed only for telling tokens apart; null when it cannot be read. */
  readonly jti: string | null
  readonly claims: NodeTokenClaims | null
  /** What was wrong with it first, when `claims` is null. */
  readonly failure?: VerifyFailure | undefined
}

function writtenJti(payload: JsonValue): string | null {
  const seen = z.looseObject({ jti: z.string() }).safeParse(payload)
  return seen.success ? seen.data.jti : null
}

/** Opens a presented node token: decodes, and verifies the signature. Never throws on bad input. */
export async function openToken(text: string, keys: VerifyKeys): Promise<OpenedToken> {
  const read = readSigned('node', text)
  if (!read.ok) return { text, jti: null, claims: null, failure: read.error }
  const jti = writtenJti(read.value.payload)
  const proven = await proveSigned(read.value, keys)
  return proven.ok
    ? { text, jti, claims: proven.value }
    : { text, jti, claims: null, failure: proven.error }
}

/** What was minted for one node. `token` is null where only the signed manifest is known. */
export type MintedNode = {
  readonly jti: string
  readonly args_digest: string
  readonly token: string | null
}

/** The bound side of the comparison: nothing in it comes from the presented token. */
export type Bound = {
  readonly iss: string
  readonly context: Context
  /** H, computed from the context by this side. */
  readonly ctx: string
  readonly minted: ReadonlyMap<string, MintedNode>
}

/** The moving side: what has happened so far, who presents, and when. */
export type Standing = {
  readonly progress: ReadonlyMap<string, NodeProgress>
  /** Thumbprint of the key that proved itself on this connection (or the agent's own key). */
  readonly holder_jkt: string
  /** True when this side knows that the site's revocation epoch has moved on. */
  readonly revoked: boolean
  readonly now_ms: number
  /** The token is looked at for a node that will be skipped; nothing will run on it. */
  readonly skips?: boolean
}

const executed: ReadonlySet<NodeProgress> = new Set([
  'executing',
  'succeeded',
  'failed',
  'unknown',
  'skipped',
])

/** Check 4: its turn has come. A node that already ran fails the last check, not this one. */
function turnFailure(node: PlanNode, bound: Bound, standing: Standing): CheckFailure | null {
  const { order } = bound.context
  const passed = (id: string): boolean => {
    const state = standing.progress.get(id)
    return state === 'succeeded' || state === 'skipped'
  }
  // What depends on a skipped node never runs: only whoever skips it may look past that.
  const done = (id: string): boolean =>
    standing.skips === true ? passed(id) : standing.progress.get(id) === 'succeeded'
  if (!node.depends_on.every(done)) return 'dependency_open'
  for (const id of order) {
    if (id === node.id) return null
    if (!passed(id)) return 'node_out_of_turn'
  }
  return 'node_mismatch'
}

/**
 * May this node run now, on the strength of this token?
 * The order is that of the design: own minted token · signature · session · node (turn, dependencies) ·
 * tool (args) · context hash · not expired · not executed · holder · revocation.
 */
export function checkNode(
  presented: { readonly nid: string; readonly opened: OpenedToken },
  bound: Bound,
  standing: Standing,
): Result<NodeTokenClaims, CheckFailure> {
  const { nid, opened } = presented
  const { context, ctx } = bound
  const minted = bound.minted.get(nid)
  const node = context.plan.nodes.find((candidate) => candidate.id === nid)
  if (minted === undefined || node === undefined) return err('token_not_of_node')
  if (opened.jti !== null && opened.jti !== minted.jti) return err('token_not_of_node')
  const { claims } = opened
  if (claims === null) return err('signature_invalid')
  // Ed25519 is deterministic: other bytes under the same claims are not what was minted.
  if (minted.token !== null && minted.token !== opened.text) return err('signature_invalid')
  if (claims.iss !== bound.iss || claims.aud !== context.site) return err('session_mismatch')
  if (claims.sid !== context.session) return err('session_mismatch')
  if (claims.nid !== nid || context.order[claims.seq] !== nid) return err('node_mismatch')
  const turn = turnFailure(node, bound, standing)
  if (turn !== null) return err(turn)
  if (claims.tool !== node.tool) return err('tool_mismatch')
  if (claims.args !== minted.args_digest) return err('args_mismatch')
  if (claims.ctx !== ctx) return err('context_mismatch')
  if (expired(claims, context, standing.now_ms)) return err('token_expired')
  if (executed.has(standing.progress.get(nid) ?? 'pending')) return err('already_executed')
  if (claims.sub !== context.agent || claims.cnf.jkt !== context.agent_jkt) {
    return err('holder_mismatch')
  }
  if (standing.holder_jkt !== context.agent_jkt) return err('holder_mismatch')
  return standing.revoked ? err('epoch_revoked') : ok(claims)
}

/** Check 7. `exp` is excluded (RFC 7519 §4.1.4); the context's deadline holds to the millisecond. */
function expired(claims: NodeTokenClaims, context: Context, nowMs: number): boolean {
  return nowMs < claims.nbf * 1000 || nowMs >= claims.exp * 1000 || nowMs >= context.deadline
}

/**
 * What a failed check expected and what it got, for the trail and for people of the site; the peer is told
 * the bare word alone.
 */
export function factsOf(
  failure: CheckFailure,
  presented: { readonly nid: string; readonly opened: OpenedToken },
  bound: Bound,
): { readonly expected: JsonValue; readonly got: JsonValue } | null {
  const { nid, opened } = presented
  const { context } = bound
  const { claims } = opened
  const minted = bound.minted.get(nid)
  const node = context.plan.nodes.find((candidate) => candidate.id === nid)
  const of = (expected: JsonValue | undefined, got: JsonValue | undefined) => ({
    expected: expected ?? null,
    got: got ?? null,
  })
  switch (failure) {
    case 'token_not_of_node':
      return of(minted?.jti, opened.jti)
    case 'signature_invalid':
      // A key that is not published (any more) is no forgery: the operator must be able to tell.
      return of('the minted token', opened.failure ?? 'other bytes')
    case 'session_mismatch':
      return of(
        { iss: bound.iss, aud: context.site, sid: context.session },
        { iss: claims?.iss ?? null, aud: claims?.aud ?? null, sid: claims?.sid ?? null },
      )
    case 'node_mismatch':
      return of(nid, claims?.nid)
    case 'tool_mismatch':
      return of(node?.tool, claims?.tool)
    case 'args_mismatch':
      return of(minted?.args_digest, claims?.args)
    case 'context_mismatch':
      return of(bound.ctx, claims?.ctx)
    case 'token_expired':
      return of(context.deadline, (claims?.exp ?? 0) * 1000)
    case 'holder_mismatch':
      return of(context.agent_jkt, claims?.cnf.jkt)
    case 'node_out_of_turn':
    case 'dependency_open':
    case 'already_executed':
    case 'epoch_revoked':
      return null
    default:
      return unreachable(failure)
  }
}
