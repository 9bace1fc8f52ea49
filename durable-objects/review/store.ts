// The tables of one PlanReview: the plan as submitted, opinions one by one, the packet, approvals,
// the decision and what still has to be told to others. Synchronous SQLite, typed. Tables exist only
// once a plan was started: asking for an id that was never submitted leaves nothing behind.
import { z } from 'zod'
import { auditHead, createAuditTable, insertAudit, readAudit } from '../audit-log.ts'
import { nextAuditEntry, type AuditEntry, type AuditEvent } from '../../protocol/audit.ts'
import { floorSchema } from '../../protocol/finding.ts'
import { opinionSchema, type Opinion } from '../../protocol/opinion.ts'
import { planSchema } from '../../protocol/plan.ts'
import {
  approvalSchema,
  contextSchema,
  decisionSchema,
  packetSchema,
  type Approval,
  type Context,
  type Decision,
  type Packet,
} from '../../protocol/records.ts'
import { registrySchema } from '../../protocol/registry.ts'
import { siteSnapshotSchema, windowEntrySchema } from '../../protocol/snapshot.ts'
import type { BindRefusal, TerminationReason } from '../../protocol/reasons.ts'
import type { PlanState, PlanStatus, StartSpec } from '../contracts.ts'

const schema = `
CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS parts (key TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (key, part));
CREATE TABLE IF NOT EXISTS opinions (judge TEXT PRIMARY KEY, seq INTEGER NOT NULL,
  opinion TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS approvals (approver TEXT PRIMARY KEY, approval TEXT NOT NULL,
  at_ms REAL NOT NULL);
CREATE TABLE IF NOT EXISTS outbox (id TEXT PRIMARY KEY, kind TEXT NOT NULL, body TEXT NOT NULL,
  due_ms REAL NOT NULL, attempts INTEGER NOT NULL DEFAULT 0);
`

export type OutboxKind =
  | 'index'
  | 'window'
  | 'enqueue'
  | 'dequeue'
  | 'memory'
  | 'withdraw_ancestor'
  | 'webhook'
  | 'skill'
export type OutboxRow = {
  id: string
  kind: OutboxKind
  body: string
  due_ms: number
  attempts: number
}

/** A row holds at most 2 MB; a packet or a site's registry and window may be larger together. */
const partBytes = 1_000_000

/** The site as it was judged by, without its two large members, which are kept beside it. */
const snapshotHeadSchema = siteSnapshotSchema.omit({ registry: true, window: true })

/** Typed access to the tables of one plan. */
export class ReviewStore {
  readonly sql: SqlStorage
  private specCache: StartSpec | null = null
  private created = false

  constructor(sql: SqlStorage) {
    this.sql = sql
  }

  /** True once `putSpec` has created the tables. */
  exists(): boolean {
    if (!this.created) {
      const found = this.sql.exec(
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'facts'",
      )
      this.created = found.toArray().length > 0
    }
    return this.created
  }

  get(key: string): string | null {
    if (!this.exists()) return null
    return (
      this.sql.exec<{ value: string }>('SELECT value FROM facts WHERE key = ?', key).toArray()[0]
        ?.value ?? null
    )
  }

  set(key: string, value: string): void {
    this.sql.exec('INSERT OR REPLACE INTO facts (key, value) VALUES (?, ?)', key, value)
  }

  unset(key: string): void {
    this.sql.exec('DELETE FROM facts WHERE key = ?', key)
  }

  /** A JSON value of any size, or null. */
  json(key: string): unknown {
    if (!this.exists()) return null
    const parts = this.sql
      .exec<{ bytes: ArrayBuffer }>('SELECT bytes FROM parts WHERE key = ? ORDER BY part', key)
      .toArray()
    if (parts.length === 0) return null
    const decoder = new TextDecoder()
    const text = parts.map((row) => decoder.decode(row.bytes, { stream: true })).join('')
    return JSON.parse(text + decoder.decode()) as unknown
  }

  putJson(key: string, value: unknown): void {
    const bytes = new TextEncoder().encode(JSON.stringify(value))
    this.sql.exec('DELETE FROM parts WHERE key = ?', key)
    for (let part = 0; part * partBytes < bytes.length; part++) {
      const slice = bytes.slice(part * partBytes, (part + 1) * partBytes)
      this.sql.exec('INSERT INTO parts (key, part, bytes) VALUES (?, ?, ?)', key, part, slice)
    }
  }

  number(key: string): number | null {
    const text = this.get(key)
    return text === null ? null : Number(text)
  }

  state(): PlanState | null {
    return this.get('state') as PlanState | null
  }

  setState(state: PlanState): void {
    this.set('state', state)
  }

  /** What was submitted and the floor it got; null before `start`. */
  spec(): StartSpec | null {
    if (this.specCache !== null) return this.specCache
    const plan = this.json('plan')
    if (plan === null) return null
    this.specCache = {
      plan_id: this.get('plan_id') ?? '',
      plan: planSchema.parse(plan),
      plan_digest: this.get('plan_digest') ?? '',
      submitter: this.submitter(),
      floor: floorSchema.parse(this.json('floor')),
      snapshot: {
        ...snapshotHeadSchema.parse(this.json('snapshot')),
        registry: registrySchema.parse(this.json('registry')),
        window: z.array(windowEntrySchema).parse(this.json('window')),
      },
      received_ms: this.number('received_ms') ?? 0,
    }
    return this.specCache
  }

