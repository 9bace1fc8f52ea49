// Who must hear that a session ended: the hub frees or latches the cell, the review closes the plan. Each
// is told until it has acknowledged; both take the same end twice.
import type { SessionBinding } from '../../contain/session-state.ts'
import { objectName } from '../../protocol/ids.ts'
import type { PlanReviewApi, SessionEnd, SiteHubApi } from '../contracts.ts'
import type { Env } from '../env.ts'
import { limited } from '../limited.ts'
import type { OutboxTarget, SessionStore } from './store.ts'

const firstDelayMs = 500
const delayMsMax = 60_000

/** Tells everyone who is due at `nowMs`, side by side; failures are set down for later. */
export async function deliverDue(
  env: Env,
  store: SessionStore,
  { binding, end, nowMs }: { binding: SessionBinding; end: SessionEnd; nowMs: number },
): Promise<void> {
  const due = store.outbox().filter((row) => row.next_ms <= nowMs)
  await Promise.all(
    due.map(async (row) => {
      try {
        await tellEnd(env, binding, { target: row.target, end })
        store.delivered(row)
      } catch (cause) {
        console.error(`outbox ${row.target}: ${String(cause)}`)
        store.retry(row.target, nowMs + Math.min(delayMsMax, firstDelayMs * 2 ** row.attempts))
      }
    }),
  )
}

/** Tells one of the two who must know. Throws when it could not be told. */
export async function tellEnd(
  env: Env,
  of: { readonly context: { readonly site: string }; readonly plan_id: string },
  { target, end }: { target: OutboxTarget; end: SessionEnd },
): Promise<void> {
  const { site } = of.context
  const stub: unknown =
    target === 'hub'
      ? env.SITE_HUB.getByName(site)
      : env.PLAN_REVIEW.getByName(objectName(site, of.plan_id))
  const told = limited(stub, 'session: end told') as SiteHubApi | PlanReviewApi
  return told.sessionEnded(end)
}
