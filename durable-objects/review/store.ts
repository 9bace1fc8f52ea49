// The tables of one PlanReview: the plan as submitted, opinions one by one, the packet, and the row that
// holds the state. Synchronous SQLite, typed, read leniently. Tables exist only once a plan was started:
// asking for an id that was never submitted leaves nothing behind.
import { z } from 'zod'
import type { AuditEntry, AuditHead } from '../../protocol/audit.ts'
import { floorSchema } from '../../protocol/finding.ts'
import { readStored } from '../../protocol/lenient.ts'
import { limits } from '../../protocol/limits.ts'
import { opinionSchema, type Opinion } from '../../protocol/opinion.ts'
import { seenAgainSchema, type SeenAgain } from '../../protocol/packet-trace.ts'
import { planSchema } from '../../protocol/plan.ts'
import { contextSchema, packetSchema, type Context, type Packet } from '../../protocol/records.ts'
import { digestSchema, registrySchema } from '../../protocol/registry.ts'
import { siteSnapshotSchema, windowEntrySchema } from '../../protocol/snapshot.ts'
import type { PlanStatus } from '../../protocol/status.ts'
import type { Linked } from '../../verify/remember/features.ts'
import {
  reviewStateSchema,
  standingAskSchema,
  type ReviewSpec,
  type ReviewState,
} from '../../verify/review/state.ts'
import { statusOf } from '../../verify/review/status.ts'
import { versions } from '../../protocol/versions.ts'
import { auditHead, createAuditTable, insertAudit, readAudit } from '../audit-log.ts'
import { registryOf } from './registries.ts'
import { firstVersion } from './first-version.ts'

/** Version of what this code writes. It reads the one before, and this one with fields to come. */
export const rowVersion = versions.review

const schema = `
CREATE TABLE IF NOT EXISTS parts (key TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (key, part));
CREATE TABLE IF NOT EXISTS opinions (judge TEXT PRIMARY KEY, seq INTEGER NOT NULL,
  opinion TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS review (id INTEGER PRIMARY KEY CHECK (id = 1), v INTEGER NOT NULL,
  row TEXT NOT NULL);
`

/** A row holds at most 2 MB; a packet or a site's registry and window may be larger together. */
const partBytes = 1_000_000

/** The site as it was judged by, without its two large members, which are kept beside it. */
const snapshotHeadSchema = siteSnapshotSchema.omit({ registry: true, window: true })

/** What identifies the plan; small, so that a status reads no large part. */
const headSchema = z.strictObject({
  plan_id: z.string(),
  plan_digest: digestSchema,
  submitter: z.strictObject({ site: z.string(), planner: z.string(), owner: z.string() }),
  supersedes: z.string().nullable(),
  received_ms: z.number(),
})
export type ReviewHead = z.infer<typeof headSchema>

const boundCellSchema = seenAgainSchema.pick({ cell_state: true, at_ms: true })
type BoundCell = z.infer<typeof boundCellSchema>

/** The one row that changes. */
const rowSchema = z.strictObject({
  state: reviewStateSchema,
  /** Seals the decision of `state`; null before the first. */
  decision_digest: digestSchema.nullable(),
  /** How often the index was told: a late copy there never overwrites a newer one. */
  told: z.int().min(0).default(0),
})
export type ReviewRow = z.infer<typeof rowSchema>

const linkedSchema = z.record(
  z.string().max(300),
  z.array(z.string().max(120)).max(limits.nodesMax),
)

/** An object whose state cannot be read says so; it never goes on from a guess. */
export class StateUnreadable extends Error {
  constructor(detail: string) {
    super(`the stored state of this plan cannot be read: ${detail}`)
    this.name = 'StateUnreadable'
  }
}

/** Typed access to the tables of one plan. Reads throw `StateUnreadable`. */
export class ReviewStore {
  readonly sql: SqlStorage
  #created = false
  #head: ReviewHead | null = null
  #row: ReviewRow | null = null
  #spec: ReviewSpec | null = null
  #packet: Packet | null = null