  putSpec(spec: StartSpec): void {
    const { registry, window, ...head } = spec.snapshot
    this.sql.exec(schema)
    createAuditTable(this.sql)
    this.created = true
    this.set('plan_id', spec.plan_id)
    this.putJson('plan', spec.plan)
    this.set('plan_digest', spec.plan_digest)
    this.set('supersedes', spec.plan.supersedes ?? '')
    this.set('submitter', JSON.stringify(spec.submitter))
    this.putJson('floor', spec.floor)
    this.putJson('snapshot', head)
    this.putJson('registry', registry)
    this.putJson('window', window)
    this.set('received_ms', String(spec.received_ms))
    this.specCache = spec
  }

  private submitter(): StartSpec['submitter'] {
    return JSON.parse(this.get('submitter') ?? '{}') as StartSpec['submitter']
  }

  // ---- the trail ----

  async trail(event: AuditEvent): Promise<void> {
    insertAudit(this.sql, await nextAuditEntry(auditHead(this.sql), event))
  }

  auditPage(after: number, count: number): AuditEntry[] {
    return this.exists() ? readAudit(this.sql, after, count) : []
  }

  opinions(): Opinion[] {
    if (!this.exists()) return []
    return this.sql
      .exec<{ opinion: string }>('SELECT opinion FROM opinions ORDER BY seq')
      .toArray()
      .map((row) => opinionSchema.parse(JSON.parse(row.opinion)))
  }

  /** The first opinion of a judge stands; a late second one changes nothing. */
  putOpinion(opinion: Opinion): void {
    this.sql.exec(
      `INSERT OR IGNORE INTO opinions (judge, seq, opinion)
         VALUES (?, (SELECT COUNT(*) FROM opinions), ?)`,
      opinion.judge,
      JSON.stringify(opinion),
    )
  }

  approvals(): Approval[] {
    if (!this.exists()) return []
    return this.sql
      .exec<{ approval: string }>('SELECT approval FROM approvals ORDER BY at_ms')
      .toArray()
      .map((row) => approvalSchema.parse(JSON.parse(row.approval)))
  }

  putApproval(approval: Approval): boolean {
    return (
      this.sql.exec(
        'INSERT OR IGNORE INTO approvals (approver, approval, at_ms) VALUES (?, ?, ?)',
        approval.approver,
        JSON.stringify(approval),
        approval.at_ms,
      ).rowsWritten > 0
    )
  }

  packet(): Packet | null {
    const value = this.json('packet')
    return value === null ? null : packetSchema.parse(value)
  }

  decision(): Decision | null {
    const text = this.get('decision')
    return text === null ? null : decisionSchema.parse(JSON.parse(text))
  }

  context(): Context | null {
    const value = this.json('context')
    return value === null ? null : contextSchema.parse(value)
  }

  // ---- outbox: told at least once, in any order; every receiver is idempotent ----

  post(kind: OutboxKind, body: object, at: { id?: string; due_ms: number }): void {
    this.sql.exec(
      'INSERT OR REPLACE INTO outbox (id, kind, body, due_ms) VALUES (?, ?, ?, ?)',
      at.id ?? kind,
      kind,
      JSON.stringify(body),
      at.due_ms,
    )
  }

  /** Takes a message back that must not be told any more. */
  retract(id: string): void {
    this.sql.exec('DELETE FROM outbox WHERE id = ?', id)
  }

  due(now_ms: number): OutboxRow[] {
    return this.sql
      .exec('SELECT * FROM outbox WHERE due_ms <= ? ORDER BY due_ms LIMIT 50', now_ms)
      .toArray()
      .map((row) => ({
        id: String(row['id']),
        kind: String(row['kind']) as OutboxKind,
        body: String(row['body']),
        due_ms: Number(row['due_ms']),
        attempts: Number(row['attempts']),
      }))
  }

  /** Removes the row only if it still holds what was sent: a newer body stays due. */
  sent(row: OutboxRow): void {
    this.sql.exec('DELETE FROM outbox WHERE id = ? AND body = ?', row.id, row.body)
  }

  retry(row: OutboxRow, now_ms: number): void {
    const delay = Math.min(60_000, 500 * 2 ** Math.min(row.attempts, 7))
    this.sql.exec(
      'UPDATE outbox SET attempts = attempts + 1, due_ms = ? WHERE id = ?',
      now_ms + delay,
      row.id,
    )
  }

  nextDue(): number | null {
    if (!this.exists()) return null
    const row = this.sql
      .exec<{ due: number | null }>('SELECT MIN(due_ms) AS due FROM outbox')
      .toArray()[0]
    return row?.due ?? null
  }

  /** The status that planners and reviewers see; null before `start`. Reads no large part. */
  status(): PlanStatus | null {
    const state = this.state()
    if (state === null) return null
    const { site, planner, owner } = this.submitter()
    const decision = this.decision()
    const supersedes = this.get('supersedes')
    return {
      plan: this.get('plan_id') ?? '',
      site,
      planner,
      owner,
      state,
      verdict: decision?.verdict ?? null,
      reasons: decision?.reasons ?? [],
      packet_digest: this.get('packet_digest'),
      decision,
      decision_digest: this.get('decision_digest'),
      session: this.get('session'),
      session_reason: this.get('session_reason') as TerminationReason | null,
      bind_refusal: this.get('bind_refusal') as BindRefusal | null,
      supersedes: supersedes === null || supersedes === '' ? null : supersedes,
      received_ms: this.number('received_ms') ?? 0,
      decided_ms: this.number('decided_ms'),
      valid_until_ms: decision?.valid_until ?? null,
    }
  }
}
