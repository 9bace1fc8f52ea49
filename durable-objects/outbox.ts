// What an object still has to tell others: at least once, in any order, to receivers that take the same
// message twice. A message is written in the same transaction as the change that it tells of; a receiver
// that is down delays its own messages only; what is given up is given up by name, never called told.
import { inTime } from './limited.ts'

/** One message. `kind` says who is told what; `id` is its slot: a newer one in the slot replaces it. */
export type Message<Kind extends string> = {
  readonly id: string
  readonly kind: Kind
  readonly body: unknown
  /** Deliveries that failed so far. */
  readonly attempts: number
}

type Row = { id: string; kind: string; body: string; due_ms: number; attempts: number }

const retryFirstMs = 500
const retryLastMs = 60_000
/** Messages that one flush takes up. */
const batchMax = 50

/** How a flush delivers. */
export type Delivery<Kind extends string> = {
  readonly now_ms: number
  /** Only these kinds; null for all. */
  readonly only: readonly Kind[] | null
  /** How long one delivery may take (milliseconds). */
  readonly within_ms: number
  /** Tells it, or throws: then it is tried again, ever less often. */
  readonly deliver: (message: Message<Kind>) => Promise<void>
  /** After so many failures the message is given up; null for never. */
  readonly attemptsMax: (kind: Kind) => number | null
}

/** The outbox table of one object. Synchronous SQLite, but for the telling itself. */
export class Outbox<Kind extends string> {
  readonly #sql: SqlStorage
  readonly #kinds: ReadonlySet<string>

  constructor(sql: SqlStorage, kinds: readonly Kind[]) {
    this.#sql = sql
    this.#kinds = new Set(kinds)
  }

  /** Creates the table; an object that was never used has none. */
  create(): void {
    this.#sql.exec(`CREATE TABLE IF NOT EXISTS outbox (id TEXT PRIMARY KEY, kind TEXT NOT NULL,
      body TEXT NOT NULL, due_ms REAL NOT NULL, attempts INTEGER NOT NULL DEFAULT 0)`)
  }

  /** Puts a message into its slot, due at `due_ms`; what stood there undelivered is replaced. */
  post(kind: Kind, body: object, { id, due_ms }: { id?: string; due_ms: number }): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO outbox (id, kind, body, due_ms) VALUES (?, ?, ?, ?)',
      id ?? kind,
      kind,
      JSON.stringify(body),
      due_ms,
    )
  }

  /** Takes a message back that must not be told any more. */
  retract(id: string): void {
    this.#sql.exec('DELETE FROM outbox WHERE id = ?', id)
  }

  /** When the next message is due (milliseconds since the epoch); null when none waits. */
  nextDue(): number | null {
    const sql = 'SELECT MIN(due_ms) AS due FROM outbox'
    return this.#sql.exec<{ due: number | null }>(sql).one().due
  }

  /**
   * Delivers what is due, side by side, each once. Answers with the messages that were given up: the
   * caller writes them into its trail.
   */
  async flush(how: Delivery<Kind>): Promise<Message<Kind>[]> {
    const rows = this.#sql
      .exec<Row>(
        'SELECT * FROM outbox WHERE due_ms <= ? ORDER BY due_ms LIMIT ?',
        how.now_ms,
        batchMax,
      )
      .toArray()
    const tried = await Promise.all(rows.map((row) => this.#tell(row, how)))
    return tried.flatMap((given) => (given === null ? [] : [given]))
  }

  async #tell(row: Row, how: Delivery<Kind>): Promise<Message<Kind> | null> {
    if (!this.#known(row)) {
      // Written by a newer version: kept for it.
      this.#later(row, how.now_ms + retryLastMs)
      return null
    }
    const { id, kind, attempts } = row
    if (how.only !== null && !how.only.includes(kind)) return null
    const message = { id, kind, body: JSON.parse(row.body) as unknown, attempts: attempts + 1 }
    try {
      await inTime(how.deliver(message), how.within_ms, kind)
      this.#gone(row)
      return null
    } catch (cause) {
      console.error(`outbox ${kind}: ${String(cause)}`)
      const most = how.attemptsMax(kind)
      if (most !== null && message.attempts >= most) {
        this.#gone(row)
        return message
      }
      const delay = Math.min(retryLastMs, retryFirstMs * 2 ** Math.min(attempts, 7))
      this.#later(row, how.now_ms + delay)
      return null
    }
  }

  #known(row: Row): row is Row & { kind: Kind } {
    return this.#kinds.has(row.kind)
  }

  /** Removes the row only if it still holds what was sent: a newer body stays due. */
  #gone(row: Row): void {
    this.#sql.exec('DELETE FROM outbox WHERE id = ? AND body = ?', row.id, row.body)
  }

  #later(row: Row, due_ms: number): void {
    this.#sql.exec(
      'UPDATE outbox SET attempts = attempts + 1, due_ms = ? WHERE id = ? AND body = ?',
      due_ms,
      row.id,
      row.body,
    )
  }
}
