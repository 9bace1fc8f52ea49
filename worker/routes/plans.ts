// Plans: submit, list, look at, withdraw. A planner sees its own plans only, through codes and
// remedies; a foreign id and an unknown one are answered alike.
import { z } from 'zod'
import { listPlans } from '../../adapters/plan-index.ts'
import type { PlanStatus } from '../../durable-objects/contracts.ts'
import { limits } from '../../protocol/limits.ts'
import { planStateSchema } from '../../protocol/status.ts'
import { plannerOf, type Ctx, type Principal } from '../context.ts'
import { idempotencyKey, preferredWaitS } from '../headers.ts'
import { planReview, siteHub } from '../objects.ts'
import { page, pageQuery } from '../paging.ts'
import { planParams } from '../params.ts'
import { problem } from '../problems.ts'
import { route, type App } from '../routing.ts'
import { submissionRefusals, submitPlan, waitForDecision } from '../submit.ts'
import { checkOnly } from '../check.ts'
import { toldPlan } from '../told.ts'
import { planCursor, planRowView } from '../views.ts'

const readers = ['planner', 'reviewer', 'administrator'] as const

const listQuery = pageQuery.extend({
  state: planStateSchema.optional().describe('Only plans in this state.'),
})

const submissionHeaders = z.object({
  'idempotency-key': z
    .string()
    .max(limits.idempotencyKeyCharsMax)
    .optional()
    .describe('The same key with the same body answers with the first plan, for a day.'),
  prefer: z
    .string()
    .optional()
    .describe(`wait=N holds the answer for up to N seconds, at most ${limits.waitSecondsMax}.`),
  traceparent: z
    .string()
    .optional()
    .describe('Your trace (W3C Trace Context); what is none is left out.'),
})

/** True when this credential may know that the plan exists. */
export function maySee(principal: Principal, status: PlanStatus | null): status is PlanStatus {
  if (status === null) return false
  return principal.role !== 'planner' || status.planner === principal.subject
}

/** The plan with what was found in it, or null when it is not there for this credential. */
export async function visibleRecord(c: Pick<Ctx, 'env'>, principal: Principal, plan: string) {
  const record = await planReview(c.env, principal.site, plan).record()
  return record !== null && maySee(principal, record.status) ? record : null
}

type Taken = { principal: Principal; body: Uint8Array<ArrayBuffer>; asked_ms: number }

async function submit(c: Ctx, { principal, body: bytes, asked_ms }: Taken): Promise<Response> {
  const key = idempotencyKey(c.req.header('idempotency-key'))
  if (!key.ok) return problem({ code: 'header_invalid', detail: key.error }, c.var.requestId)
  const taken = await submitPlan(c.env, {
    principal,
    bytes,
    idempotencyKey: key.value,
    now_ms: asked_ms,
    traceparent: c.req.header('traceparent'),
  })
  if (!taken.ok) return problem(taken.error, c.var.requestId)
  const waitS = preferredWaitS(c.req.header('prefer'))
  const status = waitS === null ? taken.value : await waitForDecision(c.env, taken.value, waitS)
  const record = await planReview(c.env, principal.site, status.plan).record()
  const headers: Record<string, string> = { location: `/v1/plans/${status.plan}` }
  if (waitS !== null) headers['preference-applied'] = `wait=${waitS}`
  const decided = waitS !== null && status.state !== 'judging'
  if (record === null) throw new TypeError('a plan that was taken in has a record')
  return c.json(await toldPlan(c.env, record, plannerOf(principal)), decided ? 200 : 202, headers)
}

