// What people at the site do to cells: arm, disarm, clear, and see their state. A cell that ended
// abnormally is latched until a person has recorded its state; clearing does not arm it.
import { limits } from '../../protocol/limits.ts'
import { err, ok } from '../../protocol/result.ts'
import type { CellAnswer, CellStatus } from '../contracts.ts'
import type { CellRow, HubStore } from './store.ts'

/** The cell as people see it. */
export function cellStatus(store: HubStore, cell: CellRow): CellStatus {
  const agent = store.agents().find((row) => row.cell === cell.cell && !row.revoked)
  const queued = store.sql.exec<{ n: number }>('SELECT COUNT(*) AS n FROM queue').toArray()[0]?.n
  return {
    cell: cell.cell,
    agent: agent?.agent ?? null,
    armed_until_ms: cell.armed_until_ms,
    armed_by: cell.armed_by,
    needs_clearance: cell.needs_clearance,
    latch_reason: cell.latch_reason,
    session: cell.session,
    queued: queued ?? 0,
  }
}

/** Reads one cell back after a change. */
export function answerFor(store: HubStore, name: string): CellAnswer {
  const cell = store.cell(name)
  return cell === null ? err({ reason: 'cell_unknown' }) : ok(cellStatus(store, cell))
}

/** A person at the cell allows physical plans until a time; refused while it is latched. */
export function armCell(
  store: HubStore,
  name: string,
  arm: { until_ms: number; by: string; now_ms: number },
): CellAnswer {
  const cell = store.cell(name)
  if (cell === null) return err({ reason: 'cell_unknown' })
  if (cell.needs_clearance) return err({ reason: 'needs_clearance' })
  const until = Math.min(arm.until_ms, arm.now_ms + limits.armingMsMax)
  store.sql.exec(
    'UPDATE cells SET armed_until_ms = ?, armed_by = ? WHERE cell = ?',
    until,
    arm.by,
    name,
  )
  return answerFor(store, name)
}

/** Takes the arming back; a physical node of a running session fails its next authority check. */
export function disarmCell(store: HubStore, name: string): CellAnswer {
  store.sql.exec('UPDATE cells SET armed_until_ms = NULL, armed_by = NULL WHERE cell = ?', name)
  return answerFor(store, name)
}

/** A person records the state of the cell; refused while a session still runs in it. */
export function clearCell(store: HubStore, name: string, note: string): CellAnswer {
  const cell = store.cell(name)
  if (cell === null) return err({ reason: 'cell_unknown' })
  if (cell.session !== null) return err({ reason: 'session_running' })
  store.sql.exec(
    'UPDATE cells SET needs_clearance = 0, latch_reason = NULL, note = ? WHERE cell = ?',
    note.slice(0, limits.rationaleCharsMax),
    name,
  )
  return answerFor(store, name)
}
