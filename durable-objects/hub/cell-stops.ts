// Stops and drills of whole cells, as rows: what is to be called, how far it has come, when it is told again.
// A stop is wanted until every device has confirmed or a person answers for the cell; a drill has an end.
import { z } from 'zod'
import type { CellStop } from '../../contain/stop-sequence.ts'
import { makeId } from '../../protocol/ids.ts'
import { cellStopWhySchema, type CellStopWhy } from '../../protocol/status.ts'
import {
  drillMs,
  placedStopSchema,
  stopAnswerClaimsSchema,
  type StopAnswerClaims,
  type StopKind,
} from '../../protocol/stop-order.ts'
import { callsFor, notHeldElsewhere } from './cell-stop-calls.ts'
import type { HubStore } from './store.ts'

export const cellStopsTable = `
CREATE TABLE IF NOT EXISTS cell_stops (stop TEXT PRIMARY KEY, cell TEXT NOT NULL, kind TEXT NOT NULL,
  by TEXT NOT NULL, at_ms REAL NOT NULL, state TEXT NOT NULL, calls TEXT NOT NULL, told TEXT,
  attempts INTEGER NOT NULL DEFAULT 0, next_ms REAL, until_ms REAL, ended_ms REAL,
  unforgotten INTEGER NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS cell_stops_open ON cell_stops (cell) WHERE ended_ms IS NULL;
`

const firstRetryMs = 500
const retryMsMax = 10_000
const awayRetryMs = 60_000
/** Rows of one cell that stay: the latest stop, the latest drill, and those that may be open. */
const keptOfCell = 8

export type CellStopRow = {
  stop: string
  cell: string
  kind: StopKind
  by: string
  at_ms: number
  /** `wanted`: the agent has not answered; `asked`: it has; `stopped`: all at rest; `dropped`: given up. */
  state: 'wanted' | 'asked' | 'stopped' | 'dropped'
  /** Why it can never be confirmed, or could not; null when nothing stands against that. */
  why: CellStopWhy | null
  calls: readonly CellStop[]
  told: StopAnswerClaims['calls']
  ended_ms: number | null
  attempts: number
}

/** Columns that came later. `why`: as in the row; `boot`, `seq`: of the last answer that was taken. */
export const cellStopColumns = [
  ['cell_stops', 'why', 'TEXT'],
  ['cell_stops', 'boot', 'TEXT'],
  ['cell_stops', 'seq', 'INTEGER'],
] as const

const callsSchema = z.array(
  z.object({ call: placedStopSchema.strip(), devices: z.array(z.string()) }),
)
const toldSchema = z.array(stopAnswerClaimsSchema.shape.calls.element.strip())

/** Rows of another release that cannot be read name no call: they say so by an empty list. */
function readList<T>(schema: z.ZodType<T[]>, text: SqlStorageValue | undefined): T[] {
  try {
    return schema.parse(JSON.parse(String(text ?? '[]')))
  } catch {
    return []
  }
}

function rowOf(row: Record<string, SqlStorageValue>): CellStopRow {
  return {
    stop: String(row['stop']),
    cell: String(row['cell']),
    kind: row['kind'] === 'drill' ? 'drill' : 'stop',
    by: String(row['by']),
    at_ms: Number(row['at_ms']),
    state: String(row['state']) as CellStopRow['state'],
    why: row['why'] === null ? null : cellStopWhySchema.catch('unreadable').parse(row['why']),
    calls: readList(callsSchema, row['calls']),
    told: readList(toldSchema, row['told']),
    ended_ms: row['ended_ms'] === null ? null : Number(row['ended_ms']),
    attempts: Number(row['attempts']),
  }
}

const rowsOf = (store: HubStore, where: string, ...values: SqlStorageValue[]): CellStopRow[] =>
  store.sql
    .exec(`SELECT * FROM cell_stops WHERE ${where} ORDER BY at_ms, rowid`, ...values)
    .toArray()
    .map(rowOf)

/** Those that are not over, of one cell. */
export const openCellStops = (store: HubStore, cell: string): CellStopRow[] =>
  rowsOf(store, 'cell = ? AND ended_ms IS NULL', cell)

/** Of one cell, the latest last. */
export const cellStopsOf = (store: HubStore, cell: string): CellStopRow[] =>
  rowsOf(store, 'cell = ?', cell)

/** Stops, not drills, that a second attempt has not brought home. */
export const unconfirmedCellStops = (store: HubStore): CellStopRow[] =>
  rowsOf(store, `ended_ms IS NULL AND kind = 'stop' AND attempts > 1`)

