// The hub's way to the other objects of its site; the site's name is part of theirs (invariant 6).
import { objectName } from '../../protocol/ids.ts'
import type { HaltReason } from '../../protocol/reasons.ts'
import type { Env } from '../env.ts'
import { stopWhenAnswered } from './bindings.ts'
import type { HubStore } from './store.ts'

/** The review of one plan of this site. */
export function planReviewOf(env: Env, store: HubStore, plan: string) {
  return env.PLAN_REVIEW.getByName(objectName(store.get('site') ?? '', plan))
}

/** One session of this site. */
export function sessionOf(env: Env, store: HubStore, session: string) {
  return env.EXECUTION_SESSION.getByName(objectName(store.get('site') ?? '', session))
}

/**
 * Ends one session. One that was asked for and not answered yet may come to exist at any moment: its
 * cell is freed now, so that it can actuate nothing, and it is stopped as soon as the answer is there.
 */
export async function endSession(
  env: Env,
  store: HubStore,
  end: { session: string; reason: HaltReason; by: string },
): Promise<void> {
  if (stopWhenAnswered(store, end.session, end.reason)) return
  await sessionOf(env, store, end.session).stop(end.reason, end.by)
}
