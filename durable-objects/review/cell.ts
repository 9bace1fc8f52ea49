// What a bound plan has to do with its cell: the dry run once more over the cell as it is now, and what
// the run touches held until the session ends.
import { cellStateSchema, type CellState } from '../../protocol/state.ts'
import { changedSince, touchedBy, traceDecided } from '../../verify/review/left.ts'
import { forOtherCells } from '../../verify/review/shared.ts'
import type { ReviewSpec } from '../../verify/review/state.ts'
import type { Difference } from '../../verify/simulate/compare.ts'
import type { OpenSpec } from '../contracts.ts'
import type { Env } from '../env.ts'
import { cellOf } from './neighbours.ts'
import { reserveTotals } from './totals.ts'

/**
 * What differs, with the cell as it is; from here on what the plan adds to the site's totals is reserved.
 * Null when its session is over already, for the totals. Throws when nobody answers: the hub asks again,
 * and nothing is bound meanwhile.
 */
export async function differencesNow(
  env: Env,
  spec: ReviewSpec,
  { session, cell, now_ms }: { session: string; cell: string; now_ms: number },
): Promise<{ readonly differences: Difference[]; readonly now: CellState } | null> {
  const text = await cellOf(env, spec.submitter.site, cell).state(cell)
  const state: CellState = cellStateSchema.parse(JSON.parse(text))
  const now = await reserveTotals(env, spec, { session, state, now_ms })
  if (now === null) return null
  return { differences: changedSince(spec, now, now_ms), now }
}

/** Holds before the session exists: from here on nobody plans on what this run is changing. */
export async function holdFor(env: Env, spec: ReviewSpec, open: OpenSpec): Promise<void> {
  const { site, session, cell } = open.context
  const facts = touchedBy(traceDecided(spec))
  const at_ms = open.now_ms
  // First in the cells that share something: nobody must plan on it while this run changes it.
  for (const [other, about] of forOtherCells(spec.snapshot.registry, cell, facts)) {
    await cellOf(env, site, other).hold({ session, facts: about, at_ms })
  }
  await cellOf(env, site, cell).hold({ session, facts, at_ms })
}
