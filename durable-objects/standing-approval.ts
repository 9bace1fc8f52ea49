// StandingApproval, one per template: the record that people sign, their signatures, and the runs that were
// counted. A thin shell around verify/standing/step.ts; every change is written before anybody is told.
import { DurableObject } from 'cloudflare:workers'
import { nextAuditEntry, type AuditEntry, type AuditEvent } from '../protocol/audit.ts'
import { digest } from '../protocol/digest.ts'
import { readStored } from '../protocol/lenient.ts'
import type { Forgotten } from '../protocol/keeping.ts'
import { limits } from '../protocol/limits.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import {
  standingRecordSchema,
  type StandingRefusal,
  type StandingSignature,
} from '../protocol/standing.ts'
import {
  approve,
  count,
  notInForce,
  proposed,
  revoke,
  suspend,
  type ApproveRefusal,
  type RunAsk,
  type StandingRow,
} from '../verify/standing/step.ts'
import { auditHead, createAuditTable, insertAudit, readAudit } from './audit-log.ts'
import type { Env } from './env.ts'
import type { Counted, StandingApprovalApi } from './standing/api.ts'
import { leftOf, textDeleted } from './standing/forget.ts'
import { standingStoredSchema, type StandingStored } from './standing/view.ts'

const schema = `
CREATE TABLE IF NOT EXISTS template (id INTEGER PRIMARY KEY CHECK (id = 1), v INTEGER NOT NULL,
  record TEXT NOT NULL, digest TEXT NOT NULL, row TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS runs (plan TEXT PRIMARY KEY, nth INTEGER NOT NULL, look INTEGER NOT NULL,
  at_ms INTEGER NOT NULL);
`
const rowVersion = 1

