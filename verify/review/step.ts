// The life of a plan as a pure step function: (facts, state, event, now_ms) → (state, effects). Everything
// that decides what may become of a plan is here and can be played against a model; the object is a shell.
// Total: every event has an answer in every state, and the final ones never change.
import { unreachable } from '../../protocol/result.ts'
import type { Decision } from '../../protocol/records.ts'
import { queueing, settledState, suspending, to, trail } from './moves.ts'
import { assign, review, sampleUnseen, withdraw } from './people.ts'
import { bind, ended, refuse } from './run.ts'
import type {
  In,
  ReviewEffect,
  ReviewEvent,
  ReviewFacts,
  ReviewSpec,
  ReviewState,
  ReviewStep,
  Standing,
} from './state.ts'

type Of<Type extends ReviewEvent['type']> = Extract<ReviewEvent, { type: Type }>

/** Passes that may die or fail before the plan goes to a person with what there is. */
export const passesMax = 6
const retryFirstMs = 500
const retryLastMs = 60_000

/** How long after the start of a pass the next one begins, if that one came to nothing. */
const retryAfter = (passes: number): number =>
  Math.min(retryLastMs, retryFirstMs * 2 ** Math.min(passes, 7))

/** A plan as it is taken in: waiting for its first pass. */
export function begin(spec: ReviewSpec, now_ms: number): ReviewStep {
  const { plan_id, plan_digest, submitter, floor, received_ms } = spec
  const { supersedes } = spec.plan
  const received = trail('gateway', 'plan_received', {
    plan: plan_id,
    plan_digest,
    ...submitter,
    floor: floor.level,
    snapshot_digest: floor.snapshot_digest,
    received_ms,
  })
  const ancestor: ReviewEffect[] =
    supersedes === undefined
      ? []
      : [{ do: 'withdraw_ancestor', plan: supersedes, by: submitter.planner }]
  const state = { state: 'judging', passes: 0, next_ms: now_ms } as const
  return to(state, received, ...ancestor, { do: 'announce' })
}

/** One event. */
export function step(
  facts: ReviewFacts,
  state: ReviewState,
  event: ReviewEvent,
  now_ms: number,
): ReviewStep {
  switch (event.type) {
    case 'tick':
      return timePasses(facts, state, event.idle, now_ms)
    case 'judged':
      return state.state === 'judging' ? conclude(facts, event, now_ms) : to(state)
    case 'review': {
      // The alarm may be late: what has expired is expired before anything is resolved.
      const late = timePasses(facts, state, false, now_ms)
      const after = review(facts, late.state, event, now_ms)
      return { ...after, effects: [...late.effects, ...after.effects] }
    }
    case 'assign': {
      const late = timePasses(facts, state, false, now_ms)
      const after = assign(facts, late.state, event.assign, now_ms)
      return { ...after, effects: [...late.effects, ...after.effects] }
    }
    case 'withdraw':
      return withdraw(facts, state, event.by)
    case 'bind':
      return bind(facts, state, event, now_ms)
    case 'opened':
      if (state.state !== 'bound' || state.run.session !== event.session || event.answer.ok) {
        return to(state)
      }
      return refuse(state, event.answer.error.code, { run: state.run })
    case 'not_queued':
      return state.state === 'queued' ? refuse(state, event.code, { run: null }) : to(state)
    case 'ended':
      return ended(facts, state, event, now_ms)
    case 'given_up': {
      const { kind, attempts } = event
      return to(state, trail('gateway', 'message_given_up', { kind, attempts }))
    }
    default:
      return unreachable(event)
  }
}

