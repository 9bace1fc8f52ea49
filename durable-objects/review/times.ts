// What time does to a plan: reminders to reviewers, and when the alarm has to ring next.
import type { ReviewStore } from './store.ts'

const retryFirstMs = 500
const retryLastMs = 60_000

/** Posts a reminder to the site's webhook, if it has one, and notes when the next is due. */
export function remindReviewers(store: ReviewStore, now_ms: number): void {
  const spec = store.spec()
  const packet = store.packet()
  if (spec === null || packet === null) return
  const { review_webhook, reminder_ms } = spec.snapshot.policy
  if (review_webhook === null) return
  const payload = {
    event: 'review_waiting',
    plan: spec.plan_id,
    site: spec.submitter.site,
    packet_digest: store.get('packet_digest'),
    at_ms: now_ms,
    classification: store.get('classification'),
    expires_ms: packet.expires,
  }
  // One slot: a reminder that was not delivered is replaced by the next, never piled up.
  store.post('webhook', { url: review_webhook, payload }, { due_ms: now_ms })
  store.set('next_reminder_ms', String(now_ms + reminder_ms))
}

/** The earliest moment at which something is due; null when nothing is. */
export function nextWake(store: ReviewStore, now_ms: number): number | null {
  const due: number[] = []
  const outbox = store.nextDue()
  if (outbox !== null) due.push(outbox)
  const state = store.state()
  const decision = store.decision()
  if (state === 'judging') {
    const failures = Math.min(store.number('failures') ?? 0, 7)
    due.push(now_ms + Math.min(retryLastMs, retryFirstMs * 2 ** failures))
  }
  if (state === 'escalated' && decision !== null) {
    due.push(decision.valid_until)
    const reminder = store.number('next_reminder_ms')
    if (reminder !== null) due.push(reminder)
  }
  if ((state === 'queued' || state === 'accepted') && decision !== null) {
    due.push(decision.valid_until)
  }
  return due.length === 0 ? null : Math.max(now_ms, Math.min(...due))
}
