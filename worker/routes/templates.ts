// Standing approvals: proposed from an accepted plan, signed by people for exactly what was displayed, and
// then good for runs of which planners name the values alone (invariant 7).
import { z } from 'zod'
import { listTemplates, putTemplate } from '../../adapters/templates.ts'
import { standingOf } from '../../durable-objects/standing/api.ts'
import { standingStoredSchema, type StandingStored } from '../../durable-objects/standing/view.ts'
import type { Env } from '../../durable-objects/env.ts'
import { limits } from '../../protocol/limits.ts'
import type { HoleValues } from '../../protocol/standing.ts'
import { planWith } from '../../verify/standing/holes.ts'
import type { Touch } from '../../verify/review/state.ts'
import { approve, type ApproveRefusal } from '../../verify/standing/step.ts'
import { auditPage, auditQuery } from '../audit-pages.ts'
import { plannerOf, type Ctx, type Principal } from '../context.ts'
import { idempotencyKey } from '../headers.ts'
import { freshId, planReview, siteHub } from '../objects.ts'
import { page, pageQuery } from '../paging.ts'
import { planIdSchema } from '../ids.ts'
import { templateParams } from '../params.ts'
import { problem, type ProblemCode } from '../problems.ts'
import { standingRecord } from '../propose.ts'
import { route, type App } from '../routing.ts'
import { submissionRefusals, submitPlan } from '../submit.ts'
import { toldPlan } from '../told.ts'
import { touched } from '../touch.ts'

const readers = ['planner', 'reviewer', 'operator', 'administrator'] as const

const refusals: Record<ApproveRefusal | 'not_found', ProblemCode> = {
  not_found: 'not_found',
  not_proposed: 'not_proposed',
  stale_packet: 'stale_packet',
  conflict_of_interest: 'conflict_of_interest',
  same_approver: 'same_approver',
  expired: 'template_expired',
}

async function storedOf(env: Env, site: string, template: string): Promise<StandingStored | null> {
  const text = await standingOf(env, site, template).view()
  return text === null ? null : standingStoredSchema.parse(JSON.parse(text))
}

/** What is there for this credential: a planner sees those that name it. */
function visible(principal: Principal, stored: StandingStored | null): stored is StandingStored {
  if (stored === null) return false
  return principal.role !== 'planner' || stored.record.terms.planners.includes(principal.subject)
}

function viewOf({ record, digest, row }: StandingStored, now_ms: number) {
  const { terms, plan, template } = record
  const { holes, planners, runs, until_ms } = terms
  const in_force = row.state === 'standing' && now_ms < until_ms && row.used < runs
  return {
    template,
    state: row.state,
    in_force,
    goal: plan.goal,
    holes,
    planners,
    agent: terms.agent ?? null,
    runs,
    used: row.used,
    until_ms,
    digest,
  }
}

/** Told before anybody writes a reason; the object asks again and is the one that holds. */
function maySign(stored: StandingStored, principal: Principal, now_ms: number) {
  if (principal.role !== 'reviewer') return 'not_reviewer' as const
  const { owner: approver, id: credential } = principal
  const asked = { approver, credential, digest: stored.digest, rationale: '', at_ms: now_ms }
  const done = approve(stored, stored.row, asked)
  return done.ok ? ('yes' as const) : done.error
}

const recordView = (stored: StandingStored, principal: Principal, now_ms: number) => ({
  ...viewOf(stored, now_ms),
  may_sign: maySign(stored, principal, now_ms),
  record: stored.record,
  approvals: stored.row.approvals.map(({ approver, rationale, at_ms }) => ({
    approver,
    rationale,
    at_ms,
  })),
  stopped: stored.row.stopped,
})

type RunAsk = {
  readonly principal: Principal
  readonly asked_ms: number
  readonly values: HoleValues
}

