// Stubs of the objects. The site of the credential is part of every name (invariant 6), so a
// foreign id leads to an object that does not exist. The stubs are seen through their contracts,
// which keeps the types of RPC shallow. Every call has a limit (durable-objects/limited.ts).
import { makeId, objectName, type IdKind } from '../protocol/ids.ts'
import type {
  ExecutionSessionApi,
  PlanReviewApi,
  SiteHubApi,
} from '../durable-objects/contracts.ts'
import type { CellStateApi } from '../durable-objects/cell/api.ts'
import type { Env } from '../durable-objects/env.ts'
import type { SiteKeeperApi } from '../durable-objects/keeper/api.ts'
import { limited } from '../durable-objects/limited.ts'
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
  return limited(env.SITE_HUB.getByName(site, options), 'door: ask') as Hub
}

export function planReview(env: Env, site: string, plan: string): PlanReviewApi & Trailed {
  return limited(env.PLAN_REVIEW.getByName(objectName(site, plan)), 'door: ask') as PlanReviewApi &
    Trailed
}

export function executionSession(
  env: Env,
  site: string,
  session: string,
): ExecutionSessionApi & Fetching {
  return limited(
    env.EXECUTION_SESSION.getByName(objectName(site, session)),
    'door: ask',
  ) as ExecutionSessionApi & Fetching
}

export function cellState(env: Env, site: string, cell: string): CellStateApi & Trailed {
  return limited(env.CELL_STATE.getByName(objectName(site, cell)), 'door: ask') as CellStateApi &
    Trailed
}

export function siteTotals(env: Env, site: string): SiteTotalsApi {
  return limited(env.SITE_TOTALS.getByName(site), 'door: ask') as SiteTotalsApi
}

export function siteKeeper(env: Env, site: string): SiteKeeperApi {
  return limited(env.SITE_KEEPER.getByName(site), 'door: ask') as SiteKeeperApi
}

/** A fresh public id. */
export function freshId(kind: IdKind): string {
  return makeId(kind, crypto.getRandomValues(new Uint8Array(26)))
}
