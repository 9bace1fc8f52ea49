// Who must hear that a session ended: the hub frees or latches the cell, the review closes the plan. Each
// is told until it has acknowledged; both take the same end twice.
import type { SessionBinding } from '../../contain/session-state.ts'
import { objectName } from '../../protocol/ids.ts'
import type { SessionEnd } from '../contracts.ts'
import type { Env } from '../env.ts'
import type { OutboxRow, SessionStore } from './store.ts'

const firstDelayMs = 500
const delayMsMax = 60_000

/** Tells everyone who is due at `nowMs`; failures are set down for later. */
export async function deliverDue(
  env: Env,
  store: SessionStore,
  { binding, end, nowMs }: { binding: SessionBinding; end: SessionEnd; nowMs: number },
): Promise<void> {
  for (const row of store.outbox()) {
    if (row.next_ms > nowMs) continue
    try {
      await tell(env, binding, { row, end })
      store.delivered(row.target)
    } catch (cause) {
      console.error(`outbox ${row.target}: ${String(cause)}`)
      store.retry(row.target, nowMs + Math.min(delayMsMax, firstDelayMs * 2 ** row.attempts))
    }
  }
}

async function tell(
  env: Env,
  { context, plan_id }: SessionBinding,
  { row, end }: { row: OutboxRow; end: SessionEnd },
): Promise<void> {
  if (row.target === 'hub') return env.SITE_HUB.getByName(context.site).sessionEnded(end)
  return env.PLAN_REVIEW.getByName(objectName(context.site, plan_id)).sessionEnded(end)
}
