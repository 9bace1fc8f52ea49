// Telling people what happens at a site while nobody looks: incidents that begin and are over, storage that
// was set back. Signed and told at least once, as the messages of reviews are.
import type { Env } from '../env.ts'
import { callMs } from '../limited.ts'
import { Outbox } from '../outbox.ts'
import { postWebhook } from '../review/webhook.ts'
import type { HubStore } from './store.ts'

const attemptsMax = 8

export class Notices {
  private readonly outbox: Outbox<'webhook'>
  private readonly store: HubStore

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

  /** Puts one message into the outbox; nothing where the site has no webhook. */
  post(event: string, facts: object, now_ms: number): void {
    const url = this.store.policy()?.policy.review_webhook ?? null
    if (url === null) return
    const site = this.store.get('site')
    const id = `${site ?? ''}/${event}/${crypto.randomUUID()}`
    const payload = { id, event, site, at_ms: now_ms, ...facts }
    this.outbox.post('webhook', { url, payload }, { id, due_ms: now_ms })
  }
}
