// Stubs of the objects. The site of the credential is part of every name (invariant 6), so a
// foreign id leads to an object that does not exist. The stubs are seen through their contracts,
// which keeps the types of RPC shallow.
import { makeId, objectName, type IdKind } from '../protocol/ids.ts'
import type {
  ExecutionSessionApi,
  PlanReviewApi,
  SiteHubApi,
} from '../durable-objects/contracts.ts'
import type { CellStateApi } from '../durable-objects/cell/api.ts'
import type { Env } from '../durable-objects/env.ts'
import type { SiteKeeperApi } from '../durable-objects/keeper/api.ts'
import type { SiteTotalsApi } from '../durable-objects/totals/api.ts'
import type { Trailed } from './audit-pages.ts'

/** An object that also takes an upgraded request. */
export type Fetching = { fetch(request: Request): Promise<Response> }

/** What the door asks of a hub. The clear key that `putSiteKey` takes never comes back to it. */
type Hub = SiteHubApi &
  Fetching &
  Trailed & { putSiteKey(name: string, clear: string, by: string): Promise<boolean> }

/** `hint` places the hub near the lab; it counts only when the hub is created. */
export function siteHub(
  env: Env,
  site: string,
  hint: DurableObjectLocationHint | null = null,
): Hub {
  const options = hint === null ? {} : { locationHint: hint }
  const stub: unknown = env.SITE_HUB.getByName(site, options)
  return stub as Hub
}

export function planReview(env: Env, site: string, plan: string): PlanReviewApi & Trailed {
  const stub: unknown = env.PLAN_REVIEW.getByName(objectName(site, plan))
  return stub as PlanReviewApi & Trailed
}

export function executionSession(
  env: Env,
  site: string,
  session: string,
): ExecutionSessionApi & Fetching {
  const stub: unknown = env.EXECUTION_SESSION.getByName(objectName(site, session))
  return stub as ExecutionSessionApi & Fetching
}

export function cellState(env: Env, site: string, cell: string): CellStateApi & Trailed {
  const stub: unknown = env.CELL_STATE.getByName(objectName(site, cell))
  return stub as CellStateApi & Trailed
}

export function siteTotals(env: Env, site: string): SiteTotalsApi {
  const stub: unknown = env.SITE_TOTALS.getByName(site)
  return stub as SiteTotalsApi
}

export function siteKeeper(env: Env, site: string): SiteKeeperApi {
  const stub: unknown = env.SITE_KEEPER.getByName(site)
  return stub as SiteKeeperApi
}

/** A fresh public id. */
export function freshId(kind: IdKind): string {
  return makeId(kind, crypto.getRandomValues(new Uint8Array(26)))
}