  constructor(sql: SqlStorage) {
    this.sql = sql
  }

  /** True once a plan was started. */
  exists(): boolean {
    if (!this.#created) this.#created = this.hasTable('parts')
    return this.#created
  }

  hasTable(name: string): boolean {
    const sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    return this.sql.exec(sql, name).toArray().length > 0
  }

  /** Creates the tables and writes what never changes. */
  begin(spec: ReviewSpec): void {
    this.create()
    createAuditTable(this.sql)
    const { registry, window, ...site } = spec.snapshot
    const { plan_id, plan_digest, submitter, received_ms } = spec
    const supersedes = spec.plan.supersedes ?? null
    this.#head = { plan_id, plan_digest, submitter, supersedes, received_ms }
    this.putJson('head', this.#head)
    this.putJson('plan', spec.plan)
    this.putJson('floor', spec.floor)
    this.putJson('snapshot', site)
    this.putJson('registry', registry)
    this.putJson('window', window)
    if (spec.standing !== undefined) this.putJson('standing', spec.standing)
    if (spec.traceparent !== undefined) this.putJson('traceparent', spec.traceparent)
    this.#spec = spec
  }

  /** Creates what this version has and an earlier one had not. */
  create(): void {
    this.sql.exec(schema)
    this.#created = true
  }

  // ---- values of any size ----

  /** A JSON value, or null. */
  json(key: string): unknown {
    const text = this.#text(key)
    return text === null ? null : (JSON.parse(text) as unknown)
  }

  #text(key: string): string | null {
    if (!this.exists()) return null
    const parts = this.sql
      .exec<{ bytes: ArrayBuffer }>('SELECT bytes FROM parts WHERE key = ? ORDER BY part', key)
      .toArray()
    if (parts.length === 0) return null
    const decoder = new TextDecoder()
    const text = parts.map((row) => decoder.decode(row.bytes, { stream: true })).join('')
    return text + decoder.decode()
  }

  putJson(key: string, value: unknown): void {
    const bytes = new TextEncoder().encode(JSON.stringify(value))
    this.sql.exec('DELETE FROM parts WHERE key = ?', key)
    for (let part = 0; part * partBytes < bytes.length; part++) {
      const slice = bytes.slice(part * partBytes, (part + 1) * partBytes)
      this.sql.exec('INSERT INTO parts (key, part, bytes) VALUES (?, ?, ?)', key, part, slice)
    }
  }

  #read<T>(key: string, of: z.ZodType<T>): T {
    return this.#must(key, of, this.json(key))
  }

