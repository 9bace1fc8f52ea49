// What the rules alone would say of a plan: the same stages that a submission goes through, up to the
// dry run, over the same site. Stores nothing, asks no model, no graph and no memory. It takes its turn
// from the same bucket as a submission, so that trying is never cheaper than submitting.
import type { Env } from '../durable-objects/env.ts'
import { inTurn } from '../durable-objects/turns.ts'
import { allForPlanner } from '../protocol/audience.ts'
import type { Evidence } from '../protocol/evidence.ts'
import type { Floor } from '../protocol/finding.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { z } from 'zod'
import { parse, readPlan, simulatePlan } from '../verify/pipeline.ts'
import type { Principal } from './context.ts'
import type { planCheckSchema } from './plan-schemas.ts'
import type { Refusal } from './problems.ts'
import { maySubmit } from './rate-limit.ts'
import { admitHere, screenHere, submitterOf, type Submission } from './submit.ts'
import { evidencePlaces } from './views.ts'

export type PlanCheck = z.infer<typeof planCheckSchema>

/** What binds in every mode, before any judge: a breach rejects or holds, an unknown holds. */
function would(floor: Floor, { breaches, unknowns }: Evidence): PlanCheck['would'] {
  if (floor.level === 'block' || breaches.some((one) => one.verdict === 'reject')) return 'reject'
  if (floor.level === 'flag' || breaches.length > 0 || unknowns.length > 0) return 'escalate'
  return 'judge'
}

/** Checks a plan and forgets it. Expected refusals are values, the same as those of a submission. */
export async function checkOnly(
  env: Env,
  { principal, bytes, now_ms }: Omit<Submission, 'idempotencyKey'>,
): Promise<Result<PlanCheck, Refusal>> {
  const waitS = await maySubmit(principal, env, Date.now())
  if (waitS > 0) return err({ code: 'too_many_requests', retryAfterS: waitS })
  const body = parse(bytes)
  if (!body.ok) return err({ code: 'violations', violations: body.error })
  return inTurn(principal.site, () => rulesAlone(env, principal, { body: body.value, now_ms }))
}

/** The costly part, in its turn. */
async function rulesAlone(
  env: Env,
  principal: Principal,
  asked: Parameters<typeof admitHere>[2],
): Promise<Result<PlanCheck, Refusal>> {
  const here = await admitHere(env, submitterOf(principal), asked)
  if (!here.ok) return here
  const screened = await screenHere(env, here.value.admitted)
  const { floor } = screened
  // A block is decided before anything is read: a submission would say no more either.
  if (floor.level === 'block') {
    return ok({ would: 'reject', findings: allForPlanner(floor.findings) })
  }
  const { evidence } = simulatePlan(readPlan(screened))
  const findings = allForPlanner([...floor.findings, ...evidencePlaces(evidence)])
  return ok({ would: would(floor, evidence), findings })
}
