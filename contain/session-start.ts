// From a start to its `go`: what the session checks before it asks the site, and once more with the answer in
// hand. Invariant 1: one `go` per node.
import type { NodeProgress } from '../protocol/frames.ts'
import type { CheckFailure } from '../protocol/reasons.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { NodeTokenClaims, StartClaims } from '../protocol/tokens.ts'
import { checkNode, factsOf } from './checks.ts'
import { startMiss } from './preconditions.ts'
import { record, still, violation } from './session-answers.ts'
import { decisionOf, noStart } from './session-decide.ts'
import { terminate, withNode } from './session-end.ts'
import type {
  SessionBinding,
  SessionEvent,
  SessionState,
  StartPresented,
  Step,
} from './session-state.ts'

type Of<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>

/** All checks that the session can make by itself. */
function mayStart(
  binding: SessionBinding,
  state: SessionState,
  presented: StartPresented,
  nowMs: number,
): Result<{ token: NodeTokenClaims; start: StartClaims }, CheckFailure> {
  const progress = new Map<string, NodeProgress>()
  for (const [nid, node] of state.nodes) progress.set(nid, node.state)
  const token = checkNode(presented, binding, {
    progress,
    // Only connections that the bound key has proven reach this place.
    holder_jkt: binding.context.agent_jkt,
    revoked: false,
    now_ms: nowMs,
  })
  if (!token.ok) return token
  if (!presented.start.ok) return err('holder_mismatch')
  // A token that was never handed out can only have been taken from somewhere else.
  if (progress.get(presented.nid) !== 'released') return err('node_out_of_turn')
  return ok({ token: token.value, start: presented.start.value })
}

/** A step that cannot end before the deadline does not start: it would be cut off in the middle. */
function cannotEnd(binding: SessionBinding, nid: string, nowMs: number): boolean {
  return nowMs + (binding.told?.[nid] ?? 0) > binding.context.deadline
}

function endTooLate(binding: SessionBinding, state: SessionState, nid: string, now_ms: number) {
  const detail = `${nid} lasts longer than the session may`
  return terminate(binding, state, { reason: 'deadline_passed', actor: 'clock', now_ms, detail })
}

/** A start whose sensors did not say what they must say: nothing was set in motion, and nothing will be. */
function endMissed(
  binding: SessionBinding,
  state: SessionState,
  { event, start }: { event: StartPresented; start: StartClaims },
  now_ms: number,
): Step | null {
  const { nid } = event
  const tool = binding.context.plan.nodes.find((node) => node.id === nid)?.tool ?? ''
  const missed = startMiss(tool, binding.rows, start)
  if (missed === null) return null
  const actor = binding.context.agent
  const facts = { ...missed }
  return terminate(binding, state, {
    reason: 'precondition_unmet',
    actor,
    now_ms,
    detail: nid,
    facts,
  })
}

/** A start came: every check that needs nobody else; then the site is asked. */
export function stepStart(
  binding: SessionBinding,
  state: SessionState,
  event: Of<'start'>,
  nowMs: number,
): Step {
  const may = mayStart(binding, state, event, nowMs)
  if (!may.ok) {
    const facts = factsOf(may.error, event, binding)
    return violation(binding, state, { reason: may.error, now_ms: nowMs, detail: event.nid, facts })
  }
  if (cannotEnd(binding, event.nid, nowMs)) return endTooLate(binding, state, event.nid, nowMs)
  const why = noStart(event.nid, decisionOf(binding, state, event.nid))
  if (why !== null) return violation(binding, state, { ...why, now_ms: nowMs })
  const missed = endMissed(binding, state, { event, start: may.value.start }, nowMs)
  if (missed !== null) return missed
  return still(state, { do: 'ask', nid: event.nid, tool: may.value.token.tool })
}

/** Executing becomes durable and the `go` leaves, in this order and in one turn. */
export function stepAuthorized(
  binding: SessionBinding,
  state: SessionState,
  event: Of<'authorized'>,
  nowMs: number,
): Step {
  // The connection closed while the site was asked: the agent may start again on the next one.
  if (!event.connected) return still(state)
  const may = mayStart(binding, state, event, nowMs)
  if (!may.ok) {
    const facts = factsOf(may.error, event, binding)
    return violation(binding, state, { reason: may.error, now_ms: nowMs, detail: event.nid, facts })
  }
  if (!event.authority.ok) {
    const { reason } = event.authority.error
    return terminate(binding, state, { reason, actor: 'site', now_ms: nowMs, detail: event.nid })
  }
  if (cannotEnd(binding, event.nid, nowMs)) return endTooLate(binding, state, event.nid, nowMs)
  const decision = decisionOf(binding, state, event.nid)
  if (decision.do !== 'run') {
    const why = noStart(event.nid, decision)
    return violation(binding, state, { reason: 'condition_mismatch', ...why, now_ms: nowMs })
  }
  const { token, start } = may.value
  const missed = endMissed(binding, state, { event, start }, nowMs)
  if (missed !== null) return missed
  const node = state.nodes.get(event.nid)
  if (node === undefined) throw new TypeError(`${event.nid} passed the checks but has no state`)
  const executing = withNode(state, event.nid, {
    ...node,
    state: 'executing',
    started_ms: nowMs,
  })
  const [next, recorded] = record(executing, event, { type: 'go', nid: event.nid })
  const { placed } = decision
  const read = start.reads === undefined ? {} : { reads: start.reads }
  const taken = placed.length === 0 ? {} : { placed: placed.map((one) => ({ ...one })) }
  const facts = { node: event.nid, tool: token.tool, jti: token.jti, ...read, ...taken }
  return {
    state: next,
    effects: [
      { do: 'execute', nid: event.nid, jti: token.jti },
      recorded,
      { do: 'audit', event: 'go', actor: 'gateway', facts },
      { do: 'go', re: event.fid, token, start, args: placed.length === 0 ? null : decision.args },
    ],
  }
}
