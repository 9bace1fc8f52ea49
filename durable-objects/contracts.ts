// What the objects promise one another and the door. RPC methods return results and never
// throw for an expected refusal (a rejecting RPC leaks an unhandled rejection in the caller).
import type { BindRefusal, HaltReason, TerminationReason } from '../protocol/reasons.ts'
import type { AuditEntry } from '../protocol/audit.ts'
import type { Feature } from '../protocol/features.ts'
import type { Drain } from '../protocol/drain.ts'
import type { Forgetting, Forgotten } from '../protocol/keeping.ts'
import type { Incident } from '../protocol/incident.ts'
import type { Plan } from '../protocol/plan.ts'
import type { Policy } from '../protocol/policy.ts'
import type { ProvenRow, ProvenRows, ProvenWord, TakenBack } from '../protocol/proven.ts'
import type { Approval, Context, Decision, Packet } from '../protocol/records.ts'
import type { Registry, ToolEntry } from '../protocol/registry.ts'
import type { Result } from '../protocol/result.ts'
import type { SiteSnapshot } from '../protocol/snapshot.ts'
import type {
  AgentStatus,
  AuthorityQuestion,
  CellStatus,
  PlanState,
  PlanStatus,
  PlanWait,
  QueueLine,
  SessionStatus,
  SessionStop,
} from '../protocol/status.ts'
import type { DeviceRest } from '../protocol/tokens.ts'
import type { StopPlaces } from '../protocol/tool-row.ts'
import type { Difference } from '../verify/lineage/diff.ts'
import type { CellAnswer } from './hub/cell-answer.ts'
import type { DrainAct } from './hub/drain.ts'
import type { BindAsk, Review, ReviewRefusal, ReviewSpec } from '../verify/review/state.ts'
import type { Assignable, Assigned } from './review/assign-api.ts'

// ---------- ExecutionSession (one per session: bound hash, executed-node set) ----------

/** Everything a session is opened with. The same session id opens once; again is a no-op. */
export type OpenSpec = {
  context: Context
  plan_id: string
  plan_digest: string
  decision: Decision
  /** The registry rows that the agent may call or read for this plan, as they were decided on. */
  tools: Record<string, ToolEntry>
  planner: string
  epoch: number
  /** Node id → milliseconds that the step lasts at least, of those that tell a time. */
  told?: Record<string, number>
  now_ms: number
  /** How long results are kept after the end, where the site's policy says so. */
  result_keep_ms?: number
  stop_places?: StopPlaces
  /** The trace that it belongs to, below the span of its plan. */
  traceparent?: string
}

/**
 * `context_invalid`: order, plan digest, decision digest or verdict do not belong together.
 * `keys_missing`: the deployment has no usable signing key.
 */
export type OpenResult = Result<
  { ctx: string },
  { reason: 'other_context' | 'deadline_passed' | 'context_invalid' | 'keys_missing' }
>

/** Devices of an ended session; the end is told again to the hub whenever this changes. */
export type Rest = { devices: DeviceRest[] }

export interface ExecutionSessionApi {
  open(spec: OpenSpec): Promise<OpenResult>
  /** A person or the hub ends it; absorbing, idempotent. */
  stop(reason: HaltReason, by: string): Promise<SessionStatus | null>
  status(): Promise<SessionStatus | null>
  /** JSON text of a `StoredResult`. */
  result(nid: string): Promise<string | null>
  /** How it ended, as it tells the hub and the review; null while it runs or when there is none. */
  end(): Promise<SessionEnd | null>
  audit(after: number): Promise<AuditEntry[]>
  /** All that it holds of its run, as JSON text; null when there is none. */
  exported(): Promise<string | null>
  /** Forgets an ended session with its plan; `look` says what would be left of it. */
  forget(what: 'look' | 'plan' | 'all'): Promise<Forgotten>
}

// ---------- SiteHub (one per site) ----------

export type SessionEnd = {
  session: string
  plan: string
  cell: string
  status: 'completed' | 'terminated'
  reason: TerminationReason | null
  /** False when every device is known to be at rest: then the cell needs no clearance. */
  latch: boolean
  /** The node whose device failed or is unknown; null when none did. */
  node: string | null
  ended_ms: number
  /**
   * Devices on their way to rest: told again, under the same session, with every report of the agent.
   * Left out by releases that report none.
   */
  rest?: Rest
  /** True when no agent ever said hello in it: nothing was released, so the plan may be given back. */
  untouched?: boolean
}