export class StandingApproval extends DurableObject<Env> implements StandingApprovalApi {
  async propose(text: string): Promise<void> {
    const record = standingRecordSchema.parse(JSON.parse(text))
    const of = await digest('standing', record)
    await this.#alone(async () => {
      if (this.#exists()) return
      const { base, proposed_by, at_ms } = record
      const facts = { digest: of, plan: base.plan }
      const event = 'template_proposed'
      const entry = await nextAuditEntry(null, { at_ms, actor: proposed_by, event, facts })
      this.ctx.storage.transactionSync(() => {
        const { sql } = this.ctx.storage
        sql.exec(schema)
        createAuditTable(sql)
        const insert = 'INSERT INTO template (id, v, record, digest, row) VALUES (1, ?, ?, ?, ?)'
        sql.exec(insert, rowVersion, JSON.stringify(record), of, JSON.stringify(proposed))
        insertAudit(sql, entry)
      })
    })
  }

  view(): Promise<string | null> {
    const stored = this.#stored()
    return Promise.resolve(stored === null ? null : JSON.stringify(stored))
  }

  approve(signature: StandingSignature): Promise<Result<void, ApproveRefusal | 'not_found'>> {
    return this.#alone(async () => {
      const stored = this.#stored()
      if (stored === null) return err('not_found')
      const done = approve(stored, stored.row, signature)
      if (!done.ok) return done
      const { approver, digest: of, at_ms } = signature
      const facts = { digest: of, state: done.value.state }
      await this.#write(done.value, { actor: approver, event: 'template_approved', facts, at_ms })
      return ok(undefined)
    })
  }

  revoke(by: string, now_ms: number): Promise<boolean> {
    return this.#alone(async () => {
      const stored = this.#stored()
      if (stored === null) return false
      if (stored.row.state === 'revoked') return true
      const said = { actor: by, event: 'template_revoked', facts: {}, at_ms: now_ms }
      await this.#write(revoke(stored.row, by, now_ms), said)
      return true
    })
  }

  suspend(by: Parameters<StandingApprovalApi['suspend']>[0]): Promise<void> {
    return this.#alone(async () => {
      const stored = this.#stored()
      if (stored === null || stored.row.state === 'revoked') return
      const { plan, why, now_ms } = by
      // Told twice it is suspended once: people may have signed again since.
      if (this.#told(plan, why)) return
      const said = {
        actor: 'gateway',
        event: 'template_suspended',
        facts: { plan, why },
        at_ms: now_ms,
      }
      await this.#write(suspend(stored.row, by), said)
    })
  }

  claim(plan: string, ask: RunAsk): Promise<Result<Counted, StandingRefusal>> {
    return this.#alone(async () => {
      const stored = this.#stored()
      if (stored === null) return err('revoked')
      const refused = notInForce(stored.record, stored.row, ask)
      if (refused !== null) return err(refused)
      const known = this.#run(plan)
      if (known !== null) return ok(known)
      const counted = count(stored.record, stored.row)
      if (!counted.ok) return counted
      const { row, nth, look } = counted.value
      const facts = { plan, nth, look }
      const said = { actor: ask.planner, event: 'template_used', facts, at_ms: ask.now_ms }
      await this.#write(row, said, () => {
        const sql = 'INSERT INTO runs (plan, nth, look, at_ms) VALUES (?, ?, ?, ?)'
        this.ctx.storage.sql.exec(sql, plan, nth, look ? 1 : 0, ask.now_ms)
      })
      return ok({ nth, look })
    })
  }

  refusal(plan: string, ask: RunAsk): Promise<StandingRefusal | null> {
    const stored = this.#stored()
    if (stored === null || this.#run(plan) === null) return Promise.resolve('revoked')
    return Promise.resolve(notInForce(stored.record, stored.row, ask))
  }

  audit(after: number): Promise<AuditEntry[]> {
    if (!this.#exists()) return Promise.resolve([])
    return Promise.resolve(readAudit(this.ctx.storage.sql, after, limits.auditEntriesPerPage))
  }

  forget(what: 'look' | 'plan' | 'all', of: { plan: string; now_ms: number }): Promise<Forgotten> {
    return this.#alone(async () => {
      if (!this.#exists()) return { state: 'absent' }
      const stored = this.#stored()
      const { sql } = this.ctx.storage
      const left = leftOf(stored, readAudit(sql, -1, Number.MAX_SAFE_INTEGER), of)
      if (left.state !== 'done' || what === 'look') return left
      if (what === 'all') {
        await this.ctx.storage.deleteAll()
        return left
      }
      if (stored === null) return left
      const facts = { ...left.digests }
      const said = { actor: 'gateway', event: textDeleted, facts, at_ms: of.now_ms }
      await this.#write(stored.row, said, () => {
        sql.exec('DELETE FROM template')
        sql.exec('DELETE FROM runs')
      })
      return left
    })
  }

  // ---------- storage ----------

  #exists(): boolean {
    const sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'template'"
    return this.ctx.storage.sql.exec(sql).toArray().length > 0
  }

  /** What is filed. A row that cannot be read covers nothing, and says so. */
  #stored(): StandingStored | null {
    if (!this.#exists()) return null
    const row = this.ctx.storage.sql
      .exec<{ record: string; digest: string; row: string }>('SELECT * FROM template')
      .toArray()[0]
    if (row === undefined) return null
    const text = { record: JSON.parse(row.record) as unknown, row: JSON.parse(row.row) as unknown }
    const read = readStored('template', standingStoredSchema, { ...text, digest: row.digest })
    if (!read.ok) throw new Error(`the standing approval cannot be read: ${read.error.detail}`)
    return read.value
  }

  /** Row, trail and what goes with it: all of it or nothing. */
  async #write(row: StandingRow, event: AuditEvent, more: () => void = () => {}): Promise<void> {
    const { sql } = this.ctx.storage
    const entry = await nextAuditEntry(auditHead(sql), event)
    this.ctx.storage.transactionSync(() => {
      sql.exec('UPDATE template SET row = ?', JSON.stringify(row))
      more()
      insertAudit(sql, entry)
    })
  }

  #run(plan: string): Counted | null {
    const found = this.ctx.storage.sql
      .exec<{ nth: number; look: number }>('SELECT nth, look FROM runs WHERE plan = ?', plan)
      .toArray()[0]
    return found === undefined ? null : { nth: found.nth, look: found.look === 1 }
  }

  #told(plan: string, why: string): boolean {
    return this.ctx.storage.sql
      .exec<{ facts: string }>("SELECT facts FROM audit WHERE event = 'template_suspended'")
      .toArray()
      .some(({ facts }) => {
        const told = JSON.parse(facts) as { plan?: string; why?: string }
        return told.plan === plan && told.why === why
      })
  }

  /** One change after the other: of two runs for the last place, the second sees the first. */
  async #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = await this.ctx.blockConcurrencyWhile(async () => {
      // A throw in here would reset the object; it is an ordinary failure of its caller instead.
      try {
        return { ok: true as const, value: await work() }
      } catch (cause) {
        return { ok: false as const, cause }
      }
    })
    if (!done.ok) throw done.cause
    return done.value
  }
}
