// The tables of one SiteHub. They only ever grow: a column or a table is added and none is changed, so
// that the release before and the release after this one read the same rows.
import { limits } from '../../protocol/limits.ts'
import { versions } from '../../protocol/versions.ts'
import { cellStopColumns, cellStopsTable } from './cell-stops.ts'
import { pruneOldWindow } from './old-window.ts'
import { provenTable } from './proven.ts'
import { sharedTable } from './shared.ts'

/** Raised with every addition; kept in `settings`, never lowered by an older release. */
export const schemaVersion = versions.hub

const tables = `${sharedTable}${provenTable}${cellStopsTable}
CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS epochs (epoch INTEGER PRIMARY KEY, reason TEXT NOT NULL, by TEXT NOT NULL,
  at_ms REAL NOT NULL);
CREATE TABLE IF NOT EXISTS agents (agent TEXT PRIMARY KEY, cell TEXT NOT NULL, jkt TEXT NOT NULL,
  jwk TEXT NOT NULL, revoked INTEGER NOT NULL DEFAULT 0, last_seen_ms REAL, boot_id TEXT,
  health TEXT);
CREATE TABLE IF NOT EXISTS cells (cell TEXT PRIMARY KEY, armed_until_ms REAL, armed_by TEXT,
  needs_clearance INTEGER NOT NULL DEFAULT 0, latch_reason TEXT, note TEXT, session TEXT);
CREATE TABLE IF NOT EXISTS queue (plan TEXT PRIMARY KEY, entry TEXT NOT NULL,
  enqueued_ms REAL NOT NULL);
CREATE TABLE IF NOT EXISTS bindings (plan TEXT PRIMARY KEY, session TEXT NOT NULL UNIQUE,
  cell TEXT NOT NULL, agent TEXT NOT NULL, agent_jkt TEXT NOT NULL, planner TEXT NOT NULL,
  state TEXT NOT NULL, received_ms REAL NOT NULL, started_ms REAL NOT NULL,
  stop_reason TEXT, attempts INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS keys (credential TEXT NOT NULL, key TEXT NOT NULL,
  body_digest TEXT NOT NULL, plan TEXT NOT NULL, at_ms REAL NOT NULL,
  PRIMARY KEY (credential, key));
CREATE TABLE IF NOT EXISTS recent (plan TEXT PRIMARY KEY, at_ms REAL NOT NULL, entry TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS stops (session TEXT PRIMARY KEY, cell TEXT NOT NULL, reason TEXT NOT NULL,
  by TEXT NOT NULL, at_ms REAL NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
  next_ms REAL, devices TEXT);
CREATE TABLE IF NOT EXISTS holds (cell TEXT NOT NULL, planner TEXT NOT NULL, session TEXT NOT NULL,
  plan TEXT NOT NULL, reason TEXT NOT NULL, at_ms REAL NOT NULL, PRIMARY KEY (cell, planner));
CREATE TABLE IF NOT EXISTS revoked_credentials (credential TEXT PRIMARY KEY, role TEXT NOT NULL,
  subject TEXT NOT NULL, owner TEXT NOT NULL, by TEXT NOT NULL, at_ms REAL NOT NULL);
CREATE TABLE IF NOT EXISTS waits (plan TEXT NOT NULL, why TEXT NOT NULL, other TEXT NOT NULL,
  session TEXT, person INTEGER NOT NULL, done TEXT NOT NULL, next_ms REAL, released_by TEXT,
  PRIMARY KEY (plan, why));
CREATE TABLE IF NOT EXISTS done_calls (session TEXT NOT NULL, nid TEXT NOT NULL, plan TEXT NOT NULL,
  planner TEXT NOT NULL, owner TEXT NOT NULL, tool TEXT NOT NULL, call TEXT NOT NULL,
  state TEXT NOT NULL, at_ms REAL NOT NULL, PRIMARY KEY (session, nid));
CREATE TABLE IF NOT EXISTS submitted (plan TEXT PRIMARY KEY, plan_digest TEXT NOT NULL,
  planner TEXT NOT NULL, owner TEXT NOT NULL, credential TEXT NOT NULL, keyed INTEGER NOT NULL,
  follows TEXT, supersedes TEXT, calls TEXT NOT NULL, at_ms REAL NOT NULL, judged_ms REAL);
CREATE TABLE IF NOT EXISTS approved (plan TEXT NOT NULL, credential TEXT NOT NULL,
  PRIMARY KEY (plan, credential));
`

