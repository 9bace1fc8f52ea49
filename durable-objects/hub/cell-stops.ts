// Stops and drills of whole cells, as rows: what is to be called, how far it has come, when it is told again.
// A stop is wanted until every device has confirmed or a person answers for the cell; a drill has an end.
import { z } from 'zod'
import { cellStops, type CellStop } from '../../contain/stop-sequence.ts'
import { makeId } from '../../protocol/ids.ts'
import { limits } from '../../protocol/limits.ts'
import type { CellStopStatus, StopState } from '../../protocol/status.ts'
import {
  placedStopSchema,
  stopAnswerClaimsSchema,
  type StopAnswerClaims,
  type StopKind,
} from '../../protocol/stop-order.ts'
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
/** What a drill may take beyond the times that its groups state. */
const drillGraceMs = 60_000
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
  calls: readonly CellStop[]
  told: StopAnswerClaims['calls']
  ended_ms: number | null
}

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
    calls: readList(callsSchema, row['calls']),
    told: readList(toldSchema, row['told']),
    ended_ms: row['ended_ms'] === null ? null : Number(row['ended_ms']),
  }
}

const rowsOf = (store: HubStore, where: string, ...values: SqlStorageValue[]): CellStopRow[] =>
  store.sql
    .exec(`SELECT * FROM cell_stops WHERE ${where} ORDER BY at_ms, stop`, ...values)
    .toArray()
    .map(rowOf)

/** Those that are not over, of one cell. */
export const openCellStops = (store: HubStore, cell: string): CellStopRow[] =>
  rowsOf(store, 'cell = ? AND ended_ms IS NULL', cell)

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

/** Devices and addresses that a run of another cell holds: not for this cell to stop. */
function heldElsewhere(store: HubStore, cell: string): ReadonlySet<string> {
  const rows = store.sql
    .exec<{ thing: string }>('SELECT thing FROM shared_holds WHERE cell <> ?', cell)
    .toArray()
  return new Set(rows.map(({ thing }) => thing))
}

/** What a stop of the cell calls now. */
function callsFor(store: HubStore, cell: string): CellStop[] {
  const read = store.registry()
  if (read === null) return []
  const held = heldElsewhere(store, cell)
  if (held.size === 0) return cellStops(read.registry, cell)
  const agent = store.agents().find((row) => row.cell === cell && !row.revoked)
  const addresses = Object.entries(agent?.health?.servers ?? {})
  const others = new Set(
    addresses.flatMap(([name, { address }]) =>
      address !== undefined && held.has(address) ? [name] : [],
    ),
  )
  return cellStops(read.registry, cell).filter(
    ({ call, devices }) => !others.has(call.server) && !devices.some((device) => held.has(device)),
  )
}

/**
 * Writes the wish down. A stop that is not over is found again and told at once; a drill never stands in
 * for a stop. Null when there is nothing that could be called.
 */
export function wantCellStop(
  store: HubStore,
  wish: { cell: string; kind: StopKind; by: string; now_ms: number },
): CellStopRow | null {
  const { cell, kind, by, now_ms } = wish
  const open = openCellStops(store, cell)
  const same = open.find((row) => row.kind === kind)
  if (same !== undefined) return same
  for (const { stop } of open) if (kind === 'stop') endCellStop(store, stop, 'dropped', now_ms)
  const calls = callsFor(store, cell)
  if (calls.length === 0) return null
  const stop = makeId('stop', crypto.getRandomValues(new Uint8Array(26)))
  const groups = new Map(calls.map(({ call }) => [call.place?.group, call.place?.within_ms ?? 0]))
  const until_ms = now_ms + drillGraceMs + [...groups.values()].reduce((sum, ms) => sum + ms, 0)
  store.write(
    `INSERT INTO cell_stops (stop, cell, kind, by, at_ms, state, calls, next_ms, until_ms)
       VALUES (?, ?, ?, ?, ?, 'wanted', ?, ?, ?)`,
    stop,
    cell,
    kind,
    by,
    now_ms,
    JSON.stringify(calls),
    now_ms + firstRetryMs,
    kind === 'drill' ? until_ms : null,
  )
  store.write(
    `DELETE FROM cell_stops WHERE cell = ?1 AND ended_ms IS NOT NULL AND stop NOT IN (
       SELECT stop FROM cell_stops WHERE cell = ?1 ORDER BY at_ms DESC LIMIT ?2)
       AND stop NOT IN (SELECT stop FROM cell_stops WHERE cell = ?1 AND kind = 'drill'
         AND state = 'stopped' ORDER BY at_ms DESC LIMIT 1)`,
    cell,
    keptOfCell,
  )
  return cellStopOf(store, stop)
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
  store.sql.exec(
    'UPDATE cell_stops SET attempts = attempts + 1, next_ms = ? WHERE stop = ?',
    now_ms + delay,
    stop,
  )
}

