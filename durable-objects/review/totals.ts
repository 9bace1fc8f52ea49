// What a plan does to the sums over plans that its site limits: reserved before it is bound, settled when
// its session has ended. Where no rule of the site has a total, nobody is asked.
import { readTotals } from '../../protocol/totals.ts'
import type { CellState } from '../../protocol/state.ts'
import { hasTotals } from '../../verify/rules/charges.ts'
import { chargedBy } from '../../verify/review/left.ts'
import type { ReviewSpec } from '../../verify/review/state.ts'
import type { RanNodes } from '../totals/api.ts'
import type { Env } from '../env.ts'
import { sessionOf, totalsOf } from './neighbours.ts'

/** A session whose end its totals learn. */
export type Settling = {
  readonly session: string
  readonly ran: 'none' | 'ask'
  readonly at_ms: number
}

export const hasCounters = ({ snapshot }: ReviewSpec): boolean =>
  snapshot.registry.rules.some(hasTotals)

/**
 * Reserves what the plan will add, and answers with the cell as it is, the sums of all others beside it.
 * Null when the session is over already: it must not run. Throws when nobody answers.
 */
export async function reserveTotals(
  env: Env,
  spec: ReviewSpec,
  { session, state, now_ms }: { session: string; state: CellState; now_ms: number },
): Promise<CellState | null> {
  if (!hasCounters(spec)) return state
  const { site, owner } = spec.submitter
  const { reserved, totals } = await totalsOf(env, site).reserve({
    session,
    plan: spec.plan_id,
    cell: state.cell,
    owner,
    charges: chargedBy(spec, state, now_ms),
    at_ms: now_ms,
  })
  if (!reserved) return null
  const known = readTotals(totals)
  return known === undefined ? state : { ...state, totals: known }
}

/** The session will never run: nothing of it is charged. */
export async function releaseTotals(
  env: Env,
  spec: ReviewSpec,
  session: string,
  now_ms: number,
): Promise<void> {
  if (!hasCounters(spec)) return
  await totalsOf(env, spec.submitter.site).settle(session, 'none', now_ms)
}

/** Charges what an ended session did, by its own word. Throws while it cannot be asked. */
export async function settleTotals(
  env: Env,
  site: string,
  { session, ran, at_ms }: Settling,
): Promise<void> {
  await totalsOf(env, site).settle(
    session,
    ran === 'none' ? 'none' : await nodesOf(env, site, session),
    at_ms,
  )
}

async function nodesOf(env: Env, site: string, session: string): Promise<RanNodes> {
  const status = await sessionOf(env, site, session).status()
  if (status === null) return 'unknown'
  const over = status.status === 'completed' || status.status === 'terminated'
  if (!over) throw new Error(`session ${session} has not ended yet`)
  return status.nodes.map(({ nid, state }) => ({ nid, state }))
}
