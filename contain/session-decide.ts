// What the session makes of a node with references or conditions: at its release, at its start, and when
// the agent says that it was skipped. Results never change once written, so each time it is the same.
import { referredNodes } from '../protocol/plan-needs.ts'
import type { TerminationReason } from '../protocol/reasons.ts'
import type { ReportClaims } from '../protocol/tokens.ts'
import { resultInvalid, type NodeResult } from '../protocol/node-result.ts'
import { decideNode, endingDetail, type NodeDecision } from './decide-node.ts'
import type { NodeState, SessionBinding, SessionState } from './session-state.ts'

/** Decides one node from what the session holds; the dependencies have all ended. */
export function decisionOf(
  binding: SessionBinding,
  state: SessionState,
  nid: string,
): NodeDecision {
  const { context, rows } = binding
  const node = context.plan.nodes.find((one) => one.id === nid)
  if (node === undefined) throw new TypeError(`${nid} is no node of this plan`)
  const progress = new Map([...state.nodes].map(([id, one]) => [id, one.state]))
  const results = new Map(
    // Under `noted` such a node has succeeded all the same.
    [...state.results].filter(([id]) => state.nodes.get(id)?.reason !== resultInvalid),
  )
  return decideNode({ context, rows, progress, results }, node)
}

/** Why a node may not be started; null when it may. */
export function noStart(
  nid: string,
  decision: NodeDecision,
): { readonly reason: TerminationReason; readonly detail: string } | null {
  if (decision.do === 'run') return null
  if (decision.do === 'skip') {
    return { reason: 'condition_mismatch', detail: `${nid} is to be skipped` }
  }
  return { reason: decision.ending.reason, detail: endingDetail(nid, decision.ending) }
}

/** True for the signed word that a node was skipped which is to be skipped, over the same values. */
export function isSkipped(
  binding: SessionBinding,
  state: SessionState,
  { node, claims }: { readonly node: NodeState; readonly claims: ReportClaims },
): boolean {
  if (node.state !== 'released' || claims.actuated || claims.result_digest !== null) return false
  const decision = decisionOf(binding, state, claims.nid)
  if (decision.do !== 'skip') return false
  const told = claims.values ?? []
  return (
    told.length === decision.values.length &&
    told.every((value, i) => Object.is(value, decision.values[i]))
  )
}

/** The results with one more, if anything later refers to it. */
export function withResult(
  binding: SessionBinding,
  { results }: SessionState,
  { nid, result }: { readonly nid: string; readonly result: NodeResult | undefined },
): SessionState['results'] {
  if (result === undefined || !referredNodes(binding.context.plan).has(nid)) return results
  return new Map(results).set(nid, result)
}
