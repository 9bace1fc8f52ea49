// What people at the site do to cells: arm, disarm, clear, release, and see their state. A cell that
// ended abnormally is latched until a person has recorded its state; clearing does not arm it.
import { limits } from '../../protocol/limits.ts'
import { err, ok } from '../../protocol/result.ts'
import type { AgentStatus, CellAnswer, CellStatus, PersonsAct } from '../contracts.ts'
import { cellStopViews } from './cell-stop-view.ts'
import { endCellStop, openCellStops } from './cell-stops.ts'
import {
  acknowledges,
  freeCell,
  missed,
  setArmed,
  setCleared,
  setDisarmed,
  setLatched,
  setReleased,
} from './cells.ts'
import { endUnknown, openStops, stopsCleared, stopView } from './stops.ts'
import { releaseSharedIn } from './shared.ts'
import type { CellRow, HubStore } from './store.ts'

/** The cell as people see it. */
export function cellStatus(store: HubStore, cell: CellRow): CellStatus {
  const agent = store.agentKeys().find((row) => row.cell === cell.cell && !row.revoked)
  const queued = store.sql.exec<{ n: number }>('SELECT COUNT(*) AS n FROM queue').one().n
  const holds = store.sql
    .exec<CellStatus['holds'][number]>(
      'SELECT planner, session, plan, reason, at_ms FROM holds WHERE cell = ? ORDER BY planner',
      cell.cell,
    )
    .toArray()
  const { change_what: what, change_by, change_ms } = cell
  return {
    cell: cell.cell,
    agent: agent?.agent ?? null,
    armed_until_ms: cell.armed_until_ms,
    armed_by: cell.armed_by,
    needs_clearance: cell.needs_clearance,
    latch_reason: cell.latch_reason,
    session: cell.session,
    queued,
    change: cell.change,
    changed: what === null ? null : { what, by: change_by ?? 'gateway', at_ms: change_ms ?? 0 },
    held_by: cell.held,
    holds,
    not_at_rest: cell.not_at_rest,
    stops: openStops(store, cell.cell).map(stopView),
    ...cellStopViews(store, cell.cell),
  }
}

/** The agents as people see them: without their keys, with whether each is connected. */
export function agentStatuses(store: HubStore, online: ReadonlySet<string>): AgentStatus[] {
  return store.agents().map(({ jwk: _jwk, ...row }) => ({ ...row, online: online.has(row.agent) }))
}

/** Reads one cell back after a change. */
export function answerFor(store: HubStore, name: string): CellAnswer {
  const cell = store.cell(name)
  return cell === null ? err({ reason: 'cell_unknown' }) : ok(cellStatus(store, cell))
}

const stale = (cell: CellRow): CellAnswer => err({ reason: 'stale_change', detail: missed(cell) })

/** A person at the cell allows physical plans until a time; refused while it is latched. */
export function armCell(
  store: HubStore,
  name: string,
  arm: PersonsAct & { until_ms: number; now_ms: number },
): CellAnswer {
  const cell = store.cell(name)
  if (cell === null) return err({ reason: 'cell_unknown' })
  if (cell.needs_clearance) return err({ reason: 'needs_clearance', detail: missed(cell) })
  if (!acknowledges(cell, arm, 'arm')) return stale(cell)
  const until_ms = Math.min(arm.until_ms, arm.now_ms + limits.armingMsMax)
  const agent = store.agentKeys().find((row) => row.cell === name && !row.revoked)
  setArmed(store, name, { ...arm, until_ms, boot_id: agent?.boot_id ?? null })
  return answerFor(store, name)
}

/** Takes the arming back; a physical node of a running session fails its next authority check. */
export function disarmCell(
  store: HubStore,
  name: string,
  doing: { by: string; now_ms: number },
): CellAnswer {
  setDisarmed(store, name, 'disarmed', doing)
  return answerFor(store, name)
}

/** What has not been reported at rest: by an end, or by the agent in its last health. */
function movingIn(store: HubStore, cell: CellRow): string[] {
  const agent = store.agents().find((row) => row.cell === cell.cell && !row.revoked)
  const servers = Object.entries(agent?.health?.servers ?? {})
  const told = servers.filter(([, { reason }]) => reason === 'not_at_rest').map(([name]) => name)
  return [...new Set([...cell.not_at_rest, ...told])].sort()
}

/**
 * A person records the state of the cell; refused while a session still runs in it, while a device has
 * not been reported at rest, and when the cell has changed since the person saw it.
 */
export function clearCell(
  store: HubStore,
  name: string,
  clear: PersonsAct & { note: string; now_ms: number },
): CellAnswer {
  const cell = store.cell(name)
  if (cell === null) return err({ reason: 'cell_unknown' })
  if (cell.session !== null) return err({ reason: 'session_running' })
  if (!acknowledges(cell, clear, 'clear')) return stale(cell)
  const moving = movingIn(store, cell)
  if (moving.length > 0) {
    const detail = `Not reported at rest: ${moving.join(', ')}.`
    return err({ reason: 'not_at_rest', detail })
  }
  stopsCleared(store, name)
  // What nobody has answered is not carried out in a cell for which a person has answered since.
  for (const { stop, state } of openCellStops(store, name)) {
    if (state === 'wanted') endCellStop(store, stop, 'dropped', clear.now_ms)
  }
  releaseSharedIn(store, name)
  setCleared(store, name, clear.note.slice(0, limits.rationaleCharsMax), clear)
  return answerFor(store, name)
}

/**
 * An administrator takes a session off a cell that cannot be asked any more, or declares devices that
 * will not report. The session has no authority without its cell. The cell stays latched: a person at
 * the cell clears it as ever.
 */
export function forceClearCell(
  store: HubStore,
  name: string,
  act: PersonsAct & { now_ms: number },
): CellAnswer {
  const cell = store.cell(name)
  if (cell === null) return err({ reason: 'cell_unknown' })
  if (!acknowledges(cell, act, 'clear')) return stale(cell)
  if (cell.session !== null) {
    store.write(
      `UPDATE bindings SET state = 'ended', outcome = 'terminated', ended_ms = ?, next_ms = NULL,
         stop_reason = COALESCE(stop_reason, 'stopped_by_person') WHERE session = ?`,
      act.now_ms,
      cell.session,
    )
    endUnknown(store, cell.session)
    freeCell(store, cell.session)
  }
  for (const { stop } of openCellStops(store, name)) {
    endCellStop(store, stop, 'dropped', act.now_ms)
  }
  store.write('UPDATE cells SET not_at_rest = NULL WHERE cell = ?', name)
  setLatched(store, name, { reason: 'forced_clear', what: 'forced_clear', ...act })
  return answerFor(store, name)
}

/** A person lets waiting plans start again, having seen what held them. */
export function releaseCell(
  store: HubStore,
  name: string,
  act: PersonsAct & { now_ms: number },
): CellAnswer {
  const cell = store.cell(name)
  if (cell === null) return err({ reason: 'cell_unknown' })
  if (!acknowledges(cell, act, 'clear')) return stale(cell)
  setReleased(store, name, act)
  return answerFor(store, name)
}