export function planRoutes(app: App): void {
  route(
    app,
    {
      method: 'post',
      path: '/v1/plans',
      tag: 'plans',
      summary:
        'Submit a plan. `Prefer: wait=N` holds the answer until the decision; `Idempotency-Key` makes it safe to repeat.',
      roles: ['planner'],
      headers: submissionHeaders,
      body: { schema: 'PlanInput', bytesMax: limits.planBytesMax, raw: true },
      answers: {
        200: {
          description: 'Decided inside the wait.',
          schema: 'Plan',
          headers: ['location', 'preference-applied'],
        },
        202: {
          description: 'Taken; the decision follows at `Location`.',
          schema: 'Plan',
          headers: ['location', 'preference-applied'],
        },
      },
      refusals: submissionRefusals,
    },
    (c, taken) => submit(c, taken),
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/plans:check',
      tag: 'plans',
      summary:
        'What the rules alone would say of a plan. Nothing is stored, no model is asked; it costs as much of the rate limit as a submission.',
      roles: ['planner'],
      body: { schema: 'PlanInput', bytesMax: limits.planBytesMax, raw: true },
      answers: { 200: { description: 'What the rules say.', schema: 'PlanCheck' } },
      refusals: ['site_not_ready', 'too_many_requests'],
    },
    async (c, { principal, body, asked_ms }) => {
      const done = await checkOnly(c.env, { principal, bytes: body, now_ms: asked_ms })
      return done.ok ? c.json(done.value) : problem(done.error, c.var.requestId)
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/plans',
      tag: 'plans',
      summary: 'Plans, newest first; a planner sees its own.',
      roles: readers,
      query: listQuery,
      answers: { 200: { description: 'One page.', schema: 'PlanList' } },
    },
    async (c, { principal, query }) => {
      const limit = query.limit ?? limits.listPageMax
      const after = query.after
      const rows = await listPlans(c.env.DB, principal.site, {
        planner: principal.role === 'planner' ? principal.subject : null,
        state: query.state ?? null,
        after: after === undefined ? null : { received_ms: after.at_ms, plan: after.id },
        limit: limit + 1,
      })
      return c.json(page(rows, limit, { view: planRowView, cursor: planCursor }))
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/plans/{plan}',
      tag: 'plans',
      summary: 'One plan: state, verdict, reasons, what to change, session.',
      roles: readers,
      params: planParams,
      answers: { 200: { description: 'The plan.', schema: 'Plan' } },
    },
    async (c, { principal, params }) => {
      const record = await visibleRecord(c, principal, params.plan)
      if (record === null) return problem({ code: 'not_found' }, c.var.requestId)
      return c.json(await toldPlan(c.env, record, plannerOf(principal)))
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/plans/{plan}/withdraw',
      tag: 'plans',
      summary: 'Withdraw a plan that no session runs yet.',
      roles: ['planner', 'reviewer'],
      params: planParams,
      answers: { 200: { description: 'Withdrawn.', schema: 'Plan' } },
      refusals: ['too_late'],
    },
    async (c, { principal, params }) => {
      const record = await visibleRecord(c, principal, params.plan)
      if (record === null) return problem({ code: 'not_found' }, c.var.requestId)
      const done = await planReview(c.env, principal.site, params.plan).withdraw(principal.owner)
      if (done.ok)
        return c.json(
          await toldPlan(c.env, { ...record, status: done.value }, plannerOf(principal)),
        )
      const { session } = record.status
      const runs = done.error.code === 'too_late' && session !== null
      const detail = `It runs: POST /v1/sessions/${session}/stop ends it.`
      return problem(runs ? { ...done.error, detail } : done.error, c.var.requestId)
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/plans/{plan}/waits',
      tag: 'plans',
      summary: 'What an accepted plan waits for besides a free cell: other plans, or a person.',
      roles: ['planner', 'reviewer', 'operator', 'administrator'],
      params: planParams,
      answers: { 200: { description: 'Empty when it waits for nothing.', schema: 'PlanWaits' } },
    },
    async (c, { principal, params }) => {
      const status = await planReview(c.env, principal.site, params.plan).status()
      if (!maySee(principal, status)) return problem({ code: 'not_found' }, c.var.requestId)
      return c.json({ items: await siteHub(c.env, principal.site).waitsOf(params.plan) })
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/plans/{plan}/release',
      tag: 'plans',
      summary:
        'Let a plan run that waits for a person: it repeats another, or the plan that it follows or replaces did not end as it should.',
      roles: ['reviewer', 'operator'],
      params: planParams,
      body: { schema: 'PlanReleaseInput', bytesMax: limits.smallBodyBytesMax },
      answers: { 200: { description: 'What it still waits for.', schema: 'PlanWaits' } },
      refusals: ['conflict_of_interest', 'nothing_to_release'],
    },
    async (c, { principal, params, body }) => {
      const act = { by: principal.owner, note: body.note }
      const done = await siteHub(c.env, principal.site).releasePlan(params.plan, act)
      return done.ok
        ? c.json({ items: done.value })
        : problem({ code: done.error.reason }, c.var.requestId)
    },
  )
}
