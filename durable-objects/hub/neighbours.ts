// The hub's way to the other objects of its site; the site's name is part of theirs (invariant 6). Every
// call has a limit: one object that hangs holds up nobody but itself.
import { objectName } from '../../protocol/ids.ts'
import type { ExecutionSessionApi, PlanReviewApi } from '../contracts.ts'
import type { Env } from '../env.ts'
import type { HubStore } from './store.ts'

/** The review of one plan of this site. */
export function planReviewOf(env: Env, store: HubStore, plan: string): PlanReviewApi {
  const stub: unknown = env.PLAN_REVIEW.getByName(objectName(store.get('site') ?? '', plan))
  return stub as PlanReviewApi
}

/** One session of this site. */
export function sessionOf(env: Env, store: HubStore, session: string): ExecutionSessionApi {
  const stub: unknown = env.EXECUTION_SESSION.getByName(
    objectName(store.get('site') ?? '', session),
  )
  return stub as ExecutionSessionApi
}

/** The answer, or a throw once `limit_ms` are over. A late answer is dropped. */
export async function inTime<T>(answer: Promise<T>, limit_ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | null = null
  // Nobody waits for a late failure any more.
  answer.catch(() => undefined)
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), limit_ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
