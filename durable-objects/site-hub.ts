// One per site: agents, cells, arming, clearance, the queue and the revocation epoch: what decides a `go`. A thin
// shell: choices are made in contain/dispatch and contain/authority, storage is in hub/; refusals are values.
import { DurableObject } from 'cloudflare:workers'
import type { Drain } from '../protocol/drain.ts'
import type { Incident } from '../protocol/incident.ts'
import { limits } from '../protocol/limits.ts'
import type { Policy } from '../protocol/policy.ts'
import type { TerminationReason } from '../protocol/reasons.ts'
import { ok, type Result } from '../protocol/result.ts'
import { readAudit } from './audit-log.ts'
import type {
  AgentRecord,
  AgentStatus,
  ApprovedRegistry,
  AuditEntry,
  AuthorityQuestion,
  CellAnswer,
  CellStatus,
  EnqueueAnswer,
  IdempotencyAnswer,
  IdempotencyClaim,
  OldWindowPage,
  PartAnswer,
  PartAsk,
  PersonsAct,
  PlanWait,
  QueueEntry,
  QueueLine,
  ReleaseAnswer,
  RevokedCredential,
  SessionEnd,
  SessionStop,
  SiteHubApi,
  SiteSettings,
  SnapshotAnswer,
  StoppedSession,
  SubmissionNote,
} from './contracts.ts'
import type { Env } from './env.ts'
import { endBinding, endFacts, restTold } from './hub/bindings.ts'
import { Acts } from './hub/acts.ts'
import { agentChanged } from './hub/agent-change.ts'
import { CellStopper } from './hub/cell-stopper.ts'
import { Dispatcher } from './hub/dispatcher.ts'
import { answerSnapshot, claimKey, readSettings } from './hub/door.ts'
import { forgetPlan } from './hub/forget-plan.ts'
import { Gate } from './hub/gate.ts'
import { Incidents } from './hub/incidents/index.ts'
import { dropApproval, noteApproval } from './hub/approved.ts'
import { begin, Continuity } from './hub/mark.ts'
import { Notices } from './hub/notices.ts'
import { oldWindow } from './hub/old-window.ts'
import { agentStatuses, cellStatus } from './hub/people.ts'
import { PresenceSockets } from './hub/presence-sockets.ts'
import { enqueuePlan, queueLines } from './hub/queue.ts'
import { putPolicy, putRegistry, type SiteParts } from './hub/put-site.ts'
import { pruneTables } from './hub/schema.ts'
import { openSiteKey, putSiteKey } from './hub/site-keys.ts'
import { HubStore } from './hub/store.ts'
import { Stopper } from './hub/stopper.ts'
import { noteJudged, noteSubmission } from './hub/submissions.ts'
import { HubTrail } from './hub/trail.ts'
import { openWaits } from './hub/waits.ts'
import { Wake } from './wake.ts'

