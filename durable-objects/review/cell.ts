// What a bound plan has to do with its cell: the dry run once more over the cell as it is now, and what
// the run touches held until the session ends.
import { cellStateSchema, type CellState } from '../../protocol/state.ts'
import { changedSince, touchedBy, traceDecided } from '../../verify/review/left.ts'
import { forOtherCells } from '../../verify/review/shared.ts'
import type { ReviewSpec } from '../../verify/review/state.ts'
import type { Difference } from '../../verify/simulate/compare.ts'
import type { OpenSpec } from '../contracts.ts'
import type { Env } from '../env.ts'
import { cellOf, sessionOf } from './neighbours.ts'
import { reserveTotals } from './totals.ts'

/**
 * What differs, with the cell as it is; from here on what the plan adds to the site's totals is reserved.
 * Null when its session is over already, for the totals. Throws when nobody answers: the hub asks again,
 * and nothing is bound meanwhile.
 */
export async function differencesNow(
  env: Env,
  spec: ReviewSpec,
  ask: { session: string; cell: string; now_ms: number; covered: boolean },
): Promise<{ readonly differences: Difference[]; readonly now: CellState } | null> {
  const { session, cell, now_ms, covered } = ask
  const text = await cellOf(env, spec.submitter.site, cell).state(cell)
  const state: CellState = cellStateSchema.parse(JSON.parse(text))
  const now = await reserveTotals(env, spec, { session, state, now_ms })
  if (now === null) return null
  return { differences: changedSince(spec, { now, now_ms, covered }), now }
}

/** So long it waits at once, and within the time that the hub gives a bind. */
const heardWithinMs = 3_000
const heardStepMs = 100

/**
 * The hub hears of the end of a run a moment before the cell hears what the run left; until then everything
 * that it touched reads as unknown, and the next plan would go to a person for nothing. A cell runs one session
 * at a time: what another one of this very cell still holds is not told yet. What a session of another cell
 * holds is in use. Throws when it is not told in time: the hub asks again, and nothing is bound meanwhile.
 */
export async function untilHeard(
  env: Env,
  spec: ReviewSpec,
  { session, cell }: { session: string; cell: string },
): Promise<void> {
  const { site } = spec.submitter
  const until_ms = Date.now() + heardWithinMs
  for (;;) {
    const held = await cellOf(env, site, cell).holding()
    const others = held.filter((one) => one !== session)
    const statuses = await Promise.all(others.map((one) => sessionOf(env, site, one).status()))
    if (!statuses.some((status) => status?.cell === cell)) return
    if (Date.now() >= until_ms) throw new Error(`cell ${cell} has not heard what a run left`)
    await scheduler.wait(heardStepMs)
  }
}

/** Holds before the session exists: from here on nobody plans on what this run is changing. */
export async function holdFor(
  env: Env,
  spec: ReviewSpec,
  { open, bound }: { open: OpenSpec; bound: Parameters<typeof traceDecided>[1] },
): Promise<void> {
  const { site, session, cell } = open.context
  const facts = touchedBy(traceDecided(spec, bound))
  const at_ms = open.now_ms
  // First in the cells that share something: nobody must plan on it while this run changes it.
  for (const [other, about] of forOtherCells(spec.snapshot.registry, cell, facts)) {
    await cellOf(env, site, other).hold({ session, facts: about, at_ms })
  }
  await cellOf(env, site, cell).hold({ session, facts, at_ms })
}