/** The plan is the gateway's own: the planner says nothing but the values. */
async function run(c: Ctx, stored: StandingStored, { principal, asked_ms, values }: RunAsk) {
  const { requestId } = c.var
  const key = idempotencyKey(c.req.header('idempotency-key'))
  if (!key.ok) return problem({ code: 'header_invalid', detail: key.error }, requestId)
  if (key.value === null) {
    const detail = 'A run needs an Idempotency-Key: the same values twice are two runs.'
    return problem({ code: 'header_invalid', detail }, requestId)
  }
  const { record, digest, row } = stored
  const plan = planWith(record.plan, record.terms.holes, values)
  const own = { ...plan, planner: { id: principal.subject } }
  const approvers = row.approvals.map(({ approver }) => approver)
  const credentials = row.approvals.map(({ credential }) => credential)
  const taken = await submitPlan(c.env, {
    principal,
    bytes: new TextEncoder().encode(JSON.stringify(own)),
    idempotencyKey: key.value,
    now_ms: asked_ms,
    traceparent: c.req.header('traceparent'),
    standing: {
      ask: { record, digest, values, approvers, credentials },
      credentials,
    },
  })
  if (!taken.ok) return problem(taken.error, requestId)
  const made = await planReview(c.env, principal.site, taken.value.plan).record()
  if (made === null) throw new TypeError('a plan that was taken in has a record')
  const headers = { location: `/v1/plans/${taken.value.plan}` }
  return c.json(await toldPlan(c.env, made, plannerOf(principal)), 202, headers)
}

