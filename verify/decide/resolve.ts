// What a person's resolution does to an escalation: it may lower `escalate` to `accept` for exactly
// the packet that was shown, once, by someone without a stake in it; never a block (invariants 3, 7).
import type { Policy } from '../../protocol/policy.ts'
import type { Approval, DecisionReason, Packet } from '../../protocol/records.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Verdict } from '../../protocol/verdict.ts'
import { rederive, type DecidePolicy } from './decide.ts'

export type ResolveRefusal =
  | 'not_escalated'
  | 'stale_packet'
  | 'already_resolved'
  | 'conflict_of_interest'
  | 'same_approver'
  | 'expired'

export type ResolvePolicy = DecidePolicy & Pick<Policy, 'approvals_required' | 'decision_valid_ms'>

export type ResolveInput = {
  readonly packet: Packet
  /** Digest of `packet`, computed by the caller. */
  readonly packet_digest: string
  readonly policy: ResolvePolicy
  /** The person who answers for the planner. */
  readonly owner: string
  /** Approvals recorded so far, all for this packet. */
  readonly approvals: readonly Approval[]
  readonly review: {
    /** The person who answers for the reviewing credential. */
    readonly approver: string
    readonly verdict: 'accept' | 'reject'
    readonly rationale: string
    /** The packet that the person was shown. */
    readonly packet_digest: string
  }
  readonly now_ms: number
}

export type Resolved = {
  readonly verdict: Verdict
  readonly reasons: DecisionReason[]
  readonly approvals: Approval[]
  /** null while another person has to agree. */
  readonly valid_until: number | null
}

/** People are compared without regard to case, width or outer space: one person is one person. */
const person = (id: string): string => id.normalize('NFKC').trim().toLowerCase()

/** Whether two names are one person. */
export const samePerson = (one: string, other: string): boolean => person(one) === person(other)

const rejected = (approvals: readonly Approval[]): boolean =>
  approvals.some((a) => a.verdict === 'reject')

function settled(approvals: readonly Approval[], required: number): boolean {
  return rejected(approvals) || approvals.length >= required
}

/**
 * Applies one review. Every refusal leaves the record as it was. A rejection by one person is
 * final; an acceptance needs as many different people as the policy asks for, none of them the
 * planner's owner. The expiry is checked before anything that could accept.
 */
export function resolve(input: ResolveInput): Result<Resolved, ResolveRefusal> {
  const { packet, policy, approvals, review, now_ms } = input
  if (rederive(packet, policy).verdict !== 'escalate') return err('not_escalated')
  if (review.packet_digest !== input.packet_digest) return err('stale_packet')
  if (settled(approvals, policy.approvals_required)) return err('already_resolved')
  if (now_ms >= packet.expires) return err('expired')
  const approver = person(review.approver)
  if (approver === person(input.owner)) return err('conflict_of_interest')
  const others = approvals.filter((a) => person(a.approver) !== approver)
  // Nobody accepts twice; whoever has accepted may still take it back by rejecting.
  if (others.length < approvals.length && review.verdict === 'accept') return err('same_approver')
  const all: Approval[] = [
    ...others,
    {
      approver: review.approver,
      packet_digest: input.packet_digest,
      verdict: review.verdict,
      rationale: review.rationale,
      at_ms: now_ms,
    },
  ]
  return ok(outcomeOf({ packet, policy, approvals: all, now_ms }))
}

function outcomeOf(
  input: Pick<ResolveInput, 'packet' | 'policy' | 'approvals' | 'now_ms'>,
): Resolved {
  const { packet, policy, now_ms } = input
  const approvals = [...input.approvals]
  const machine = rederive(packet, policy)
  const valid_until = now_ms + policy.decision_valid_ms
  if (rejected(approvals)) {
    return { verdict: 'reject', reasons: ['person_reject'], approvals, valid_until }
  }
  if (approvals.length < policy.approvals_required) {
    return { verdict: 'escalate', reasons: machine.reasons, approvals, valid_until: null }
  }
  return { verdict: 'accept', reasons: ['person_accept'], approvals, valid_until }
}

/** What becomes of an escalation that nobody resolved in time: it is rejected. */
export function expire(
  packet: Packet,
  nowMs: number,
): Pick<Resolved, 'verdict' | 'reasons'> | null {
  if (nowMs < packet.expires) return null
  return { verdict: 'reject', reasons: ['review_expired'] }
}

/**
 * The verdict that a stored decision must have, from its packet, its approvals and the policy: what
 * an auditor recomputes (invariant 8). `packetDigest` is the digest of the packet as stored. An
 * approval for another packet, after the expiry, by the owner or by one person twice counts nothing.
 */
export function rederiveResolved(input: {
  readonly packet: Packet
  readonly packetDigest: string
  readonly approvals: readonly Approval[]
  readonly owner: string
  readonly policy: ResolvePolicy
}): Verdict {
  const { packet, packetDigest, policy } = input
  const machine = rederive(packet, policy).verdict
  if (machine !== 'escalate') return machine
  const people = new Set<string>()
  for (const a of input.approvals) {
    const who = person(a.approver)
    if (a.packet_digest !== packetDigest || a.at_ms >= packet.expires) continue
    if (who === person(input.owner)) continue
    if (a.verdict === 'reject') return 'reject'
    people.add(who)
  }
  return people.size >= policy.approvals_required ? 'accept' : 'escalate'
}
