// A review's way to the other objects of its site; the site's name is part of theirs (invariant 6).
import { objectName } from '../../protocol/ids.ts'
import type { CellStateApi } from '../cell/api.ts'
import type { ExecutionSessionApi, PlanReviewApi, SiteHubApi } from '../contracts.ts'
import type { Env } from '../env.ts'
import { limited } from '../limited.ts'
import type { SiteTotalsApi } from '../totals/api.ts'

/** What a review asks of the hub; the clear key of a model endpoint goes nowhere else. */
type Hub = SiteHubApi & { openSiteKey(name: string): Promise<string | null> }

export const hubOf = (env: Env, site: string): Hub =>
  limited(env.SITE_HUB.getByName(site), 'review: ask') as Hub

export const totalsOf = (env: Env, site: string): SiteTotalsApi =>
  limited(env.SITE_TOTALS.getByName(site), 'review: ask') as SiteTotalsApi

export const cellOf = (env: Env, site: string, cell: string): CellStateApi =>
  limited(env.CELL_STATE.getByName(objectName(site, cell)), 'review: ask') as CellStateApi

export const sessionOf = (env: Env, site: string, session: string): ExecutionSessionApi =>
  limited(
    env.EXECUTION_SESSION.getByName(objectName(site, session)),
    'review: ask',
  ) as ExecutionSessionApi

/** Another plan of the site: an earlier version of this one. */
export const reviewOf = (env: Env, site: string, plan: string): PlanReviewApi =>
  limited(env.PLAN_REVIEW.getByName(objectName(site, plan)), 'review: ask') as PlanReviewApi
