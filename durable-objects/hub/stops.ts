// A stop is a wish that is kept: written down for every session that it means, told again until the
// session has ended, and reported as done only when it is. Nothing here reads health or registry.
import type { HaltReason } from '../../protocol/reasons.ts'
import type { SessionStatus, SessionStop, StopState } from '../../protocol/status.ts'
import type { SessionEnd } from '../contracts.ts'
import { readTexts } from './lenient.ts'
import type { HubStore } from './store.ts'

/** A session that does not answer is asked again: soon at first, for as long as it takes. */
const firstRetryMs = 250
const retryMsMax = 10_000
/** An end that a session has not told by itself is asked for after this. */
const endExpectedMs = 2_000
/** Confirmed stops are of no use to anybody after this. */
const keptMs = 86_400_000

export type StopRow = {
  session: string
  cell: string
  reason: HaltReason
  by: string
  /**
   * `wanted`: the session has not answered. `ended`: it has ended, and something of it may still move.
   * `stopped`: nothing of it is unaccounted for.
   */
  state: 'wanted' | 'ended' | 'stopped'
  attempts: number
  next_ms: number | null
  devices: string[]
  /** When it was wanted. */
  at_ms: number
}

function rowOf(row: Record<string, SqlStorageValue>): StopRow {
  return {
    session: String(row['session']),
    cell: String(row['cell']),
    reason: String(row['reason']) as HaltReason,
    by: String(row['by']),
    state: String(row['state']) as StopRow['state'],
    attempts: Number(row['attempts']),
    next_ms: row['next_ms'] === null ? null : Number(row['next_ms']),
    devices: readTexts(row['devices']),
    at_ms: Number(row['at_ms']),
  }
}

/** Writes the wish down, or finds it. The first reason stands. */
export function wantStop(
  store: HubStore,
  stop: { session: string; cell: string; reason: HaltReason; by: string; now_ms: number },
): StopRow {
  store.write(
    `INSERT OR IGNORE INTO stops (session, cell, reason, by, at_ms, state, next_ms)
       VALUES (?, ?, ?, ?, ?, 'wanted', ?)`,
    stop.session,
    stop.cell,
    stop.reason,
    stop.by,
    stop.now_ms,
    stop.now_ms + firstRetryMs,
  )
  store.sql.exec(`DELETE FROM stops WHERE state = 'stopped' AND at_ms < ?`, stop.now_ms - keptMs)
  // Just written or found.
  return stopOf(store, stop.session) as StopRow
}

export function stopOf(store: HubStore, session: string): StopRow | null {
  const row = store.sql.exec('SELECT * FROM stops WHERE session = ?', session).toArray()[0]
  return row === undefined ? null : rowOf(row)
}

/** Stops that are not confirmed, of one cell or of all. */
export function openStops(store: HubStore, cell: string | null = null): StopRow[] {
  return store.sql
    .exec(
      `SELECT * FROM stops WHERE state <> 'stopped' AND (?1 IS NULL OR cell = ?1) ORDER BY at_ms`,
      cell,
    )
    .toArray()
    .map(rowOf)
}

/** Those that somebody has to be asked about now. */
export const dueStops = (store: HubStore, now_ms: number): StopRow[] =>
  openStops(store).filter(({ next_ms }) => next_ms !== null && next_ms <= now_ms)

/** The session did not answer: again later. */
export function notReached(store: HubStore, session: string, now_ms: number): void {
  const row = stopOf(store, session)
  if (row === null) return
  const delay = Math.min(retryMsMax, firstRetryMs * 2 ** Math.min(row.attempts, 10))
  store.write(
    'UPDATE stops SET attempts = attempts + 1, next_ms = ? WHERE session = ?',
    now_ms + delay,
    session,
  )
}

/** True when a node was let go or may have been. */
const mayHaveActed = (status: SessionStatus): boolean =>
  status.nodes.some(({ state }) => !['pending', 'released', 'skipped'].includes(state))

/** The session has ended, by its own word. What moved in it is told with its end. */
export function sessionReached(
  store: HubStore,
  status: SessionStatus,
  physical: boolean,
  now_ms: number,
): void {
  if (status.status !== 'terminated' && status.status !== 'completed') return
  const quiet = !physical || !mayHaveActed(status)
  const told = store.bindingOf(status.session)?.state === 'ended'
  store.write(
    `UPDATE stops SET state = ?, next_ms = ? WHERE session = ? AND state = 'wanted'`,
    quiet ? 'stopped' : 'ended',
    told ? null : now_ms + endExpectedMs,
    status.session,
  )
}

/** The session does not exist and never will: there is nothing to stop. */
export function nothingToStop(store: HubStore, session: string): void {
  store.write(`UPDATE stops SET state = 'stopped', next_ms = NULL WHERE session = ?`, session)
}

/** The session is gone without a word: what it moved is not known. */
export function endUnknown(store: HubStore, session: string): void {
  store.write(
    `UPDATE stops SET state = 'ended', next_ms = NULL WHERE session = ? AND state <> 'stopped'`,
    session,
  )
}

/** The devices of an end by name: those that rest, and those of which that is not known. */
export function restOf(end: Pick<SessionEnd, 'rest'>): { moving: string[]; at_rest: string[] } {
  const devices = end.rest?.devices ?? []
  const names = (rests: boolean): string[] =>
    devices.filter(({ state }) => (state === 'at_rest') === rests).map(({ server }) => server)
  return { moving: names(false), at_rest: names(true) }
}

/**
 * True when nothing of an ended session may still move: it says so itself, or names devices that all rest.
 * A latched end that names none says nothing of any.
 */
export function allRest(end: Pick<SessionEnd, 'rest' | 'latch'>): boolean {
  const { moving, at_rest } = restOf(end)
  return moving.length === 0 && (!end.latch || at_rest.length > 0)
}

/** The end of a session as it tells it: also which devices rest. */
export function endTold(store: HubStore, end: SessionEnd): void {
  store.write(
    'UPDATE stops SET state = ?, devices = ?, next_ms = NULL WHERE session = ?',
    allRest(end) ? 'stopped' : 'ended',
    JSON.stringify(restOf(end).moving),
    end.session,
  )
}

/** A person has looked: what was unconfirmed is theirs. */
export function stopsCleared(store: HubStore, cell: string): void {
  store.write(
    `UPDATE stops SET state = 'stopped', next_ms = NULL WHERE cell = ? AND state = 'ended'`,
    cell,
  )
}

const words: Record<StopRow['state'], StopState> = {
  wanted: 'not_reached_yet',
  ended: 'unconfirmed_at_device',
  stopped: 'stopped',
}

/** A stop as people are told of it. */
export function stopView({ session, cell, state, devices }: StopRow): SessionStop {
  return { session, cell, stop: words[state], devices }
}
