// What each audience sees of a plan. Planners get codes, pointers and remedies: no spans, scores or
// judge text, so that the gateway is neither an oracle nor a second injection. Reviewers get all.
import type { z } from 'zod'
import type { PlanIndexRow } from '../adapters/plan-index.ts'
import type { PlanStatus } from '../durable-objects/contracts.ts'
import { allForPlanner, forReviewer, reasonsForPlanner } from '../protocol/audience.ts'
import { finding } from '../protocol/finding.ts'
import type { FindingCode } from '../protocol/finding-codes.ts'
import type { Packet } from '../protocol/records.ts'
import type { Cursor } from './paging.ts'
import type { schemas } from './schemas.ts'

export type PlanView = z.input<typeof schemas.Plan>

/** Every code and place in a packet: floor, knowledge graph, rules and judges, in that order. */
function placesOf(packet: Packet | null): { code: FindingCode; at: string }[] {
  if (packet === null) return []
  return [
    ...packet.floor.findings,
    ...(packet.grounding?.findings ?? []),
    ...packet.evidence.breaches,
    ...packet.evidence.unknowns,
    ...packet.evidence.doubts.map(({ code, subject }) => ({ code, at: subject })),
    ...packet.opinions.flatMap((opinion) => opinion.findings),
  ]
}

/** That something like the plan was refused before concerns all of it; which plan, only reviewers see. */
function memoryPlaces(packet: Packet | null): { code: FindingCode; at: string }[] {
  const matched = packet?.memory.some((match) => match.effect === 'escalates') ?? false
  return matched ? [{ code: 'MEMORY_MATCH', at: '' }] : []
}

/** Title, remedy and risks of every code that occurs, so that a page need not know the table. */
export function codesOf(packet: Packet | null): z.input<typeof schemas.Review>['codes'] {
  const codes = new Set(placesOf(packet).map((place) => place.code))
  return Object.fromEntries(
    [...codes].map((code) => {
      const { title, remedy, risks } = forReviewer(finding(code, 'advisory', ''))
      return [code, { title, remedy, risks: [...risks] }]
    }),
  )
}

/** A plan as its planner sees it. */
export function planView(status: PlanStatus, packet: Packet | null): PlanView {
  return {
    plan: status.plan,
    planner: status.planner,
    state: status.state,
    verdict: status.verdict,
    reasons: status.reasons,
    remedies: reasonsForPlanner(status.reasons),
    findings: allForPlanner([...placesOf(packet), ...memoryPlaces(packet)]),
    decision_digest: status.decision_digest,
    valid_until_ms: status.valid_until_ms,
    supersedes: status.supersedes,
    session: status.session,
    session_reason: status.session_reason,
    bind_refusal: status.bind_refusal,
    received_ms: status.received_ms,
    decided_ms: status.decided_ms,
  }
}

/** One line of a list of plans. */
export function planRowView(row: PlanIndexRow) {
  return {
    plan: row.plan,
    planner: row.planner,
    state: row.state,
    verdict: row.verdict,
    reasons: row.reasons,
    supersedes: row.supersedes,
    session: row.session,
    session_reason: row.session_reason,
    received_ms: row.received_ms,
    decided_ms: row.decided_ms,
  }
}

/** One line of the list of open reviews. */
export function reviewRowView(row: PlanIndexRow) {
  return {
    plan: row.plan,
    planner: row.planner,
    owner: row.owner,
    concern: row.concern,
    reasons: row.reasons,
    packet_digest: row.packet_digest,
    received_ms: row.received_ms,
    expires_ms: row.review_expires_ms,
  }
}

/** Where a page of plans ends. */
export function planCursor(row: PlanIndexRow): Cursor {
  return { at_ms: row.received_ms, id: row.plan }
}
