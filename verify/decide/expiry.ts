// When a packet expires. An expiry always rejects; nothing is accepted by waiting.
import type { Policy } from '../../protocol/policy.ts'
import type { Concern, Verdict } from '../../protocol/verdict.ts'
import type { ReviewClass } from './classify.ts'

/** A class for every escalation: a doubt without a class is looked at by those who know the lab. */
export function reviewClass(classification: Concern): ReviewClass {
  return classification === 'none' ? 'safety' : classification
}

/** When a packet that is decided at `now_ms` expires: for a review by its class, else as a decision. */
export function packetExpiry(
  decided: { readonly verdict: Verdict; readonly classification: Concern },
  policy: Pick<Policy, 'review_expiry_ms' | 'decision_valid_ms'>,
  now_ms: number,
): number {
  if (decided.verdict !== 'escalate') return now_ms + policy.decision_valid_ms
  return now_ms + policy.review_expiry_ms[reviewClass(decided.classification)]
}