export const dueCellStops = (store: HubStore, now_ms: number): CellStopRow[] =>
  rowsOf(store, 'ended_ms IS NULL AND next_ms <= ?', now_ms)

/** Those whose calls have changed what was known of the cell, which its state has not taken yet. */
export const unforgottenStops = (store: HubStore): CellStopRow[] => rowsOf(store, 'unforgotten = 1')

export const stopForgotten = (store: HubStore, { stop, told }: CellStopRow): void => {
  // What was asked meanwhile is told as well.
  store.sql.exec(
    'UPDATE cell_stops SET unforgotten = 0 WHERE stop = ? AND told = ?',
    stop,
    JSON.stringify(told),
  )
}

export const cellStopOf = (store: HubStore, stop: string): CellStopRow | null =>
  rowsOf(store, 'stop = ?', stop)[0] ?? null

export function nextCellStop(store: HubStore): number | null {
  return store.sql
    .exec<{ at: number | null }>('SELECT MIN(next_ms) AS at FROM cell_stops WHERE ended_ms IS NULL')
    .one().at
}

type Wish = { cell: string; kind: StopKind; by: string; now_ms: number }

/** One row; `calls` null: nothing can be called, and it is over as it begins. */
function insert(
  store: HubStore,
  { cell, kind, by, now_ms }: Wish,
  { calls, why }: { calls: readonly CellStop[] | null; why: CellStopWhy | null },
): CellStopRow {
  const stop = makeId('stop', crypto.getRandomValues(new Uint8Array(26)))
  const until_ms = now_ms + drillMs((calls ?? []).map(({ call }) => call))
  store.write(
    `INSERT INTO cell_stops (stop, cell, kind, by, at_ms, state, calls, next_ms, until_ms, ended_ms, why)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    stop,
    cell,
    kind,
    by,
    now_ms,
    calls === null ? 'dropped' : 'wanted',
    JSON.stringify(calls ?? []),
    calls === null ? null : now_ms + firstRetryMs,
    kind === 'drill' ? until_ms : null,
    calls === null ? now_ms : null,
    why,
  )
  store.write(
    `DELETE FROM cell_stops WHERE cell = ?1 AND ended_ms IS NOT NULL AND stop NOT IN (
       SELECT stop FROM cell_stops WHERE cell = ?1 ORDER BY at_ms DESC, rowid DESC LIMIT ?2)
       AND stop NOT IN (SELECT stop FROM cell_stops WHERE cell = ?1 AND kind = 'drill'
         AND state = 'stopped' ORDER BY at_ms DESC LIMIT 1)`,
    cell,
    keptOfCell,
  )
  const row = cellStopOf(store, stop)
  if (row === null) throw new TypeError('a row that was just written')
  return row
}

/** What stands against a drill of the cell now: something runs there, or a stop is not confirmed. */
export function drillBarredBy(store: HubStore, cell: string): 'session' | 'stop' | null {
  if ((store.cell(cell)?.session ?? null) !== null) return 'session'
  return openCellStops(store, cell).some(({ kind }) => kind === 'stop') ? 'stop' : null
}

/**
 * Writes the wish of a person down. A stop is a fresh one each time, since an agent carries each out once and the
 * person sees that something still moves; a drill that is not over is found again, and never stands in
 * for a stop or beside a session. Null when there is nothing that could be called.
 */
export function wantCellStop(store: HubStore, wish: Wish): CellStopRow | null {
  const { cell, kind, now_ms } = wish
  const open = openCellStops(store, cell)
  if (kind === 'drill') {
    if (drillBarredBy(store, cell) !== null) return null
    const same = open[0]
    if (same !== undefined) return same
  }
  const { calls, cut } = callsFor(store, cell)
  if (calls.length === 0) return null
  for (const { stop } of open) endCellStop(store, stop, 'dropped', now_ms)
  return insert(store, wish, { calls, why: cut ? 'too_many_calls' : null })
}

/** A stop that could call nothing: people see it, and why, in place of the one before it. */
export const stopNotPossible = (store: HubStore, wish: Wish, why: CellStopWhy): CellStopRow =>
  insert(store, wish, { calls: null, why })

/** True while the row is open and calls nothing that a run of another cell holds. */
export function isOrderable(store: HubStore, { stop, cell, calls }: CellStopRow): boolean {
  if (cellStopOf(store, stop)?.ended_ms !== null || calls.length === 0) return false
  return notHeldElsewhere(store, cell, calls).length === calls.length
}

/**
 * An open row as it may be ordered now. What a run of another cell holds meanwhile is left out under a new name, so
 * that the agent leaves it alone too. Null when nothing is left of it: then it is over.
 */
export function orderable(store: HubStore, row: CellStopRow, now_ms: number): CellStopRow | null {
  if (isOrderable(store, row)) return row
  const { stop } = row
  const calls = notHeldElsewhere(store, row.cell, row.calls)
  const why = row.calls.length === 0 ? 'unreadable' : 'held_elsewhere'
  endCellStop(store, stop, 'dropped', now_ms, why)
  if (calls.length === 0) return null
  const next = insert(store, { ...row, now_ms: row.at_ms }, { calls, why: row.why })
  store.sql.exec(
    `UPDATE cell_stops SET attempts = ?1, until_ms = (SELECT until_ms FROM cell_stops WHERE stop = ?2)
       WHERE stop = ?3`,
    row.attempts,
    stop,
    next.stop,
  )
  return next
}

/** Told once more: the next time later, for as long as it takes. An agent that comes is told at once. */
export function orderedAgain(
  store: HubStore,
  stop: string,
  { reached, now_ms }: { reached: boolean; now_ms: number },
): void {
  const row = store.sql
    .exec<{ attempts: number }>('SELECT attempts FROM cell_stops WHERE stop = ?', stop)
    .toArray()[0]
  if (row === undefined) return
  const soon = Math.min(retryMsMax, firstRetryMs * 2 ** Math.min(row.attempts, 10))
  const delay = reached ? soon : awayRetryMs
  // Incidents look again at what was written.
  store.write(
    'UPDATE cell_stops SET attempts = attempts + 1, next_ms = ? WHERE stop = ?',
    now_ms + delay,
    stop,
  )
}

const accepted = (
  { call }: CellStop,
  answer: StopAnswerClaims['calls'][number] | undefined,
): boolean => answer?.state === 'at_rest' || (answer?.state === 'absent' && call.place === null)

/**
 * What the agent says of it. Answers with the row as it is then; null when it is over already, or the word is not
 * newer than the last of the same process.
 */
export function cellStopTold(
  store: HubStore,
  stop: string,
  told: StopAnswerClaims,
  now_ms: number,
): CellStopRow | null {
  const row = cellStopOf(store, stop)
  if (row === null || row.ended_ms !== null) return null
  // Also a row that cannot be read: an empty list confirms nothing.
  if (row.calls.length === 0 || told.calls.length !== row.calls.length) return null
  const { boot_id: boot, seq } = told
  const older = 'SELECT 1 FROM cell_stops WHERE stop = ? AND boot = ? AND seq >= ?'
  if (store.sql.exec(older, stop, boot, seq).toArray().length > 0) return null
  const asked = (calls: StopAnswerClaims['calls']): number =>
    calls.filter(({ asked_ms }) => asked_ms !== null).length
  const over = row.calls.every((one, i) => accepted(one, told.calls[i]))
  const rests = told.calls.some(({ state }) => state === 'at_rest')
  const why = row.why ?? (over && !rests ? 'nothing_to_call' : null)
  store.write(
    `UPDATE cell_stops SET state = ?, told = ?, ended_ms = ?, why = ?, boot = ?, seq = ?,
       unforgotten = MAX(unforgotten, ?) WHERE stop = ?`,
    !over ? 'asked' : why === null ? 'stopped' : 'dropped',
    JSON.stringify(told.calls),
    over ? now_ms : null,
    why,
    boot,
    seq,
    asked(told.calls) > asked(row.told) ? 1 : 0,
    stop,
  )
  return cellStopOf(store, stop)
}

export function endCellStop(
  store: HubStore,
  stop: string,
  state: 'stopped' | 'dropped',
  now_ms: number,
  why: CellStopWhy | null = null,
): void {
  store.write(
    'UPDATE cell_stops SET state = ?, ended_ms = ?, next_ms = NULL, why = COALESCE(?, why) WHERE stop = ?',
    state,
    now_ms,
    why,
    stop,
  )
}

/** A drill has its time; what is over by then is told as it stands. */
export const isOverdue = (store: HubStore, stop: string, now_ms: number): boolean =>
  store.sql
    .exec('SELECT 1 FROM cell_stops WHERE stop = ? AND until_ms <= ?', stop, now_ms)
    .toArray().length > 0