  #must<T>(what: string, of: z.ZodType<T>, value: unknown): T {
    const read = readStored(what, of, value)
    if (!read.ok) throw new StateUnreadable(read.error.detail)
    return read.value
  }

  // ---- the plan ----

  /** What identifies the plan; null before `begin`. */
  head(): ReviewHead | null {
    if (this.#head !== null || !this.exists()) return this.#head
    const stored = this.json('head') ?? firstVersion(this.sql)?.head
    if (stored === undefined) return null
    this.#head = this.#must('head', headSchema, stored)
    return this.#head
  }

  /** The state as last written; null before `begin`. */
  row(): ReviewRow | null {
    if (this.#row !== null || !this.exists()) return this.#row
    const stored = this.#storedRow()
    if (stored === null) return null
    this.#row = this.#must('review', rowSchema, stored)
    return this.#row
  }

  #storedRow(): unknown {
    if (!this.hasTable('review')) return firstVersion(this.sql)?.row ?? null
    const row = this.sql.exec<{ row: string }>('SELECT row FROM review').toArray()[0]
    return row === undefined ? null : (JSON.parse(row.row) as unknown)
  }

  state(): ReviewState | null {
    return this.row()?.state ?? null
  }

  putRow(row: ReviewRow): void {
    const sql = 'INSERT OR REPLACE INTO review (id, v, row) VALUES (1, ?, ?)'
    this.sql.exec(sql, rowVersion, JSON.stringify(row))
    this.#row = row
  }

  /** After a write that was rolled back: what was kept in memory is read again. */
  forget(): void {
    this.#row = null
    this.#spec = null
    this.#packet = null
  }

  /** After the text was deleted: nothing is known of it in memory either. */
  reset(): void {
    this.forget()
    this.#head = null
    this.#created = false
  }

  /** What was submitted and the floor it got. The plan must have been started. */
  spec(): ReviewSpec {
    if (this.#spec !== null) return this.#spec
    const head = this.head()
    if (head === null) throw new TypeError('a started plan has a head')
    const { plan_id, plan_digest, submitter, received_ms } = head
    const seen = this.json('seen') === null ? {} : { seen: this.#read('seen', seenAgainSchema) }
    const asked =
      this.json('standing') === null ? {} : { standing: this.#read('standing', standingAskSchema) }
    const brought = this.json('traceparent')
    this.#spec = {
      ...seen,
      ...asked,
      ...(typeof brought === 'string' ? { traceparent: brought } : {}),
      plan_id,
      plan_digest,
      submitter,
      received_ms,
      plan: this.#read('plan', planSchema),
      floor: this.#read('floor', floorSchema),
      snapshot: {
        ...this.#read('snapshot', snapshotHeadSchema),
        registry: registryOf(this.#text('registry') ?? 'null', (value) =>
          this.#must('registry', registrySchema, value),
        ),
        window: this.#read('window', z.array(windowEntrySchema)),
      },
    }
    return this.#spec
  }

  packet(): Packet | null {
    if (this.#packet === null && this.json('packet') !== null) {
      this.#packet = this.#read('packet', packetSchema)
    }
    return this.#packet
  }

  /** The cell as it is now takes the place of the one at intake; packet and opinions are void. */
  lookAgain(seen: SeenAgain): void {
    this.putJson('seen', seen)
    this.putJson('packet', null)
    this.sql.exec('DELETE FROM opinions')
    this.#packet = null
    this.#spec = null
  }

  putPacket(packet: Packet, linked: Linked): void {
    this.putJson('packet', packet)
    this.putJson('linked', linked)
    this.#packet = packet
  }

  /** Graph ids by the place of the plan that they were linked at, as grounding found them. */
  linked(): Linked {
    const stored = this.json('linked') ?? firstVersion(this.sql)?.linked ?? {}
    return this.#must('linked', linkedSchema, stored)
  }

  context(): Context | null {
    return this.json('context') === null ? null : this.#read('context', contextSchema)
  }

  /** The cell over which a run under a standing approval was bound; null for every other plan. */
  boundCell(): BoundCell | null {
    return this.json('bound_cell') === null ? null : this.#read('bound_cell', boundCellSchema)
  }

  /** The status that planners and reviewers see; null before `begin`. Reads no large part. */
  status(): PlanStatus | null {
    const head = this.head()
    const row = this.row()
    return head === null || row === null ? null : statusOf(head, row.state, row.decision_digest)
  }

  // ---- opinions and the trail ----

  opinions(): Opinion[] {
    if (!this.exists()) return []
    return this.sql
      .exec<{ opinion: string }>('SELECT opinion FROM opinions ORDER BY seq')
      .toArray()
      .map((row) => this.#must('opinions', opinionSchema, JSON.parse(row.opinion)))
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

  auditHead(): AuditHead {
    return auditHead(this.sql)
  }

  appendAudit(entry: AuditEntry): void {
    insertAudit(this.sql, entry)
  }

  auditPage(after: number, count: number): AuditEntry[] {
    return this.exists() ? readAudit(this.sql, after, count) : []
  }
}
