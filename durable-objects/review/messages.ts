// What a plan has to tell others, as messages for the outbox: the index in D1, the long-window monitor,
// failure memory, the queue, the site's webhook. Written in the same transaction as the change itself.
import { heldOf, type ResolutionNote } from '../../adapters/judge-skill-d1.ts'
import { findingCodes } from '../../protocol/finding-codes.ts'
import type { PlanSummary } from '../../protocol/plan-summary.ts'
import type { ProvenWord } from '../../protocol/proven.ts'
import { summaryOf } from '../../protocol/plan-words.ts'
import type { Packet } from '../../protocol/records.ts'
import { featuresNeeded } from '../../protocol/plan-needs.ts'
import { isPhysical } from '../../protocol/registry.ts'
import { planIndexRowSchema, type PlanIndexRow } from '../../protocol/status.ts'
import type { MemoryNote } from '../../verify/remember/note.ts'
import { noteOfDecision, noteOfSession, type OutcomeFacts } from '../../verify/remember/note.ts'
import type { Linked } from '../../verify/remember/features.ts'
import { toldInAll, toldTimes } from '../../verify/review/told-time.ts'
import { provenByRun } from '../../verify/review/proven.ts'
import { leftBy, sharedUsed, touchedBy, traceDecided } from '../../verify/review/left.ts'
import { forOtherCells } from '../../verify/review/shared.ts'
import type { ReviewEffect, ReviewSpec, ReviewState } from '../../verify/review/state.ts'
import { endedMs, standingOf } from '../../verify/review/status.ts'
import { sketch } from '../../verify/screen/window/index.ts'
import type { LeftBehind } from '../cell/api.ts'
import type { QueueEntry } from '../contracts.ts'
import type { ReviewStore } from './store.ts'
import { hasCounters, type Settling } from './totals.ts'

export const messageKinds = [
  'index',
  'window',
  'enqueue',
  'dequeue',
  'memory',
  'withdraw_ancestor',
  'webhook',
  'mail',
  'skill',
  'left',
  'totals',
  'suspend',
  'proven',
] as const
export type MessageKind = (typeof messageKinds)[number]

/** Told before anybody sees the change: what the next request must know. */
export const toldFirst: readonly MessageKind[] = ['memory', 'window', 'suspend']

/** Codes of everything that was found, bounded; for the index and the window. */
export function codesOf(spec: ReviewSpec, packet: Packet | null): string[] {
  const found = [
    ...spec.floor.findings,
    ...(packet?.grounding?.findings ?? []),
    ...(packet?.evidence.breaches ?? []),
    ...(packet?.evidence.unknowns ?? []),
    ...(packet?.evidence.doubts ?? []),
    ...(packet?.opinions ?? []).flatMap((opinion) => opinion.findings),
  ]
  const codes = new Set<string>(found.map(({ code }) => code))
  return [...codes].filter((code) => code in findingCodes).slice(0, 50)
}

function summaryNow(store: ReviewStore, state: ReviewState): PlanSummary {
  const { plan, snapshot } = store.spec()
  const standing = standingOf(state)
  const given = state.state === 'escalated' ? state.approvals : (standing?.decision.approvals ?? [])
  return summaryOf(plan, store.packet(), {
    reasons: standing?.decision.reasons ?? [],
    approvals: given.filter(({ verdict }) => verdict === 'accept').length,
    required: snapshot.policy.approvals_required,
  })
}

/** The row of the index for the state as it is now. */
export function indexRow(store: ReviewStore): PlanIndexRow | null {
  const status = store.status()
  const row = store.row()
  if (status === null || row === null) return null
  const { state, told: version } = row
  // What the index has no column for is left out here, once.
  return planIndexRowSchema.strip().parse({
    ...status,
    version,
    concern: standingOf(state)?.concern ?? null,
    review_expires_ms: state.state === 'escalated' ? status.valid_until_ms : null,
    assignee: state.state === 'escalated' ? (state.assignee?.person ?? null) : null,
    ended_ms: endedMs(state),
    summary: summaryNow(store, state),
  })
}

/** What the long-window monitor keeps of the plan: sketches and codes, never text. */
export function windowEntry(store: ReviewStore): object | null {
  const status = store.status()
  if (status === null) return null
  const spec = store.spec()
  const { plan, planner, owner, received_ms: at_ms, verdict, decided_ms, supersedes } = status
  return {
    ...sketch(spec.plan, { registry: spec.snapshot.registry, sigma: spec.floor.sigma }),
    plan,
    planner,
    owner,
    at_ms,
    verdict,
    ...(decided_ms === null ? {} : { decided_ms }),
    supersedes,
    codes: codesOf(spec, store.packet()),
  }
}

