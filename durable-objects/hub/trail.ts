// Writes the trail of a hub, one line after the other: what is noted beside an event must not take the place of
// what the event itself notes.
import type { AuditEvent } from '../../protocol/audit.ts'
import { appendAudit, createAuditTable } from '../audit-log.ts'

export class HubTrail {
  readonly #sql: SqlStorage
  #last: Promise<unknown> = Promise.resolve()

  constructor(sql: SqlStorage) {
    this.#sql = sql
    createAuditTable(sql)
  }

  /** Appends one line after all that were asked for before it. */
  async append(event: AuditEvent): Promise<void> {
    const mine = this.#last.then(() => appendAudit(this.#sql, event))
    this.#last = mine.catch(() => undefined)
    await mine
  }
}
