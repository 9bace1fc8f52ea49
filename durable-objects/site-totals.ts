// SiteTotals, one per site: the sums over plans and planners that the site's rules limit, shared by all of
// its cells. Reserved before a plan is bound, settled when its session has ended.
import { DurableObject } from 'cloudflare:workers'
import { totalsMax } from '../protocol/totals.ts'
import type { Env } from './env.ts'
import type { RanNodes, SiteTotalsApi } from './totals/api.ts'
import { TotalsStore, type Reserving } from './totals/store.ts'

export class SiteTotals extends DurableObject<Env> implements SiteTotalsApi {
  readonly #store: TotalsStore

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#store = new TotalsStore(ctx.storage.sql)
  }

  sums(owner: string, now_ms: number): Promise<string | null> {
    return Promise.resolve(this.#told(owner, now_ms, null))
  }

  /** One after the other: of two plans that would pass a limit together, the second sees the first. */
  reserve(given: Reserving): Promise<{ reserved: boolean; totals: string | null }> {
    const reserved = this.ctx.storage.transactionSync(() => this.#store.reserve(given))
    const { owner, at_ms, session } = given
    return Promise.resolve({ reserved, totals: this.#told(owner, at_ms, session) })
  }

  settle(session: string, ran: RanNodes, at_ms: number): Promise<void> {
    const by = typeof ran === 'string' ? ran : new Map(ran.map(({ nid, state }) => [nid, state]))
    this.ctx.storage.transactionSync(() => {
      this.#store.settle(session, by, at_ms)
      this.#store.tidy(Date.now())
    })
    return Promise.resolve()
  }

  /** A person has looked at a cell in which nothing runs: what never told its end may have run whole. */
  settleCell(cell: string, at_ms: number): Promise<void> {
    this.ctx.storage.transactionSync(() => this.#store.settleCell(cell, at_ms))
    return Promise.resolve()
  }

  /** JSON text; null when there is more than is told, or a row that cannot be read: not known. */
  #told(owner: string, now_ms: number, without: string | null): string | null {
    try {
      const totals = this.#store.sums(owner, now_ms, without)
      return totals.length > totalsMax ? null : JSON.stringify(totals)
    } catch (cause) {
      console.error(`totals: ${String(cause)}`)
      return null
    }
  }
}
