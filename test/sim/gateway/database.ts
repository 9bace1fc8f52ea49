// The platform's two faces of SQLite over one that the world lends: storage of an object, where what was
// written since the last flush can still be lost, and D1.

/** As much of a database as is used here; the world opens them. */
export type Statement = {
  all(...values: unknown[]): Record<string, unknown>[]
  run(...values: unknown[]): { changes: number | bigint }
  columns(): unknown[]
}
export type Database = {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

type Row = Record<string, SqlStorageValue>

type Prepared = (values: unknown[]) => { rows: Record<string, unknown>[]; changes: number }

/** A statement, and whether it answers with rows. */
function prepared(db: Database, query: string): Prepared {
  const statement = db.prepare(query)
  if (statement.columns().length > 0) {
    return (values) => ({ rows: statement.all(...values), changes: 0 })
  }
  return (values) => ({ rows: [], changes: Number(statement.run(...values).changes) })
}

/** One result; the rows were read when it was made. */
function cursor(rows: Row[], rowsWritten: number) {
  return {
    rowsWritten,
    toArray: () => rows,
    one: () => {
      const [row] = rows
      if (row === undefined || rows.length > 1) throw new Error(`${rows.length} rows, not one`)
      return row
    },
    [Symbol.iterator]: () => rows[Symbol.iterator](),
  }
}

export class ObjectStorage {
  readonly #db: Database
  readonly #statements = new Map<string, Prepared>()
  /** Called with the first write after a flush. */
  readonly #onWrite: () => void
  #dirty = false
  #depth = 0

  constructor(db: Database, onWrite: () => void) {
    this.#db = db
    this.#onWrite = onWrite
  }

  get dirty(): boolean {
    return this.#dirty
  }

  exec(query: string, ...values: SqlStorageValue[]) {
    if (!/^\s*(select|pragma)/i.test(query)) this.touch()
    if (values.length === 0 && query.trimEnd().slice(0, -1).includes(';')) {
      this.#db.exec(query)
      return cursor([], 0)
    }
    let statement = this.#statements.get(query)
    if (statement === undefined) {
      statement = prepared(this.#db, query)
      this.#statements.set(query, statement)
    }
    const { rows, changes } = statement(values)
    return cursor(rows as Row[], changes)
  }

  transactionSync<T>(work: () => T): T {
    this.touch()
    const name = `t${this.#depth++}`
    this.#db.exec(`SAVEPOINT ${name}`)
    try {
      const value = work()
      this.#db.exec(`RELEASE ${name}`)
      return value
    } catch (cause) {
      this.#db.exec(`ROLLBACK TO ${name}; RELEASE ${name}`)
      throw cause
    } finally {
      this.#depth--
    }
  }

  /** Something is to be written: from here on it can be lost until the flush. */
  touch(): void {
    if (this.#dirty) return
    this.#dirty = true
    this.#db.exec('BEGIN')
    this.#onWrite()
  }

  flush(): void {
    if (this.#dirty) this.#db.exec('COMMIT')
    this.#dirty = false
  }

  /** What was not flushed is gone, tables too. */
  lose(): void {
    if (this.#dirty) this.#db.exec('ROLLBACK')
    this.#dirty = false
  }

  tables(): string[] {
    return this.#db
      .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`)
      .all()
      .map(({ name }) => String(name))
  }

  /** Every row, as point-in-time recovery would give them back. */
  dump(): Map<string, Row[]> {
    return new Map(
      this.tables().map((table) => [
        table,
        this.#db.prepare(`SELECT * FROM ${table}`).all() as Row[],
      ]),
    )
  }

  restore(rows: Map<string, Row[]>): void {
    this.#statements.clear()
    for (const table of this.tables()) this.exec(`DELETE FROM ${table}`)
    for (const [table, list] of rows) {
      for (const row of list) {
        const names = Object.keys(row)
        const marks = names.map(() => '?').join(', ')
        this.exec(
          `INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`,
          ...Object.values(row),
        )
      }
    }
  }

  /** As if nothing had ever been stored. */
  empty(): void {
    this.#statements.clear()
    for (const table of this.tables()) this.exec(`DROP TABLE ${table}`)
  }
}

/** D1 as the adapters use it. `reached` throws, or waits, as the way there is. */
export function d1Of(db: Database, reached: () => Promise<void>): D1Database {
  const statements = new Map<string, Prepared>()
  const prepare = (query: string, values: unknown[] = []) => {
    const run = () => {
      const statement = statements.get(query) ?? prepared(db, query)
      statements.set(query, statement)
      const { rows: results, changes } = statement(values)
      return { results, meta: { changes } }
    }
    const all = async () => {
      await reached()
      return run()
    }
    return {
      now: run,
      bind: (...more: unknown[]) => prepare(query, more),
      all,
      run: all,
      first: async (column?: string) => {
        const [row] = (await all()).results
        if (row === undefined) return null
        return column === undefined ? row : row[column]
      },
    }
  }
  const d1 = {
    prepare: (query: string) => prepare(query),
    batch: async (list: { now: () => object }[]) => {
      await reached()
      return list.map((one) => one.now())
    },
    withSession: () => d1,
  }
  return d1 as unknown as D1Database
}
