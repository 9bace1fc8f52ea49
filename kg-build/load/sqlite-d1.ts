// node:sqlite behind the part of D1 that the knowledge adapter uses: for evaluation on a machine
// without a Worker runtime, and for tests of the loader.
import { readFileSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { D1Like, D1StatementLike } from '../../verify/ground/d1-like.ts'

/** Opens a database file (or `:memory:`) as D1; `batch` is one transaction. */
export function openSqliteD1(file: string): D1Like & { close(): void; exec(sql: string): void } {
  const db = new DatabaseSync(file)
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const statement = (sql: string) => {
    const old = prepared.get(sql)
    if (old) return old
    const made = db.prepare(sql)
    prepared.set(sql, made)
    return made
  }
  const run = (sql: string, values: readonly SQLInputValue[]): { results: unknown[] } => ({
    results: statement(sql).all(...values),
  })
  const held = new WeakMap<object, { sql: string; values: SQLInputValue[] }>()
  const make = (sql: string, values: SQLInputValue[]): D1StatementLike => {
    const self: D1StatementLike = {
      bind: (...more) => make(sql, more),
      all: () => Promise.resolve(run(sql, values)),
    }
    held.set(self, { sql, values })
    return self
  }
  return {
    prepare: (sql) => make(sql, []),
    batch(statements) {
      db.exec('BEGIN IMMEDIATE')
      try {
        const out = statements.map((s) => {
          const inner = held.get(s)
          if (!inner) throw new TypeError('a statement of another database')
          return run(inner.sql, inner.values)
        })
        db.exec('COMMIT')
        return Promise.resolve(out)
      } catch (error) {
        db.exec('ROLLBACK')
        return Promise.reject(error instanceof Error ? error : new Error(String(error)))
      }
    },
    exec: (sql) => db.exec(sql),
    close: () => db.close(),
  }
}

/** The migration that creates the graph's tables. */
export function graphMigration(): string {
  return ['0002_kg.sql', '0009_kg_sites.sql']
    .map((name) => readFileSync(new URL(`../../migrations/${name}`, import.meta.url), 'utf8'))
    .join('\n')
}
