// Everything that the gateway holds of one plan, found and forgotten in an order in which a crash at any point
// loses no digest and leaves nothing that the next try does not find: the trail of the site first, then the
// sessions, then the plan, and the index last, from which the keeper knows that there is something to do.
import { dropPlan, markKept } from '../../adapters/keeping-d1.ts'
import { dropTemplate, templatesMadeFrom } from '../../adapters/templates.ts'
import { objectName } from '../../protocol/ids.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Forgetting, Forgotten } from '../../protocol/keeping.ts'
import type { ExecutionSessionApi, PlanReviewApi, SiteHubApi } from '../contracts.ts'
import type { SiteWindowApi } from '../window/api.ts'
import type { Env } from '../env.ts'
import { standingOf } from '../standing/api.ts'
import { limited } from '../limited.ts'

export type Deletion = {
  readonly site: string
  readonly plan: string
  readonly what: Forgetting
  /** Whose doing it is, and why: for the trail of the site. */
  readonly by: string
  readonly reason: string
}

const reviewOf = (env: Env, { site, plan }: Deletion): PlanReviewApi => {
  const stub = env.PLAN_REVIEW.getByName(objectName(site, plan))
  return limited(stub, 'keeper: ask') as PlanReviewApi
}

const sessionOf = (env: Env, site: string, session: string): ExecutionSessionApi => {
  const stub = env.EXECUTION_SESSION.getByName(objectName(site, session))
  return limited(stub, 'keeper: ask') as ExecutionSessionApi
}

/**
 * `busy`: it is not over, or somebody has not been told; `standing`: a standing approval that was made from it may
 * still cover runs. Nothing was deleted then.
 */
export async function deletePlan(
  env: Env,
  deletion: Deletion,
): Promise<Forgotten['state'] | 'standing'> {
  const review = reviewOf(env, deletion)
  const { site, plan, what } = deletion
  const seen = await review.lookForgetting()
  if (seen.state === 'busy') return 'busy'
  if (what === 'calls') {
    await review.forget('calls')
    await markKept(env.DB, site, { plan, what })
    return seen.state
  }
  const now_ms = Date.now()
  const templates = await templatesOf(env, deletion, now_ms)
  if (templates.some(({ left }) => left.state === 'busy')) return 'standing'
  const sessions = seen.state === 'done' ? seen.sessions : []
  const ran: { session: string; left: Forgotten }[] = []
  for (const session of sessions) {
    ran.push({ session, left: await sessionOf(env, site, session).forget('look') })
  }
  if (ran.some(({ left }) => left.state === 'busy')) return 'busy'
  if (what === 'all') await note(env, deletion, { seen, ran, templates })
  for (const session of sessions) await sessionOf(env, site, session).forget(what)
  for (const { template } of templates) {
    await standingOf(env, site, template).forget(what, { plan, now_ms })
    if (what === 'all') await dropTemplate(env.DB, site, template)
  }
  await review.forget(what)
  await forgetBeside(env, deletion)
  await (what === 'all' ? dropPlan(env.DB, site, plan) : markKept(env.DB, site, { plan, what }))
  return seen.state
}

/** What was made from the plan and holds its words. */
async function templatesOf(
  env: Env,
  { site, plan }: Deletion,
  now_ms: number,
): Promise<{ template: string; left: Forgotten }[]> {
  const found: { template: string; left: Forgotten }[] = []
  for (const { template, sure } of await templatesMadeFrom(env.DB, site, plan)) {
    const left = await standingOf(env, site, template).forget('look', { plan, now_ms })
    // One that is gone already, after a crash, still has its row.
    if (sure || left.state !== 'absent') found.push({ template, left })
  }
  return found
}

/** The digests of what goes, in the trail of the site: an export can be held against them for ever. */
async function note(
  env: Env,
  { site, plan, by, reason }: Deletion,
  {
    seen,
    ran,
    templates,
  }: {
    seen: Forgotten
    ran: readonly { session: string; left: Forgotten }[]
    templates: readonly { template: string; left: Forgotten }[]
  },
): Promise<void> {
  if (seen.state !== 'done') return
  const sessions: JsonObject[] = ran.map(({ session, left }) => ({
    session,
    ...(left.state === 'done' ? left.digests : {}),
  }))
  const hub = limited(env.SITE_HUB.getByName(site), 'keeper: ask') as SiteHubApi
  const made: JsonObject[] = templates.map(({ template, left }) => ({
    template,
    ...(left.state === 'done' ? left.digests : {}),
  }))
  const facts = {
    plan,
    reason,
    ...seen.digests,
    sessions,
    ...(made.length === 0 ? {} : { templates: made }),
  }
  await hub.note(by, 'plan_deleted', facts)
}

async function forgetBeside(env: Env, { site, plan }: Deletion): Promise<void> {
  const hub = limited(env.SITE_HUB.getByName(site), 'keeper: ask') as SiteHubApi
  await hub.forgetPlan(plan)
  const window = limited(env.SITE_WINDOW.getByName(site), 'keeper: ask') as SiteWindowApi
  await window.forget(site, plan)
}
