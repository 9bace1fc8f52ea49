// Every change of a cell that a person may have to know of, in one place: each has a number, what it was
// and whose doing, so that arming and clearing can name what was seen.
import type { CellChange, LatchReason } from '../../protocol/status.ts'
import type { CellRow, HubStore } from './store.ts'

export type Doing = { by: string; now_ms: number }

const numbered = 'change = change + 1, change_what = ?, change_by = ?, change_ms = ?'

function change(
  store: HubStore,
  cell: string,
  what: CellChange,
  { by, now_ms }: Doing,
  set: string,
  ...values: SqlStorageValue[]
): void {
  store.write(
    `UPDATE cells SET ${numbered}${set === '' ? '' : `, ${set}`} WHERE cell = ?`,
    what,
    by,
    now_ms,
    ...values,
    cell,
  )
}

const disarmed =
  'armed_until_ms = NULL, armed_by = NULL, armed_credential = NULL, armed_boot = NULL'

/** Allows physical plans; lifts what a person's stop held, since it is a person who allows them. */
export function setArmed(
  store: HubStore,
  cell: string,
  arm: { until_ms: number; credential: string; boot_id: string | null } & Doing,
): void {
  store.write('DELETE FROM holds WHERE cell = ?', cell)
  change(
    store,
    cell,
    'armed',
    arm,
    'armed_until_ms = ?, armed_by = ?, armed_credential = ?, armed_boot = ?, held = NULL',
    arm.until_ms,
    arm.by,
    arm.credential,
    arm.boot_id,
  )
}

/** Takes the arming back, for whatever reason. */
export function setDisarmed(store: HubStore, cell: string, what: CellChange, doing: Doing): void {
  change(store, cell, what, doing, disarmed)
}

/** A person's stop: disarmed, and nothing starts before a person lets it, not even what only reads. */
export function setStopped(store: HubStore, cell: string, doing: Doing): void {
  change(store, cell, 'stopped', doing, `${disarmed}, held = ?`, doing.by)
}

/** A person must look. The first reason stands until it is cleared; devices add up. */
export function setLatched(
  store: HubStore,
  cell: string,
  latch: { reason: LatchReason; what?: CellChange; devices?: readonly string[] } & Doing,
): void {
  const before = store.cell(cell)?.not_at_rest ?? []
  const devices = [...new Set([...before, ...(latch.devices ?? [])])].sort()
  change(
    store,
    cell,
    latch.what ?? 'latched',
    latch,
    `${disarmed}, needs_clearance = 1,
       latch_reason = CASE WHEN needs_clearance = 1 THEN latch_reason ELSE ? END, not_at_rest = ?`,
    latch.reason,
    JSON.stringify(devices),
  )
}

/** What the agent says of the devices after an end. */
export function setRest(
  store: HubStore,
  cell: string,
  rest: { moving: readonly string[]; at_rest: readonly string[] } & Doing,
): void {
  const before = store.cell(cell)?.not_at_rest ?? []
  const devices = [...new Set([...before, ...rest.moving])]
    .filter((device) => rest.moving.includes(device) || !rest.at_rest.includes(device))
    .sort()
  if (JSON.stringify(devices) === JSON.stringify(before)) return
  change(store, cell, 'rest_reported', rest, 'not_at_rest = ?', JSON.stringify(devices))
}

/** A person has recorded the state: it is theirs now, and what was held may go on. */
export function setCleared(store: HubStore, cell: string, note: string, doing: Doing): void {
  store.write('DELETE FROM holds WHERE cell = ?', cell)
  change(
    store,
    cell,
    'cleared',
    doing,
    `needs_clearance = 0, latch_reason = NULL, held = NULL, not_at_rest = NULL, note = ?`,
    note,
  )
}

/** Waiting plans may start again. It neither arms nor clears. */
export function setReleased(store: HubStore, cell: string, doing: Doing): void {
  store.write('DELETE FROM holds WHERE cell = ?', cell)
  change(store, cell, 'queue_released', doing, 'held = NULL')
}

/** A run that did not complete: the later plans of its planner wait until somebody has looked. */
export function setHold(
  store: HubStore,
  hold: {
    cell: string
    planner: string
    session: string
    plan: string
    reason: string
  } & Doing,
): void {
  store.write(
    `INSERT OR REPLACE INTO holds (cell, planner, session, plan, reason, at_ms)
       VALUES (?, ?, ?, ?, ?, ?)`,
    hold.cell,
    hold.planner,
    hold.session,
    hold.plan,
    hold.reason,
    hold.now_ms,
  )
  change(store, hold.cell, 'queue_held', hold, '')
}

/** The cell lets go of a session; its other state stays. */
export function freeCell(store: HubStore, session: string): void {
  store.write('UPDATE cells SET session = NULL WHERE session = ?', session)
}

/** Changes that ask nothing of the next person who arms. */
const harmless: ReadonlySet<CellChange | null> = new Set([null, 'armed', 'cleared'])

/**
 * Whether a person may act on what they saw. Without a number only when nothing has happened that is
 * not their own doing: then there is nothing that they could have missed.
 */
export function acknowledges(
  cell: CellRow,
  act: { by: string; seen: number | null },
  kind: 'arm' | 'clear',
): boolean {
  if (act.seen !== null) return act.seen === cell.change
  return cell.change_by === act.by || (kind === 'arm' && harmless.has(cell.change_what))
}

/** What a person missed, in words. */
export function missed(cell: CellRow): string {
  const what = (cell.change_what ?? 'changed').replaceAll('_', ' ')
  return `Latest: ${what}, by ${cell.change_by ?? 'the gateway'} (change ${cell.change}).`
}
