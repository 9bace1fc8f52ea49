// From the stored record of a plan to what failure memory keeps of it.
import { linkedSchema } from './linked.ts'
import type { MemoryNote } from '../../adapters/memory-d1.ts'
import { noteOfDecision, noteOfSession, type OutcomeFacts } from '../../verify/remember/note.ts'
import type { ReviewStore } from './store.ts'

/** The note for the state as it is now, or null when nothing is to be remembered. */
export function memoryNote(store: ReviewStore, now_ms: number): MemoryNote | null {
  const spec = store.spec()
  const packet = store.packet()
  const decision = store.decision()
  if (spec === null || packet === null || decision === null) return null
  const facts: OutcomeFacts = {
    site: spec.submitter.site,
    plan_id: spec.plan_id,
    plan: spec.plan,
    plan_digest: spec.plan_digest,
    planner: spec.submitter.planner,
    owner: spec.submitter.owner,
    registry: spec.snapshot.registry,
    linked: linkedSchema.parse(JSON.parse(store.get('linked') ?? '{}')),
    packet,
    now_ms,
  }
  const reason = store.status()?.session_reason ?? null
  if (store.state() === 'terminated')
    return noteOfSession(facts, { reason, node: store.get('failed_node') })
  if (store.state() === 'completed') return null
  return noteOfDecision(facts, {
    verdict: decision.verdict,
    reasons: decision.reasons,
    by_person: decision.approvals.length > 0,
  })
}
