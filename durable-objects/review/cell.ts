// What a bound plan has to do with its cell: the dry run once more over the cell as it is now, and what
// the run touches held until the session ends.
import { objectName } from '../../protocol/ids.ts'
import { cellStateSchema, type CellState } from '../../protocol/state.ts'
import { changedSince, touchedBy, traceDecided } from '../../verify/review/left.ts'
import { forOtherCells } from '../../verify/review/shared.ts'
import type { ReviewSpec } from '../../verify/review/state.ts'
import type { Difference } from '../../verify/simulate/compare.ts'
import type { CellStateApi } from '../cell/api.ts'
import type { ExecutionSessionApi, OpenSpec } from '../contracts.ts'
import type { Env } from '../env.ts'
import { reserveTotals } from './totals.ts'

function cellOf(env: Env, site: string, cell: string): CellStateApi {
  const stub: unknown = env.CELL_STATE.getByName(objectName(site, cell))
  return stub as CellStateApi
}

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
  const state = cellOf(env, spec.submitter.site, cell)
  const until_ms = now_ms + toldWithinMs
  for (;;) {
    const here: CellState = cellStateSchema.parse(JSON.parse(await state.state(cell)))
    const now = await reserveTotals(env, spec, { session, state: here, now_ms })
    if (now === null) return null
    const differences = changedSince(spec, { now, now_ms, covered })
    if (differences.length === 0) return { differences, now }
    const others = (await state.holding()).filter((one) => one !== session)
    if (!(await endedHere(env, spec.submitter.site, { sessions: others, cell }))) {
      return { differences, now }
    }
    // Asked again by the hub: what is not told yet is no change of the cell.
    if (Date.now() >= until_ms) throw new Error(`cell ${cell} has not heard what a run left`)
    await scheduler.wait(toldStepMs)
  }
}

/**
 * Whether one of these sessions ran in this very cell. A cell runs one at a time, so it has ended: the hub
 * hears of an end a moment before the cell hears what was left, and until then everything that the run touched
 * reads as unknown. What a session of another cell holds is in use.
 */
async function endedHere(
  env: Env,
  site: string,
  { sessions, cell }: { sessions: readonly string[]; cell: string },
): Promise<boolean> {
  for (const one of sessions) {
    const object: unknown = env.EXECUTION_SESSION.getByName(objectName(site, one))
    const status = await (object as ExecutionSessionApi).status()
    if (status?.cell === cell) return true
  }
  return false
}

/** So long it waits at once, and within the time that the hub gives a bind. */
const toldWithinMs = 3_000
const toldStepMs = 100

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