/** What the agent says of it. Answers with the row as it is then; null when it is over already. */
export function cellStopTold(
  store: HubStore,
  stop: string,
  told: StopAnswerClaims,
  now_ms: number,
): CellStopRow | null {
  const row = cellStopOf(store, stop)
  if (row === null || row.ended_ms !== null || told.calls.length !== row.calls.length) return null
  const asked = (calls: StopAnswerClaims['calls']): number =>
    calls.filter(({ asked_ms }) => asked_ms !== null).length
  const over = told.calls.every(({ state }) => state === 'at_rest' || state === 'absent')
  store.write(
    `UPDATE cell_stops SET state = ?, told = ?, ended_ms = ?,
       unforgotten = MAX(unforgotten, ?) WHERE stop = ?`,
    over ? 'stopped' : 'asked',
    JSON.stringify(told.calls),
    over ? now_ms : null,
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
): void {
  store.write(
    'UPDATE cell_stops SET state = ?, ended_ms = ?, next_ms = NULL WHERE stop = ?',
    state,
    now_ms,
    stop,
  )
}

/** A drill has its time; what is over by then is told as it stands. */
export const isOverdue = (store: HubStore, stop: string, now_ms: number): boolean =>
  store.sql
    .exec('SELECT 1 FROM cell_stops WHERE stop = ? AND until_ms <= ?', stop, now_ms)
    .toArray().length > 0

/** Device servers of which that is known, and those of which it is not. */
export function restOfCellStop({ calls, told }: CellStopRow): {
  moving: string[]
  at_rest: string[]
} {
  const named = calls.map(({ call }, i) => ({ server: call.server, state: told[i]?.state }))
  const failed = new Set(
    named.flatMap(({ server, state }) =>
      state === 'refused' || state === 'unreachable' ? [server] : [],
    ),
  )
  const rests = named.filter(({ server, state }) => state === 'at_rest' && !failed.has(server))
  return { moving: [...failed].sort(), at_rest: [...new Set(rests.map(({ server }) => server))] }
}

const words: Record<CellStopRow['state'], StopState> = {
  wanted: 'not_reached_yet',
  asked: 'unconfirmed_at_device',
  stopped: 'stopped',
  dropped: 'unconfirmed_at_device',
}

const between = (from: number | null, to: number | null): number | null =>
  from === null || to === null ? null : Math.max(0, to - from)

/** As people are told of it. Times of devices are of the agent's own clock, each compared with itself. */
function cellStopView(row: CellStopRow): CellStopStatus {
  const { stop, kind, by, at_ms, ended_ms, calls, told } = row
  const first = Math.min(...told.map(({ asked_ms }) => asked_ms ?? Infinity))
  const began = Number.isFinite(first) ? first : null
  return {
    stop,
    kind,
    by,
    at_ms,
    state: words[row.state],
    ended_ms,
    calls: calls.map(({ call, devices }, i) => {
      const answer = told[i]
      const asked_ms = answer?.asked_ms ?? null
      return {
        server: call.server,
        tool: call.mcp_tool,
        devices: [...devices],
        group: call.place?.group ?? null,
        state: answer?.state ?? 'pending',
        detail: answer?.detail?.slice(0, limits.restDetailCharsMax) ?? null,
        after_ms: between(began, asked_ms),
        took_ms: between(asked_ms, answer?.rested_ms ?? null),
      }
    }),
  }
}

/** The latest stop, the latest drill, and when a drill last ended as it should. */
export function cellStopViews(
  store: HubStore,
  cell: string,
): { cell_stop: CellStopStatus | null; drill: CellStopStatus | null; last_drill: string | null } {
  const rows = rowsOf(store, 'cell = ?', cell)
  const latest = (kind: StopKind): CellStopStatus | null => {
    const row = rows.findLast((one) => one.kind === kind)
    return row === undefined ? null : cellStopView(row)
  }
  const good = rows.findLast(({ kind, state }) => kind === 'drill' && state === 'stopped')
  const stated = store.registry()?.registry.stops.find((one) => one.cell === cell)?.last_drill
  const last_drill =
    good === undefined ? (stated ?? null) : new Date(good.ended_ms ?? good.at_ms).toISOString()
  return { cell_stop: latest('stop'), drill: latest('drill'), last_drill }
}
