// The life of a plan as a pure step function: (facts, state, event, now_ms) → (state, effects). Everything
// that decides what may become of a plan is here and can be played against a model; the object is a shell.
// Total: every event has an answer in every state, and the final ones never change.
import { unreachable } from '../../protocol/result.ts'
import type { BindRefusal } from '../../protocol/reasons.ts'
import type { Decision } from '../../protocol/records.ts'
import { resolve } from '../decide/resolve.ts'
import { compareAndBind } from './bind.ts'
import type {
  In,
  ReviewEffect,
  ReviewEvent,
  ReviewFacts,
  ReviewSpec,
  ReviewState,
  ReviewStep,
  Standing,
  StepRefusal,
} from './state.ts'

type Of<Type extends ReviewEvent['type']> = Extract<ReviewEvent, { type: Type }>

/** Passes that may die or fail before the plan goes to a person with what there is. */
export const passesMax = 6
const retryFirstMs = 500
const retryLastMs = 60_000

/** How long after the start of a pass the next one begins, if that one came to nothing. */
const retryAfter = (passes: number): number =>
  Math.min(retryLastMs, retryFirstMs * 2 ** Math.min(passes, 7))

const to = (state: ReviewState, ...effects: ReviewEffect[]): ReviewStep => ({
  state,
  effects,
  refused: null,
})
const no = (state: ReviewState, code: StepRefusal['code']): ReviewStep => ({
  state,
  effects: [],
  refused: { code },
})
const trail = (
  actor: string,
  event: string,
  facts: Extract<ReviewEffect, { do: 'trail' }>['facts'] = {},
): ReviewEffect => ({ do: 'trail', actor, event, facts })

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
    case 'withdraw':
      return withdraw(state, event.by)
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
      return ended(state, event)
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
      if (now_ms >= state.standing.decision.valid_until) return unanswered(state, now_ms)
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
      if (state.state === 'queued') effects.unshift({ do: 'dequeue' })
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
function unanswered(state: In<'escalated'>, now_ms: number): ReviewStep {
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
  ]
  if (verdict === 'escalate') {
    const { review_webhook, reminder_ms } = facts.spec.snapshot.policy
    const remind_ms = review_webhook === null ? null : now_ms + reminder_ms
    const open: ReviewState = { state: 'escalated', standing, approvals: [], remind_ms }
    return to(open, ...told, { do: 'notify', event: 'review_waiting' })
  }
  const settled = settledState(facts.spec, standing)
  return to(settled, ...told, ...queueing(settled))
}

/** Where a plan goes whose decision no person is asked about any more. */
function settledState(spec: ReviewSpec, standing: Standing): ReviewState {
  if (standing.decision.verdict !== 'accept') return { state: 'rejected', standing }
  const runs = spec.snapshot.policy.mode === 'enforce' && spec.plan.nodes.length > 0
  return { state: runs ? 'queued' : 'accepted', standing }
}

const queueing = (state: ReviewState): ReviewEffect[] =>
  state.state === 'queued'
    ? [{ do: 'enqueue', valid_until_ms: state.standing.decision.valid_until }]
    : []

/** A person's word on the packet that was displayed; every refusal leaves the plan as it is. */
function review(
  facts: ReviewFacts,
  state: ReviewState,
  event: Of<'review'>,
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
  const { verdict, reasons, approvals, valid_until } = resolved.value
  const said = { verdict: event.review.verdict, packet_digest }
  const reviewed = trail(event.review.approver, 'reviewed', said)
  // Another person has to agree.
  if (valid_until === null) return to({ ...state, approvals }, reviewed)
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
    ...queueing(settled),
  )
}

/** Why a review of a plan that no longer waits is refused. */
function lateReason(decision: Decision): StepRefusal['code'] {
  if (decision.reasons.includes('review_expired')) return 'expired'
  return decision.approvals.length > 0 ? 'already_resolved' : 'not_escalated'
}

function withdraw(state: ReviewState, by: string): ReviewStep {
  const said: ReviewEffect[] = [trail(by, 'withdrawn'), { do: 'announce' }]
  switch (state.state) {
    case 'judging':
      return to({ state: 'withdrawn', standing: null }, ...said, { do: 'stop_judging' })
    case 'escalated': {
      const { standing } = state
      return to({ state: 'withdrawn', standing }, ...said, { do: 'notify', event: 'review_closed' })
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
 * One plan, one session, ever (invariant 2). The first session that asks gets the plan, if the decision
 * still covers it; the same one may ask again and finds what was bound; any other is refused.
 */
function bind(
  facts: ReviewFacts,
  state: ReviewState,
  event: Of<'bind'>,
  now_ms: number,
): ReviewStep {
  const { ask, floor, decision_digest } = event
  switch (state.state) {
    case 'bound':
    case 'completed':
    case 'terminated':
      if (state.run.session !== ask.session) return no(state, 'already_bound')
      return to(state, { do: 'open' })
    case 'expired':
      if (state.run !== null && state.run.session !== ask.session) return no(state, 'already_bound')
      return no(state, state.refusal ?? 'not_accepted')
    case 'withdrawn':
      return no(state, 'withdrawn')
    case 'judging':
    case 'escalated':
    case 'rejected':
    case 'accepted':
      return no(state, 'not_accepted')
    case 'queued':
      break
    default:
      return unreachable(state)
  }
  const { spec, packet } = facts
  // What nobody has looked at is not bound.
  if (packet === null || floor === null) return refuse(state, 'floor_raised', { run: null })
  const { decision } = state.standing
  const bound = { spec, packet, decision, decision_digest, floor }
  const context = compareAndBind(bound, ask, now_ms)
  if (!context.ok) return refuse(state, context.error.code, { run: null })
  const { session, cell, agent } = ask
  const run = { session, bound_ms: now_ms }
  return to(
    { state: 'bound', standing: state.standing, run },
    { do: 'context', context: context.value },
    trail('gateway', 'bound', { session, cell, agent }),
    { do: 'announce' },
    { do: 'open' },
  )
}

/** An accepted plan that the site will not run: final, with the reason. */
function refuse(
  state: In<'queued'> | In<'bound'>,
  code: BindRefusal,
  { run }: Pick<In<'expired'>, 'run'>,
): ReviewStep {
  const refused: ReviewState = { state: 'expired', standing: state.standing, refusal: code, run }
  const said = trail('gateway', 'bind_refused', { reason: code })
  return {
    state: refused,
    effects: [{ do: 'dequeue' }, said, { do: 'announce' }],
    refused: { code },
  }
}

function ended(state: ReviewState, event: Of<'ended'>): ReviewStep {
  if (state.state !== 'bound' || state.run.session !== event.session) return to(state)
  const { standing, run } = state
  const { status, reason, node, ended_ms } = event
  const said = trail('gateway', 'session_ended', { status, reason })
  if (status === 'completed') {
    return to({ state: 'completed', standing, run, ended_ms }, said, { do: 'announce' })
  }
  return to(
    { state: 'terminated', standing, run, ended_ms, reason, node },
    said,
    { do: 'remember' },
    { do: 'announce' },
    { do: 'notify', event: 'run_terminated' },
  )
}
