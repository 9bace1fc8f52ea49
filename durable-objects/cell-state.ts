// CellState, one per cell: what stands where and what is known of it, with source and time. People,
// sensors and ended sessions write it; no planner's credential does.
import { DurableObject } from 'cloudflare:workers'
import type { CellRecord, CellState as State } from '../protocol/state.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { appendAudit, createAuditTable, readAudit } from './audit-log.ts'
import { limits } from '../protocol/limits.ts'
import type { AuditEntry } from '../protocol/audit.ts'
import { CellStore, type cellRowsMax } from './cell/store.ts'
import type { LeftBehind } from './cell/api.ts'
import type { Env } from './env.ts'

type RecordAnswer = Result<
  { version: number },
  { reason: 'too_many_rows'; table: keyof typeof cellRowsMax }
>

export class CellState extends DurableObject<Env> {
  readonly #store: CellStore

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#store = new CellStore(ctx.storage.sql)
    createAuditTable(ctx.storage.sql)
  }

  /** A person's record: things, facts and approvals, each with author and time. All or nothing. */
  async record(record: CellRecord, by: string, now_ms: number): Promise<RecordAnswer> {
    const table = this.#store.overflows(record)
    if (table !== null) return err({ reason: 'too_many_rows', table })
    this.ctx.storage.transactionSync(() => {
      for (const item of record.inventory) this.#store.putItem(item, by, now_ms)
      for (const fact of record.facts) {
        this.#store.putFact({ ...fact, source: 'person', by, at_ms: now_ms })
      }
      for (const approval of record.approvals) this.#store.putApproval(approval, now_ms)
    })
    const facts = {
      things: record.inventory.length,
      facts: record.facts.length,
      approvals: record.approvals.length,
    }
    await this.#trail(by, 'cell_recorded', facts, now_ms)
    return ok({ version: this.#store.version })
  }

  /** Takes one thing and what is known of it out. */
  async remove(thing: string, by: string, now_ms: number): Promise<boolean> {
    const removed = this.#store.removeItem(thing)
    if (removed) await this.#trail(by, 'thing_removed', { thing }, now_ms)
    return removed
  }

  /** Before a session opens: what it may touch reads as unknown for everybody until it ends. */
  hold(held: LeftBehind): Promise<void> {
    this.ctx.storage.transactionSync(() => this.#store.hold(held))
    const facts = { session: held.session, facts: held.facts.length }
    return this.#trail('gateway', 'things_held', facts, held.at_ms)
  }

  /** What a session left; idempotent, since only newer facts stay. Its holds end with it. */
  async sessionLeft(left: LeftBehind): Promise<void> {
    this.ctx.storage.transactionSync(() => {
      this.#store.release(left.session, left.at_ms)
      for (const fact of left.facts) {
        this.#store.putFact({ ...fact, source: 'session', by: left.session, at_ms: left.at_ms })
      }
    })
    const facts = { session: left.session, facts: left.facts.length }
    await this.#trail('gateway', 'session_left', facts, left.at_ms)
  }

  holding(): Promise<string[]> {
    return Promise.resolve(this.#store.holding())
  }

  /** What sessions held that never told their end was touched and is not known. */
  async cleared(over: readonly string[], now_ms: number): Promise<void> {
    const sessions = this.ctx.storage.transactionSync(() => this.#store.releaseAll(over, now_ms))
    if (sessions.length > 0) await this.#trail('gateway', 'holds_released', { sessions }, now_ms)
  }

  /** After a restore, a new agent process or a lost device: what was known is not known. */
  async forget(why: string, now_ms: number): Promise<void> {
    this.#store.forgetFacts(now_ms)
    await this.#trail('gateway', 'facts_forgotten', { why }, now_ms)
  }

  /** The same of some things alone: they were stopped by somebody, whatever they did. */
  async forgetOf(things: readonly string[], why: string, now_ms: number): Promise<void> {
    this.#store.forgetFacts(now_ms, things)
    await this.#trail('gateway', 'facts_forgotten', { why, things: [...things] }, now_ms)
  }

  /** Everything known now, as JSON text of a CellState: deep types do not unfold over RPC. */
  state(cell: string): string {
    const { skipped, ...state } = this.#store.state(cell)
    if (skipped > 0) console.error(`cell ${cell}: ${skipped} rows of another version are skipped`)
    return JSON.stringify(state satisfies State)
  }

  audit(after: number): AuditEntry[] {
    return readAudit(this.ctx.storage.sql, after, limits.auditEntriesPerPage)
  }

  async #trail(
    actor: string,
    event: string,
    facts: AuditEntry['facts'],
    at_ms: number,
  ): Promise<void> {
    await appendAudit(this.ctx.storage.sql, { at_ms, actor, event, facts })
  }
}
