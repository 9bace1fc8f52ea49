// The agent's disk: databases that outlive the process that opened them, on a disk that can be full, can
// fail to sync, and loses what was not synced when the power goes.
import { DatabaseSync, type StatementSync } from 'node:sqlite'

export type DiskState = 'well' | 'full' | 'no_sync'

type File = { readonly db: DatabaseSync; owner: object | null; unsynced: boolean }

/** A copy of one file's rows, as a backup of the state folder holds it. */
export type Copy = Map<string, Record<string, unknown>[]>

export class Disk {
  state: DiskState = 'well'
  readonly #files = new Map<string, File>()

  /** What `node:sqlite` is to the agent. */
  module(): { DatabaseSync: new (path: string) => object } {
    const fileOf = (path: string): File => this.#file(path)
    const stateOf = (): DiskState => this.state
    class Opened extends OpenedFile {
      constructor(path: string) {
        super(fileOf(path), stateOf)
      }
    }
    return { DatabaseSync: Opened }
  }

  #file(path: string): File {
    let file = this.#files.get(path)
    if (file === undefined) {
      file = { db: new DatabaseSync(':memory:'), owner: null, unsynced: false }
      this.#files.set(path, file)
    }
    return file
  }

  /** The process that had its files open is gone; what it wrote is still there. */
  released(): void {
    for (const file of this.#files.values()) file.owner = null
  }

  powerCut(): void {
    for (const file of this.#files.values()) {
      if (file.unsynced) file.db.exec('ROLLBACK')
      file.unsynced = false
    }
    this.released()
  }

  copy(): Map<string, Copy> {
    return new Map([...this.#files].map(([path, { db }]) => [path, rowsOf(db)]))
  }

  /** The state folder as it was when the copy was made. */
  restore(copies: ReadonlyMap<string, Copy>): void {
    for (const [path, { db }] of this.#files) {
      for (const table of rowsOf(db).keys()) db.exec(`DELETE FROM ${table}`)
      for (const [table, rows] of copies.get(path) ?? []) {
        for (const row of rows) {
          const names = Object.keys(row)
          const sql = `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`
          db.prepare(sql).run(...(Object.values(row) as string[]))
        }
      }
    }
  }

  close(): void {
    for (const { db } of this.#files.values()) db.close()
  }
}

function rowsOf(db: DatabaseSync): Copy {
  const tables = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all()
  return new Map(
    tables.map(({ name }) => [
      String(name),
      db.prepare(`SELECT * FROM ${String(name)}`).all() as Record<string, unknown>[],
    ]),
  )
}

/** One open handle. Inside it a transaction is a savepoint: around all lies what was not synced. */
class OpenedFile {
  readonly #file: File
  readonly #disk: () => DiskState
  #synchronous = true
  isTransaction = false

  constructor(file: File, disk: () => DiskState) {
    if (disk() === 'full') throw new Error('database or disk is full')
    if (file.owner !== null) throw new Error('database is locked')
    file.owner = this
    this.#file = file
    this.#disk = disk
  }

  exec(sql: string): void {
    this.#check()
    const word = sql.trim().split(/\s+/, 1)[0]?.toUpperCase()
    if (word === 'PRAGMA') {
      if (/synchronous=/.test(sql)) this.#synchronous = /FULL/.test(sql)
    } else if (word === 'BEGIN') {
      this.#begin()
      this.isTransaction = true
    } else if (word === 'COMMIT' || word === 'ROLLBACK') {
      this.isTransaction = false
      this.#end(word === 'COMMIT')
    } else this.#write(() => this.#file.db.exec(sql))
  }

  prepare(sql: string): Pick<StatementSync, 'get' | 'all' | 'run'> {
    this.#check()
    const statement = this.#file.db.prepare(sql)
    const checked = <T>(work: () => T): T => {
      this.#check()
      return work()
    }
    return {
      get: (...values: never[]) => checked(() => statement.get(...values)),
      all: (...values: never[]) => checked(() => statement.all(...values)),
      run: (...values: never[]) => this.#write(() => statement.run(...values)),
    }
  }

  close(): void {
    if (this.#file.owner === this) this.#file.owner = null
  }

  #check(): void {
    if (this.#file.owner !== this) throw new Error('database is not open')
  }

  #begin(): void {
    if (!this.#file.unsynced) this.#file.db.exec('BEGIN')
    this.#file.unsynced = true
    this.#file.db.exec('SAVEPOINT one')
  }

  /** A write that must be on disk is, or it did not happen. */
  #end(keep: boolean): void {
    const { db } = this.#file
    const fails = keep && this.#synchronous && this.#disk() === 'no_sync'
    if (!keep || fails) db.exec('ROLLBACK TO one')
    db.exec('RELEASE one')
    if (fails) throw new Error('disk I/O error')
    if (!keep || !this.#synchronous) return
    db.exec('COMMIT')
    this.#file.unsynced = false
  }

  #write<T>(work: () => T): T {
    this.#check()
    if (this.#disk() === 'full') throw new Error('database or disk is full')
    if (this.isTransaction) return work()
    this.#begin()
    let value: T
    try {
      value = work()
    } catch (cause) {
      this.#end(false)
      throw cause
    }
    this.#end(true)
    return value
  }
}
