// The tables of one PlanReview: the plan as submitted, opinions one by one, the packet, approvals,
// the decision and what still has to be told to others. Synchronous SQLite, typed.
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
import { siteSnapshotSchema } from '../../protocol/snapshot.ts'
import type { BindRefusal, TerminationReason } from '../../protocol/reasons.ts'
import type { PlanState, PlanStatus, StartSpec } from '../contracts.ts'

const schema = `
CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, value TEXT NOT NULL);
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
export type OutboxRow = {
  id: string
  kind: OutboxKind
  body: string
  due_ms: number
  attempts: number
}

/** Typed access to the tables of one plan. */
export class ReviewStore {
  readonly sql: SqlStorage
  private specCache: StartSpec | null = null

  constructor(sql: SqlStorage) {
    this.sql = sql
    sql.exec(schema)
  }

  get(key: string): string | null {
    return (
      this.sql.exec<{ value: string }>('SELECT value FROM facts WHERE key = ?', key).toArray()[0]
        ?.value ?? null
    )
  }

  set(key: string, value: string): void {
    this.sql.exec('INSERT OR REPLACE INTO facts (key, value) VALUES (?, ?)', key, value)
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
    const plan = this.get('plan')
    const snapshot = this.get('snapshot')
    if (plan === null || snapshot === null) return null
    this.specCache = {
      plan_id: this.get('plan_id') ?? '',
      plan: planSchema.parse(JSON.parse(plan)),
      plan_digest: this.get('plan_digest') ?? '',
      submitter: JSON.parse(this.get('submitter') ?? '{}') as StartSpec['submitter'],
      floor: floorSchema.parse(JSON.parse(this.get('floor') ?? '{}')),
      snapshot: siteSnapshotSchema.parse(JSON.parse(snapshot)),
      received_ms: this.number('received_ms') ?? 0,
    }
    return this.specCache
  }

  putSpec(spec: StartSpec): void {
    this.set('plan_id', spec.plan_id)
    this.set('plan', JSON.stringify(spec.plan))
    this.set('plan_digest', spec.plan_digest)
    this.set('submitter', JSON.stringify(spec.submitter))
    this.set('floor', JSON.stringify(spec.floor))
    this.set('snapshot', JSON.stringify(spec.snapshot))
    this.set('received_ms', String(spec.received_ms))
    this.specCache = spec
  }

  opinions(): Opinion[] {
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
    const text = this.get('packet')
    return text === null ? null : packetSchema.parse(JSON.parse(text))
  }

  decision(): Decision | null {
    const text = this.get('decision')
    return text === null ? null : decisionSchema.parse(JSON.parse(text))
  }

  context(): Context | null {
    const text = this.get('context')
    return text === null ? null : contextSchema.parse(JSON.parse(text))
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
    const row = this.sql
      .exec<{ due: number | null }>('SELECT MIN(due_ms) AS due FROM outbox')
      .toArray()[0]
    return row?.due ?? null
  }

  /** The status that planners and reviewers see; null before `start`. */
  status(): PlanStatus | null {
    const spec = this.spec()
    const state = this.state()
    if (spec === null || state === null) return null
    const decision = this.decision()
    return {
      plan: spec.plan_id,
      site: spec.submitter.site,
      planner: spec.submitter.planner,
      owner: spec.submitter.owner,
      state,
      verdict: decision?.verdict ?? null,
      reasons: decision?.reasons ?? [],
      packet_digest: this.get('packet_digest'),
      decision,
      decision_digest: this.get('decision_digest'),
      session: this.get('session'),
      session_reason: this.get('session_reason') as TerminationReason | null,
      bind_refusal: this.get('bind_refusal') as BindRefusal | null,
      supersedes: spec.plan.supersedes ?? null,
      received_ms: spec.received_ms,
      decided_ms: this.number('decided_ms'),
      valid_until_ms: decision?.valid_until ?? null,
    }
  }
}
