// From what the judges said to a decision, and what time alone does to one. Every function here changes
// the stored plan in one turn: nothing waits for anybody, so no other event comes in between.
import { digest } from '../../protocol/digest.ts'
import type { BindRefusal } from '../../protocol/reasons.ts'
import { packetSchema, type Decision } from '../../protocol/records.ts'
import { decide } from '../../verify/decide/decide.ts'
import { packetExpiry } from '../../verify/decide/route.ts'
import type { PlanState } from '../contracts.ts'
import { announce, noteSkill, rememberOutcome } from './announce.ts'
import { queueEntry } from './binding.ts'
import type { Judged } from './judging.ts'
import type { ReviewStore } from './store.ts'
import { remindReviewers } from './times.ts'

/** Passes that may fail before the plan goes to a person with what there is. */
export const judgingFailuresMax = 6

/** What is known of a plan that the floor blocked: no model was asked. */
export const blockedUnjudged: Judged = {
  grounding: null,
  opinions: [],
  chief: null,
  memory: [],
  citations: [],
  graph_version: null,
  depth: { required: 1, seats: 0, short: null, expected: [], reads_only: false },
}

/** What is known when the pipeline keeps failing: the opinions that landed, everything else missing. */
export function unjudged(store: ReviewStore): Judged {
  return { ...blockedUnjudged, opinions: store.opinions() }
}

function specOf(store: ReviewStore) {
  const spec = store.spec()
  if (spec === null) throw new TypeError('a started plan has a spec')
  return spec
}

/** Closes the packet and decides. The plan must be in `judging`. */
export async function conclude(store: ReviewStore, judged: Judged, now_ms: number): Promise<void> {
  const spec = specOf(store)
  const { policy } = spec.snapshot
  const machine = decide({ ...judged, floor: spec.floor, policy })
  // Parsed before it is stored: a packet that cannot be read back would lock the plan.
  const packet = packetSchema.parse({
    plan_digest: spec.plan_digest,
    floor: spec.floor,
    ...judged,
    registry_digest: spec.snapshot.registry_digest,
    policy_version: spec.snapshot.policy_version,
    expires: packetExpiry(machine, policy, now_ms),
  })
  const packet_digest = await digest('packet', packet)
  store.putJson('packet', packet)
  store.set('packet_digest', packet_digest)
  store.set('classification', machine.classification)
  const facts = { packet_digest, verdict: machine.verdict }
  await store.trail({ at_ms: now_ms, actor: 'gateway', event: 'packet_closed', facts })
  const { verdict, reasons } = machine
  const decided = { packet_digest, verdict, reasons, approvals: [] }
  if (verdict === 'escalate') {
    await putDecision(store, { ...decided, valid_until: packet.expires }, 'escalated', now_ms)
    rememberOutcome(store, now_ms)
    remindReviewers(store, now_ms)
    return
  }
  const state = verdict === 'accept' ? 'accepted' : 'rejected'
  const valid_until = now_ms + policy.decision_valid_ms
  await decideFinal(store, { ...decided, valid_until }, state, now_ms)
}

/** Records a decision that no person is asked about any more; an accepted plan is queued. */
export async function decideFinal(
  store: ReviewStore,
  decision: Decision,
  state: PlanState,
  now_ms: number,
): Promise<void> {
  await putDecision(store, decision, state, now_ms)
  rememberOutcome(store, now_ms)
  noteSkill(store, now_ms)
  store.retract('webhook')
  const spec = specOf(store)
  const enforce = spec.snapshot.policy.mode === 'enforce'
  if (state === 'accepted' && enforce && spec.plan.nodes.length > 0) {
    store.setState('queued')
    store.post('enqueue', queueEntry(spec, decision.valid_until), { due_ms: now_ms })
    announce(store, now_ms)
  }
}

async function putDecision(
  store: ReviewStore,
  decision: Decision,
  state: PlanState,
  now_ms: number,
): Promise<void> {
  const decision_digest = await digest('decision', decision)
  store.set('decision', JSON.stringify(decision))
  store.set('decision_digest', decision_digest)
  store.set('decided_ms', String(now_ms))
  store.setState(state)
  const { verdict, reasons } = decision
  const facts = { verdict, reasons, decision_digest }
  await store.trail({ at_ms: now_ms, actor: 'gateway', event: 'decided', facts })
  announce(store, now_ms)
}

/** Takes the plan out of the queue, wherever its entry is by now. */
export function leaveQueue(store: ReviewStore, now_ms: number): void {
  // An entry that was not told yet must not arrive after the message that removes it.
  store.retract('enqueue')
  store.retract('webhook')
  store.post('dequeue', { plan: store.get('plan_id') }, { due_ms: now_ms })
}

/** An accepted plan that the site will not run: final, with the reason. */
export async function refuseBinding(
  store: ReviewStore,
  reason: BindRefusal,
  now_ms: number,
): Promise<void> {
  store.set('bind_refusal', reason)
  store.setState('expired')
  leaveQueue(store, now_ms)
  await store.trail({ at_ms: now_ms, actor: 'gateway', event: 'bind_refused', facts: { reason } })
  announce(store, now_ms)
}

/** What time alone does: an unanswered review rejects, an unused acceptance runs out. */
export async function expireIfDue(store: ReviewStore, now_ms: number): Promise<void> {
  const state = store.state()
  const decision = store.decision()
  if (decision === null) return
  if (state === 'escalated') {
    // The expiry of an open review is that of its packet.
    if (now_ms >= decision.valid_until) {
      const { packet_digest } = decision
      const rejected = {
        packet_digest,
        verdict: 'reject' as const,
        reasons: ['review_expired' as const],
        approvals: store.approvals(),
        valid_until: now_ms,
      }
      await decideFinal(store, rejected, 'expired', now_ms)
      return
    }
    const due = store.number('next_reminder_ms')
    if (due !== null && due <= now_ms) remindReviewers(store, now_ms)
  }
  if ((state === 'queued' || state === 'accepted') && now_ms >= decision.valid_until) {
    store.setState('expired')
    leaveQueue(store, now_ms)
    await store.trail({ at_ms: now_ms, actor: 'gateway', event: 'decision_expired', facts: {} })
    announce(store, now_ms)
  }
}