/** Columns that came after version 1: table, column, declaration. */
const columns = [
  ['cells', 'change', 'INTEGER NOT NULL DEFAULT 0'],
  ['cells', 'change_what', 'TEXT'],
  ['cells', 'change_by', 'TEXT'],
  ['cells', 'change_ms', 'REAL'],
  ['cells', 'armed_credential', 'TEXT'],
  ['cells', 'armed_boot', 'TEXT'],
  ['cells', 'held', 'TEXT'],
  ['cells', 'not_at_rest', 'TEXT'],
  ['bindings', 'owner', 'TEXT'],
  ['bindings', 'rests_on', 'TEXT'],
  ['bindings', 'physical', 'INTEGER NOT NULL DEFAULT 1'],
  ['bindings', 'next_ms', 'REAL'],
  ['bindings', 'check_ms', 'REAL'],
  ['bindings', 'outcome', 'TEXT'],
  ['bindings', 'ended_ms', 'REAL'],
  ['bindings', 'done_ms', 'REAL'],
  ...cellStopColumns,
] as const

const indices = `
CREATE INDEX IF NOT EXISTS bindings_by_state ON bindings (state, started_ms);
CREATE INDEX IF NOT EXISTS bindings_by_end ON bindings (ended_ms) WHERE ended_ms IS NOT NULL;
CREATE INDEX IF NOT EXISTS keys_by_time ON keys (at_ms);
CREATE INDEX IF NOT EXISTS recent_by_time ON recent (at_ms, plan);
CREATE INDEX IF NOT EXISTS done_by_call ON done_calls (call);
CREATE INDEX IF NOT EXISTS done_by_time ON done_calls (at_ms);
CREATE INDEX IF NOT EXISTS submitted_by_digest ON submitted (plan_digest);
CREATE INDEX IF NOT EXISTS submitted_by_time ON submitted (at_ms);
CREATE INDEX IF NOT EXISTS submitted_unjudged ON submitted (at_ms) WHERE judged_ms IS NULL;
CREATE INDEX IF NOT EXISTS bindings_not_done ON bindings (ended_ms)
  WHERE outcome = 'terminated' AND done_ms IS NULL;
`

/** Creates what is missing. Rows and columns of a later release stay as they are. */
export function prepareSchema(sql: SqlStorage): void {
  sql.exec(tables)
  const known = new Map<string, Set<string>>()
  for (const [table, column, declaration] of columns) {
    let names = known.get(table)
    if (names === undefined) {
      const rows = sql.exec<{ name: string }>(`PRAGMA table_info(${table})`).toArray()
      names = new Set(rows.map(({ name }) => name))
      known.set(table, names)
    }
    if (!names.has(column)) sql.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${declaration}`)
  }
  sql.exec(indices)
  sql.exec(
    `INSERT INTO settings (key, value) VALUES ('schema_version', ?1) ON CONFLICT (key)
       DO UPDATE SET value = ?1 WHERE CAST(value AS INTEGER) < ?1`,
    String(schemaVersion),
  )
}

/** How long what has ended stays in the hub; lists and trails are kept elsewhere. */
const keptMs = 14 * 86_400_000

/** Drops rows that nothing asks for any more. Cheap when there are none: every condition is indexed. */
export function pruneTables(sql: SqlStorage, now_ms: number): void {
  sql.exec('DELETE FROM bindings WHERE ended_ms < ?', now_ms - keptMs)
  sql.exec('DELETE FROM keys WHERE at_ms < ?', now_ms - limits.idempotencyTtlMs)
  pruneOldWindow(sql, now_ms)
  sql.exec('DELETE FROM done_calls WHERE at_ms < ?', now_ms - keptMs)
  sql.exec('DELETE FROM submitted WHERE at_ms < ?', now_ms - keptMs)
  sql.exec('DELETE FROM waits WHERE plan NOT IN (SELECT plan FROM queue)')
  sql.exec('DELETE FROM approved WHERE plan NOT IN (SELECT plan FROM submitted)')
}
