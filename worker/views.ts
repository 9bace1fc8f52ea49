// What each audience sees of a plan. Planners get codes, pointers and remedies: no spans, scores or
// judge text, so that the gateway is neither an oracle nor a second injection. Reviewers get all.
import type { z } from 'zod'
import type { PlanIndexRow } from '../protocol/status.ts'
import type { PlanStatus } from '../durable-objects/contracts.ts'
import { allForPlanner, forReviewer, reasonsForPlanner, type Told } from '../protocol/audience.ts'
import type { Evidence } from '../protocol/evidence.ts'
import { finding } from '../protocol/finding.ts'
import type { FindingCode } from '../protocol/finding-codes.ts'
import type { Packet } from '../protocol/records.ts'
import type { Cursor } from './paging.ts'
import type { Progress } from './plan-schemas.ts'
import { planRowSchema, reviewRowSchema, schemas } from './schemas.ts'

export type PlanView = z.input<typeof schemas.Plan>

/** What rules found, in the order in which a planner reads it. */
export function evidencePlaces({ breaches, unknowns, doubts }: Evidence): Told[] {
  return [...breaches, ...unknowns, ...doubts.map(({ code, subject }) => ({ code, at: subject }))]
}

/** Every code and place in a packet: floor, knowledge graph, rules and judges, in that order. */
function placesOf(packet: Packet | null): Told[] {
  if (packet === null) return []
  return [
    ...packet.floor.findings,
    ...(packet.grounding?.findings ?? []),
    ...evidencePlaces(packet.evidence),
    // A judge's words are no facts of the site.
    ...packet.opinions.flatMap((opinion) => opinion.findings.map(({ code, at }) => ({ code, at }))),
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

/** The members of a value that a closed schema names. */
function picked<Shape extends z.ZodRawShape, Value extends Record<keyof Shape, unknown>>(
  schema: z.ZodObject<Shape>,
  value: Value,
): Pick<Value, keyof Shape> {
  const names = Object.keys(schema.shape) as (keyof Shape)[]
  return Object.fromEntries(names.map((name) => [name, value[name]])) as Pick<Value, keyof Shape>
}

/** Why people rejected the plan, in their words. What they wrote to accept it stays in the record. */
function saidOf({ decision }: PlanStatus): PlanView['said'] {
  return (decision?.approvals ?? [])
    .filter((one) => one.verdict === 'reject')
    .map(({ rationale, at_ms }) => ({ reason: rationale, at_ms }))
}

/** A plan as its planner sees it. */
export function planView(status: PlanStatus, packet: Packet | null, progress: Progress): PlanView {
  return picked(schemas.Plan, {
    ...status,
    ...progress,
    said: saidOf(status),
    remedies: reasonsForPlanner(status.reasons),
    findings: allForPlanner([...placesOf(packet), ...memoryPlaces(packet)]),
  })
}

/** A plan as a reviewer sees it: also whose it is, and the digest that a review must name. */
export function reviewedView(status: PlanStatus, packet: Packet | null, progress: Progress) {
  const { owner, packet_digest, decision } = status
  return { ...planView(status, packet, progress), owner, packet_digest, decision }
}

/** One line of a list of plans. */
export const planRowView = (row: PlanIndexRow) => picked(planRowSchema, row)

/** One line of the list of open reviews. */
export const reviewRowView = (row: PlanIndexRow) =>
  picked(reviewRowSchema, { ...row, expires_ms: row.review_expires_ms })

/** Where a page of plans ends. */
export function planCursor(row: PlanIndexRow): Cursor {
  return { at_ms: row.received_ms, id: row.plan }
}
