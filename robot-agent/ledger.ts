// The agent's own durable memory of every node. `actuated` and `ended` are on disk (WAL, synchronous
// FULL) before the call is written and before the report leaves. A node that was actuated once is never
// called again, whatever the gateway says (invariant 2).
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { PinnedTool, ToolRow } from '../protocol/tool-row.ts'
import type { Outcome } from '../protocol/tokens.ts'

export type LedgerState = 'received' | 'started' | 'actuated' | 'ended'

/** A tool as it was pinned for the session; a ledger of the release before names no turn. */
export type MovedTool = PinnedTool & Pick<ToolRow, 'stop_place'>

export type NodeRow = {
  readonly session: string
  readonly nid: string
  readonly jti: string
  readonly ctx: string
  readonly state: LedgerState
  readonly tool: MovedTool
  readonly started_ms: number
  readonly outcome: Outcome | null
  readonly reason: string | null
  /** Whether the call was handed to the device. */
  readonly actuated: boolean
  /** The signed report, kept until the gateway has acknowledged it and afterwards. */
  readonly report: string | null
  readonly acked: boolean
  /** What the device answered, canonical, as the report's digest covers it; null when it did not. */
  readonly result: string | null
}

const schema = `
  CREATE TABLE IF NOT EXISTS nodes (
    session TEXT NOT NULL, nid TEXT NOT NULL, jti TEXT NOT NULL UNIQUE, ctx TEXT NOT NULL,
    state TEXT NOT NULL, tool TEXT NOT NULL, started_ms REAL NOT NULL, ended_ms REAL,
    outcome TEXT, reason TEXT, actuated INTEGER NOT NULL DEFAULT 0, report TEXT,
    acked INTEGER NOT NULL DEFAULT 0, result TEXT, PRIMARY KEY (session, nid)) STRICT;
  CREATE TABLE IF NOT EXISTS used (
    jti TEXT PRIMARY KEY, session TEXT NOT NULL, nid TEXT NOT NULL,
    boot_id TEXT NOT NULL, at_ms REAL NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS sessions (
    session TEXT PRIMARY KEY, opened_ms REAL NOT NULL, ended_ms REAL, reason TEXT) STRICT;
  CREATE TABLE IF NOT EXISTS safe_stops (
    id INTEGER PRIMARY KEY, session TEXT NOT NULL, server TEXT NOT NULL, mcp_tool TEXT NOT NULL,
    cause TEXT NOT NULL, asked_ms REAL NOT NULL, ended_ms REAL, outcome TEXT) STRICT;
  CREATE TABLE IF NOT EXISTS probes (id INTEGER PRIMARY KEY, at_ms REAL NOT NULL) STRICT;`

type Row = Record<string, string | number | null>

function nodeRow(row: Row): NodeRow {
  return {
    session: String(row['session']),
    nid: String(row['nid']),
    jti: String(row['jti']),
    ctx: String(row['ctx']),
    state: row['state'] as LedgerState,
    tool: JSON.parse(String(row['tool'])) as MovedTool,
    started_ms: Number(row['started_ms']),
    outcome: row['outcome'] as Outcome | null,
    reason: row['reason'] as string | null,
    actuated: row['actuated'] === 1,
    report: row['report'] as string | null,
    acked: row['acked'] === 1,
    result: row['result'] as string | null,
  }
}

export class Ledger {
  readonly #db: DatabaseSync

