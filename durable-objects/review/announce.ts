// What others are told when a plan's state changes: the index in D1, the long-window monitor, and
// failure memory. Written to the outbox in the same turn as the change itself.
import { heldOf, type ResolutionNote } from '../../adapters/judge-skill-d1.ts'
import type { PlanIndexRow } from '../../adapters/plan-index.ts'
import { findingCodes } from '../../protocol/finding-codes.ts'
import { sketch } from '../../verify/screen/window/index.ts'
import type { ReviewStore } from './store.ts'
import { memoryNote } from './memory-note.ts'

/** Codes of everything that was found, bounded; for the index and the window. */
export function codesOf(store: ReviewStore): string[] {
  const packet = store.packet()
  const spec = store.spec()
  const codes = new Set<string>()
  for (const found of spec?.floor.findings ?? []) codes.add(found.code)
  for (const found of packet?.grounding?.findings ?? []) codes.add(found.code)
  for (const opinion of packet?.opinions ?? []) {
    for (const found of opinion.findings) codes.add(found.code)
  }
  return [...codes].filter((code) => code in findingCodes).slice(0, 50)
}

/** Posts the index row and the window entry for the state as it is now. */
export function announce(store: ReviewStore, now_ms: number): void {
  const spec = store.spec()
  const status = store.status()
  if (spec === null || status === null) return
  const version = (store.number('version') ?? 0) + 1
  store.set('version', String(version))
  const row: PlanIndexRow = {
    site: status.site,
    plan: status.plan,
    version,
    planner: status.planner,
    owner: status.owner,
    state: status.state,
    verdict: status.verdict,
    reasons: status.reasons,
    concern: store.get('classification'),
    packet_digest: status.packet_digest,
    review_expires_ms: status.state === 'escalated' ? (store.packet()?.expires ?? null) : null,
    supersedes: status.supersedes,
    session: status.session,
    session_reason: status.session_reason,
    received_ms: status.received_ms,
    decided_ms: status.decided_ms,
    ended_ms: store.number('ended_ms'),
  }
  store.post('index', row, { due_ms: now_ms })
  const entry = {
    ...sketch(spec.plan, { registry: spec.snapshot.registry, sigma: spec.floor.sigma }),
    plan: status.plan,
    planner: status.planner,
    owner: status.owner,
    at_ms: status.received_ms,
    verdict: status.verdict,
    ...(status.decided_ms === null ? {} : { decided_ms: status.decided_ms }),
    supersedes: status.supersedes,
    codes: codesOf(store),
  }
  store.post('window', entry, { due_ms: now_ms })
}

/** Posts what failure memory keeps of a final outcome, when there is something to keep. */
export function rememberOutcome(store: ReviewStore, now_ms: number): void {
  const note = memoryNote(store, now_ms)
  if (note === null) return
  // One slot for the verdict, so that a person's decision replaces the machine's before or after
  // it was delivered; a failed run is remembered beside it.
  const slot = note.event === 'session' ? 'memory:session' : 'memory:verdict'
  store.post('memory', note, { id: slot, due_ms: now_ms })
}

/** Posts what the judges had said, once a person has resolved the plan. */
export function noteSkill(store: ReviewStore, now_ms: number): void {
  const status = store.status()
  const packet = store.packet()
  const { verdict, approvals } = store.decision() ?? { verdict: null, approvals: [] }
  const resolved = verdict === 'accept' || verdict === 'reject'
  if (status === null || packet === null || !resolved || approvals.length === 0) return
  const note: ResolutionNote = {
    site: status.site,
    plan: status.plan,
    person: verdict,
    opinions: packet.opinions.map(heldOf),
    at_ms: now_ms,
  }
  store.post('skill', note, { due_ms: now_ms })
}
