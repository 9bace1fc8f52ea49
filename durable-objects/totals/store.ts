// The table of a site's counters: one row for what one node of one session adds to one counter. Rows go when
// their node certainly did not run, and when no period looks back so far any more; what only a week looks
// back on is one row for each counter, owner and hour.
import { chargeSchema, totalSchema, type Total } from '../../protocol/totals.ts'
import {
  provenBy,
  reachedNoMore,
  reservedEntries,
  settledEntries,
  summedBefore,
  summedUp,
  sumsOf,
  type Entry,
  type Ran,
  type Reservation,
} from '../../verify/rules/counter.ts'

const schema = `
CREATE TABLE IF NOT EXISTS sessions (session TEXT PRIMARY KEY, plan TEXT NOT NULL, cell TEXT NOT NULL,
  state TEXT NOT NULL, at_ms REAL NOT NULL);
CREATE TABLE IF NOT EXISTS entries (session TEXT NOT NULL, n INTEGER NOT NULL, owner TEXT NOT NULL,
  charge TEXT NOT NULL, state TEXT NOT NULL, at_ms REAL NOT NULL, PRIMARY KEY (session, n));
CREATE TABLE IF NOT EXISTS proven (rule TEXT NOT NULL, role TEXT NOT NULL, thing TEXT NOT NULL,
  dim TEXT NOT NULL, most REAL NOT NULL, PRIMARY KEY (rule, role, thing, dim));
CREATE INDEX IF NOT EXISTS entries_by_time ON entries (at_ms);
CREATE INDEX IF NOT EXISTS entries_reserved ON entries (state) WHERE state = 'reserved';
CREATE INDEX IF NOT EXISTS sessions_by_time ON sessions (at_ms);
CREATE INDEX IF NOT EXISTS sessions_open ON sessions (cell) WHERE state = 'reserved';
`

/** Columns that came later: table, column, declaration. */
const columns = [
  ['entries', 'since_ms', 'REAL'],
  ['proven', 'at_ms', 'REAL NOT NULL DEFAULT 0'],
] as const

/**
 * That a session has ended is kept for so long: one that asks to reserve after its end must not run. No plan
 * is bound later than a day after its decision.
 */
const settledKeptMs = 30 * 86_400_000
/** Most counters of which the greatest step is remembered; the longest unproven again is forgotten first. */
const provenMax = 2_000
/** How often the table is pruned and summed up, at most. */
const tidyEveryMs = 600_000

type Row = {
  session: string
  n: number
  owner: string
  charge: string
  state: string
  at_ms: number
  since_ms: number | null
}

/** Unknown keys of another release are left out. One that cannot be read at all is for the caller. */
const lenientCharge = chargeSchema.strip()

const entryOf = ({ session, owner, charge, state, at_ms, since_ms }: Row): Entry => ({
  ...lenientCharge.parse(JSON.parse(charge)),
  session,
  owner,
  state: state === 'charged' ? 'charged' : 'reserved',
  at_ms,
  ...(since_ms === null ? {} : { since_ms }),
})

/** A plan that is about to run in a cell, and what it will add. */
export type Reserving = Reservation & { readonly plan: string; readonly cell: string }

export class TotalsStore {
  readonly #sql: SqlStorage
  #tidied_ms = 0