  /** Opens `stateDir/ledger.db`. Throws when another process has it: one agent per directory. */
  constructor(stateDir: string) {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 })
    // Loaded here and not at the top, so that an older Node can still say what it lacks.
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
    this.#db = new DatabaseSync(path.join(stateDir, 'ledger.db'))
    try {
      this.#db.exec('PRAGMA locking_mode=EXCLUSIVE')
      this.#db.exec('PRAGMA journal_mode=WAL')
      this.#db.exec('PRAGMA synchronous=FULL')
      this.#db.exec(schema)
      this.#upgrade()
    } catch (error) {
      // A handle that stays open would keep its lock, and no later try could get in.
      this.#db.close()
      throw error
    }
  }

  /** A ledger of the release before kept no results. */
  #upgrade(): void {
    const columns = this.#db.prepare('PRAGMA table_info(nodes)').all()
    if (columns.some((column) => column['name'] === 'result')) return
    this.#db.exec('ALTER TABLE nodes ADD COLUMN result TEXT')
  }

  /**
   * Survives the death of the process, and reaches the disk with the next synced row. What a power cut
   * can take is only what makes a later process more careful: a start without its row is `unknown`,
   * an acknowledged report is sent again.
   */
  #unsynced(write: () => void): void {
    this.#db.exec('PRAGMA synchronous=NORMAL')
    try {
      write()
    } finally {
      this.#db.exec('PRAGMA synchronous=FULL')
    }
  }

  openSession(session: string, nowMs: number): void {
    this.#db
      .prepare('INSERT INTO sessions (session, opened_ms) VALUES (?, ?) ON CONFLICT DO NOTHING')
      .run(session, nowMs)
  }

  endSession(session: string, reason: string, nowMs: number): void {
    this.#db
      .prepare(
        'UPDATE sessions SET ended_ms = ?, reason = ? WHERE session = ? AND ended_ms IS NULL',
      )
      .run(nowMs, reason, session)
  }

  /**
   * A token was received and has passed the checks. Again for the same node is a no-op. False when the
   * token is on record for another node.
   */
  received(row: Pick<NodeRow, 'session' | 'nid' | 'jti' | 'ctx' | 'tool' | 'started_ms'>): boolean {
    this.#unsynced(() =>
      this.#db
        .prepare(
          `INSERT INTO nodes (session, nid, jti, ctx, state, tool, started_ms)
         VALUES (?, ?, ?, ?, 'received', ?, ?) ON CONFLICT DO NOTHING`,
        )
        .run(row.session, row.nid, row.jti, row.ctx, JSON.stringify(row.tool), row.started_ms),
    )
    return this.node(row.session, row.nid)?.jti === row.jti
  }

  /** The signed `start` is about to leave. */
  started(session: string, nid: string, nowMs: number): void {
    this.#unsynced(() =>
      this.#db
        .prepare(
          `UPDATE nodes SET state = 'started', started_ms = ?
         WHERE session = ? AND nid = ? AND state IN ('received', 'started')`,
        )
        .run(nowMs, session, nid),
    )
  }

  /**
   * The last durable word before the call is written. False when this token or node was used before:
   * then there must be no call.
   */
  actuated(session: string, nid: string, at: { boot_id: string; now_ms: number }): boolean {
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      const moved = this.#db
        .prepare(
          `UPDATE nodes SET state = 'actuated', actuated = 1
           WHERE session = ? AND nid = ? AND state = 'started'`,
        )
        .run(session, nid)
      const marked = this.#db
        .prepare(
          `INSERT INTO used (jti, session, nid, boot_id, at_ms)
           SELECT jti, session, nid, ?, ? FROM nodes WHERE session = ? AND nid = ?
           ON CONFLICT DO NOTHING`,
        )
        .run(at.boot_id, at.now_ms, session, nid)
      const fresh = moved.changes === 1 && marked.changes === 1
      this.#db.exec(fresh ? 'COMMIT' : 'ROLLBACK')
      return fresh
    } catch (error) {
      // A disk that is full has rolled back by itself; the first error is the one that counts.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      throw error
    }
  }

  /** A write that reaches the disk: throws as long as nothing can be kept. */
  probe(nowMs: number): void {
    this.#db.prepare('INSERT OR REPLACE INTO probes (id, at_ms) VALUES (1, ?)').run(nowMs)
  }

  /** True when a call was ever made on the strength of this token. */
  isUsed(jti: string): boolean {
    return this.#db.prepare('SELECT 1 FROM used WHERE jti = ?').get(jti) !== undefined
  }

  /** The end of a node with its signed report, in one write. */
  ended(
    session: string,
    nid: string,
    end: {
      outcome: Outcome
      reason: string | null
      report: string
      result: string | null
      now_ms: number
    },
  ): void {
    this.#db
      .prepare(
        `UPDATE nodes SET state = 'ended', outcome = ?, reason = ?, report = ?, result = ?,
           ended_ms = ?
         WHERE session = ? AND nid = ? AND state <> 'ended'`,
      )
      .run(end.outcome, end.reason, end.report, end.result, end.now_ms, session, nid)
  }

  acked(session: string, nid: string): void {
    this.#db.prepare('UPDATE nodes SET acked = 1 WHERE session = ? AND nid = ?').run(session, nid)
  }

  /** A start that never reached the gateway and never moved anything may be made again. */
  forget(session: string, nid: string): void {
    this.#unsynced(() =>
      this.#db
        .prepare('DELETE FROM nodes WHERE session = ? AND nid = ? AND actuated = 0')
        .run(session, nid),
    )
  }

  node(session: string, nid: string): NodeRow | null {
    const row = this.#db
      .prepare('SELECT * FROM nodes WHERE session = ? AND nid = ?')
      .get(session, nid)
    return row === undefined ? null : nodeRow(row as Row)
  }

  nodes(session: string): NodeRow[] {
    const rows = this.#db.prepare('SELECT * FROM nodes WHERE session = ?').all(session)
    return rows.map((row) => nodeRow(row as Row))
  }

  /**
   * Sessions that still owe something: not ended, or with a report that nobody acknowledged. Reports grow
   * old; a device that was moved and has never confirmed its rest does not.
   */
  unfinished(sinceMs: number): string[] {
    const rows = this.#db
      .prepare(
        `SELECT session FROM sessions s WHERE (opened_ms >= ? AND (ended_ms IS NULL OR EXISTS (
           SELECT 1 FROM nodes n WHERE n.session = s.session
             AND (n.state IN ('started', 'actuated') OR (n.state = 'ended' AND n.acked = 0)))))
           OR (ended_ms IS NULL AND EXISTS (
             SELECT 1 FROM nodes n WHERE n.session = s.session AND n.actuated = 1))
         ORDER BY opened_ms`,
      )
      .all(sinceMs)
    return rows.map((row) => String((row as Row)['session']))
  }

  /** A safe-stop that was asked for, with how it stands now; written after the call, never before. */
  safeStop(stop: {
    session: string
    server: string
    mcp_tool: string
    cause: string
    asked_ms: number
    ended_ms: number | null
    outcome: string | null
  }): void {
    this.#db
      .prepare(
        `INSERT INTO safe_stops (session, server, mcp_tool, cause, asked_ms, ended_ms, outcome)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        stop.session,
        stop.server,
        stop.mcp_tool,
        stop.cause,
        stop.asked_ms,
        stop.ended_ms,
        stop.outcome,
      )
  }

  close(): void {
    this.#db.close()
  }
}
