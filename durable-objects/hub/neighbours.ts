// The hub's way to the other objects of its site; the site's name is part of theirs (invariant 6).
import { objectName } from '../../protocol/ids.ts'
import type { ExecutionSessionApi, PlanReviewApi } from '../contracts.ts'
import type { CellStateApi } from '../cell/api.ts'
import type { Env } from '../env.ts'
import { limited, type CallKind } from '../limited.ts'
import type { SiteTotalsApi } from '../totals/api.ts'
import type { HubStore } from './store.ts'

/** The review of one plan of this site. */
export function planReviewOf(
  env: Env,
  store: HubStore,
  plan: string,
  kind: CallKind = 'hub: ask',
): PlanReviewApi {
  const stub = env.PLAN_REVIEW.getByName(objectName(store.get('site') ?? '', plan))
  return limited(stub, kind) as PlanReviewApi
}

/** One session of this site. */
export function sessionOf(
  env: Env,
  store: HubStore,
  session: string,
  kind: CallKind = 'hub: ask',
): ExecutionSessionApi {
  const stub = env.EXECUTION_SESSION.getByName(objectName(store.get('site') ?? '', session))
  return limited(stub, kind) as ExecutionSessionApi
}

/** What is known of one cell of this site. */
export function cellStateOf(env: Env, store: HubStore, cell: string): CellStateApi {
  const stub = env.CELL_STATE.getByName(objectName(store.get('site') ?? '', cell))
  return limited(stub, 'hub: cell') as CellStateApi
}

/** The sums over plans of this site. */
export function siteTotalsOf(env: Env, store: HubStore): SiteTotalsApi {
  return limited(env.SITE_TOTALS.getByName(store.get('site') ?? ''), 'hub: cell') as SiteTotalsApi
}
