// Reviews: the plans that wait for a person, the exact packet, and the resolution. A resolution names
// the digest of the packet that was displayed, once, by someone who does not own the planner
// (invariant 7).
import { listReviews } from '../../adapters/plan-index.ts'
import type { ReviewRecord } from '../../durable-objects/contracts.ts'
import { samePerson } from '../../verify/decide/resolve.ts'
import type { ReviewRefusal, Touch } from '../../verify/review/state.ts'
import { limits } from '../../protocol/limits.ts'
import { auditPage, auditQuery } from '../audit-pages.ts'
import { planReview, siteHub } from '../objects.ts'
import { page, pageQuery } from '../paging.ts'
import { planParams } from '../params.ts'
import { problem, type ProblemCode } from '../problems.ts'
import { route, type App } from '../routing.ts'
import { progressOf } from '../progress.ts'
import type { MayDecide } from '../schemas.ts'
import { toldPlan } from '../told.ts'
import { touched } from '../touch.ts'
import { codesOf, planCursor, reviewedView, reviewRowView } from '../views.ts'

const refusals: Record<ReviewRefusal, ProblemCode> = {
  not_found: 'not_found',
  not_escalated: 'not_escalated',
  stale_packet: 'stale_packet',
  already_resolved: 'already_resolved',
  conflict_of_interest: 'conflict_of_interest',
  same_approver: 'same_approver',
  outdated: 'outdated',
  expired: 'review_expired',
  touch_needed: 'touch_needed',
}

/** Told before anybody writes a reason; `resolve` asks again and is the one that holds. */
function mayNow(
  { status, packet, approvals, outdated }: ReviewRecord,
  person: string,
  now_ms: number,
): { accept: MayDecide; reject: MayDecide } {
  const both = (why: MayDecide) => ({ accept: why, reject: why })
  if (status.state !== 'escalated' || packet === null) return both('not_escalated')
  if (samePerson(person, status.owner)) return both('conflict_of_interest')
  if (now_ms >= packet.expires) return both('review_expired')
  const again = approvals.some(({ approver }) => samePerson(approver, person))
  return { accept: again ? 'same_approver' : outdated ? 'outdated' : 'yes', reject: 'yes' }
}

export function reviewRoutes(app: App): void {
  route(
    app,
    {
      method: 'get',
      path: '/v1/reviews',
      tag: 'reviews',
      summary: 'Plans that wait for a person, oldest first.',
      roles: ['reviewer'],
      query: pageQuery,
      answers: { 200: { description: 'One page.', schema: 'ReviewList' } },
    },
    async (c, { principal, query }) => {
      const limit = query.limit ?? limits.listPageMax
      const after = query.after
      const rows = await listReviews(c.env.DB, principal.site, {
        after: after === undefined ? null : { received_ms: after.at_ms, plan: after.id },
        limit: limit + 1,
      })
      return c.json(page(rows, limit, { view: reviewRowView, cursor: planCursor }))
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/reviews/{plan}',
      tag: 'reviews',
      summary: 'The whole record of one plan: plan, packet, decision.',
      roles: ['reviewer'],
      params: planParams,
      answers: { 200: { description: 'The record.', schema: 'Review' } },
    },
    async (c, { principal, params }) => {
      const record = await planReview(c.env, principal.site, params.plan).record()
      if (record === null) return problem({ code: 'not_found' }, c.var.requestId)
      const { plan, packet, status, lineage, precedent, approvals, approvals_required, assignee } =
        record
      return c.json({
        plan,
        packet,
        status: reviewedView(
          status,
          packet,
          await progressOf(c.env, status, { plan, planner: null }),
        ),
        lineage,
        precedent,
        approvals,
        approvals_required,
        assignee,
        may: mayNow(record, principal.owner, Date.now()),
        codes: codesOf(packet),
      })
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/reviews/{plan}/audit',
      tag: 'reviews',
      summary: 'The chained trail of one plan; `after` is the last `seq` that was read.',
      roles: ['reviewer', 'administrator'],
      params: planParams,
      query: auditQuery,
      answers: { 200: { description: 'One page, oldest first.', schema: 'AuditPage' } },
    },
    async (c, { principal, params, query }) => {
      const review = planReview(c.env, principal.site, params.plan)
      const entries = await review.audit(query.after ?? -1)
      // Of a plan whose text is gone the trail is still there.
      const none = entries.length === 0 && (await review.status()) === null
      if (none) return problem({ code: 'not_found' }, c.var.requestId)
      return c.json(auditPage(entries))
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/reviews/{plan}/calls',
      tag: 'reviews',
      summary:
        'What models were asked about one plan and answered; `after` is the last `seq` read.',
      roles: ['reviewer'],
      params: planParams,
      query: auditQuery,
      answers: { 200: { description: 'One page, oldest first.', schema: 'CallPage' } },
    },
    async (c, { principal, params, query }) => {
      const review = planReview(c.env, principal.site, params.plan)
      const text = await review.calls(query.after ?? -1)
      if (text === null) return problem({ code: 'not_found' }, c.var.requestId)
      return c.body(text, 200, { 'content-type': 'application/json' })
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/reviews/{plan}',
      tag: 'reviews',
      summary: 'Accept or reject an escalated plan for exactly the packet that was displayed.',
      roles: ['reviewer'],
      params: planParams,
      body: { schema: 'ReviewInput', bytesMax: limits.smallBodyBytesMax },
      answers: { 200: { description: 'Recorded; the state tells what follows.', schema: 'Plan' } },
      refusals: [...Object.values(refusals), 'touch_refused'],
    },
    async (c, { principal, params, body: { touch: answer, ...body } }) => {
      const review = planReview(c.env, principal.site, params.plan)
      const hub = siteHub(c.env, principal.site)
      let touch: Touch | null = null
      if (answer !== undefined && body.verdict === 'accept') {
        const { packet_digest: digest } = body
        const signing = { act: 'accept_plan', of: params.plan, digest } as const
        const by = await touched(c, principal, { signing, answer })
        if (!by.ok) return problem(by.error, c.var.requestId)
        touch = by.value
      }
      // Before it counts: an acceptance falls with the credential under which it was given.
      const rests = body.verdict === 'accept' && (await hub.noteApproval(params.plan, principal.id))
      const signed = touch === null ? {} : { touch }
      const done = await review.resolve({ approver: principal.owner, ...body, ...signed })
      if (!done.ok && rests) await hub.dropApproval(params.plan, principal.id)
      if (!done.ok) return problem({ code: refusals[done.error.code] }, c.var.requestId)
      const record = await review.record()
      if (record === null) return problem({ code: 'not_found' }, c.var.requestId)
      return c.json(await toldPlan(c.env, { ...record, status: done.value }, null))
    },
  )
}