/** What failure memory keeps of the outcome, or null when there is nothing of the plan to keep. */
export function memoryNote(
  of: { spec: ReviewSpec; packet: Packet | null; linked: Linked },
  state: ReviewState,
  now_ms: number,
): MemoryNote | null {
  const { spec, packet, linked } = of
  const standing = standingOf(state)
  if (packet === null || standing === null) return null
  const facts: OutcomeFacts = {
    ...spec.submitter,
    plan_id: spec.plan_id,
    plan: spec.plan,
    plan_digest: spec.plan_digest,
    registry: spec.snapshot.registry,
    linked,
    packet,
    now_ms,
  }
  if (state.state === 'terminated') return noteOfSession(facts, state)
  if (state.state === 'completed') return null
  const { verdict, reasons, approvals } = standing.decision
  return noteOfDecision(facts, { verdict, reasons, by_person: approvals.length > 0 })
}

/** What the judges had said, once a person has resolved the plan; null for any other decision. */
export function skillNote(
  spec: ReviewSpec,
  { packet, state }: { packet: Packet | null; state: ReviewState },
  now_ms: number,
): ResolutionNote | null {
  const verdict = standingOf(state)?.decision.verdict
  if (packet === null || verdict === undefined || verdict === 'escalate') return null
  return {
    site: spec.submitter.site,
    plan: spec.plan_id,
    person: verdict,
    opinions: packet.opinions.map(heldOf),
    at_ms: now_ms,
  }
}

/** What the hub needs to know to find a cell for the plan. */
export function queueEntry(spec: ReviewSpec, valid_until_ms: number): QueueEntry {
  const used = new Set(spec.plan.nodes.map((node) => node.tool))
  const tools = spec.snapshot.registry.tools.filter((tool) => used.has(tool.name))
  const read = new Set(
    tools.flatMap(({ meaning }) => (meaning?.preconditions ?? []).map((one) => one.tool)),
  )
  const readers = spec.snapshot.registry.tools.filter((tool) => read.has(tool.name))
  const sandboxes = spec.plan.nodes.flatMap(({ sandbox }) => (sandbox === null ? [] : [sandbox]))
  const features = featuresNeeded(spec.plan, tools)
  return {
    plan: spec.plan_id,
    planner: spec.submitter.planner,
    owner: spec.submitter.owner,
    received_ms: spec.received_ms,
    agent: spec.plan.agent ?? null,
    // Sensors that a step reads before it must answer as well.
    servers: [...new Set([...tools, ...readers].map((tool) => tool.server))].sort(),
    ...(features.length === 0 ? {} : { features }),
    sandboxes: [...new Set(sandboxes)].sort(),
    physical: tools.some((tool) => isPhysical(tool.risk_class)),
    shared: sharedUsed(spec),
    told_ms: toldInAll(toldTimes(spec)),
    valid_until_ms,
  }
}

/** What the site's totals learn of the end of a session; null where no rule has a total. */
export function totalsNote(
  store: ReviewStore,
  how: Extract<ReviewEffect, { do: 'left' }>['how'],
  at_ms: number,
): Settling | null {
  const session = store.context()?.session
  if (session === undefined || !hasCounters(store.spec())) return null
  return { session, ran: how === 'untouched' ? 'none' : 'ask', at_ms }
}

/** Rows that this run has proven: those whose first use a person let happen; null when there are none. */
export function provenNote(store: ReviewStore): ProvenWord | null {
  const state = store.state()
  const standing = state === null ? null : standingOf(state)
  const session = store.context()?.session
  if (standing === null || session === undefined) return null
  const approvals = standing.decision.approvals.filter(({ verdict }) => verdict === 'accept')
  const by = approvals.map(({ approver }) => approver).join(', ')
  const rows = provenByRun(store.spec(), store.packet()?.floor ?? null)
  if (approvals.length === 0 || Object.keys(rows).length === 0) return null
  // Said when the person said it: what was taken back since is not proven by a run that goes on.
  return { rows, by, session, at_ms: Math.max(...approvals.map((one) => one.at_ms)) }
}

/** What a session left in its cell, and of shared things in the cells that share them. */
export type LeftNote = LeftBehind & {
  readonly cell: string
  readonly others?: readonly { readonly cell: string; readonly facts: LeftBehind['facts'] }[]
}

/** What the ended session of a plan left in its cell; one that touched nothing only lets go. */
export function leftNote(
  store: ReviewStore,
  how: Extract<ReviewEffect, { do: 'left' }>['how'],
  at_ms: number,
): LeftNote | null {
  const context = store.context()
  if (context === null) return null
  const { cell, session } = context
  const spec = store.spec()
  const trace = traceDecided(spec, store.boundCell())
  const touched = touchedBy(trace)
  const facts = how === 'untouched' ? [] : how === 'completed' ? leftBy(trace) : touched
  const { registry } = spec.snapshot
  // Whoever shares a thing with this cell held what the run touched, and learns what it left of it.
  const sharing = [...forOtherCells(registry, cell, touched).keys()]
  const told = forOtherCells(registry, cell, facts)
  const others = sharing.map((other) => ({ cell: other, facts: told.get(other) ?? [] }))
  return { cell, session, facts, at_ms, ...(others.length === 0 ? {} : { others }) }
}
