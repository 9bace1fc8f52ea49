// What a signed report does to a session. Only the node in flight can be reported; a report is taken on
// any later connection of the same agent process, and never changes what was reported before.
import { limits } from '../protocol/limits.ts'
import { unreachable } from '../protocol/result.ts'
import type { ReportClaims } from '../protocol/tokens.ts'
import { isSkipped, withResult } from './session-decide.ts'
import { complete, terminate, withNode } from './session-end.ts'
import type {
  Effect,
  NodeState,
  SessionBinding,
  SessionEvent,
  SessionState,
  Step,
} from './session-state.ts'

/** From a `start` to its `go`: the site is asked twice at most. */
const startMsMax = 2 * limits.authorityTimeoutMs

type Reported = Extract<SessionEvent, { type: 'report' }>

function ackTo(event: Reported): Effect {
  const { fid: re, nid } = event
  return { do: 'send', to: 'asker', frame: { v: 1, re, type: 'ack', nid } }
}

/** A node whose token is out but whose `go` never came may be given up, never made to succeed. */
function isGivenUp(node: NodeState, claims: ReportClaims): boolean {
  return node.state === 'released' && claims.outcome === 'failed' && !claims.actuated
}

/** The node in flight ends; one that was released is skipped. */
function mayReport(node: NodeState, { outcome }: ReportClaims): boolean {
  return outcome === 'skipped' ? node.state === 'released' : node.state === 'executing'
}

/** The times of a report against its `go` and the clock here, as far as two clocks may differ. */
function plausible(node: NodeState, claims: ReportClaims, nowMs: number): boolean {
  const { started_ms, ended_ms } = claims
  // The agent counts from its `start`, which waits for the site before it becomes a `go`.
  const earliest = (node.started_ms ?? 0) - startMsMax - limits.clockSkewMsMax
  return (
    started_ms >= earliest && ended_ms >= started_ms && ended_ms <= nowMs + limits.clockSkewMsMax
  )
}

export function stepReport(
  binding: SessionBinding,
  state: SessionState,
  event: Reported,
  nowMs: number,
): Step {
  const actor = binding.context.agent
  const node = state.nodes.get(event.nid)
  if (node !== undefined && node.report === event.text) {
    // The same signed report under a new frame id, after a lost ack.
    return { state, effects: [ackTo(event)] }
  }
  const { report } = event
  if (node !== undefined && report.ok && report.value.outcome === 'skipped') {
    const skipped = isSkipped(binding, state, { node, claims: report.value })
    if (!skipped) {
      const detail = `${event.nid} was skipped, or over other values`
      const ending = { reason: 'condition_mismatch', actor, now_ms: nowMs, detail } as const
      return terminate(binding, state, { ...ending, doubt: report.value.actuated })
    }
  }
  const taken =
    node !== undefined &&
    report.ok &&
    (mayReport(node, report.value) || isGivenUp(node, report.value))
  if (!taken) {
    const detail = `a report for ${event.nid} that cannot be taken`
    const ending = { reason: 'frame_violation', actor, now_ms: nowMs, detail } as const
    // Signed word that a device was moved without a `go` that this side knows of: a person must look.
    const doubt = report.ok && report.value.actuated
    return terminate(binding, state, { ...ending, doubt })
  }
  if (!plausible(node, report.value, nowMs)) {
    const detail = `a report for ${event.nid} with times that cannot be`
    const ending = { reason: 'frame_violation', actor, now_ms: nowMs, detail } as const
    return terminate(binding, state, { ...ending, doubt: report.value.actuated })
  }
  const { outcome, actuated, reason, result_digest, missed, values } = report.value
  const reported = withNode(state, event.nid, {
    ...node,
    state: outcome,
    reason,
    actuated,
    report: event.text,
  })
  const { nid, result } = event
  const results = withResult(binding, state, { nid, result })
  const next = { ...reported, results, frames: reported.frames + 1 }
  const unmet = missed === undefined ? {} : { missed }
  const compared = values === undefined ? {} : { values }
  const facts = { node: nid, outcome, actuated, reason, result_digest, ...unmet, ...compared }
  const effects: Effect[] = [
    {
      do: 'record',
      fid: event.fid,
      record: { body: event.body, answer: { type: 'ack', nid: event.nid } },
    },
    { do: 'audit', event: 'report', actor, facts },
    ackTo(event),
  ]
  if (event.result !== undefined && result_digest !== null) {
    effects.push({ do: 'result', nid: event.nid, digest: result_digest, result: event.result })
  }
  const end = afterOutcome(binding, next, { claims: report.value, now_ms: nowMs })
  return { state: end.state, effects: [...effects, ...end.effects] }
}

function afterOutcome(
  binding: SessionBinding,
  state: SessionState,
  { claims, now_ms }: { claims: ReportClaims; now_ms: number },
): Step {
  const ending = { actor: binding.context.agent, now_ms, detail: claims.nid }
  switch (claims.outcome) {
    case 'failed': {
      const unmet = !claims.actuated && claims.missed !== undefined
      const reason = unmet ? 'precondition_unmet' : 'node_failed'
      return terminate(binding, state, { ...ending, reason })
    }
    case 'unknown':
      return terminate(binding, state, { ...ending, reason: 'node_unknown' })
    case 'succeeded':
    case 'skipped': {
      const ended = ({ state: at }: NodeState) => at === 'succeeded' || at === 'skipped'
      const all = [...state.nodes.values()].every(ended)
      return all ? complete(state, now_ms) : { state, effects: [] }
    }
    default:
      return unreachable(claims.outcome)
  }
}
