// The hub's way to the other objects of its site; the site's name is part of theirs (invariant 6).
import { objectName } from '../../protocol/ids.ts'
import type { HaltReason } from '../../protocol/reasons.ts'
import type { Env } from '../env.ts'
import type { HubStore } from './store.ts'

/** The review of one plan of this site. */
export function planReviewOf(env: Env, store: HubStore, plan: string) {
  const name = objectName(store.get('site') ?? '', plan)
  return env.PLAN_REVIEW.get(env.PLAN_REVIEW.idFromName(name))
}

/** Ends the session that runs in a cell, if one does. */
export async function endSessionIn(
  env: Env,
  store: HubStore,
  end: { cell: string; reason: HaltReason; by: string },
): Promise<void> {
  const session = store.cell(end.cell)?.session ?? null
  if (session === null) return
  const name = objectName(store.get('site') ?? '', session)
  await env.EXECUTION_SESSION.get(env.EXECUTION_SESSION.idFromName(name)).stop(end.reason, end.by)
}
