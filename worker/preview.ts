// What a proposed file or policy would change, over the last plans of the site: a piece for each call, so that
// no call takes long. Nothing is stored, and no judge, graph or memory is asked.
import { listPlans } from '../adapters/plan-index.ts'
import type { Env } from '../durable-objects/env.ts'
import type { JudgedPlanAnswer } from '../durable-objects/review/judged-plan.ts'
import { inTurn } from '../durable-objects/turns.ts'
import { limits } from '../protocol/limits.ts'
import type { Policy } from '../protocol/policy.ts'
import { registrySchema, type Registry } from '../protocol/registry.ts'
import type { z } from 'zod'
import { trialFile, type TrialFile } from '../verify/onboard/by-rules.ts'
import { judgedPlanSchema, whatIf, type Under } from '../verify/onboard/what-if.ts'
import { approveInPieces } from '../verify/screen/approve.ts'
import { planReview } from './objects.ts'
import type { siteFileSchemas } from './site-file-schemas.ts'

type Preview = z.infer<typeof siteFileSchemas.SitePreview>

const pause = (): Promise<void> => scheduler.wait(0)

const trialOf = async (registry: Registry): Promise<TrialFile> =>
  trialFile(registry, (await approveInPieces(registry, pause)).quarantined)

/** The last plans of the site after one of them, newest first. */
async function lastPlans(env: Env, site: string, after: string | undefined): Promise<string[]> {
  const filter = { planner: null, state: null, after: null, limit: limits.previewPlansMax }
  const plans = (await listPlans(env.DB, site, filter)).map(({ plan }) => plan)
  // One that newer plans have pushed out was the end of the list.
  const from = after === undefined ? 0 : plans.indexOf(after) + 1 || plans.length
  return plans.slice(from)
}

/** Files by digest, as the plans of one call were judged by them: mostly one. */
type Known = Map<string, TrialFile>

async function judgedPlan(env: Env, site: string, plan: string, known: Known) {
  const text = await planReview(env, site, plan).judgedPlan([...known.keys()])
  if (text === null) return null
  const { judged: stored, registry } = JSON.parse(text) as JudgedPlanAnswer
  const judged = judgedPlanSchema.parse(stored)
  const was =
    registry === null
      ? known.get(judged.registry_digest)
      : await trialOf(registrySchema.parse(registry))
  if (was === undefined) throw new TypeError('a review left out a registry that is not known here')
  known.set(judged.registry_digest, was)
  return { judged, was }
}

type Asked = {
  readonly site: string
  readonly registry: Registry
  readonly policy: Policy
  readonly after: string | undefined
}

/** One piece. Ends early when its time is over; `next` says where to go on. */
export async function preview(env: Env, asked: Asked): Promise<Preview> {
  const { site, registry, policy, after } = asked
  const would: Under = { file: await trialOf(registry), policy }
  const plans = await lastPlans(env, site, after)
  const known: Known = new Map()
  const found: Preview = { tried: 0, unreadable: [], changed: [], to_judge_again: [], next: null }
  const until_ms = Date.now() + limits.previewMs
  for (const [i, plan] of plans.entries()) {
    if (i > 0 && (i >= limits.previewPlansPerCall || Date.now() > until_ms)) {
      return { ...found, next: plans[i - 1] ?? null }
    }
    await inTurn(site, () => tryOne(env, { site, plan, known, would }, found))
  }
  return found
}

type One = {
  readonly site: string
  readonly plan: string
  readonly known: Known
  readonly would: Under
}

async function tryOne(env: Env, one: One, found: Preview): Promise<void> {
  const { site, plan, known, would } = one
  let again: Awaited<ReturnType<typeof judgedPlan>>
  try {
    again = await judgedPlan(env, site, plan, known)
  } catch (cause) {
    console.error(`preview of ${plan}: ${String(cause)}`)
    again = null
  }
  if (again === null) {
    found.unreadable.push(plan)
    return
  }
  const { models, ...changed } = await whatIf(again.judged, again.was, would)
  found.tried += 1
  if (models && changed.after === 'accept') found.to_judge_again.push(plan)
  if (changed.before === changed.after) return
  found.changed.push({ ...changed, gained: [...changed.gained], lost: [...changed.lost] })
}
