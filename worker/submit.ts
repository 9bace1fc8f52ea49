// The way of a plan through the door, for HTTP and MCP alike: snapshot, admission, idempotency,
// deterministic screen, then PlanReview, always. Nothing here decides: a block is recorded too.
import { limits } from '../protocol/limits.ts'
import { digestCanonical } from '../protocol/digest.ts'
import type { Plan } from '../protocol/plan.ts'
import type { Violation } from '../protocol/reasons.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { Submitter } from '../protocol/snapshot.ts'
import type { PlanStatus } from '../durable-objects/contracts.ts'
import type { Env } from '../durable-objects/env.ts'
import { admit } from '../verify/admit/index.ts'
import { screen } from '../verify/screen/index.ts'
import type { Principal } from './context.ts'
import { freshId, planReview, siteHub } from './objects.ts'
import type { Refusal } from './problems.ts'
import { planIdSchema } from './params.ts'
import { siteSnapshot } from './site-snapshot.ts'

export type Submission = {
  principal: Principal
  /** The plan exactly as it arrived. */
  bytes: Uint8Array
  idempotencyKey: string | null
  now_ms: number
}

/** `supersedes` names a plan of the same planner at the same site, or the plan is not taken. */
async function checkAncestor(
  env: Env,
  submitter: Submitter,
  plan: Plan,
): Promise<Violation | null> {
  if (plan.supersedes === undefined) return null
  const id = planIdSchema.safeParse(plan.supersedes)
  const ancestor = id.success ? await planReview(env, submitter.site, id.data).status() : null
  if (ancestor?.planner === submitter.planner) return null
  return {
    code: 'supersedes_unknown',
    at: '/supersedes',
    message: 'no plan of this planner has this id',
  }
}

/** The id under which this submission runs: fresh, or that of the first one with the same key. */
async function claimId(env: Env, submission: Submission): Promise<Result<string, Refusal>> {
  const { principal, idempotencyKey } = submission
  const plan = freshId('plan')
  if (idempotencyKey === null) return ok(plan)
  const text = new TextDecoder().decode(submission.bytes)
  const answer = await siteHub(env, principal.site).claimKey({
    credential: principal.id,
    key: idempotencyKey,
    body_digest: await digestCanonical('body', text),
    plan,
    now_ms: submission.now_ms,
  })
  if (answer.status === 'conflict') return err({ code: 'idempotency_conflict' })
  return ok(answer.status === 'same' ? answer.plan : plan)
}

/** Takes a plan in. Expected refusals are values; an outage throws and is answered 503. */
export async function submitPlan(
  env: Env,
  submission: Submission,
): Promise<Result<PlanStatus, Refusal>> {
  const { principal, now_ms } = submission
  const submitter: Submitter = {
    site: principal.site,
    planner: principal.subject,
    owner: principal.owner,
  }
  const site = await siteSnapshot(env, submitter.site)
  if (site === null) return err({ code: 'site_not_ready', retryAfterS: 60 })
  const { snapshot } = site
  const admitted = await admit(submission.bytes, snapshot.registry, submitter.planner)
  if (!admitted.ok) return err({ code: 'violations', violations: admitted.error })
  const { plan, plan_digest } = admitted.value
  const ancestor = await checkAncestor(env, submitter, plan)
  if (ancestor !== null) return err({ code: 'violations', violations: [ancestor] })
  const id = await claimId(env, submission)
  if (!id.ok) return id
  const review = planReview(env, submitter.site, id.value)
  // Repeated with the same key: the first plan stands, whatever has changed since.
  const known = submission.idempotencyKey === null ? null : await review.status()
  if (known !== null) return ok(known)
  // Refused before it is judged: a full queue must not cost the judges' work as well.
  if (site.queued >= limits.queuedPlansMax && plan.nodes.length > 0) {
    return err({ code: 'queue_full', retryAfterS: 30 })
  }
  const floor = await screen(plan, snapshot, submitter, now_ms)
  const status = await review.start({
    plan_id: id.value,
    plan,
    plan_digest,
    submitter,
    floor,
    snapshot,
    received_ms: now_ms,
  })
  return ok(status)
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
