// SiteKeeper, one per site: forgets what the site keeps no longer. It looks a few times a day, does a bounded
// piece at a time and goes on until nothing is due; a piece that fails is tried again at the next look. Apart from
// the hub, so that no deletion ever stands before a `go`.
import { DurableObject } from 'cloudflare:workers'
import { duePlans, isHeld, pruneNotes, readKeeping, type DuePlan } from '../adapters/keeping-d1.ts'
import { dueBefore, type DueBefore, type Forgetting } from '../protocol/keeping.ts'
import { limits } from '../protocol/limits.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { Env } from './env.ts'
import type { SiteKeeperApi } from './keeper/api.ts'
import { deletePlan } from './keeper/delete.ts'
import { KeeperStore, type Place } from './keeper/store.ts'
import { Wake } from './wake.ts'

/** Between two looks when nothing is left to do. */
const restMs = 6 * 3_600_000
/** Between two pieces of one look: deletion is never in a hurry. */
const nextPieceMs = 1_000

/** What goes in one look, the most first: what is deleted as a whole needs no smaller step. */
const order = ['all', 'plan', 'calls'] as const satisfies readonly Forgetting[]
const periodOf = { all: 'trails_days', plan: 'plans_days', calls: 'calls_days' } as const

export class SiteKeeper extends DurableObject<Env> implements SiteKeeperApi {
  readonly #store: KeeperStore
  readonly #wake: Wake

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#store = new KeeperStore(ctx.storage.sql)
    this.#wake = new Wake(ctx.storage)
    // An alarm that was lost with the machine is set again.
    void ctx.blockConcurrencyWhile(() => this.#wake.by(this.#store.place()?.next_ms ?? null))
  }

  async wake(site: string, now: boolean): Promise<void> {
    const known = this.#store.place()
    if (known !== null && !now) return
    const next_ms = Date.now()
    this.#store.put({ site, what: order[0], after: null, next_ms })
    await this.#wake.by(next_ms)
  }

  isHeld(site: string, plan: string): Promise<boolean> {
    return isHeld(this.env.DB, site, plan)
  }

  async deletePlan(
    site: string,
    plan: string,
    { by, reason }: { by: string; reason: string },
  ): Promise<Result<void, { reason: 'not_found' | 'not_over' | 'on_hold' | 'template_standing' }>> {
    if (await isHeld(this.env.DB, site, plan)) return err({ reason: 'on_hold' })
    const done = await deletePlan(this.env, { site, plan, what: 'all', by, reason })
    if (done === 'busy') return err({ reason: 'not_over' })
    if (done === 'standing') return err({ reason: 'template_standing' })
    return done === 'absent' ? err({ reason: 'not_found' }) : ok(undefined)
  }

  override alarm(): Promise<void> {
    return this.#wake.ring(
      'keeper',
      () => this.#look(),
      () => this.#store.place()?.next_ms ?? null,
    )
  }

  /** One piece. Written first when the next look is: a piece that fails is not repeated at once. */
  async #look(): Promise<void> {
    const now_ms = Date.now()
    const place = this.#store.place()
    if (place === null || place.next_ms > now_ms) return
    const begin = { ...place, what: order[0], after: null, next_ms: now_ms + restMs }
    this.#store.put(begin)
    const due = dueBefore(await readKeeping(this.env.DB, place.site), now_ms)
    const after = await this.#piece(place, due)
    if (after !== null) this.#store.put({ ...place, ...after, next_ms: now_ms + nextPieceMs })
  }

  /** Where the next piece begins; null when the look is at its end. */
  async #piece(place: Place, due: DueBefore): Promise<Pick<Place, 'what' | 'after'> | null> {
    const { site, what, after } = place
    const before_ms = due[periodOf[what]]
    const limit = limits.keeperPlansPerPiece
    const plans =
      before_ms === null ? [] : await duePlans(this.env.DB, site, { what, before_ms, after, limit })
    for (const one of plans) await this.#forget(place, one)
    const last = plans.at(-1)
    if (last !== undefined && plans.length === limit) return { what, after: last }
    const next = order[order.indexOf(what) + 1]
    if (next !== undefined) return { what: next, after: null }
    const more = await pruneNotes(this.env.DB, site, { due, limit: limits.keeperNotesPerPiece })
    return more ? { what, after: null } : null
  }

  /** One plan that cannot be forgotten now holds up no other; the next look finds it again. */
  async #forget({ site, what }: Place, { plan }: DuePlan): Promise<void> {
    try {
      // Since the page was read somebody may have held it.
      if (await isHeld(this.env.DB, site, plan)) return
      await deletePlan(this.env, { site, plan, what, by: 'gateway', reason: 'its time was over' })
    } catch (cause) {
      const event = 'plan_not_deleted'
      console.error(JSON.stringify({ event, site, plan, what, cause: String(cause) }))
    }
  }
}