/** What time alone does: a pass is due, a review goes unanswered, an acceptance unused. */
function timePasses(
  facts: ReviewFacts,
  state: ReviewState,
  idle: boolean,
  now_ms: number,
): ReviewStep {
  switch (state.state) {
    case 'judging': {
      if (!idle || now_ms < state.next_ms) return to(state)
      const passes = state.passes + 1
      // Counted before it begins: a pass that takes the whole object with it has been counted.
      const next: In<'judging'> = { state: 'judging', passes, next_ms: now_ms + retryAfter(passes) }
      // A block needs no judge, and no judge could change it.
      const nobody = passes > passesMax || facts.spec.floor.level === 'block'
      return to(next, { do: 'judge', ask: nobody ? 'nobody' : 'judges' })
    }
    case 'escalated': {
      if (now_ms >= state.standing.decision.valid_until) return unanswered(facts, state, now_ms)
      if (state.near_expiry_ms !== undefined && now_ms >= state.near_expiry_ms) {
        const { near_expiry_ms: _, ...told } = state
        return to(told, trail('gateway', 'near_expiry_told'), { do: 'mail', event: 'near_expiry' })
      }
      if (state.remind_ms === null || now_ms < state.remind_ms) return to(state)
      const remind_ms = now_ms + facts.spec.snapshot.policy.reminder_ms
      return to({ ...state, remind_ms }, { do: 'notify', event: 'review_waiting' })
    }
    case 'accepted':
    case 'queued': {
      if (now_ms < state.standing.decision.valid_until) return to(state)
      const { standing } = state
      const expired: ReviewState = { state: 'expired', standing, refusal: null, run: null }
      const effects: ReviewEffect[] = [trail('gateway', 'decision_expired'), { do: 'announce' }]
      if (state.state === 'queued') {
        effects.unshift({ do: 'dequeue' })
        // It was to run and never will: somebody may be waiting beside the cell.
        effects.push({ do: 'notify', event: 'plan_expired' })
      }
      return to(expired, ...effects)
    }
    case 'rejected':
    case 'bound':
    case 'completed':
    case 'terminated':
    case 'withdrawn':
    case 'expired':
      return to(state)
    default:
      return unreachable(state)
  }
}

/** Nobody answered in the time of its class: rejected, never accepted by waiting. */
function unanswered(facts: ReviewFacts, state: In<'escalated'>, now_ms: number): ReviewStep {
  const { packet_digest } = state.standing.decision
  const decision: Decision = {
    packet_digest,
    verdict: 'reject',
    reasons: ['review_expired'],
    approvals: state.approvals,
    valid_until: now_ms,
  }
  const standing: Standing = { ...state.standing, decision, decided_ms: now_ms }
  const expired: ReviewState = { state: 'expired', standing, refusal: null, run: null }
  return to(
    expired,
    { do: 'decided' },
    { do: 'announce' },
    { do: 'notify', event: 'review_closed' },
    ...sampleUnseen(facts),
  )
}

/** The packet is closed and the machine has decided. */
function conclude(facts: ReviewFacts, event: Of<'judged'>, now_ms: number): ReviewStep {
  const { decided } = event
  const { decision, concern } = decided
  const { packet_digest, verdict } = decision
  const standing: Standing = { decision, concern, decided_ms: now_ms }
  const closed = trail('gateway', 'packet_closed', { packet_digest, verdict })
  const told: ReviewEffect[] = [
    { do: 'packet', decided },
    closed,
    { do: 'decided' },
    { do: 'announce' },
    { do: 'remember' },
    ...(decided.packet.memory.some(({ effect }) => effect === 'escalates')
      ? suspending(facts.spec, 'memory_match')
      : []),
  ]
  if (verdict === 'escalate') {
    const { review_webhook, reminder_ms, review_mail } = facts.spec.snapshot.policy
    const remind_ms = review_webhook === null ? null : now_ms + reminder_ms
    const open: In<'escalated'> = { state: 'escalated', standing, approvals: [], remind_ms }
    const waiting: ReviewEffect = { do: 'notify', event: 'review_waiting' }
    if (review_mail === undefined) return to(open, ...told, waiting)
    const near_expiry_ms = Math.max(now_ms, decision.valid_until - review_mail.near_expiry_ms)
    return to({ ...open, near_expiry_ms }, ...told, waiting, { do: 'mail', event: 'waiting' })
  }
  const settled = settledState(facts.spec, standing)
  return to(settled, ...told, ...queueing(settled))
}
