// SiteWindow, one per site: the sliding window over recent plans. It stands apart from the hub, so that what
// decides a `go` never waits behind it. Hubs of the release before kept the window themselves: what they
// hold is taken over at every start of this object, and nothing of it is lost or overwritten.
import { DurableObject } from 'cloudflare:workers'
import type { WindowEntry } from '../protocol/snapshot.ts'
import type { SiteHubApi } from './contracts.ts'
import type { SiteWindowApi } from './window/api.ts'
import type { Env } from './env.ts'
import { limited } from './limited.ts'
import { readWindowEntry } from './window/row.ts'
import { WindowTable, type WindowChanges, type WindowMark } from './window/table.ts'

export class SiteWindow extends DurableObject<Env> implements SiteWindowApi {
  readonly #table: WindowTable
  #takenOver: Promise<void> | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#table = new WindowTable(ctx.storage.sql, crypto.randomUUID())
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS taken (upto INTEGER NOT NULL)')
  }

  async changes(site: string, have: WindowMark | null): Promise<WindowChanges> {
    await this.#ready(site)
    return this.#table.changes(have)
  }

  async remember(site: string, entry: WindowEntry): Promise<void> {
    await this.#ready(site)
    this.#table.remember(entry, Date.now())
  }

  async forget(site: string, plan: string): Promise<void> {
    await this.#ready(site)
    this.#table.forget(plan)
  }

  /** Once in the life of the object; a failure is the caller's, and the next call tries again. */
  #ready(site: string): Promise<void> {
    this.#takenOver ??= this.#takeOver(site).catch((cause: unknown) => {
      this.#takenOver = null
      throw cause
    })
    return this.#takenOver
  }

  async #takeOver(site: string): Promise<void> {
    const hub = limited(this.env.SITE_HUB.getByName(site), 'window: old rows') as SiteHubApi
    const { sql } = this.ctx.storage
    let upto = sql.exec<{ upto: number }>('SELECT upto FROM taken').toArray()[0]?.upto ?? 0
    for (;;) {
      const page = await hub.oldWindow(upto)
      this.ctx.storage.transactionSync(() => {
        for (const text of page.entries) {
          const entry = readWindowEntry(text)
          if (entry !== null) this.#table.adopt(entry)
        }
        sql.exec('DELETE FROM taken')
        sql.exec('INSERT INTO taken (upto) VALUES (?)', page.upto)
      })
      if (page.entries.length === 0) return
      upto = page.upto
    }
  }
}
