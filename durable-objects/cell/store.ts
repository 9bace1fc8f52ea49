// The tables of one cell's state. Synchronous SQLite: no other event gets in between a read and the
// write that rests on it. Own rows are read leniently: a row of another version is skipped and makes
// its thing unknown, it never locks the cell.
import type { FactName } from '../../protocol/condition.ts'
import {
  cellRecordSchema,
  inventoryItemSchema,
  stateFactSchema,
  type CellRecord,
  type CellState,
  type InventoryItem,
  type StateFact,
} from '../../protocol/state.ts'
import type { LeftBehind } from './api.ts'

const schema = `
CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS inventory (thing TEXT PRIMARY KEY, item TEXT NOT NULL, by TEXT NOT NULL,
  at_ms REAL NOT NULL);
CREATE TABLE IF NOT EXISTS facts (thing TEXT NOT NULL, part TEXT NOT NULL, fact TEXT NOT NULL,
  row TEXT NOT NULL, at_ms REAL NOT NULL, PRIMARY KEY (thing, part, fact));
CREATE TABLE IF NOT EXISTS approvals (subject TEXT NOT NULL, purpose TEXT NOT NULL, row TEXT NOT NULL,
  at_ms REAL NOT NULL, PRIMARY KEY (subject, purpose));
CREATE TABLE IF NOT EXISTS held (session TEXT PRIMARY KEY, facts TEXT NOT NULL, at_ms REAL NOT NULL);
`

/** Rows of one table that one cell may keep; a record beyond it is refused whole. */
export const cellRowsMax = { inventory: 5_000, facts: 20_000, approvals: 500 } as const

/** How long an ended session is remembered. */
const releasedKeptMs = 30 * 24 * 3_600_000

/** Facts that an inventory row speaks of, too. */
const saidBy = ({ contents, at }: InventoryItem): FactName[] => [
  ...(contents.length > 0 ? (['contents', 'contents_volume'] as const) : []),
  ...(at === undefined ? [] : (['place'] as const)),
]

type Parsed<T> = { success: true; data: T } | { success: false }

function readRows<T>(
  rows: readonly { text: string }[],
  parse: (value: unknown) => Parsed<T>,
): { good: T[]; skipped: number } {
  const good: T[] = []
  let skipped = 0
  for (const { text } of rows) {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      skipped += 1
      continue
    }
    const parsed = parse(value)
    if (parsed.success) good.push(parsed.data)
    else skipped += 1
  }
  return { good, skipped }
}

/** Unknown keys of another version of the code are left out, never a reason to refuse the row. */
const lenientItem = inventoryItemSchema.strip()
const lenientFact = stateFactSchema.strip()
const lenientApproval = cellRecordSchema.shape.approvals.unwrap().element.strip()

export type Approval = CellRecord['approvals'][number]

