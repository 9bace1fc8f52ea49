// What a state says to others: the status that planners and reviewers see, and when time acts on it next.
import { unreachable } from '../../protocol/result.ts'
import type { PlanStatus } from '../../protocol/status.ts'
import type { ReviewSpec, ReviewState, Run, Standing } from './state.ts'

/** What a status needs of the plan: no large part of it. */
export type StatusHead = Pick<ReviewSpec, 'plan_id' | 'submitter' | 'received_ms'> & {
  readonly supersedes: string | null
}

/** The decision that stands in a state; null before the first. */
export function standingOf(state: ReviewState): Standing | null {
  return state.state === 'judging' ? null : state.standing
}

/** The session that runs, ran or refused the plan; null when there never was one. */
export function runOf(state: ReviewState): Run | null {
  return 'run' in state ? state.run : null
}

/** The status of a plan. `decision_digest` seals the decision of this very state. */
export function statusOf(
  head: StatusHead,
  state: ReviewState,
  decision_digest: string | null,
): PlanStatus {
  const { site, planner, owner } = head.submitter
  const standing = standingOf(state)
  const decision = standing?.decision ?? null
  return {
    plan: head.plan_id,
    site,
    planner,
    owner,
    state: state.state,
    verdict: decision?.verdict ?? null,
    reasons: decision?.reasons ?? [],
    packet_digest: decision?.packet_digest ?? null,
    decision,
    decision_digest,
    session: runOf(state)?.session ?? null,
    session_reason: state.state === 'terminated' ? state.reason : null,
    bind_refusal: state.state === 'expired' ? state.refusal : null,
    supersedes: head.supersedes,
    received_ms: head.received_ms,
    decided_ms: standing?.decided_ms ?? null,
    valid_until_ms: decision?.valid_until ?? null,
  }
}

/** When the session of the plan ended; null before. */
export function endedMs(state: ReviewState): number | null {
  return 'ended_ms' in state ? state.ended_ms : null
}

/** The next moment at which time changes something (milliseconds since the epoch); null when none. */
export function nextTime(state: ReviewState): number | null {
  switch (state.state) {
    case 'judging':
      return state.next_ms
    case 'escalated':
      return Math.min(
        state.standing.decision.valid_until,
        state.remind_ms ?? Infinity,
        state.near_expiry_ms ?? Infinity,
      )
    case 'accepted':
    case 'queued':
      return state.standing.decision.valid_until
    case 'rejected':
    case 'bound':
    case 'completed':
    case 'terminated':
    case 'withdrawn':
    case 'expired':
      return null
    default:
      return unreachable(state)
  }
}