export type QueueEntry = {
  plan: string
  planner: string
  owner: string
  /** Preferred agent, or null for any that can run every tool. */
  agent: string | null
  servers: string[]
  sandboxes: string[]
  /** True when some tool moves metal: needs an armed cell. */
  physical: boolean
  /** Things that several cells use and that it needs; left out by the release before. */
  shared?: string[]
  /** What an agent must be able to do for its steps; left out by the release before: nothing special. */
  features?: Feature[]
  /** Milliseconds that its steps last at least; left out by the release before. */
  told_ms?: number
  /** When the plan was submitted: a planner that was revoked later runs nothing of it. */
  received_ms: number
  valid_until_ms: number
}

/** One physical call of a plan; `call` is the digest of its tool and arguments. */
export type PlannedCall = { nid: string; tool: string; call: string }

/** What the hub keeps of a submission: on what the plan rests, and what it would do. */
export type SubmissionNote = {
  plan: string
  plan_digest: string
  planner: string
  owner: string
  /** The credential that submits it: the plan falls with it. */
  credential: string
  /** True when the planner named an idempotency key: then a repetition is meant. */
  keyed: boolean
  follows: string | null
  supersedes: string | null
  calls: readonly PlannedCall[]
  received_ms: number
}

/** A credential that was withdrawn, as it stood when it first was. */
export type RevokedCredential = {
  credential: string
  role: string
  subject: string
  owner: string
  revoked_ms: number
}

/**
 * What PlanReview is asked to bind: the session id is fixed beforehand, so that retries agree. The plan's
 * own registry is the site's, or its digest says that it is not; the window is read where it is.
 */
export type BindRequest = Omit<BindAsk, 'snapshot'> & { snapshot: SiteHead; now_ms: number }
export type BindAnswer = Result<{ ctx: string }, { code: BindRefusal }>

export type EnqueueAnswer = Result<
  void,
  { reason: 'queue_full' | 'shadow_mode' | 'capability_revoked' }
>

/** A piece of a kept part, from `offset`. */
export type PartAsk = { agent: string; digest: string; offset: number }
export type PartAnswer = Result<
  /** All of the part's bytes, and these in base64. */
  { readonly total: number; readonly data: string },
  { reason: 'agent_away' | 'agent_outdated' | 'absent' | 'too_many' }
>

export interface SiteHubApi {
  /** One piece of a part that an agent keeps. Whoever asks has shown that it may read the part. */
  part(ask: PartAsk): Promise<PartAnswer>
  /** Fresh authority for one actuation; anything but ok ends the session (invariant 10). */
  mayActuate(ask: AuthorityQuestion): Promise<Result<void, { reason: TerminationReason }>>
  /** Idempotent by session id. */
  sessionEnded(end: SessionEnd): Promise<void>
  /** null while the site has no registry. `registry` is null when `have` names the current one. */
  snapshot(have: { registry_digest: string } | null): Promise<SnapshotAnswer | null>
  enqueue(entry: QueueEntry): Promise<EnqueueAnswer>
  dequeue(plan: string): Promise<void>
  /** Before a plan is judged; refused while as many are being judged as a site may have. */
  noteSubmission(
    note: SubmissionNote,
    now_ms: number,
  ): Promise<Result<void, { reason: 'too_many_judging' }>>
  /** Before a person's acceptance is recorded: the plan rests on the credential too. False when it did. */
  noteApproval(plan: string, credential: string): Promise<boolean>
  /** The acceptance was refused. */
  dropApproval(plan: string, credential: string): Promise<void>
  /** What a waiting plan waits for besides a cell; empty for one that does not wait. */
  waitsOf(plan: string): Promise<PlanWait[]>
  /** A person who saw what a plan waits for lets it run. */
  releasePlan(plan: string, act: { by: string; note: string }): Promise<ReleaseAnswer>
  /** The waiting plans, oldest first, with what each waits for in one cell. */
  queueOf(cell: string): Promise<QueueLine[] | null>
  /** The plan has a verdict: another one may be judged. */
  judged(plan: string): Promise<void>
  /** What a release before kept of recent plans; only the window of the site asks for it. */
  oldWindow(after: number): Promise<OldWindowPage>

