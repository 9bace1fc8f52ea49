// The way of a plan through the door, for HTTP and MCP alike: snapshot, admission, idempotency,
// deterministic screen, then PlanReview, always. Nothing here decides: a block is recorded too.
import { waitUntil } from 'cloudflare:workers'
import { limits } from '../protocol/limits.ts'
import { digest } from '../protocol/digest.ts'
import type { Plan } from '../protocol/plan.ts'
import type { Violation } from '../protocol/reasons.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { isPhysical } from '../protocol/registry.ts'
import type { SiteSnapshot, Submitter } from '../protocol/snapshot.ts'
import type { PlannedCall, PlanStatus, SnapshotAnswer } from '../durable-objects/contracts.ts'
import type { Env } from '../durable-objects/env.ts'
import { inTurn } from '../durable-objects/turns.ts'
import { admitPlan, admittedBefore, checkPlan, parse } from '../verify/pipeline.ts'
import { parseTraceparent } from '../protocol/trace.ts'
import type { StandingAsk } from '../verify/review/state.ts'
import type { Admitted, Parsed, Screened } from '../verify/stages.ts'
import type { Principal } from './context.ts'
import { wakeKeeper } from './keeper-wake.ts'
import { freshId, planReview, siteHub } from './objects.ts'
import type { ProblemCode, Refusal } from './problems.ts'
import { planIdSchema } from './ids.ts'
import { maySubmit } from './rate-limit.ts'
import { siteSnapshot, stateFor } from './site-snapshot.ts'

export type Submission = {
  principal: Principal
  /** The plan exactly as it arrived. */
  bytes: Uint8Array
  idempotencyKey: string | null
  /** When the caller was let in: a revocation from then on holds against the plan. */
  now_ms: number
  /** The standing approval that it is asked for as a run of, and the credentials that signed it. */
  standing?: { readonly ask: StandingAsk; readonly credentials: readonly string[] }
  /** The caller's trace (W3C); what is none is left out. */
  traceparent?: string | undefined
}

export const submitterOf = ({ site, subject, owner }: Principal): Submitter => ({
  site,
  planner: subject,
  owner,
})

/** `supersedes` and `follows` name plans of the same planner at the same site, or the plan is not taken. */
async function checkAncestors(env: Env, submitter: Submitter, plan: Plan): Promise<Violation[]> {
  const check = async (name: 'supersedes' | 'follows'): Promise<Violation[]> => {
    const other = plan[name]
    if (other === undefined) return []
    const id = planIdSchema.safeParse(other)
    const status = id.success ? await planReview(env, submitter.site, id.data).status() : null
    if (status?.planner === submitter.planner) return []
    const message = 'no plan of this planner has this id'
    return [{ code: `${name}_unknown`, at: `/${name}`, message }]
  }
  return [...(await check('supersedes')), ...(await check('follows'))]
}

/** The physical calls of a plan, so that a later one that makes the same again can be told. */
async function physicalCalls(plan: Plan, snapshot: SiteSnapshot): Promise<PlannedCall[]> {
  const moves = new Set(
    snapshot.registry.tools.filter((row) => isPhysical(row.risk_class)).map((row) => row.name),
  )
  return Promise.all(
    plan.nodes
      .filter(({ tool }) => moves.has(tool))
      .map(async ({ id, tool, args }) => ({
        nid: id,
        tool,
        call: await digest('args', { tool, args }),
      })),
  )
}

/** A key with the digest of what was sent under it: the value, not its spelling. */
type Keyed = { credential: string; key: string; body_digest: string; now_ms: number }

/** The key of a submission, over the canonical form, so that HTTP and MCP agree. */
async function keyed(
  { principal, idempotencyKey, now_ms }: Submission,
  body: Parsed,
): Promise<Keyed | null> {
  if (idempotencyKey === null) return null
  const body_digest = await digest('body', { plan: body.value })
  return { credential: principal.id, key: idempotencyKey, body_digest, now_ms }
}

/** The plan that the key already stands for; null when there is none yet. */
async function firstOf(
  env: Env,
  site: string,
  key: Keyed,
): Promise<Result<PlanStatus | null, Refusal>> {
  const answer = await siteHub(env, site).claimKey({ ...key, plan: null })
  if (answer.status === 'conflict') return err({ code: 'idempotency_conflict' })
  return ok(answer.status === 'same' ? await planReview(env, site, answer.plan).status() : null)
}

/** The id under which this submission runs: fresh, or that of the first one with the same key. */
async function claimId(
  env: Env,
  site: string,
  key: Keyed | null,
): Promise<Result<string, Refusal>> {
  const plan = freshId('plan')
  if (key === null) return ok(plan)
  const answer = await siteHub(env, site).claimKey({ ...key, plan })
  if (answer.status === 'conflict') return err({ code: 'idempotency_conflict' })
  if (answer.status === 'full') return err({ code: 'too_many_keys', retryAfterS: 3_600 })
  return ok(answer.status === 'same' ? answer.plan : plan)
}

/** Rules that need the site as it is now, beyond admission. */
async function siteViolations(
  env: Env,
  submitter: Submitter,
  { plan, enrolled }: { plan: Plan; enrolled: readonly string[] },
): Promise<Violation[]> {
  const ancestors = await checkAncestors(env, submitter, plan)
  const unknown = plan.agent !== undefined && !enrolled.includes(plan.agent)
  return [
    ...ancestors,
    ...(unknown
      ? [{ code: 'agent_unknown' as const, at: '/agent', message: 'the site has no such agent' }]
      : []),
  ]
}

