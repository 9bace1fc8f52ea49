// Everything that must hold of a released token before the agent says `start`: the eight checks against
// the bound context, the used-token ledger, the pin of the tool and the sandbox.
import { checkNode, factsOf, openToken } from '../contain/checks.ts'
import type { AcceptedWelcome } from '../contain/receipt.ts'
import { decideNode, endingDetail, type NodeDecision } from '../contain/decide-node.ts'
import { resolvedDigest } from '../contain/resolve.ts'
import { digest } from '../protocol/digest.ts'
import type { NodeProgress } from '../protocol/frames.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { NodeResult } from '../protocol/node-result.ts'
import type { PlanNode } from '../protocol/plan.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { NodeTokenClaims, Outcome } from '../protocol/tokens.ts'
import type { ToolRow } from '../protocol/tool-row.ts'
import type { VerifyKeys } from '../contain/keys.ts'
import type { LedgerFailed } from './kept-ledger.ts'
import type { AbortReason } from './machine-types.ts'

/** The `token` frame as it came. */
export type Released = { readonly nid: string; readonly token: string; readonly args: JsonObject }

export type NodeStanding = {
  readonly bound: AcceptedWelcome
  readonly keys: VerifyKeys
  /** What the gateway said at the last welcome, and what this agent did itself. */
  readonly welcomed: ReadonlyMap<string, NodeProgress>
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly jkt: string
  readonly nowMs: number
  readonly sandboxes: readonly string[]
  readonly note?: (failure: string, facts: object | null) => void
  readonly isUsed: (jti: string) => Result<boolean, LedgerFailed>
  /** This agent's own answers, as it has signed them. */
  readonly results: ReadonlyMap<string, NodeResult>
}

export type NodeRefusal = { readonly reason: AbortReason; readonly detail: string }
export type ReadyNode = {
  readonly node: PlanNode
  readonly claims: NodeTokenClaims
  readonly pinned: ToolRow
  /** It runs with these arguments, or is skipped. */
  readonly decision: Exclude<NodeDecision, { readonly do: 'end' }>
  /** Digest of the arguments of the call. */
  readonly args_digest: string
}

/** Own knowledge first; what the gateway knew at the welcome fills the rest. */
function progressOf(standing: NodeStanding): Map<string, NodeProgress> {
  return new Map<string, NodeProgress>([...standing.welcomed, ...standing.outcomes])
}

const refusal = (reason: AbortReason, detail: string) => err({ reason, detail })

/** All checks on one released token; the first failure ends the session. */
export async function checkReleased(
  released: Released,
  standing: NodeStanding,
): Promise<Result<ReadyNode, NodeRefusal>> {
  const { bound } = standing
  const node = bound.context.plan.nodes.find((candidate) => candidate.id === released.nid)
  if (node === undefined) return refusal('token_invalid', 'token_not_of_node')
  // What will be called is the plan's own arguments; the frame's copy may not differ.
  const minted = bound.minted.get(node.id)
  if (minted?.args_digest !== (await digest('args', released.args))) {
    return refusal('token_invalid', 'args_mismatch')
  }
  const progress = progressOf(standing)
  const decision = decideHere(standing, progress, node)
  if (!decision.ok) return decision
  const opened = await openToken(released.token, standing.keys)
  const claims = checkNode({ nid: released.nid, opened }, bound, {
    progress,
    skips: decision.value.do === 'skip',
    holder_jkt: standing.jkt,
    revoked: false,
    now_ms: standing.nowMs,
  })
  if (!claims.ok) {
    // The whole of it for the log of this machine; the gateway gets the word.
    const facts = factsOf(claims.error, { nid: released.nid, opened }, bound)
    standing.note?.(claims.error, facts)
    return refusal('token_invalid', claims.error)
  }
  const used = standing.isUsed(claims.value.jti)
  if (!used.ok) return refusal('ledger_failed', used.error)
  if (used.value) return refusal('token_invalid', 'already_executed')
  // Of the rows that the context names; what any other frame says of tools counts for nothing.
  const pinned = bound.rows.get(node.tool)
  if (pinned === undefined) return refusal('context_mismatch', `no row for ${node.tool}`)
  if (node.sandbox !== null && !standing.sandboxes.includes(node.sandbox)) {
    return refusal('server_lost', `no sandbox ${node.sandbox}`)
  }
  const args_digest =
    decision.value.do === 'run' && decision.value.placed.length > 0
      ? await resolvedDigest(decision.value.args)
      : minted.args_digest
  return ok({ node, claims: claims.value, pinned, decision: decision.value, args_digest })
}

/** Whether it runs, is skipped, or ends the session: computed here, whatever the gateway thinks. */
function decideHere(
  { bound, results }: NodeStanding,
  progress: ReadonlyMap<string, NodeProgress>,
  node: PlanNode,
): Result<ReadyNode['decision'], NodeRefusal> {
  const known = { context: bound.context, rows: [...bound.rows.values()], progress, results }
  const decision = decideNode(known, node)
  if (decision.do !== 'end') return ok(decision)
  return refusal(decision.ending.reason, endingDetail(node.id, decision.ending))
}