  // --- the door ---
  /** Same key + same body → the first plan; same key + other body → conflict. Without a plan it only looks. */
  claimKey(claim: IdempotencyClaim): Promise<IdempotencyAnswer>
  /** Creates the site's state once; again is a no-op. */
  init(site: string): Promise<void>
  /** Files a registry that the door has approved: its text, digest and quarantined tools. */
  putRegistry(approved: ApprovedRegistry, by: string): Promise<void>
  putPolicy(policy: Policy, by: string): Promise<{ policy_version: string }>
  /** Rows are proven, or one is taken back; false when that changes nothing. */
  proven(word: ProvenWord | TakenBack): Promise<boolean>
  putAgent(
    agent: AgentRecord,
    by: string,
  ): Promise<Result<void, { reason: 'too_many_agents' | 'cell_taken' }>>
  /** Ends what the agent runs and forbids every further binding to it. */
  revokeAgent(agent: string, by: string): Promise<boolean>
  /** Ends what rests on the credential: plans that it submitted or approved, armings. Idempotent. */
  revokeCredential(revoked: RevokedCredential, by: string): Promise<void>
  cells(): Promise<CellStatus[]>
  agents(): Promise<AgentStatus[]>
  openIncidents(): Promise<Incident[]>
  arm(cell: string, until_ms: number, act: PersonsAct): Promise<CellAnswer>
  disarm(cell: string, by: string): Promise<CellAnswer>
  /** A person records the state of the cell after an abnormal end. */
  clear(cell: string, note: string, act: PersonsAct): Promise<CellAnswer>
  /** An administrator takes a session off a cell that cannot be asked; the cell is latched. */
  forceClear(cell: string, note: string, act: PersonsAct): Promise<CellAnswer>
  /** A person lets waiting plans start again: after a stop, or after a run that did not complete. */
  releaseCell(cell: string, act: PersonsAct): Promise<CellAnswer>
  stopCell(cell: string, by: string): Promise<CellAnswer>
  drillCell(cell: string, by: string): Promise<CellAnswer>
  stopSite(by: string): Promise<{ sessions: SessionStop[] }>
  /** null when neither the hub nor a session knows the id. */
  stopSession(
    session: string,
    by: string,
    /** Set when a planner asks: only a session of its own is there for it. */
    planner: string | null,
  ): Promise<StoppedSession | null>
  settings(): Promise<SiteSettings | null>
  /** Writes down what was done to the site beside the hub: credentials, memories. */
  note(actor: string, event: string, facts: AuditEntry['facts']): Promise<void>
  /** No plan is bound while it is set; null lets them. What runs goes on either way. */
  /** Of the site or of the whole deployment, each on its own; answers with what drains it now. */
  setDrain(drain: Drain | null, act: DrainAct): Promise<Drain | null>
  /** Of a plan that was deleted: names that its planner chose go, what decides about later plans stays. */
  forgetPlan(plan: string): Promise<void>
}

/** What `approveRegistry` made of a registry; approving one takes long and is done at the door. */
export type ApprovedRegistry = { text: string; registry_digest: string; quarantined: string[] }

/** Rows of a window as a hub of the release before stored them, up to a row id. */
export type OldWindowPage = { upto: number; entries: string[] }

/** A site without its large parts: the window is elsewhere, the registry is named by its digest. */
export type SiteHead = Omit<SiteSnapshot, 'registry' | 'window' | 'proven'> & {
  /** Rows that are proven here: every hub says it, since without a word nobody would ask. */
  proven: ProvenRows
}

/** The site as the hub knows it. `registry` is null when the caller already has it. */
export type SnapshotAnswer = {
  snapshot: SiteHead & { registry: Registry | null }
  /** Plans waiting for a cell: the door answers 429 once the queue is full. */
  queued: number
  /** The same by planner: one that holds its share of the queue is answered 429. */
  queued_by: Record<string, number>
  /** Agents that are enrolled and not revoked, whether or not they report. */
  enrolled: string[]
}

