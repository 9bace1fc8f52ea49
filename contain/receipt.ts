// What the agent checks before it takes a session: the signed decision and the signed list of tokens.
// Without an accept for exactly this plan and this context, nothing is pulled.
import { digest } from '../protocol/digest.ts'
import type { Context } from '../protocol/records.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { ManifestClaims, ReceiptClaims } from '../protocol/tokens.ts'
import { toolRowDigest, type ToolRow } from '../protocol/tool-row.ts'
import { argsDigests, verifyContext } from './context.ts'
import type { Bound, MintedNode } from './checks.ts'
import type { VerifyKeys } from './keys.ts'
import { verifySigned } from './verify.ts'

/** What a `welcome` frame carries of the binding. */
export type Welcome = {
  readonly context: Context
  readonly ctx: string
  readonly receipt: string
  readonly manifest: string
  /** Absent from a gateway that was built before rows were signed: then nothing is pulled. */
  readonly rows?: readonly ToolRow[] | undefined
}

/** Who the agent is and whom it believes: its own configuration, never the gateway's word. */
export type AgentIdentity = {
  readonly iss: string
  readonly site: string
  readonly cell: string
  readonly agent: string
  readonly jkt: string
  /** This process; another one of the same key may stand beside another bench. */
  readonly boot_id: string
  /** The session that this agent was assigned or asked for. */
  readonly session: string
}

export type WelcomeFailure =
  | 'graph_invalid'
  | 'order_mismatch'
  | 'hash_mismatch'
  | 'not_for_this_agent'
  | 'receipt_signature'
  | 'receipt_mismatch'
  | 'receipt_expired'
  | 'manifest_signature'
  | 'manifest_mismatch'
  | 'rows_missing'
  | 'rows_mismatch'

function forAgent(context: Context, me: AgentIdentity): boolean {
  return (
    context.session === me.session &&
    context.site === me.site &&
    context.cell === me.cell &&
    context.agent === me.agent &&
    context.agent_jkt === me.jkt &&
    (context.boot_id === undefined || context.boot_id === me.boot_id)
  )
}

type Addressed = Pick<ReceiptClaims, 'iss' | 'aud' | 'sub' | 'sid' | 'ctx'>

function addressed(claims: Addressed, welcome: Welcome, me: AgentIdentity): boolean {
  return (
    claims.iss === me.iss &&
    claims.aud === me.site &&
    claims.sub === me.agent &&
    claims.sid === me.session &&
    claims.ctx === welcome.ctx
  )
}

/** The receipt says accept, for this plan and this decision; `decision_digest` is inside H. */
async function receiptFailure(
  receipt: ReceiptClaims,
  welcome: Welcome,
  me: AgentIdentity,
): Promise<WelcomeFailure | null> {
  const { context } = welcome
  if (!addressed(receipt, welcome, me)) return 'receipt_mismatch'
  if (receipt.decision_digest !== context.decision_digest) return 'receipt_mismatch'
  const planDigest = await digest('plan', context.plan)
  return receipt.plan_digest === planDigest ? null : 'receipt_mismatch'
}

/** The manifest lists every node once, in the order, each with a jti of its own. */
function manifestFits(manifest: ManifestClaims, context: Context): boolean {
  const jtis = new Set(manifest.nodes.map((node) => node.jti))
  return (
    manifest.nodes.length === context.order.length &&
    jtis.size === manifest.nodes.length &&
    manifest.nodes.every((node, i) => node.seq === i && node.nid === context.order[i])
  )
}

/** Every row is the one that the context names, none is missing, and none is beside them. */
async function rowsOf({
  context,
  rows,
}: Welcome): Promise<Result<ReadonlyMap<string, ToolRow>, 'rows_missing' | 'rows_mismatch'>> {
  const named = context.tools
  if (named === undefined || rows === undefined) return err('rows_missing')
  const out = new Map<string, ToolRow>()
  for (const row of rows) {
    const same = Object.hasOwn(named, row.tool) && named[row.tool] === (await toolRowDigest(row))
    if (!same || out.has(row.tool)) return err('rows_mismatch')
    out.set(row.tool, row)
  }
  const complete =
    out.size === Object.keys(named).length && context.plan.nodes.every((node) => out.has(node.tool))
  return complete ? ok(out) : err('rows_mismatch')
}

/** What a session is bound to, with the rows by which its tools are called. */
export type AcceptedWelcome = Bound & { readonly rows: ReadonlyMap<string, ToolRow> }

/**
 * Everything the agent must hold true of a `welcome` before it pulls: order and H recomputed, the
 * context addressed to itself, every tool row as the context names it, the receipt an accept for this
 * plan, the manifest complete.
 * @returns the bound side that `checkNode` compares every token with, and the rows
 */
export async function acceptWelcome(
  welcome: Welcome,
  me: AgentIdentity,
  world: { readonly keys: VerifyKeys; readonly now_ms: number },
): Promise<Result<AcceptedWelcome, WelcomeFailure>> {
  const { context } = welcome
  const ctx = await verifyContext(context, welcome.ctx)
  if (!ctx.ok) return ctx
  if (!forAgent(context, me)) return err('not_for_this_agent')
  const receipt = await verifySigned('receipt', welcome.receipt, world.keys)
  if (!receipt.ok) return err('receipt_signature')
  const failure = await receiptFailure(receipt.value, welcome, me)
  if (failure !== null) return err(failure)
  if (world.now_ms >= receipt.value.exp * 1000) return err('receipt_expired')
  const manifest = await verifySigned('manifest', welcome.manifest, world.keys)
  if (!manifest.ok) return err('manifest_signature')
  if (!addressed(manifest.value, welcome, me) || !manifestFits(manifest.value, context)) {
    return err('manifest_mismatch')
  }
  const rows = await rowsOf(welcome)
  if (!rows.ok) return rows
  const digests = await argsDigests(context.plan)
  const minted = new Map<string, MintedNode>()
  for (const { nid, jti } of manifest.value.nodes) {
    // `manifestFits` has shown that every nid is a node of the plan.
    minted.set(nid, { jti, args_digest: digests.get(nid) ?? '', token: null })
  }
  return ok({ iss: me.iss, context, ctx: ctx.value, minted, rows: rows.value })
}
