// What people do to a plan: resolve the packet that was displayed, or withdraw the plan (invariant 7).
import { unreachable } from '../../protocol/result.ts'
import type { Decision } from '../../protocol/records.ts'
import { resolve, samePerson } from '../decide/resolve.ts'
import { no, queueing, settledState, suspending, to, trail } from './moves.ts'
import type {
  Assigning,
  ReviewEffect,
  ReviewEvent,
  ReviewFacts,
  ReviewState,
  ReviewStep,
  StepRefusal,
} from './state.ts'

/** A person's word on the packet that was displayed; every refusal leaves the plan as it is. */
export function review(
  facts: ReviewFacts,
  state: ReviewState,
  event: Extract<ReviewEvent, { type: 'review' }>,
  now_ms: number,
): ReviewStep {
  const { packet, spec } = facts
  const standing = state.state === 'judging' ? null : state.standing
  if (packet === null || standing === null) return no(state, 'not_escalated')
  const { packet_digest } = standing.decision
  if (state.state !== 'escalated') {
    const stale = event.review.packet_digest !== packet_digest
    return no(state, stale ? 'stale_packet' : lateReason(standing.decision))
  }
  const resolved = resolve({
    packet,
    packet_digest,
    policy: spec.snapshot.policy,
    owner: spec.submitter.owner,
    approvals: state.approvals,
    review: event.review,
    now_ms,
  })
  if (!resolved.ok) return no(state, resolved.error)
  // A person is not asked to answer for what can no longer be bound; a rejection always counts.
  if (event.outdated && event.review.verdict === 'accept') return no(state, 'outdated')
  const { touch } = event.review
  // An open page is not yet the person: where the site says so, an acceptance is signed by their own key.
  if (
    spec.snapshot.policy.touch_to_accept === true &&
    event.review.verdict === 'accept' &&
    touch === undefined
  ) {
    return no(state, 'touch_needed')
  }
  const { verdict, reasons, approvals, valid_until } = resolved.value
  const signed = touch === undefined ? {} : { touch }
  const said = { verdict: event.review.verdict, packet_digest, ...signed }
  const reviewed = trail(event.review.approver, 'reviewed', said)
  // Another person has to agree; lists tell that one has.
  if (valid_until === null) return to({ ...state, approvals }, reviewed, { do: 'announce' })
  const decision: Decision = { packet_digest, verdict, reasons, approvals, valid_until }
  const settled = settledState(spec, { ...standing, decision, decided_ms: now_ms })
  return to(
    settled,
    reviewed,
    { do: 'decided' },
    { do: 'announce' },
    { do: 'remember' },
    { do: 'skill' },
    { do: 'notify', event: 'review_closed' },
    // A person who looks at a run and refuses it speaks of those behind it too.
    ...(verdict === 'reject' && packet.standing?.nth !== undefined && packet.standing.nth !== null
      ? suspending(spec, 'run_rejected')
      : []),
    ...queueing(settled),
  )
}

/**
 * A run that was to be looked at, as a sample, and was not: taken back, or left until its time was over. Else
 * whoever asks for runs could choose which of them anybody sees.
 */
export const sampleUnseen = ({ packet, spec }: ReviewFacts): ReviewEffect[] =>
  packet?.standing?.look === true ? suspending(spec, 'sample_unseen') : []

/** Why a review of a plan that no longer waits is refused. */
function lateReason(decision: Decision): StepRefusal['code'] {
  if (decision.reasons.includes('review_expired')) return 'expired'
  return decision.approvals.length > 0 ? 'already_resolved' : 'not_escalated'
}

/** Takes a plan back that no session runs yet. */
export function withdraw(facts: ReviewFacts, state: ReviewState, by: string): ReviewStep {
  const said: ReviewEffect[] = [trail(by, 'withdrawn'), { do: 'announce' }]
  switch (state.state) {
    case 'judging':
      return to({ state: 'withdrawn', standing: null }, ...said, { do: 'stop_judging' })
    case 'escalated': {
      const { standing } = state
      return to(
        { state: 'withdrawn', standing },
        ...said,
        { do: 'notify', event: 'review_closed' },
        ...sampleUnseen(facts),
      )
    }
    case 'accepted':
      return to({ state: 'withdrawn', standing: state.standing }, ...said)
    case 'queued':
      return to({ state: 'withdrawn', standing: state.standing }, { do: 'dequeue' }, ...said)
    case 'withdrawn':
      return to(state)
    case 'rejected':
    case 'bound':
    case 'completed':
    case 'terminated':
    case 'expired':
      return no(state, 'too_late')
    default:
      return unreachable(state)
  }
}

/**
 * Takes, gives or lets go a plan that waits. Whoever does it names who had it when they looked: of two who take it
 * at the same time one is told. It decides nothing: everybody who may decide still may.
 */
export function assign(
  { spec }: ReviewFacts,
  state: ReviewState,
  { by, to: person, seen }: Assigning,
  now_ms: number,
): ReviewStep {
  if (state.state !== 'escalated') return no(state, 'not_escalated')
  const { assignee, ...rest } = state
  if ((assignee?.person ?? null) !== seen) return no(state, 'stale_assignee')
  if (person !== null && samePerson(person, spec.submitter.owner)) {
    return no(state, 'conflict_of_interest')
  }
  const said: ReviewEffect[] = [
    trail(by, 'assigned', { to: person, before: seen }),
    { do: 'announce' },
  ]
  if (person === null) return to(rest, ...said)
  const told: ReviewEffect[] =
    samePerson(person, by) || spec.snapshot.policy.review_mail === undefined
      ? []
      : [{ do: 'mail', event: 'assigned' }]
  return to({ ...rest, assignee: { person, by, at_ms: now_ms } }, ...said, ...told)
}
