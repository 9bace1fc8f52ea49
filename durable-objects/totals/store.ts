// The table of a site's counters: one row for what one node of one session adds to one counter. Rows go
// only when their node certainly did not run; what ran stays for good, and the sums look back over it.
import { chargeSchema, type Total } from '../../protocol/totals.ts'
import {
  reachMs,
  reservedEntries,
  settledEntries,
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
CREATE INDEX IF NOT EXISTS entries_by_time ON entries (at_ms);
CREATE INDEX IF NOT EXISTS entries_reserved ON entries (state) WHERE state = 'reserved';
`

type Row = {
  session: string
  n: number
  owner: string
  charge: string
  state: string
  at_ms: number
}

/** Unknown keys of another release are left out. One that cannot be read at all is for the caller. */
const lenientCharge = chargeSchema.strip()

const entryOf = ({ session, owner, charge, state, at_ms }: Row): Entry => ({
  ...lenientCharge.parse(JSON.parse(charge)),
  session,
  owner,
  state: state === 'charged' ? 'charged' : 'reserved',
  at_ms,
})

/** A plan that is about to run in a cell, and what it will add. */
export type Reserving = Reservation & { readonly plan: string; readonly cell: string }

export class TotalsStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
    sql.exec(schema)
  }

  /** How the counters stand for an owner, but for what one session adds. Throws on an unreadable row. */
  sums(owner: string, now_ms: number, without: string | null): Total[] {
    const rows = this.#sql
      .exec<Row>(
        `SELECT * FROM entries WHERE (state = 'reserved' OR at_ms >= ?1) AND session IS NOT ?2`,
        now_ms - reachMs.week,
        without,
      )
      .toArray()
    return sumsOf(rows.map(entryOf), owner, now_ms)
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
    this.#put(session, settledEntries(this.#entries(session), ran, at_ms))
    this.#putSession({ session, plan: '', cell: '', state: 'settled', at_ms })
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
        'INSERT INTO entries (session, n, owner, charge, state, at_ms) VALUES (?,?,?,?,?,?)',
        session,
        n,
        owner,
        JSON.stringify({ rule, role, of, dim, node, lo, hi }),
        state,
        at_ms,
      )
    }
  }
}