export class CellStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
    sql.exec(schema)
  }

  get version(): number {
    const row = this.#sql
      .exec<{ value: string }>(`SELECT value FROM settings WHERE key = 'version'`)
      .toArray()[0]
    return row === undefined ? 0 : Number(row.value)
  }

  /** Every write raises it, so that two states of one cell never share a digest by chance. */
  #raise(): void {
    this.#sql.exec(
      `INSERT INTO settings (key, value) VALUES ('version', ?)
       ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
      String(this.version + 1),
    )
  }

  #count(table: keyof typeof cellRowsMax): number {
    return this.#sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n
  }

  /** What a record would bring a table to, at most; the caller refuses it beyond the limit. */
  overflows(record: CellRecord): keyof typeof cellRowsMax | null {
    const more = {
      inventory: record.inventory.length,
      facts: record.facts.length,
      approvals: record.approvals.length,
    }
    const tables = Object.keys(cellRowsMax) as (keyof typeof cellRowsMax)[]
    return tables.find((table) => this.#count(table) + more[table] > cellRowsMax[table]) ?? null
  }

  putItem(item: InventoryItem, by: string, at_ms: number): void {
    this.#sql.exec(
      `INSERT INTO inventory (thing, item, by, at_ms) VALUES (?,?,?,?)
       ON CONFLICT (thing) DO UPDATE SET item = excluded.item, by = excluded.by, at_ms = excluded.at_ms`,
      item.thing,
      JSON.stringify(item),
      by,
      at_ms,
    )
    // The row is the newer word: what sessions left before it says nothing any more.
    for (const fact of saidBy(item)) {
      this.#sql.exec(
        'DELETE FROM facts WHERE thing = ? AND fact = ? AND at_ms <= ?',
        item.thing,
        fact,
        at_ms,
      )
    }
    this.#raise()
  }

  /** A running session's facts, unknown until `release`; the first hold of a session stands. */
  hold({ session, facts, at_ms }: LeftBehind): void {
    this.#sql.exec(
      'INSERT INTO held (session, facts, at_ms) VALUES (?,?,?) ON CONFLICT (session) DO NOTHING',
      session,
      JSON.stringify(facts),
      at_ms,
    )
    this.#raise()
  }

  /** An empty row stays for a while: a hold that is overtaken by the end of its session holds nothing. */
  release(session: string, at_ms: number): void {
    this.#sql.exec(`DELETE FROM held WHERE facts = '[]' AND at_ms < ?`, at_ms - releasedKeptMs)
    this.#sql.exec(
      `INSERT INTO held (session, facts, at_ms) VALUES (?,'[]',?)
       ON CONFLICT (session) DO UPDATE SET facts = excluded.facts, at_ms = excluded.at_ms`,
      session,
      at_ms,
    )
    this.#raise()
  }

  /** Sessions that hold something. */
  holding(): string[] {
    return [...new Set(this.#held().map(({ by }) => by))]
  }

  /** Lets go of these sessions; what they held is not known from now on. Returns those that held something. */
  releaseAll(sessions: readonly string[], at_ms: number): string[] {
    const held = this.#held().filter(({ by }) => sessions.includes(by))
    for (const fact of held) this.putFact({ ...fact, at_ms })
    const gone = [...new Set(held.map(({ by }) => by))]
    for (const session of gone) this.release(session, at_ms)
    return gone
  }

  /** What running sessions may be changing right now. */
  #held(): StateFact[] {
    const rows = this.#sql
      .exec<{ session: string; facts: string; at_ms: number }>('SELECT * FROM held')
      .toArray()
    return rows.flatMap(({ session, facts, at_ms }) =>
      (JSON.parse(facts) as LeftBehind['facts']).map((fact) => {
        return { ...fact, value: null, source: 'session' as const, by: session, at_ms }
      }),
    )
  }

  /** The newest fact of a thing stays; an older one that arrives later changes nothing. */
  putFact(fact: StateFact): void {
    if (this.#overtaken(fact)) return
    // What is said of the whole is newer than what was known of its parts; what is in something tells
    // how much, so that an older volume says nothing any more.
    const told: FactName[] =
      fact.fact === 'contents' ? ['contents', 'contents_volume'] : [fact.fact]
    for (const name of told) {
      this.#sql.exec(
        `DELETE FROM facts WHERE thing = ? AND fact = ? AND at_ms < ?
         AND (part = ? OR ? = '') AND NOT (fact = ? AND part = ?)`,
        fact.thing,
        name,
        fact.at_ms,
        fact.part ?? '',
        fact.part ?? '',
        fact.fact,
        fact.part ?? '',
      )
    }
    this.#sql.exec(
      `INSERT INTO facts (thing, part, fact, row, at_ms) VALUES (?,?,?,?,?)
       ON CONFLICT (thing, part, fact) DO UPDATE SET row = excluded.row, at_ms = excluded.at_ms
       WHERE excluded.at_ms >= facts.at_ms`,
      fact.thing,
      fact.part ?? '',
      fact.fact,
      JSON.stringify(fact),
      fact.at_ms,
    )
    this.#raise()
  }

  /** Whether the thing's row, or a fact of the whole thing, says something newer already. */
  #overtaken({ thing, part, fact, at_ms }: StateFact): boolean {
    const whole = this.#sql
      .exec(
        `SELECT 1 FROM facts WHERE thing = ? AND at_ms > ?
         AND ((fact = ? AND part = '' AND ? <> '') OR
              (fact = 'contents' AND ? = 'contents_volume' AND part IN ('', ?)))`,
        thing,
        at_ms,
        fact,
        part ?? '',
        fact,
        part ?? '',
      )
      .toArray()
    if (whole.length > 0) return true
    const rows = this.#sql
      .exec<{ text: string }>(
        'SELECT item AS text FROM inventory WHERE thing = ? AND at_ms > ?',
        thing,
        at_ms,
      )
      .toArray()
    const items = readRows(rows, (value) => lenientItem.safeParse(value)).good
    return items.some((item) => saidBy(item).includes(fact))
  }

  putApproval(approval: Approval, at_ms: number): void {
    this.#sql.exec(
      `INSERT INTO approvals (subject, purpose, row, at_ms) VALUES (?,?,?,?)
       ON CONFLICT (subject, purpose) DO UPDATE SET row = excluded.row, at_ms = excluded.at_ms`,
      approval.subject,
      approval.for ?? '',
      JSON.stringify(approval),
      at_ms,
    )
    this.#raise()
  }

  removeItem(thing: string): boolean {
    const count = (): number => this.#count('inventory') + this.#count('facts')
    const before = count()
    this.#sql.exec('DELETE FROM inventory WHERE thing = ?', thing)
    this.#sql.exec('DELETE FROM facts WHERE thing = ?', thing)
    const removed = count() < before
    // Facts alone are a change, too: two states must never share a version.
    if (removed) this.#raise()
    return removed
  }

  /**
   * After a restore nothing that was known is known any more; what stands where is kept. Facts become
   * unknown and are not taken out: under them lies what was true before, in rows and in the site file.
   */
  forgetFacts(at_ms: number, of: readonly string[] | null = null): void {
    this.#sql.exec(
      `UPDATE facts SET row = json_set(row, '$.value', json('null'), '$.at_ms', ?1), at_ms = ?1
         WHERE ?2 IS NULL OR thing IN (SELECT value FROM json_each(?2))`,
      at_ms,
      of === null ? null : JSON.stringify(of),
    )
    if (of !== null) return this.#raise()
    const rows = this.#sql.exec<{ text: string }>('SELECT item AS text FROM inventory').toArray()
    for (const item of readRows(rows, (value) => lenientItem.safeParse(value)).good) {
      if (item.contents.length === 0) continue
      const fact = { thing: item.thing, fact: 'contents' as const, value: null, at_ms }
      this.putFact({ ...fact, source: 'session', by: 'gateway' })
    }
    this.#raise()
  }

  /** Every fact; one that cannot be read is not known, and hides what was said before it. */
  #facts(): { good: StateFact[]; skipped: number } {
    const rows = this.#sql
      .exec<{ thing: string; part: string; fact: string; row: string; at_ms: number }>(
        'SELECT * FROM facts ORDER BY thing, part, fact',
      )
      .toArray()
    const good: StateFact[] = []
    let skipped = 0
    for (const { thing, part, fact, row, at_ms } of rows) {
      const read = readRows([{ text: row }], (value) => lenientFact.safeParse(value)).good[0]
      if (read !== undefined) {
        good.push(read)
        continue
      }
      skipped += 1
      const blank = { thing, ...(part === '' ? {} : { part }), fact, value: null, at_ms }
      const unknown = stateFactSchema.safeParse({ ...blank, source: 'session', by: 'gateway' })
      if (unknown.success) good.push(unknown.data)
    }
    return { good, skipped }
  }

  state(cell: string): CellState & { readonly skipped: number } {
    const text = (query: string) => this.#sql.exec<{ text: string }>(query).toArray()
    const items = readRows(text('SELECT item AS text FROM inventory ORDER BY thing'), (value) =>
      lenientItem.safeParse(value),
    )
    const facts = this.#facts()
    const approvals = readRows(
      text('SELECT row AS text FROM approvals ORDER BY subject, purpose'),
      (value) => lenientApproval.safeParse(value),
    )
    const held = this.#held()
    const key = (f: StateFact) => JSON.stringify([f.thing, f.part ?? null, f.fact])
    const now = new Set(held.map(key))
    const wholes = new Set(held.filter((f) => f.part === undefined).map(key))
    const free = facts.good.filter(
      (f) => !now.has(key(f)) && !wholes.has(key({ ...f, part: undefined })),
    )
    return {
      cell,
      version: this.version,
      inventory: items.good,
      // Those held come first: the limit must not cut off what nobody may plan on.
      facts: [...held, ...free].slice(0, cellRowsMax.facts),
      approvals: approvals.good,
      skipped: items.skipped + facts.skipped + approvals.skipped,
    }
  }
}
