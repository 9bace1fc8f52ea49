// Telling people what happens to cells while nobody looks: that one needs clearance, that it was cleared,
// that a stop has not reached its session, that it has. Every opening message has a closing one. Signed
// and told at least once, as the messages of reviews are.
import type { Env } from '../env.ts'
import { callMs } from '../limited.ts'
import { Outbox } from '../outbox.ts'
import { postWebhook } from '../review/webhook.ts'
import { openStops } from './stops.ts'
import type { HubStore } from './store.ts'

const attemptsMax = 8

type Open = 'cell_needs_clearance' | 'stop_not_reached'
type Event = Open | 'cell_cleared' | 'stop_reached'

export class Notices {
  private readonly outbox: Outbox<'webhook'>
  private readonly store: HubStore
  private looked = -1

  constructor(sql: SqlStorage, store: HubStore) {
    this.outbox = new Outbox(sql, ['webhook'])
    this.outbox.create()
    this.store = store
  }

  nextDue(): number | null {
    return this.outbox.nextDue()
  }

  async flush(env: Env, now_ms: number): Promise<void> {
    await this.outbox.flush({
      now_ms,
      only: null,
      within_ms: callMs['review: message'],
      deliver: ({ body }) => postWebhook(env, body),
      attemptsMax: () => attemptsMax,
    })
  }

  /** Compares what is open with what was told, and posts the difference. Cheap when nothing changed. */
  look(now_ms: number): void {
    if (this.looked === this.store.writes) return
    this.looked = this.store.writes
    const open = new Map<string, object>()
    for (const cell of this.store.cells()) {
      if (!cell.needs_clearance) continue
      const { latch_reason, change, not_at_rest } = cell
      const facts = { cell: cell.cell, reason: latch_reason, change, not_at_rest }
      open.set(`cell_needs_clearance/${cell.cell}`, facts)
    }
    for (const { session, cell, state, attempts } of openStops(this.store)) {
      // One that answers at the first repetition is nobody's business.
      if (state === 'wanted' && attempts > 1) {
        open.set(`stop_not_reached/${session}`, { session, cell })
      }
    }
    const told = new Map(
      Object.entries(JSON.parse(this.store.get('told') ?? '{}') as Record<string, object>),
    )
    const closing: Record<Open, Event> = {
      cell_needs_clearance: 'cell_cleared',
      stop_not_reached: 'stop_reached',
    }
    const news: [Event, object][] = []
    for (const [key, facts] of open) if (!told.has(key)) news.push([eventOf(key), facts])
    for (const [key, facts] of told) if (!open.has(key)) news.push([closing[eventOf(key)], facts])
    if (news.length === 0) return
    this.store.sql.exec(
      `INSERT OR REPLACE INTO settings (key, value) VALUES ('told', ?)`,
      JSON.stringify(Object.fromEntries(open)),
    )
    for (const [event, facts] of news) this.post(event, facts, now_ms)
  }

  /** Puts one message into the outbox; nothing where the site has no webhook. */
  post(event: Event | 'database_restored', facts: object, now_ms: number): void {
    const url = this.store.policy()?.policy.review_webhook ?? null
    if (url === null) return
    const site = this.store.get('site')
    const id = `${site ?? ''}/${event}/${crypto.randomUUID()}`
    const payload = { id, event, site, at_ms: now_ms, ...facts }
    this.outbox.post('webhook', { url, payload }, { id, due_ms: now_ms })
  }
}

const eventOf = (key: string): Open => key.slice(0, key.indexOf('/')) as Open
