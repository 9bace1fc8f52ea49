// Where an escalated plan goes: the queue, the questions, the number of people and the time that
// its class of concern asks for. An expiry always rejects; nothing is accepted by waiting.
import type { Policy } from '../../protocol/policy.ts'
import type { Concern, Verdict } from '../../protocol/verdict.ts'
import type { ReviewClass } from './classify.ts'
import { criteria, type Criterion } from './criteria.ts'

export type ReviewRoute = {
  readonly classification: ReviewClass
  readonly queue: 'lab-safety' | 'research-integrity' | 'security'
  readonly criteria: readonly Criterion[]
  readonly approvals_required: number
  readonly expires_ms: number
  readonly remind_every_ms: number
}

const queues: Record<ReviewClass, ReviewRoute['queue']> = {
  safety: 'lab-safety',
  alignment: 'research-integrity',
  adversarial: 'security',
}

/** A class for every escalation: a doubt without a class is looked at by those who know the lab. */
export function reviewClass(classification: Concern): ReviewClass {
  return classification === 'none' ? 'safety' : classification
}

type RoutePolicy = Pick<
  Policy,
  'review_expiry_ms' | 'approvals_required' | 'reminder_ms' | 'decision_valid_ms'
>

/** The route of a review that is opened at `nowMs` (milliseconds since the epoch). */
export function routeReview(
  classification: Concern,
  policy: RoutePolicy,
  nowMs: number,
): ReviewRoute {
  const kind = reviewClass(classification)
  return {
    classification: kind,
    queue: queues[kind],
    criteria: criteria[kind],
    approvals_required: policy.approvals_required,
    expires_ms: nowMs + policy.review_expiry_ms[kind],
    remind_every_ms: policy.reminder_ms,
  }
}

/** When a packet that is decided at `nowMs` expires: for a review by its class, else as a decision. */
export function packetExpiry(
  decided: { readonly verdict: Verdict; readonly classification: Concern },
  policy: RoutePolicy,
  nowMs: number,
): number {
  if (decided.verdict !== 'escalate') return nowMs + policy.decision_valid_ms
  return routeReview(decided.classification, policy, nowMs).expires_ms
}
