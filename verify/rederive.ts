// Invariant 8: every decision can be derived again from its record, and a changed record is detected.
// Pure over the stored record alone: nothing of the site as it is today is asked.
import { brokenAt, type AuditEntry } from '../protocol/audit.ts'
import { canonicalForm, digest } from '../protocol/digest.ts'
import type { Floor } from '../protocol/finding.ts'
import type { SeenAgain } from '../protocol/packet-trace.ts'
import type { Plan } from '../protocol/plan.ts'
import type { Decision, Packet } from '../protocol/records.ts'
import type { SiteSnapshot, Submitter } from '../protocol/snapshot.ts'
import type { Verdict } from '../protocol/verdict.ts'
import { rederive } from './decide/decide.ts'
import { rederiveResolved } from './decide/resolve.ts'
import { screen } from './screen/index.ts'
import { outsideOver, shownDifferences } from './review/left.ts'
import type { StandingAsk } from './review/state.ts'
import { cellSeen } from './stages.ts'

/** What one PlanReview keeps of a plan. */
export type StoredRecord = {
  readonly plan_id: string
  readonly plan: Plan
  readonly plan_digest: string
  readonly submitter: Submitter
  readonly received_ms: number
  /** The cell as it was looked at again; left out when it was judged once. */
  readonly seen?: SeenAgain
  readonly snapshot: SiteSnapshot
  /** The standing approval that it was asked for under; left out for every other plan. */
  readonly standing?: StandingAsk
  readonly floor: Floor
  readonly packet: Packet | null
  readonly packet_digest: string | null
  readonly decision: Decision | null
  readonly decision_digest: string | null
  /** The whole trail, oldest first. */
  readonly audit: readonly AuditEntry[]
}

/** What does not follow from the rest of the record. */
export type Mismatch =
  | 'plan_digest'
  | 'registry_digest'
  | 'policy_version'
  | 'snapshot_digest'
  | 'floor'
  | 'state_digest'
  | 'packet'
  | 'packet_digest'
  | 'standing'
  | 'decision'
  | 'decision_digest'
  | 'audit_chain'
  | 'audit_received'
  | 'audit_packet'
  | 'audit_decision'
  | 'audit_reviews'

const same = (a: unknown, b: unknown): boolean => canonicalForm(a) === canonicalForm(b)

/** In the trail: the cell had changed at binding, and everything decided before is void. */
export const lookedAgain = 'cell_differs'

const factsOf = (audit: readonly AuditEntry[], event: string): AuditEntry['facts'][] =>
  audit.filter((entry) => entry.event === event).map((entry) => entry.facts)

async function intake(record: StoredRecord): Promise<Mismatch[]> {
  const { plan, snapshot, submitter, received_ms, floor } = record
  const out: Mismatch[] = []
  if ((await digest('plan', plan)) !== record.plan_digest) out.push('plan_digest')
  if ((await digest('registry', snapshot.registry)) !== snapshot.registry_digest) {
    out.push('registry_digest')
  }
  if ((await digest('policy', snapshot.policy)) !== snapshot.policy_version) {
    out.push('policy_version')
  }
  const { packet } = record
  const state = await digest('state', cellSeen(record).cell_state)
  if (packet?.trace && state !== packet.trace.state_digest) out.push('state_digest')
  const again = await screen(plan, snapshot, submitter, received_ms)
  if (again.snapshot_digest !== floor.snapshot_digest) out.push('snapshot_digest')
  if (!same(again, floor)) out.push('floor')
  return out
}

async function packetOf(record: StoredRecord): Promise<Mismatch[]> {
  const { packet, snapshot, floor } = record
  if (packet === null) return record.packet_digest === null ? [] : ['packet']
  const out: Mismatch[] = []
  const fits =
    packet.plan_digest === record.plan_digest &&
    packet.registry_digest === snapshot.registry_digest &&
    packet.policy_version === snapshot.policy_version &&
    same(packet.floor, floor)
  if (!fits) out.push('packet')
  if ((await digest('packet', packet)) !== record.packet_digest) out.push('packet_digest')
  return out
}

