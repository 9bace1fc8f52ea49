// What the model seats say together. Rules have no vote here and models have none over facts. Every
// share is of the seats that were expected, so that silence never makes a majority, and a seat that
// speaks twice is one seat.
import type { Opinion } from '../../protocol/opinion.ts'
import type { Policy } from '../../protocol/policy.ts'
import { atLeastSevere } from './severity.ts'

export type VotePolicy = Policy['votes']

/**
 * A rejection with substance: an answered seat rejects, and a finding of the policy's severity names an
 * existing place and cites only what the seat was given. Without one, a rejection asks for a person.
 */
export function rejectsWithSubstance(opinion: Opinion, votes: VotePolicy): boolean {
  return (
    opinion.outcome === 'answered' &&
    opinion.verdict === 'reject' &&
    opinion.findings.some((f) => f.substantiated && atLeastSevere(f, votes.reject_severity))
  )
}

/** The seats that reject with substance, by name. */
export function rejectingSeats(opinions: readonly Opinion[], votes: VotePolicy): Set<string> {
  return new Set(opinions.filter((o) => rejectsWithSubstance(o, votes)).map((o) => o.judge))
}

/** True when more than the policy's share of the expected seats rejects with substance. */
export function majorityRejects(
  opinions: readonly Opinion[],
  expected: readonly string[],
  votes: VotePolicy,
): boolean {
  const names = new Set(expected)
  const rejecting = [...rejectingSeats(opinions, votes)].filter((name) => names.has(name))
  return names.size > 0 && rejecting.length > votes.majority * names.size
}

/** True when a seat that the policy gives a veto rejects with substance. */
export function vetoRejects(opinions: readonly Opinion[], votes: VotePolicy): boolean {
  const rejecting = rejectingSeats(opinions, votes)
  return votes.veto.some((name) => rejecting.has(name))
}

/** True when no further opinion can lift a rejection: the others need not be asked. */
export function rejectionFixed(
  opinions: readonly Opinion[],
  expected: readonly string[],
  votes: VotePolicy,
): boolean {
  return majorityRejects(opinions, expected, votes) || vetoRejects(opinions, votes)
}

/** What the seats raise short of a rejection; empty when every expected seat accepts without reserve. */
export type Objection =
  | 'judge_reject_alone'
  | 'judge_severe_finding'
  | 'judge_escalate'
  | 'judge_missing'

/**
 * Every objection. A rejection that has no majority, or no substance, still asks for a person; so does
 * a severe finding beside an acceptance, and an expected seat that did not answer.
 */
export function objections(
  opinions: readonly Opinion[],
  expected: readonly string[],
): Set<Objection> {
  const out = new Set<Objection>()
  const answered = new Set<string>()
  for (const o of opinions) {
    if (o.verdict !== 'reject' && o.findings.some((f) => atLeastSevere(f, 'high'))) {
      out.add('judge_severe_finding')
    }
    if (o.outcome !== 'answered') {
      out.add('judge_missing')
      continue
    }
    answered.add(o.judge)
    if (o.verdict === 'reject') out.add('judge_reject_alone')
    if (o.verdict === 'escalate') out.add('judge_escalate')
  }
  if (expected.some((name) => !answered.has(name))) out.add('judge_missing')
  return out
}