export class SiteHub extends DurableObject<Env> implements SiteHubApi {
  private readonly store: HubStore
  private readonly gate: Gate
  private readonly presence: PresenceSockets
  private readonly stopper: Stopper
  private readonly cellStopper: CellStopper
  private readonly site: SiteParts
  private readonly dispatcher: Dispatcher
  private readonly acts: Acts
  private readonly notices: Notices
  private readonly incidents: Incidents
  private readonly lines: HubTrail
  private readonly wake: Wake
  private readonly continuity: Continuity

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.store = new HubStore(ctx.storage.sql)
    this.lines = new HubTrail(ctx.storage.sql)
    this.gate = new Gate(this.store)
    this.presence = new PresenceSockets(ctx, this.store)
    this.stopper = new Stopper(env, this.store, this.presence)
    const { store, presence, stopper } = this
    const background = (work: Promise<unknown>) => this.background(work)
    const trail = (actor: string, event: string, facts: AuditEntry['facts']) =>
      this.trail(actor, event, facts)
    this.site = { store, presence, trail }
    this.cellStopper = new CellStopper({ env, store, presence, trail, background })
    this.dispatcher = new Dispatcher({
      env,
      store,
      presence,
      stopper,
      trail,
      background,
      rearm: () => this.rearm(),
      ready: () => this.continuity.known,
    })
    this.acts = new Acts({
      env,
      store,
      stopper,
      cellStopper: this.cellStopper,
      presence,
      dispatch: () => this.dispatcher.run(),
      trail,
      rearm: () => this.rearm(),
    })
    this.notices = new Notices(ctx.storage.sql, this.store)
    this.incidents = new Incidents({
      env,
      store: this.store,
      online: (now_ms) => this.presence.online(now_ms),
      connected: () => ctx.getWebSockets().length > 0,
      tell: (event, facts, now_ms) => this.notices.post(event, facts, now_ms),
      trail: (event, facts) => this.background(this.trail('gateway', event, facts)),
    })
    this.wake = new Wake(ctx.storage)
    this.continuity = new Continuity({
      env,
      store: this.store,
      name: ctx.id.name ?? null,
      trail: (event, facts) => this.trail('gateway', event, facts),
      tell: (event, facts) => this.notices.post(event, facts, Date.now()),
      dispatch: () => this.dispatcher.run(),
    })
    // Alarms can be lost with the machine: whatever is due has one again.
    void ctx.blockConcurrencyWhile(() => this.rearm())
    this.background(this.continuity.compare())
  }

  async init(site: string): Promise<void> {
    if (this.store.get('site') !== null) return
    await begin(this.store, site)
    await this.trail('gateway', 'site_created', { site })
  }

  settings(): Promise<SiteSettings | null> {
    return Promise.resolve(readSettings(this.store))
  }

  putRegistry(approved: ApprovedRegistry, by: string): Promise<void> {
    return putRegistry(this.site, approved, by)
  }

  putPolicy(policy: Policy, by: string): Promise<{ policy_version: string }> {
    return putPolicy(this.site, policy, by)
  }

  proven(word: Parameters<SiteHubApi['proven']>[0]): Promise<boolean> {
    return this.acts.proven(word)
  }

  async putSiteKey(name: string, clear: string, by: string): Promise<boolean> {
    const kept = await putSiteKey(this.store, this.env.SITE_KEY_SECRET, { name, clear })
    if (kept) await this.trail(by, 'site_key_set', { name })
    return kept
  }

  openSiteKey(name: string): Promise<string | null> {
    return openSiteKey(this.store, this.env.SITE_KEY_SECRET, name)
  }

  putAgent(
    agent: AgentRecord,
    by: string,
  ): Promise<Result<void, { reason: 'too_many_agents' | 'cell_taken' }>> {
    return this.acts.putAgent(agent, by)
  }

  revokeAgent(agent: string, by: string): Promise<boolean> {
    return this.acts.revokeAgent(agent, by)
  }

  setDrain(drain: Drain | null, act: Parameters<Acts['drain']>[1]): Promise<Drain | null> {
    return this.acts.drain(drain, act)
  }

  part(ask: PartAsk): Promise<PartAnswer> {
    return this.presence.parts.ask(ask)
  }

  cells(): Promise<CellStatus[]> {
    return Promise.resolve(this.store.cells().map((cell) => cellStatus(this.store, cell)))
  }

  async openIncidents(): Promise<Incident[]> {
    await this.incidents.ask(Date.now())
    await this.rearm()
    return this.incidents.open(Date.now())
  }

  agents(): Promise<AgentStatus[]> {
    return Promise.resolve(agentStatuses(this.store, this.presence.online(Date.now())))
  }

  arm(cell: string, until_ms: number, act: PersonsAct): Promise<CellAnswer> {
    return this.acts.arm(cell, until_ms, act)
  }

  disarm(cell: string, by: string): Promise<CellAnswer> {
    return this.acts.disarm(cell, by)
  }

  clear(cell: string, note: string, act: PersonsAct): Promise<CellAnswer> {
    return this.acts.clear(cell, note, act)
  }

  forceClear(cell: string, note: string, act: PersonsAct): Promise<CellAnswer> {
    return this.acts.forceClear(cell, note, act)
  }

  releaseCell(cell: string, act: PersonsAct): Promise<CellAnswer> {
    return this.acts.releaseCell(cell, act)
  }

  releasePlan(plan: string, act: { by: string; note: string }): Promise<ReleaseAnswer> {
    return this.acts.releasePlan(plan, act)
  }

  revokeCredential(revoked: RevokedCredential, by: string): Promise<void> {
    return this.acts.revokeCredential(revoked, by)
  }

  stopCell(cell: string, by: string): Promise<CellAnswer> {
    return this.acts.stopCell(cell, by)
  }

  drillCell(cell: string, by: string): Promise<CellAnswer> {
    return this.acts.drillCell(cell, by)
  }

  stopSite(by: string): Promise<{ sessions: SessionStop[] }> {
    return this.acts.stopSite(by)
  }

  stopSession(session: string, by: string, planner: string | null): Promise<StoppedSession | null> {
    return this.acts.stopSession(session, by, planner)
  }

  snapshot(have: { registry_digest: string } | null): Promise<SnapshotAnswer | null> {
    return Promise.resolve(answerSnapshot(this.store, have, Date.now()))
  }

  claimKey(claim: IdempotencyClaim): Promise<IdempotencyAnswer> {
    return Promise.resolve(claimKey(this.store, claim))
  }

  judged(plan: string): Promise<void> {
    noteJudged(this.store, plan, Date.now())
    return Promise.resolve()
  }

  oldWindow(after: number): Promise<OldWindowPage> {
    return Promise.resolve(oldWindow(this.store, after))
  }

  async enqueue(entry: QueueEntry): Promise<EnqueueAnswer> {
    const answer = enqueuePlan(this.store, entry, Date.now())
    if (!answer.ok) return answer
    if (answer.value === 'new') {
      await this.trail('gateway', 'plan_queued', { plan: entry.plan })
      this.dispatcher.run()
    }
    return ok(undefined)
  }

  async dequeue(plan: string): Promise<void> {
    const gone = this.store.write('DELETE FROM queue WHERE plan = ?', plan)
    if (gone > 0) await this.trail('gateway', 'plan_dequeued', { plan })
  }

  noteSubmission(
    note: SubmissionNote,
    now_ms: number,
  ): Promise<Result<void, { reason: 'too_many_judging' }>> {
    const noted = noteSubmission(this.store, note, now_ms)
    this.background(this.rearm())
    return Promise.resolve(noted)
  }

  noteApproval(plan: string, credential: string): Promise<boolean> {
    return Promise.resolve(noteApproval(this.store, plan, credential))
  }

  dropApproval(plan: string, credential: string): Promise<void> {
    return Promise.resolve(dropApproval(this.store, plan, credential))
  }

  waitsOf(plan: string): Promise<PlanWait[]> {
    return Promise.resolve(openWaits(this.store, plan))
  }

  queueOf(cell: string): Promise<QueueLine[] | null> {
    const now_ms = Date.now()
    return Promise.resolve(queueLines(this.store, cell, this.presence, now_ms))
  }

  async mayActuate(ask: AuthorityQuestion): Promise<Result<void, { reason: TerminationReason }>> {
    // Once in the life of the object: what was set back has given no authority yet.
    await this.continuity.settled()
    return this.gate.mayActuate(ask, Date.now())
  }

  async sessionEnded(end: SessionEnd): Promise<void> {
    const now_ms = Date.now()
    if (!endBinding(this.store, end, now_ms)) {
      if (restTold(this.store, end, now_ms)) this.dispatcher.run()
      return
    }
    await this.trail('gateway', 'session_ended', endFacts(end))
    this.dispatcher.run()
  }

  note(actor: string, event: string, facts: AuditEntry['facts']): Promise<void> {
    return this.trail(actor, event, facts)
  }

  forgetPlan(plan: string): Promise<void> {
    return Promise.resolve(forgetPlan(this.store, plan))
  }

  audit(after: number): Promise<AuditEntry[]> {
    return Promise.resolve(readAudit(this.store.sql, after, limits.auditEntriesPerPage))
  }

  override alarm(): Promise<void> {
    return this.wake.ring(
      'hub',
      () => this.onTime(),
      () => this.nextDue(),
    )
  }

  private async onTime(): Promise<void> {
    const now_ms = Date.now()
    this.background(this.continuity.onTime())
    for (const { session, cell } of await this.stopper.again(now_ms)) {
      await this.trail('gateway', 'stop_reached', { session, cell })
    }
    await this.cellStopper.again(now_ms)
    pruneTables(this.store.sql, now_ms)
    this.dispatcher.run()
    await this.notices.flush(this.env, now_ms)
    this.background(this.incidents.ask(now_ms).then(() => this.rearm()))
  }

  /** Work that outlives the event which began it; its failure is logged. */
  private background(work: Promise<unknown>): void {
    this.ctx.waitUntil(work.catch((cause: unknown) => console.error(`hub: ${String(cause)}`)))
  }

  /** One alarm for whatever is due first: a stop that was not reached, a binding to ask for again. */
  private async rearm(): Promise<void> {
    this.incidents.look(Date.now())
    await this.wake.by(this.nextDue())
  }

  private nextDue(): number | null {
    const due = [
      this.dispatcher.nextDue(),
      this.notices.nextDue(),
      this.incidents.nextDue(Date.now()),
      this.continuity.nextDue(),
      this.cellStopper.nextDue(),
      this.stopper.nextDue(),
    ].filter((at) => at !== null)
    return due.length === 0 ? null : Math.max(Math.min(...due), Date.now())
  }

  private async trail(actor: string, event: string, facts: AuditEntry['facts']): Promise<void> {
    await this.lines.append({ at_ms: Date.now(), actor, event, facts })
    // D1 learns of every line: else a hub that is set back to before it would not know that it was.
    await this.rearm()
  }

  /** The upgrade, already authenticated by the door (x-portcullis-* headers are its own). */
  override fetch(request: Request): Response {
    return this.presence.upgrade(request, this.env.DEPLOYMENT)
  }

  override async webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    const change = await this.presence.message(socket, data)
    if (change === null) return this.rearm()
    const { continuity, stopper, cellStopper, site } = this
    const background = (work: Promise<unknown>) => this.background(work)
    await agentChanged({ ...site, continuity, stopper, cellStopper, background }, change)
    this.dispatcher.run()
  }

  override webSocketClose(): void {
    this.dispatcher.run()
  }
}