/** What the packet says of a standing approval, again from the record that its signers were shown. */
async function standingOf(record: StoredRecord): Promise<Mismatch[]> {
  const { packet, standing, floor } = record
  if (packet?.standing === undefined) return []
  if (standing === undefined) return ['standing']
  const { digest: of, values, approvers } = standing
  const { grounding } = packet
  const { cell_state: cell, at_ms } = standing.record
  const differences = outsideOver(record, standing, { cell, at_ms, floor, grounding })
  const told = packet.standing
  const fits =
    (await digest('standing', standing.record)) === of &&
    told.digest === of &&
    told.template === standing.record.template &&
    same(told.values, values) &&
    same(told.approvers, approvers) &&
    same(told.differences, shownDifferences(differences))
  return fits ? [] : ['standing']
}

/** The verdict that must stand: the machine's, or what people and time made of an escalation. */
function verdictOf(record: StoredRecord, packet: Packet, decision: Decision): Verdict {
  const { policy } = record.snapshot
  const expired = decision.reasons.includes('review_expired')
  const derived = rederiveResolved({
    packet,
    packetDigest: record.packet_digest ?? '',
    approvals: decision.approvals,
    owner: record.submitter.owner,
    policy,
  })
  return derived === 'escalate' && expired ? 'reject' : derived
}

async function decisionOf(record: StoredRecord): Promise<Mismatch[]> {
  const { packet, decision } = record
  if (decision === null) return record.decision_digest === null ? [] : ['decision']
  if (packet === null) return ['decision']
  const out: Mismatch[] = []
  const machine = rederive(packet, record.snapshot.policy)
  // Until a person or the expiry has settled it, the reasons are the machine's own.
  const ofMachine = decision.verdict === 'escalate' || machine.verdict !== 'escalate'
  const fits =
    decision.packet_digest === record.packet_digest &&
    decision.verdict === verdictOf(record, packet, decision) &&
    (!ofMachine || same(decision.reasons, machine.reasons))
  if (!fits) out.push('decision')
  if ((await digest('decision', decision)) !== record.decision_digest) out.push('decision_digest')
  return out
}

const isAgain = (entry: AuditEntry): boolean => entry.event === lookedAgain

async function trailOf(record: StoredRecord): Promise<Mismatch[]> {
  const { audit, submitter, decision } = record
  // An expired plan of an earlier version may have differed last, and its decision stands.
  const again = record.seen === undefined ? -1 : audit.findLastIndex(isAgain)
  const since = audit.slice(again + 1)
  const out: Mismatch[] = []
  if ((await brokenAt(audit)) !== null) out.push('audit_chain')
  const received = {
    plan: record.plan_id,
    plan_digest: record.plan_digest,
    ...submitter,
    floor: record.floor.level,
    snapshot_digest: record.floor.snapshot_digest,
    received_ms: record.received_ms,
  }
  if (!same(factsOf(audit, 'plan_received'), [received])) out.push('audit_received')
  const closed = factsOf(since, 'packet_closed').map((facts) => facts['packet_digest'])
  const packets = record.packet_digest === null ? [] : [record.packet_digest]
  if (!same(closed, packets)) out.push('audit_packet')
  const decided = factsOf(since, 'decided').at(-1)?.['decision_digest'] ?? null
  if (decided !== record.decision_digest) out.push('audit_decision')
  const reviews = since.filter((entry) => entry.event === 'reviewed').map((entry) => entry.actor)
  const approvers = decision?.approvals.map((approval) => approval.approver) ?? []
  // While one of two people has agreed, the trail is ahead of the decision.
  if (!same(reviews.slice(0, approvers.length), approvers)) out.push('audit_reviews')
  return out
}

/**
 * Derives floor, machine decision, verdict and every digest again and compares them with what is
 * stored; an empty answer means that the record holds. One changed byte anywhere in the record or in
 * its trail gives at least one mismatch. It cannot see a record that was rewritten as a whole: for
 * that the receipt that the gateway signed at binding names the decision digest.
 */
export async function rederiveRecord(record: StoredRecord): Promise<Mismatch[]> {
  return [
    ...(await intake(record)),
    ...(await packetOf(record)),
    ...(await standingOf(record)),
    ...(await decisionOf(record)),
    ...(await trailOf(record)),
  ]
}
