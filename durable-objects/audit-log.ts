// The append-only trail of one object: each entry's digest covers the one before it, so a changed,
// missing or reordered entry is detected by whoever reads it (invariant 8).
import {
  auditEntrySchema,
  nextAuditEntry,
  type AuditEntry,
  type AuditEvent,
  type AuditHead,
} from '../protocol/audit.ts'

/** Creates the table; call once, before the first entry. */
export function createAuditTable(sql: SqlStorage): void {
  sql.exec(`CREATE TABLE IF NOT EXISTS audit (
    seq INTEGER PRIMARY KEY, at_ms REAL NOT NULL, actor TEXT NOT NULL, event TEXT NOT NULL,
    facts TEXT NOT NULL, prev TEXT NOT NULL, digest TEXT NOT NULL)`)
}

/** The last entry's place and digest; null for an empty trail. */
export function auditHead(sql: SqlStorage): AuditHead {
  const rows = sql.exec<{ seq: number; digest: string }>(
    'SELECT seq, digest FROM audit ORDER BY seq DESC LIMIT 1',
  )
  return rows.toArray()[0] ?? null
}

/** Writes an entry that has its place. The primary key refuses a second entry for the same place. */
export function insertAudit(sql: SqlStorage, entry: AuditEntry): void {
  sql.exec(
    'INSERT INTO audit (seq, at_ms, actor, event, facts, prev, digest) VALUES (?,?,?,?,?,?,?)',
    entry.seq,
    entry.at_ms,
    entry.actor,
    entry.event,
    JSON.stringify(entry.facts),
    entry.prev,
    entry.digest,
  )
}

/**
 * Appends one entry. WebCrypto in workerd completes without letting another event in, so the head
 * that was read is still the head when the row is written; the primary key would refuse a race.
 */
export async function appendAudit(sql: SqlStorage, event: AuditEvent): Promise<AuditEntry> {
  const entry = await nextAuditEntry(auditHead(sql), event)
  insertAudit(sql, entry)
  return entry
}

/** Entries after `after` (exclusive), oldest first, at most `count`. */
export function readAudit(sql: SqlStorage, after: number, count: number): AuditEntry[] {
  return sql
    .exec<{ facts: string }>('SELECT * FROM audit WHERE seq > ? ORDER BY seq LIMIT ?', after, count)
    .toArray()
    .map((row) => auditEntrySchema.parse({ ...row, facts: JSON.parse(row.facts) as unknown }))
}
