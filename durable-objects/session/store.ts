// Tables of one ExecutionSession. The binding is written once; node rows, executed rows and recorded
// frames are what survives an eviction. Every write of one event is one transaction.
import { z } from 'zod'
import type { AuditEntry, AuditHead } from '../../protocol/audit.ts'
import { nodeProgressSchema } from '../../protocol/frames.ts'
import { deviceRestSchema } from '../../protocol/tokens.ts'
import {
  openedState,
  type BoundTool,
  type Effect,
  type FrameRecord,
  type NodeState,
  type SessionBinding,
  type SessionState,
} from '../../contain/session-state.ts'
import { auditHead, createAuditTable, insertAudit, readAudit } from '../audit-log.ts'
import { putResult, referredResults } from './results.ts'
import type { MintedToken } from '../../contain/mint.ts'
import { limits } from '../../protocol/limits.ts'

/**
 * What is stored of a binding besides its tokens. Own rows are read leniently: a member that a newer
 * release added is kept and not understood, so that going back a release bricks no session.
 */
const bindingSchema = z.looseObject({
  iss: z.string(),
  context: z.looseObject({
    session: z.string(),
    site: z.string(),
    cell: z.string(),
    agent: z.string(),
    agent_jkt: z.string(),
    plan: z.looseObject({
      nodes: z.array(
        z.looseObject({ id: z.string(), tool: z.string(), depends_on: z.array(z.string()) }),
      ),
    }),
    order: z.array(z.string()),
    decision_digest: z.string(),
    deadline: z.number(),
  }),
  ctx: z.string(),
  plan_id: z.string(),
  planner: z.string(),
  epoch: z.number(),
  receipt: z.string(),
  manifest: z.string(),
  tools: z.record(
    z.string(),
    z.looseObject({
      physical: z.boolean(),
      timeout_ms: z.number(),
      server: z.string().optional(),
      emits: z.array(z.string()).optional(),
      quiet_ms: z.number().optional(),
    }),
  ),
  opened_ms: z.number(),
  told: z.record(z.string(), z.number()).optional(),
})

export type StoredBinding = Omit<SessionBinding, 'minted' | 'tools'> & {
  readonly tools: Readonly<Record<string, BoundTool>>
}

/** A stored binding as this release understands it. Throws on one that it does not. */
function readBinding(json: string): StoredBinding {
  const raw: unknown = JSON.parse(json)
  const { tools } = bindingSchema.parse(raw)
  // Checked above as far as it is used; the context goes on as it was digested, member by member.
  const stored = raw as Omit<StoredBinding, 'tools' | 'rows'> & { rows?: StoredBinding['rows'] }
  const known = Object.entries(tools).map(([tool, row]) => [
    tool,
    {
      physical: row.physical,
      timeout_ms: row.timeout_ms,
      // A release that knew no servers: every tool counts as a device of its own.
      server: row.server ?? tool,
      ...(row.emits === undefined ? {} : { emits: row.emits }),
      ...(row.quiet_ms === undefined ? {} : { quiet_ms: row.quiet_ms }),
    },
  ])
  const byName = Object.fromEntries(known) as StoredBinding['tools']
  return { ...stored, rows: stored.rows ?? [], tools: byName }
}

/** Rows beside the tables of the first release, which these leave as they were. */
const restSchema = z.looseObject({
  boot_id: z.string(),
  seq: z.number(),
  devices: z.array(deviceRestSchema.loose()),
})

const answerSchema = z.strictObject({ type: z.enum(['token', 'go', 'ack']), nid: z.string() })

/** The live half of a session: its fixed binding, and the state as last written. */
export type Live = { readonly binding: SessionBinding; state: SessionState }

export type OutboxTarget = 'hub' | 'review'
export type OutboxRow = { target: OutboxTarget; attempts: number; next_ms: number }

const tables = [
  'CREATE TABLE IF NOT EXISTS binding (id INTEGER PRIMARY KEY CHECK (id = 1), json TEXT NOT NULL)',
  `CREATE TABLE IF NOT EXISTS tokens (nid TEXT PRIMARY KEY, seq INTEGER NOT NULL, jti TEXT NOT NULL,
    args_digest TEXT NOT NULL, token TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS session (id INTEGER PRIMARY KEY CHECK (id = 1), status TEXT NOT NULL,
    reason TEXT, boot_id TEXT, grace_until REAL, ended_ms REAL, latch INTEGER NOT NULL,
    frames INTEGER NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS nodes (nid TEXT PRIMARY KEY, state TEXT NOT NULL, reason TEXT,
    started_ms REAL, actuated INTEGER, report TEXT)`,
  'CREATE TABLE IF NOT EXISTS executed (nid TEXT PRIMARY KEY, jti TEXT NOT NULL, at_ms REAL NOT NULL)',
  'CREATE TABLE IF NOT EXISTS frames (fid TEXT PRIMARY KEY, body TEXT NOT NULL, answer TEXT NOT NULL)',
  `CREATE TABLE IF NOT EXISTS outbox (target TEXT PRIMARY KEY, attempts INTEGER NOT NULL,
    next_ms REAL NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS results (nid TEXT PRIMARY KEY, digest TEXT NOT NULL, json TEXT NOT NULL,
    at_ms REAL NOT NULL)`,
  // What later releases add to the state goes here: an older one neither reads nor loses it.
  'CREATE TABLE IF NOT EXISTS more (key TEXT PRIMARY KEY, json TEXT NOT NULL)',
]

