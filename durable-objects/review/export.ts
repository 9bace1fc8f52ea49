// All that is kept of one plan, for an export: what its decision rests on, the context that it was bound to,
// and the sessions that ran it. Its calls are read page by page beside.
import { evidenceOf } from './record.ts'
import { sessionsOf } from './forget.ts'
import type { ReviewStore } from './store.ts'

/** JSON text; null for a plan that was never started. Of one whose text is gone: only its sessions. */
export function exportedReview(store: ReviewStore): string | null {
  if (!store.exists()) return null
  const evidence = evidenceOf(store)
  const record: unknown = evidence === null ? null : JSON.parse(evidence)
  return JSON.stringify({ record, context: store.context(), sessions: sessionsOf(store) })
}