  constructor(sql: SqlStorage) {
    this.#sql = sql
    sql.exec(schema)
    for (const [table, column, declaration] of columns) {
      const known = sql.exec<{ name: string }>(`PRAGMA table_info(${table})`).toArray()
      if (known.some(({ name }) => name === column)) continue
      sql.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${declaration}`)
    }
  }

  /** How the counters stand for an owner, but for what one session adds. Throws on an unreadable row. */
  sums(owner: string, now_ms: number, without: string | null): Total[] {
    const rows = this.#sql
      .exec<Row>(
        `SELECT * FROM entries WHERE (state = 'reserved' OR at_ms >= ?1) AND session IS NOT ?2`,
        reachedNoMore(now_ms),
        without,
      )
      .toArray()
    return [...sumsOf(rows.map(entryOf), owner, now_ms), ...this.#proven()]
  }

  #proven(): Total[] {
    const rows = this.#sql.exec<{
      rule: string
      role: string
      thing: string
      dim: string
      most: number
    }>('SELECT rule, role, thing, dim, most FROM proven')
    return rows
      .toArray()
      .map(({ thing, most, ...row }) =>
        totalSchema.parse({ ...row, of: thing, over: 'ever', whose: 'site', lo: most, hi: most }),
      )
  }

  /** False for a session that has ended: what comes late reserves nothing, and must not run. */
  reserve(given: Reserving): boolean {
    const { session, plan, cell, at_ms } = given
    if (this.#stateOf(session) === 'settled') return false
    this.#putSession({ session, plan, cell, state: 'reserved', at_ms })
    this.#put(session, reservedEntries(this.#entries(session), given))
    return true
  }

  /** The session has ended. What its nodes did is charged; told again, it changes nothing more. */
  settle(session: string, ran: Ran, at_ms: number): void {
    const settled = settledEntries(this.#entries(session), ran, at_ms)
    this.#put(session, settled)
    for (const { rule, role, of, dim, lo } of provenBy(settled)) {
      this.#sql.exec(
        `INSERT INTO proven (rule, role, thing, dim, most, at_ms) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (rule, role, thing, dim)
           DO UPDATE SET most = max(most, excluded.most), at_ms = max(at_ms, excluded.at_ms)`,
        rule,
        role,
        of,
        dim,
        lo,
        at_ms,
      )
    }
    this.#putSession({ session, plan: '', cell: '', state: 'settled', at_ms })
  }

  /**
   * Once in a while: what nothing asks for any more goes, what only a week asks for is summed up. By the
   * object's own clock: a time that somebody tells must not make a sum forget.
   */
  tidy(now_ms: number): void {
    if (Math.abs(now_ms - this.#tidied_ms) < tidyEveryMs) return
    this.#tidied_ms = now_ms
    this.#sql.exec(
      `DELETE FROM entries WHERE state = 'charged' AND at_ms < ?`,
      reachedNoMore(now_ms),
    )
    this.#sql.exec(
      `DELETE FROM sessions WHERE state <> 'reserved' AND at_ms < ?
         AND session NOT IN (SELECT session FROM entries)`,
      now_ms - settledKeptMs,
    )
    this.#sql.exec(
      `DELETE FROM proven WHERE rowid NOT IN
         (SELECT rowid FROM proven ORDER BY at_ms DESC, most DESC LIMIT ?)`,
      provenMax,
    )
    this.#sumUp(now_ms)
  }

  /** Settled sessions alone: the word of one that a person has looked at may still come. */
  #sumUp(now_ms: number): void {
    const which = `state = 'charged' AND (session = '' OR
      (at_ms < ? AND session IN (SELECT session FROM sessions WHERE state = 'settled')))`
    const rows = this.#sql
      .exec<Row>(`SELECT * FROM entries WHERE ${which} ORDER BY at_ms`, summedBefore(now_ms))
      .toArray()
    const summed = summedUp(rows.map(entryOf))
    if (summed.length === rows.length) return
    this.#sql.exec(`DELETE FROM entries WHERE ${which}`, summedBefore(now_ms))
    this.#put('', summed)
  }

  /**
   * Sessions of a cell that never told their end are charged with all that they reserved. One whose end
   * is told after all is settled then as ever.
   */
  settleCell(cell: string, at_ms: number): void {
    const open = this.#sql
      .exec<{ session: string }>(
        `SELECT session FROM sessions WHERE cell = ? AND state = 'reserved'`,
        cell,
      )
      .toArray()
    for (const { session } of open) {
      this.#put(session, settledEntries(this.#entries(session), 'unknown', at_ms))
      this.#sql.exec(`UPDATE sessions SET state = 'looked_at' WHERE session = ?`, session)
    }
  }

  #entries(session: string): Entry[] {
    return this.#sql
      .exec<Row>('SELECT * FROM entries WHERE session = ? ORDER BY n', session)
      .toArray()
      .map(entryOf)
  }

  #putSession(row: {
    session: string
    plan: string
    cell: string
    state: 'reserved' | 'settled'
    at_ms: number
  }): void {
    this.#sql.exec(
      `INSERT INTO sessions (session, plan, cell, state, at_ms) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (session) DO UPDATE SET state = excluded.state`,
      row.session,
      row.plan,
      row.cell,
      row.state,
      row.at_ms,
    )
  }

  #stateOf(session: string): string | null {
    const rows = this.#sql
      .exec<{ state: string }>('SELECT state FROM sessions WHERE session = ?', session)
      .toArray()
    return rows[0]?.state ?? null
  }

  #put(session: string, entries: readonly Entry[]): void {
    this.#sql.exec('DELETE FROM entries WHERE session = ?', session)
    for (const [n, entry] of entries.entries()) {
      const { owner, state, at_ms, rule, role, of, dim, node, lo, hi } = entry
      this.#sql.exec(
        `INSERT INTO entries (session, n, owner, charge, state, at_ms, since_ms)
           VALUES (?,?,?,?,?,?,?)`,
        session,
        n,
        owner,
        JSON.stringify({ rule, role, of, dim, node, lo, hi }),
        state,
        at_ms,
        entry.since_ms ?? null,
      )
    }
  }
}