/** Of the rows as this release writes them. */
const schemaVersion = 3

/** All reads and writes of one session's storage. Synchronous: no event can come in between. */
export class SessionStore {
  /** For what has a file of its own. */
  readonly sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.sql = sql
  }

  /** Asking for a session that was never opened must leave nothing behind. */
  #exists(): boolean {
    const sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'binding'"
    return this.sql.exec(sql).toArray().length > 0
  }

  /** Creates the tables; before the first `open` there are none. */
  create(): void {
    for (const table of tables) this.sql.exec(table)
    createAuditTable(this.sql)
    this.putMore('schema_version', schemaVersion)
  }

  /** Adds the tables that this release has and an older one had not; nothing where nothing was opened. */
  upgrade(): void {
    if (this.#exists() && this.readMore('schema_version') !== schemaVersion) this.create()
  }

  /** What later releases keep beside the tables; null when there is nothing under the key. */
  readMore(key: string): unknown {
    const sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'more'"
    if (this.sql.exec(sql).toArray().length === 0) return null
    const row = this.sql
      .exec<{ json: string }>('SELECT json FROM more WHERE key = ?', key)
      .toArray()[0]
    return row === undefined ? null : (JSON.parse(row.json) as unknown)
  }

  putMore(key: string, value: unknown): void {
    this.sql.exec(
      'INSERT OR REPLACE INTO more (key, json) VALUES (?, ?)',
      key,
      JSON.stringify(value),
    )
  }

  /** The stored text of the binding, whatever is in it; null when nothing was ever opened. */
  rawBinding(): string | null {
    if (!this.#exists()) return null
    return this.sql.exec<{ json: string }>('SELECT json FROM binding').toArray()[0]?.json ?? null
  }

  /** Writes a binding with its tokens and the opening state. False when one is already there. */
  open(stored: StoredBinding, tokens: readonly MintedToken[]): boolean {
    const written = this.sql.exec(
      'INSERT OR IGNORE INTO binding (id, json) VALUES (1, ?)',
      JSON.stringify(stored),
    ).rowsWritten
    if (written === 0) return false
    for (const [seq, { nid, jti, args_digest, token }] of tokens.entries()) {
      this.sql.exec(
        'INSERT INTO tokens (nid, seq, jti, args_digest, token) VALUES (?, ?, ?, ?, ?)',
        nid,
        seq,
        jti,
        args_digest,
        token,
      )
    }
    return true
  }

  /** The binding with its tokens, or null before `open`. */
  binding(): SessionBinding | null {
    const json = this.rawBinding()
    if (json === null) return null
    const { tools, ...rest } = readBinding(json)
    const tokens = this.sql
      .exec<{ nid: string; jti: string; args_digest: string; token: string }>(
        'SELECT nid, jti, args_digest, token FROM tokens ORDER BY seq',
      )
      .toArray()
    return {
      ...rest,
      tools: new Map(Object.entries(tools)),
      minted: new Map(tokens.map(({ nid, ...minted }) => [nid, minted])),
    }
  }

  /** The state as last written; a session without a row has just been opened. */
  state(binding: SessionBinding): SessionState {
    const opened = openedState(binding, limits.reportGraceMs)
    const row = this.sql.exec('SELECT * FROM session').toArray()[0]
    if (row === undefined) return opened
    const nodes = new Map(opened.nodes)
    for (const node of this.sql.exec<NodeRow>('SELECT * FROM nodes').toArray()) {
      nodes.set(node.nid, nodeOf(node))
    }
    const reason = row['reason']
    return {
      status: z.enum(['bound', 'active', 'completed', 'terminated']).parse(row['status']),
      // A word of a newer release is passed on as it is.
      reason: z.string().nullable().parse(reason) as SessionState['reason'],
      boot_id: z.string().nullable().parse(row['boot_id']),
      grace_until: z.number().nullable().parse(row['grace_until']),
      ended_ms: z.number().nullable().parse(row['ended_ms']),
      latch: row['latch'] === 1,
      frames: z.number().parse(row['frames']),
      nodes,
      rest: this.#rest(),
      results: referredResults(this.sql, binding),
    }
  }

  #rest(): SessionState['rest'] {
    const read = restSchema.safeParse(this.readMore('rest'))
    return read.success ? read.data : null
  }

  /** Writes what changed between two states. */
  save(before: SessionState | null, after: SessionState): void {
    if (before === after) return
    this.sql.exec(
      `INSERT OR REPLACE INTO session (id, status, reason, boot_id, grace_until, ended_ms, latch, frames)
         VALUES (1, ?, ?, ?, ?, ?, ?, ?)`,
      after.status,
      after.reason,
      after.boot_id,
      after.grace_until,
      after.ended_ms,
      after.latch ? 1 : 0,
      after.frames,
    )
    if (after.rest !== (before?.rest ?? null)) this.putMore('rest', after.rest)
    for (const [nid, node] of after.nodes) {
      if (before?.nodes.get(nid) === node) continue
      this.sql.exec(
        `INSERT OR REPLACE INTO nodes (nid, state, reason, started_ms, actuated, report)
           VALUES (?, ?, ?, ?, ?, ?)`,
        nid,
        node.state,
        node.reason,
        node.started_ms,
        node.actuated === null ? null : Number(node.actuated),
        node.report,
      )
    }
  }

  /** The insert that decides: throws when the node has been executed before, and then no `go` leaves. */
  execute(nid: string, jti: string, nowMs: number): void {
    const written = this.sql.exec(
      'INSERT OR IGNORE INTO executed (nid, jti, at_ms) VALUES (?, ?, ?)',
      nid,
      jti,
      nowMs,
    ).rowsWritten
    if (written === 0) throw new Error(`node ${nid} has been executed before`)
  }

  frame(fid: string): FrameRecord | null {
    const row = this.sql
      .exec<{ body: string; answer: string }>('SELECT body, answer FROM frames WHERE fid = ?', fid)
      .toArray()[0]
    if (row === undefined) return null
    return { body: row.body, answer: answerSchema.parse(JSON.parse(row.answer)) }
  }

  record(fid: string, { body, answer }: FrameRecord): void {
    this.sql.exec(
      'INSERT INTO frames (fid, body, answer) VALUES (?, ?, ?)',
      fid,
      body,
      JSON.stringify(answer),
    )
  }

  /** What one step writes of its own, in the transaction of the caller. */
  perform(effects: readonly Effect[], nowMs: number): void {
    for (const effect of effects) {
      if (effect.do === 'execute') this.execute(effect.nid, effect.jti, nowMs)
      if (effect.do === 'record') this.record(effect.fid, effect.record)
      if (effect.do === 'result') putResult(this.sql, effect, nowMs)
    }
  }

  // ---- outbox: who must still hear that the session ended ----

  /** Again for one that is still to be told moves it forward: it is told the newest. */
  enqueue(targets: readonly OutboxTarget[], nowMs: number): void {
    for (const target of targets) {
      this.sql.exec(
        'INSERT OR REPLACE INTO outbox (target, attempts, next_ms) VALUES (?, 0, ?)',
        target,
        nowMs,
      )
    }
  }

  outbox(): OutboxRow[] {
    return this.sql.exec<OutboxRow>('SELECT target, attempts, next_ms FROM outbox').toArray()
  }

  /** Told; a newer end that was set down meanwhile stays due. */
  delivered({ target, attempts, next_ms }: OutboxRow): void {
    const sql = 'DELETE FROM outbox WHERE target = ? AND attempts = ? AND next_ms = ?'
    this.sql.exec(sql, target, attempts, next_ms)
  }

  retry(target: OutboxTarget, nextMs: number): void {
    this.sql.exec(
      'UPDATE outbox SET attempts = attempts + 1, next_ms = ? WHERE target = ?',
      nextMs,
      target,
    )
  }

  // ---- audit trail ----

  auditHead(): AuditHead {
    return this.#exists() ? auditHead(this.sql) : null
  }

  appendAudit(entry: AuditEntry): void {
    insertAudit(this.sql, entry)
  }

  /** How often an event is written down. */
  countOf(event: string): number {
    const sql = 'SELECT COUNT(*) AS n FROM audit WHERE event = ?'
    return this.#exists() ? this.sql.exec<{ n: number }>(sql, event).one().n : 0
  }

  /** Entries with `seq` above `after`, oldest first, one page. */
  auditPage(after: number): AuditEntry[] {
    return this.#exists() ? readAudit(this.sql, after, limits.auditEntriesPerPage) : []
  }
}

type NodeRow = {
  nid: string
  state: string
  reason: string | null
  started_ms: number | null
  actuated: number | null
  report: string | null
}

function nodeOf({ state, reason, started_ms, actuated, report }: NodeRow): NodeState {
  return {
    state: nodeProgressSchema.parse(state),
    reason,
    started_ms,
    actuated: actuated === null ? null : actuated === 1,
    report,
  }
}