/** A parsed plan that this site would take, with the site as it is. */
export async function admitHere(
  env: Env,
  submitter: Submitter,
  { body, now_ms }: { body: Parsed; now_ms: number },
) {
  const site = await siteSnapshot(env, submitter.site)
  if (site === null) return err<Refusal>({ code: 'site_not_ready', retryAfterS: 60 })
  const { snapshot, enrolled } = site
  const admitted = await admitPlan(body, { submitter, snapshot, received_ms: now_ms })
  if (!admitted.ok) return err<Refusal>({ code: 'violations', violations: admitted.error })
  const { plan } = admitted.value
  const violations = await siteViolations(env, submitter, { plan, enrolled })
  if (violations.length > 0) return err<Refusal>({ code: 'violations', violations })
  return ok({ admitted: admitted.value, site })
}

/** The deterministic checks of an admitted plan, over what is known of its cell now. */
export async function screenHere(env: Env, admitted: Admitted): Promise<Screened> {
  const { plan, snapshot, submitter } = admitted
  const { owner } = submitter
  const state = await stateFor(env, snapshot, { agent: plan.agent, owner })
  return checkPlan(admittedBefore({ ...admitted, snapshot: { ...snapshot, cell_state: state } }))
}

/** A planner that has its share waiting, or a full queue, must not cost the judges' work as well. */
function queueRefusal(
  site: Pick<SnapshotAnswer, 'queued' | 'queued_by'>,
  planner: string,
): Refusal | null {
  if (site.queued >= limits.queuedPlansMax) return { code: 'queue_full', retryAfterS: 30 }
  const own = site.queued_by[planner] ?? 0
  if (own < limits.queuedPlansPerPlannerMax) return null
  const detail = `At most ${limits.queuedPlansPerPlannerMax} plans of one planner wait.`
  return { code: 'queue_share_full', retryAfterS: 30, detail }
}

/** Every refusal of a plan that is sent with a key, for whoever describes a route that sends one. */
export const submissionRefusals = [
  'header_invalid',
  'idempotency_conflict',
  'site_not_ready',
  'queue_full',
  'too_many_requests',
  'too_many_keys',
  'too_many_judging',
  'queue_share_full',
] as const satisfies readonly ProblemCode[]

/** Takes a plan in. Expected refusals are values; an outage throws and is answered 503. */
export async function submitPlan(
  env: Env,
  submission: Submission,
): Promise<Result<PlanStatus, Refusal>> {
  const { principal } = submission
  const submitter = submitterOf(principal)
  const waitS = await maySubmit(principal, env, Date.now())
  if (waitS > 0) return err({ code: 'too_many_requests', retryAfterS: waitS })
  // What is not JSON has no key: it is answered with its violations, whatever was sent before.
  const body = parse(submission.bytes)
  if (!body.ok) return err({ code: 'violations', violations: body.error })
  const key = await keyed(submission, body.value)
  // Repeated with the same key: the first plan stands, whatever has changed since.
  const first = key === null ? ok(null) : await firstOf(env, submitter.site, key)
  if (!first.ok) return first
  if (first.value !== null) return ok(first.value)
  return inTurn(submitter.site, () => takeIn(env, submission, { submitter, body: body.value, key }))
}

/** Admission, screen and start of a new plan: the costly part, in its turn. */
async function takeIn(
  env: Env,
  { principal, now_ms, standing, traceparent }: Submission,
  { submitter, body, key }: { submitter: Submitter; body: Parsed; key: Keyed | null },
): Promise<Result<PlanStatus, Refusal>> {
  const here = await admitHere(env, submitter, { body, now_ms })
  if (!here.ok) return here
  const { admitted, site } = here.value
  const { plan, plan_digest, snapshot } = admitted
  // Text alone is never bound: it takes no place.
  const full = plan.nodes.length > 0 ? queueRefusal(site, submitter.planner) : null
  if (full !== null) return err(full)
  const id = await claimId(env, submitter.site, key)
  if (!id.ok) return id
  const noted = await siteHub(env, submitter.site).noteSubmission(
    {
      plan: id.value,
      plan_digest,
      planner: submitter.planner,
      owner: submitter.owner,
      credential: principal.id,
      keyed: key !== null,
      follows: plan.follows ?? null,
      supersedes: plan.supersedes ?? null,
      calls: await physicalCalls(plan, snapshot),
      received_ms: now_ms,
    },
    Date.now(),
  )
  if (!noted.ok) return err({ code: 'too_many_judging', retryAfterS: 2 })
  // Before it counts: the run falls with each of the credentials that its approval was given under.
  for (const credential of standing?.credentials ?? []) {
    await siteHub(env, submitter.site).noteApproval(id.value, credential)
  }
  const review = planReview(env, submitter.site, id.value)
  // Two at once with the same key: `start` takes the first and answers both with it.
  const screened = await screenHere(env, admitted)
  waitUntil(wakeKeeper(env, submitter.site))
  const asked = standing === undefined ? {} : { standing: standing.ask }
  const traced =
    traceparent === undefined || parseTraceparent(traceparent) === null ? {} : { traceparent }
  return ok(await review.start({ plan_id: id.value, ...screened, ...asked, ...traced }))
}

const firstPollMs = 20
const lastPollMs = 200

/** Polls until the plan is decided or the time is up. The verdict never depends on this wait. */
export async function waitForDecision(
  env: Env,
  status: PlanStatus,
  waitS: number,
): Promise<PlanStatus> {
  const until = Date.now() + waitS * 1_000
  let current = status
  let pauseMs = firstPollMs
  while (current.state === 'judging' && Date.now() < until) {
    await scheduler.wait(Math.min(pauseMs, Math.max(1, until - Date.now())))
    pauseMs = Math.min(pauseMs * 1.5, lastPollMs)
    current = (await planReview(env, status.site, status.plan).status()) ?? current
  }
  return current
}