export type SiteSettings = {
  site: string
  registry: Registry | null
  registry_digest: string | null
  quarantined: string[]
  proven: ProvenRow[]
  policy: Policy
  policy_version: string
  epoch: number
  /** Set while no plan is bound. */
  draining: Drain | null
}

export type IdempotencyClaim = {
  credential: string
  key: string
  body_digest: string
  /** null asks for the first plan and claims nothing. */
  plan: string | null
  now_ms: number
}
export type IdempotencyAnswer =
  | { status: 'new' }
  | { status: 'same'; plan: string }
  | { status: 'conflict' }
  /** As many keys of the credential are kept as may be. */
  | { status: 'full' }

/** An enrolled agent: its key is public, the private half never leaves it. */
export type AgentRecord = {
  agent: string
  cell: string
  jkt: string
  jwk: { kty: 'OKP'; crv: 'Ed25519'; x: string }
}

/** What a person does to a cell, and the number of the change that was displayed to them. */
export type PersonsAct = { by: string; credential: string; seen: number | null }

export type ReleaseAnswer = Result<
  PlanWait[],
  { reason: 'not_found' | 'conflict_of_interest' | 'nothing_to_release' }
>

/** How far a stop has come, and the session as it answered; null when it did not. */
export type StoppedSession = { stop: SessionStop; status: SessionStatus | null }

export type { CellAnswer, CellRefusal } from './hub/cell-answer.ts'

// ---------- PlanReview (one per plan) ----------

/** One earlier version of a plan, as a reviewer of a later one sees it. */
export type PlanVersion = { plan: Plan; status: PlanStatus; codes: string[] }

export type ReviewRecord = Assigned & {
  plan: Plan
  packet: Packet | null
  status: PlanStatus
  /** Earlier versions, nearest first, with what changed from each to this one. */
  lineage: {
    plan: string
    state: PlanState
    reasons: string[]
    codes: string[]
    /** Who decided it, and why; empty where no person did. */
    approvals: Approval[]
    differences: Difference[]
  }[]
  /** Given so far for this packet, or those of the decision. */
  approvals: Approval[]
  approvals_required: number
  /** True when the site is no longer the one that it was judged for: nobody can accept it. */
  outdated: boolean
  /** The standing approval that it was asked for under, whatever became of it; null for every other plan. */
  template: string | null
  /** A person's earlier approval of exactly this plan under this policy, if there is one. */
  precedent: string | null
}

export interface PlanReviewApi extends Assignable {
  start(spec: ReviewSpec): Promise<PlanStatus>
  status(): Promise<PlanStatus | null>
  /** The whole record, for reviewers: plan, packet, decision, what the submitter may not see too. */
  record(): Promise<ReviewRecord | null>
  /**
   * One version of a lineage, for the record of a later one: a PlanVersion as JSON text, since its
   * recursive types are more than the RPC types can unfold.
   */
  version(): Promise<string | null>
  /** All that the decision rests on, as JSON text for verify/rederive; null before `start`. */
  evidence(): Promise<string | null>
  /** What it was judged over, a JudgedPlanAnswer as JSON text; registries that are named are left out. */
  judgedPlan(have: readonly string[]): Promise<string | null>
  /** The recorded model calls after a place, a CallPage as JSON text; null before `start`. */
  calls(after: number): Promise<string | null>
  resolve(review: Review): Promise<Result<PlanStatus, { code: ReviewRefusal }>>
  withdraw(by: string): Promise<Result<PlanStatus, { code: 'not_found' | 'too_late' }>>
  bind(request: BindRequest): Promise<BindAnswer>
  sessionEnded(end: SessionEnd): Promise<void>
  /** All that is kept of the plan but its calls, as JSON text. */
  exported(): Promise<string | null>
  lookForgetting(): Promise<Forgotten>
  /** Forgets what is due of a plan that is over; again changes nothing. */
  forget(what: Forgetting): Promise<Forgotten>
}

/** Re-exported here so that callers of the contracts need one import. */
export type { AuditEntry, Policy, Registry }
export type {
  AgentStatus,
  AuthorityQuestion,
  CellStatus,
  PlanState,
  PlanStatus,
  PlanWait,
  QueueLine,
  SessionStatus,
  SessionStop,
}