export function templateRoutes(app: App): void {
  route(
    app,
    {
      method: 'post',
      path: '/v1/templates',
      tag: 'templates',
      summary:
        'Propose a standing approval: the exact graph of an accepted plan with named holes. It covers nothing before people have signed it.',
      roles: ['reviewer'],
      body: { schema: 'TemplateInput', bytesMax: limits.planBytesMax },
      answers: {
        201: { description: 'Proposed.', schema: 'TemplateRecord', headers: ['location'] },
      },
      refusals: ['site_not_ready', 'template_refused', 'too_many_templates'],
    },
    async (c, { principal, body, asked_ms }) => {
      const { requestId } = c.var
      const { site, owner } = principal
      const id = planIdSchema.safeParse(body.plan)
      const base = id.success ? await planReview(c.env, site, id.data).record() : null
      if (base === null) return problem({ code: 'not_found', detail: 'No such plan.' }, requestId)
      const template = freshId('tmpl')
      const asked = { template, site, terms: body, base, by: owner, now_ms: asked_ms }
      const record = await standingRecord(c.env, asked)
      if (!record.ok) return problem(record.error, requestId)
      const filed = await putTemplate(c.env.DB, {
        site,
        template,
        created_ms: asked_ms,
        base: body.plan,
      })
      if (!filed) return problem({ code: 'too_many_templates' }, requestId)
      await standingOf(c.env, site, template).propose(JSON.stringify(record.value))
      await siteHub(c.env, site).note(owner, 'template_proposed', { template, plan: body.plan })
      const stored = await storedOf(c.env, site, template)
      if (stored === null) throw new TypeError('a template that was proposed is there')
      return c.json(recordView(stored, principal, Date.now()), 201, {
        location: `/v1/templates/${template}`,
      })
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/templates',
      tag: 'templates',
      summary: 'Standing approvals, newest first; a planner sees those that name it.',
      roles: readers,
      query: pageQuery,
      answers: { 200: { description: 'One page.', schema: 'TemplateList' } },
    },
    async (c, { principal, query }) => {
      const { site } = principal
      const limit = Math.min(query.limit ?? templatesPage, templatesPage)
      const after =
        query.after === undefined ? null : { created_ms: query.after.at_ms, id: query.after.id }
      const rows = await listTemplates(c.env.DB, site, { after, limit: limit + 1 })
      const cut = page(rows, limit, {
        view: ({ template }) => template,
        cursor: ({ template, created_ms }) => ({ at_ms: created_ms, id: template }),
      })
      const stored = await Promise.all(cut.items.map((one) => storedOf(c.env, site, one)))
      const now_ms = Date.now()
      const items = stored.flatMap((one) => (visible(principal, one) ? [viewOf(one, now_ms)] : []))
      return c.json({ items, next: cut.next })
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/templates/{template}',
      tag: 'templates',
      summary: 'What people sign, and who has: the whole record of a standing approval.',
      roles: ['reviewer', 'operator', 'administrator'],
      params: templateParams,
      answers: { 200: { description: 'The record.', schema: 'TemplateRecord' } },
    },
    async (c, { principal, params }) => {
      const stored = await storedOf(c.env, principal.site, params.template)
      if (stored === null) return problem({ code: 'not_found' }, c.var.requestId)
      return c.json(recordView(stored, principal, Date.now()))
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/templates/{template}/audit',
      tag: 'templates',
      summary: 'The chained trail of a standing approval; `after` is the last `seq` that was read.',
      roles: ['reviewer', 'administrator'],
      params: templateParams,
      query: auditQuery,
      answers: { 200: { description: 'One page, oldest first.', schema: 'AuditPage' } },
    },
    async (c, { principal, params, query }) => {
      const object = standingOf(c.env, principal.site, params.template)
      const entries = await object.audit(query.after ?? -1)
      const known = entries.length > 0 || (await object.view()) !== null
      return known ? c.json(auditPage(entries)) : problem({ code: 'not_found' }, c.var.requestId)
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/templates/{template}/approve',
      tag: 'templates',
      summary: 'Sign a standing approval for exactly the record that was displayed.',
      roles: ['reviewer'],
      params: templateParams,
      body: { schema: 'TemplateApproval', bytesMax: limits.smallBodyBytesMax },
      answers: { 200: { description: 'Signed.', schema: 'TemplateRecord' } },
      refusals: [...Object.values(refusals), 'touch_needed', 'touch_refused'],
    },
    async (c, { principal, params, body: { touch: answer, ...body } }) => {
      const { site, owner, id } = principal
      const hub = siteHub(c.env, site)
      const { template } = params
      let touch: Touch | null = null
      if (answer !== undefined) {
        const signing = { act: 'sign_template', of: template, digest: body.digest } as const
        const by = await touched(c, principal, { signing, answer })
        if (!by.ok) return problem(by.error, c.var.requestId)
        touch = by.value
      } else if ((await hub.settings())?.policy.touch_to_accept === true) {
        // One signature for many runs asks for no less than one for a single plan.
        return problem({ code: 'touch_needed' }, c.var.requestId)
      }
      const object = standingOf(c.env, site, template)
      const signature = { approver: owner, credential: id, ...body, at_ms: Date.now() }
      const done = await object.approve(signature)
      if (!done.ok) return problem({ code: refusals[done.error] }, c.var.requestId)
      // Only what counted: a signature that was refused leaves no line that reads like one.
      if (touch !== null) {
        await hub.note(owner, 'template_touched', { template, digest: body.digest, touch })
      }
      const stored = await storedOf(c.env, site, template)
      if (stored === null) return problem({ code: 'not_found' }, c.var.requestId)
      return c.json(recordView(stored, principal, Date.now()))
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/templates/{template}/revoke',
      tag: 'templates',
      summary: 'End a standing approval at once and for good. What runs under it ends as it would.',
      roles: ['reviewer', 'operator', 'administrator'],
      params: templateParams,
      answers: { 200: { description: 'Ended.', schema: 'TemplateRevoked' } },
    },
    async (c, { principal, params }) => {
      const object = standingOf(c.env, principal.site, params.template)
      const known = await object.revoke(principal.owner, Date.now())
      if (!known) return problem({ code: 'not_found' }, c.var.requestId)
      return c.json({ template: params.template, revoked: true as const })
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/templates/{template}/runs',
      tag: 'templates',
      summary:
        'Ask for a run: one value for each hole. Inside of what was approved it is accepted without asking anybody; anything else waits for a person.',
      roles: ['planner'],
      params: templateParams,
      headers: runHeaders,
      body: { schema: 'RunInput', bytesMax: limits.smallBodyBytesMax },
      answers: {
        202: { description: 'Taken as a plan.', schema: 'Plan', headers: ['location'] },
      },
      refusals: submissionRefusals,
    },
    async (c, { principal, params, body, asked_ms }) => {
      const stored = await storedOf(c.env, principal.site, params.template)
      if (!visible(principal, stored)) return problem({ code: 'not_found' }, c.var.requestId)
      return run(c, stored, { principal, asked_ms, values: body.values })
    },
  )
}

/** Each is an object that is asked. */
const templatesPage = 25

const runHeaders = z.object({
  'idempotency-key': z
    .string()
    .max(limits.idempotencyKeyCharsMax)
    .describe('The same key with the same values answers with the first run, for a day.'),
  traceparent: z
    .string()
    .optional()
    .describe('Your trace (W3C Trace Context); what is none is left out.'),
})
