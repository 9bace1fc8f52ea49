// The trail of one session. Entries are computed before anything is written, so that a step and its trail
// are one transaction. What a peer can repeat is bounded: it must not fill the disk.
import type { Effect } from '../../contain/session-state.ts'
import { nextAuditEntry, type AuditEntry, type AuditEvent } from '../../protocol/audit.ts'
import { limits } from '../../protocol/limits.ts'
import type { StoredBinding, SessionStore } from './store.ts'

/** The event of a frame or socket that was not taken, or null when enough of them are written down. */
function refusalEvent(
  store: SessionStore,
  refusal: { readonly code: string; readonly detail: string },
  { actor, at_ms }: { readonly actor: string; readonly at_ms: number },
): AuditEvent | null {
  const { code, detail } = refusal
  return bounded(store, { at_ms, actor, event: 'refused', facts: { code, detail } })
}

/** What a peer can cause as often as it likes; all else happens a bounded number of times. */
const repeatable = new Set(['hello', 'late_report', 'refused'])

function bounded(store: SessionStore, event: AuditEvent): AuditEvent | null {
  const full =
    repeatable.has(event.event) && store.countOf(event.event) >= limits.repeatedEventsAuditedMax
  return full ? null : event
}

/** The entries of one step's effects, each following from the one before. */
export async function entriesOf(
  store: SessionStore,
  effects: readonly Effect[],
  { agent, at_ms }: { readonly agent: string; readonly at_ms: number },
): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  for (const effect of effects) {
    let event: AuditEvent | null = null
    if (effect.do === 'audit') {
      const { actor, event: name, facts } = effect
      event = bounded(store, { at_ms, actor, event: name, facts })
    }
    if (effect.do === 'refuse') event = refusalEvent(store, effect, { actor: agent, at_ms })
    if (event === null) continue
    entries.push(await nextAuditEntry(entries.at(-1) ?? store.auditHead(), event))
  }
  return entries
}

/** The first event of a trail. */
export function openedEvent({ opened_ms, ctx, plan_id, context }: StoredBinding): AuditEvent {
  const { decision_digest, agent, cell } = context
  const facts = { ctx, plan: plan_id, decision_digest, agent, cell, nodes: context.order.length }
  return { at_ms: opened_ms, actor: 'gateway', event: 'opened', facts }
}

/** Writes down what happened beside the session's own steps. */
export async function noteEvents(
  store: SessionStore,
  events: readonly AuditEvent[],
): Promise<void> {
  for (const event of events) {
    store.appendAudit(await nextAuditEntry(store.auditHead(), event))
  }
}

/** Writes down a frame or socket that was not taken. */
export async function noteRefusal(
  store: SessionStore,
  refusal: { readonly code: string; readonly detail: string },
  by: { readonly actor: string; readonly at_ms: number },
): Promise<void> {
  const event = refusalEvent(store, refusal, by)
  if (event !== null) store.appendAudit(await nextAuditEntry(store.auditHead(), event))
}
