// One per site: agents, cells, arming, clearance, the queue, the revocation epoch and the sliding
// window. A thin shell: choices are made in contain/dispatch and contain/authority, storage is in
// hub/. RPC methods answer refusals as values.
import { DurableObject } from 'cloudflare:workers'
import { digest } from '../protocol/digest.ts'
import { limits } from '../protocol/limits.ts'
import { policySchema, type Policy } from '../protocol/policy.ts'
import type { HaltReason, TerminationReason } from '../protocol/reasons.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { WindowEntry } from '../protocol/snapshot.ts'
import { samePerson } from '../verify/decide/resolve.ts'
import { appendAudit, createAuditTable, readAudit } from './audit-log.ts'
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
  PersonsAct,
  PlanWait,
  QueueEntry,
  QueueLine,
  ReleaseAnswer,
  RevokedCredential,
  SessionEnd,
  SessionStatus,
  SessionStop,
  SiteHubApi,
  SiteSettings,
  SnapshotAnswer,
  SubmissionNote,
} from './contracts.ts'
import type { Env } from './env.ts'
import { endBinding } from './hub/bindings.ts'
import { setLatched, setRest, setStopped } from './hub/cells.ts'
import { disarmArmedBy, isRevoked, noteRevoked } from './hub/credentials.ts'
import { Dispatcher } from './hub/dispatcher.ts'
import { answerSnapshot, claimKey, readSettings } from './hub/door.ts'
import { enrol } from './hub/enrol.ts'
import { Gate } from './hub/gate.ts'
import { planReviewOf } from './hub/neighbours.ts'
import {
  answerFor,
  armCell,
  cellStatus,
  clearCell,
  disarmCell,
  forceClearCell,
  releaseCell,
} from './hub/people.ts'
import { PresenceSockets } from './hub/presence-sockets.ts'
import { enqueuePlan, queueLines, waiting } from './hub/queue.ts'
import { pruneTables } from './hub/schema.ts'
import { openSiteKey, putSiteKey } from './hub/site-keys.ts'
import { HubStore, type BindingRow } from './hub/store.ts'
import { Stopper } from './hub/stopper.ts'
import { endTold, openStops } from './hub/stops.ts'
import { noteJudged, noteSubmission, restsOn } from './hub/submissions.ts'
import { openWaits, releaseWaits } from './hub/waits.ts'
import { windowOf } from './hub/window.ts'

/** A stop of a session that has just ended still holds the cell: the person meant what they saw. */
const justEndedMs = 60_000

export class SiteHub extends DurableObject<Env> implements SiteHubApi {
  private readonly store: HubStore
  private readonly gate: Gate
  private readonly presence: PresenceSockets
  private readonly stopper: Stopper
  private readonly dispatcher: Dispatcher

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.store = new HubStore(ctx.storage.sql)
    createAuditTable(ctx.storage.sql)
    this.gate = new Gate(this.store)
    this.presence = new PresenceSockets(ctx, this.store)
    this.stopper = new Stopper(env, this.store, this.presence)
    this.dispatcher = new Dispatcher({
      env,
      store: this.store,
      presence: this.presence,
      stopper: this.stopper,
      trail: (actor, event, facts) => this.trail(actor, event, facts),
      background: (work) => this.background(work),
      rearm: () => this.rearm(),
    })
    // Alarms can be lost with the machine: whatever is due has one again.
    void ctx.blockConcurrencyWhile(() => this.rearm())
  }

  // ---------- set-up ----------

  async init(site: string): Promise<void> {
    if (this.store.get('site') !== null) return
    const policy = policySchema.parse({})
    const version = await digest('policy', policy)
    this.store.set('site', site)
    this.store.set('policy', JSON.stringify(policy))
    this.store.set('policy_version', version)
    await this.trail('gateway', 'site_created', { site })
  }

  settings(): Promise<SiteSettings | null> {
    return Promise.resolve(readSettings(this.store))
  }

  async putRegistry(approved: ApprovedRegistry, by: string): Promise<void> {
    const { text, registry_digest, quarantined } = approved
    const before = this.store.get('registry_digest')
    this.store.set('quarantined', JSON.stringify(quarantined))
    if (before !== registry_digest) {
      this.store.set('registry', text)
      this.store.set('registry_digest', registry_digest)
      if (before !== null) this.store.raiseEpoch('registry_changed', by, Date.now())
      this.presence.tellRegistry()
    }
    await this.trail(by, 'registry_approved', { registry_digest })
  }

  async putPolicy(policy: Policy, by: string): Promise<{ policy_version: string }> {
    const version = await digest('policy', policy)
    if (this.store.get('policy_version') !== version) {
      this.store.set('policy', JSON.stringify(policy))
      this.store.set('policy_version', version)
      this.store.raiseEpoch('policy_changed', by, Date.now())
    }
    await this.trail(by, 'policy_set', { policy_version: version })
    return { policy_version: version }
  }

  async putSiteKey(name: string, clear: string, by: string): Promise<boolean> {
    const kept = await putSiteKey(this.store, this.env.SITE_KEY_SECRET, { name, clear })
    if (kept) await this.trail(by, 'site_key_set', { name })
    return kept
  }

  openSiteKey(name: string): Promise<string | null> {
    return openSiteKey(this.store, this.env.SITE_KEY_SECRET, name)
  }

  async putAgent(
    agent: AgentRecord,
    by: string,
  ): Promise<Result<void, { reason: 'too_many_agents' | 'cell_taken' }>> {
    const enrolled = enrol(this.store, agent)
    if (!enrolled.ok) return enrolled
    await this.trail(by, 'agent_enrolled', { agent: agent.agent, cell: agent.cell, jkt: agent.jkt })
    const { replaced } = enrolled.value
    if (replaced !== null) {
      this.presence.disconnect(agent.agent)
      await this.endSessionsOf((row) => row.agent === agent.agent, 'agent_revoked', by)
    }
    return ok(undefined)
  }

  async revokeAgent(agent: string, by: string): Promise<boolean> {
    const row = this.store.agent(agent)
    if (row === null) return false
    this.store.write('UPDATE agents SET revoked = 1 WHERE agent = ?', agent)
    await this.trail(by, 'agent_revoked', { agent })
    this.presence.disconnect(agent)
    await this.endSessionsOf((binding) => binding.agent === agent, 'agent_revoked', by)
    return true
  }

  async revokeCredential(revoked: RevokedCredential, by: string): Promise<void> {
    const { credential, role, subject } = revoked
    const now_ms = Date.now()
    const known = isRevoked(this.store, credential)
    noteRevoked(this.store, revoked, by)
    const falls = (row: { rests_on: string[]; planner: string; received_ms: number }): boolean =>
      row.rests_on.includes(credential) ||
      // Plans that were taken in before plans named their credential.
      (row.rests_on.length === 0 &&
        role === 'planner' &&
        row.planner === subject &&
        row.received_ms <= revoked.revoked_ms)
    const cells = disarmArmedBy(this.store, credential, { by, now_ms })
    const queued = waiting(this.store, now_ms).filter((entry) =>
      falls({ ...entry, rests_on: restsOn(this.store, entry.plan) }),
    )
    // Out of the queue in the same turn: what rests on it cannot be dispatched any more.
    for (const { plan } of queued) this.store.write('DELETE FROM queue WHERE plan = ?', plan)
    if (!known) await this.trail(by, 'authority_withdrawn', { credential, role, subject, cells })
    const told = await Promise.allSettled([
      this.endSessionsOf(falls, 'capability_revoked', by),
      ...queued.map((entry) => planReviewOf(this.env, this.store, entry.plan).withdraw(by)),
    ])
    // Asked again by the door when the person repeats the revocation.
    for (const one of told) if (one.status === 'rejected') throw one.reason
  }

  // ---------- cells and people ----------

  cells(): Promise<CellStatus[]> {
    return Promise.resolve(this.store.cells().map((cell) => cellStatus(this.store, cell)))
  }

  agents(): Promise<AgentStatus[]> {
    const online = this.presence.online(Date.now())
    return Promise.resolve(
      this.store
        .agents()
        .map(({ jwk: _jwk, ...row }) => ({ ...row, online: online.has(row.agent) })),
    )
  }

  async arm(cell: string, until_ms: number, act: PersonsAct): Promise<CellAnswer> {
    // It may have been withdrawn after the door let the person in.
    if (isRevoked(this.store, act.credential)) return err({ reason: 'credential_revoked' })
    const answer = armCell(this.store, cell, { ...act, until_ms, now_ms: Date.now() })
    if (!answer.ok) return answer
    const { armed_until_ms, change } = answer.value
    await this.trail(act.by, 'cell_armed', { cell, until_ms: armed_until_ms, change })
    this.dispatcher.run()
    return answerFor(this.store, cell)
  }

  async disarm(cell: string, by: string): Promise<CellAnswer> {
    const answer = disarmCell(this.store, cell, { by, now_ms: Date.now() })
    if (answer.ok) await this.trail(by, 'cell_disarmed', { cell })
    return answer
  }

  async clear(cell: string, note: string, act: PersonsAct): Promise<CellAnswer> {
    let answer = clearCell(this.store, cell, { ...act, note, now_ms: Date.now() })
    if (!answer.ok && answer.error.reason === 'session_running') {
      // The cell may name a session that has ended without the hub, or that is gone.
      const session = this.store.cell(cell)?.session ?? null
      if (session === null) return answer
      const came = await this.stopper.reconcile({ session, cell }, act.by)
      if (came === 'unreachable') return err({ reason: 'session_unreachable' })
      if (came === 'running') return answer
      await this.trail('gateway', 'session_reconciled', { cell, session, came })
      answer = clearCell(this.store, cell, { ...act, note, now_ms: Date.now() })
    }
    if (answer.ok) {
      await this.trail(act.by, 'cell_cleared', { cell, note })
      this.dispatcher.run()
    }
    return answer
  }

  async forceClear(cell: string, note: string, act: PersonsAct): Promise<CellAnswer> {
    const before = this.store.cell(cell)
    const answer = forceClearCell(this.store, cell, { ...act, now_ms: Date.now() })
    if (answer.ok) {
      const { session, not_at_rest } = before ?? { session: null, not_at_rest: [] }
      await this.trail(act.by, 'cell_force_cleared', { cell, note, session, not_at_rest })
    }
    return answer
  }

  async releaseCell(cell: string, act: PersonsAct): Promise<CellAnswer> {
    const answer = releaseCell(this.store, cell, { ...act, now_ms: Date.now() })
    if (answer.ok) {
      await this.trail(act.by, 'queue_released', { cell })
      this.dispatcher.run()
    }
    return answer
  }

  async stopCell(cell: string, by: string): Promise<CellAnswer> {
    const row = this.store.cell(cell)
    if (row === null) return err({ reason: 'cell_unknown' })
    const { session } = row
    const reason = 'stopped_by_person'
    // The session is told first; what is written after it is for those who come later.
    const stopping = session === null ? null : this.stopper.stop({ session, cell, reason, by })
    setStopped(this.store, cell, { by, now_ms: Date.now() })
    await this.trail(by, 'cell_stopped', { cell, session })
    await stopping
    await this.rearm()
    return answerFor(this.store, cell)
  }

  async stopSite(by: string): Promise<{ sessions: SessionStop[] }> {
    const now_ms = Date.now()
    const reason = 'stopped_by_person'
    const sessions = new Map<string, string>()
    for (const row of this.store.cells())
      if (row.session !== null) sessions.set(row.session, row.cell)
    for (const state of ['bound', 'binding'] as const) {
      for (const row of this.store.bindings(state)) sessions.set(row.session, row.cell)
    }
    const stopping = [...sessions].map(([session, cell]) =>
      this.stopper.stop({ session, cell, reason, by }),
    )
    this.store.raiseEpoch(reason, by, now_ms)
    for (const { cell } of this.store.cells()) setStopped(this.store, cell, { by, now_ms })
    await this.trail(by, 'site_stopped', { epoch: this.store.epoch() })
    // One unreachable session keeps none of the others from being stopped.
    const stopped = await Promise.all(stopping)
    await this.rearm()
    return { sessions: stopped.map(({ stop }) => stop) }
  }

  async stopSession(
    session: string,
    by: string,
    planner: string | null,
  ): Promise<{ stop: SessionStop; status: SessionStatus | null } | null> {
    const binding = this.store.bindingOf(session)
    if (planner !== null && binding?.planner !== planner) return null
    const held = this.store.cells().find((row) => row.session === session)
    const reason = 'stopped_by_person'
    const cell = binding?.cell ?? held?.cell ?? ''
    const ended_ms = this.store.endedOf(session)
    const stopping = this.stopper.stop({ session, cell, reason, by })
    const now_ms = Date.now()
    // Long over: the cell is about other things by now.
    const over = held === undefined && (ended_ms === null || now_ms - ended_ms > justEndedMs)
    // A planner ends its own run; the cell is the people's, and its other plans wait as after any end.
    if (binding !== null && planner === null && (!over || binding.state !== 'ended')) {
      setStopped(this.store, cell, { by, now_ms })
      await this.trail(by, 'session_stopped', { cell, session })
    }
    const answer = await stopping
    await this.rearm()
    if (binding === null && answer.status === null && answer.stop.stop === 'stopped') {
      this.store.write('DELETE FROM stops WHERE session = ?', session)
      return null
    }
    return answer
  }

  // ---------- plans ----------

  snapshot(have: { registry_digest: string } | null): Promise<SnapshotAnswer | null> {
    return Promise.resolve(answerSnapshot(this.store, have, Date.now()))
  }

  claimKey(claim: IdempotencyClaim): Promise<IdempotencyAnswer> {
    return Promise.resolve(claimKey(this.store, claim))
  }

  remember(entry: WindowEntry): Promise<void> {
    const now_ms = Date.now()
    windowOf(this.store).remember(entry, now_ms)
    if (entry.verdict !== null) noteJudged(this.store, entry.plan, now_ms)
    return Promise.resolve()
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
    return Promise.resolve(noteSubmission(this.store, note, now_ms))
  }

  noteApproval(plan: string, credential: string): Promise<boolean> {
    const sql = 'INSERT OR IGNORE INTO approved (plan, credential) VALUES (?, ?)'
    return Promise.resolve(this.store.write(sql, plan, credential) > 0)
  }

  dropApproval(plan: string, credential: string): Promise<void> {
    this.store.write('DELETE FROM approved WHERE plan = ? AND credential = ?', plan, credential)
    return Promise.resolve()
  }

  waitsOf(plan: string): Promise<PlanWait[]> {
    return Promise.resolve(openWaits(this.store, plan))
  }

  async releasePlan(plan: string, act: { by: string; note: string }): Promise<ReleaseAnswer> {
    const entry = waiting(this.store, Date.now()).find((one) => one.plan === plan)
    if (entry === undefined) return err({ reason: 'not_found' })
    // Whoever answers for the planner does not decide on what its plans may repeat.
    if (samePerson(entry.owner, act.by)) return err({ reason: 'conflict_of_interest' })
    const released = releaseWaits(this.store, plan, act.by)
    if (released.length === 0) return err({ reason: 'nothing_to_release' })
    const why = released.map((wait) => wait.why)
    await this.trail(act.by, 'plan_released', { plan, why, note: act.note })
    this.dispatcher.run()
    return ok(openWaits(this.store, plan))
  }

  queueOf(cell: string): Promise<QueueLine[] | null> {
    const now_ms = Date.now()
    return Promise.resolve(queueLines(this.store, cell, this.presence.online(now_ms), now_ms))
  }

  mayActuate(ask: AuthorityQuestion): Promise<Result<void, { reason: TerminationReason }>> {
    return Promise.resolve(this.gate.mayActuate(ask, Date.now()))
  }

  async sessionEnded(end: SessionEnd): Promise<void> {
    const now_ms = Date.now()
    if (!endBinding(this.store, end, now_ms)) {
      // Told again: the agent has said more of its devices since.
      endTold(this.store, end)
      const devices = end.rest?.devices ?? []
      const moving = devices.filter((one) => !one.at_rest).map((one) => one.device)
      const at_rest = devices.filter((one) => one.at_rest).map((one) => one.device)
      const cell = this.store.cell(end.cell)
      const open = cell?.needs_clearance === true
      if (open) setRest(this.store, end.cell, { moving, at_rest, by: 'gateway', now_ms })
      if (!open && moving.length > 0) {
        const reason = end.reason ?? 'node_unknown'
        setLatched(this.store, end.cell, { reason, devices: moving, by: 'gateway', now_ms })
      }
      return
    }
    await this.trail('gateway', 'session_ended', {
      session: end.session,
      status: end.status,
      reason: end.reason,
      latched: end.latch,
    })
    this.dispatcher.run()
  }

  note(actor: string, event: string, facts: AuditEntry['facts']): Promise<void> {
    return this.trail(actor, event, facts)
  }

  /** The trail of the site: who armed, stopped, approved, revoked. */
  audit(after: number): Promise<AuditEntry[]> {
    return Promise.resolve(readAudit(this.store.sql, after, limits.auditEntriesPerPage))
  }

  // ---------- binding ----------

  override async alarm(): Promise<void> {
    try {
      const now_ms = Date.now()
      const wanted = openStops(this.store).filter(({ state }) => state === 'wanted')
      await this.stopper.again(now_ms)
      for (const { session, cell } of wanted) {
        if (
          openStops(this.store, cell).some(
            (row) => row.session === session && row.state === 'wanted',
          )
        ) {
          continue
        }
        await this.trail('gateway', 'stop_reached', { session, cell })
      }
      pruneTables(this.store.sql, now_ms)
      this.dispatcher.run()
    } catch (cause) {
      console.error(`hub alarm: ${String(cause)}`)
    } finally {
      // Whatever happened above: what is due is asked for again.
      await this.rearm()
    }
  }

  /** Ends what runs, or is about to, in the cells whose binding answers to `which`. */
  private async endSessionsOf(
    which: (row: BindingRow) => boolean,
    reason: HaltReason,
    by: string,
  ): Promise<void> {
    const rows = [...this.store.bindings('binding'), ...this.store.bindings('bound')].filter(which)
    await Promise.all(
      rows.map(({ session, cell }) => this.stopper.stop({ session, cell, reason, by })),
    )
    await this.rearm()
  }

  /** Work that outlives the event which began it; its failure is logged and nobody's else. */
  private background(work: Promise<unknown>): void {
    this.ctx.waitUntil(work.catch((cause: unknown) => console.error(`hub: ${String(cause)}`)))
  }

  /** One alarm for whatever is due first: a stop that was not reached, a binding to ask for again. */
  private async rearm(): Promise<void> {
    const due = [
      this.dispatcher.nextDue(),
      ...openStops(this.store).map(({ next_ms }) => next_ms),
    ].filter((at) => at !== null)
    if (due.length === 0) return
    const at = Math.max(Math.min(...due), Date.now())
    const current = await this.ctx.storage.getAlarm()
    if (current === null || current > at) await this.ctx.storage.setAlarm(at)
  }

  private async trail(actor: string, event: string, facts: AuditEntry['facts']): Promise<void> {
    await appendAudit(this.store.sql, { at_ms: Date.now(), actor, event, facts })
  }

  // ---------- presence sockets ----------

  /** The upgrade, already authenticated by the door (x-portcullis-* headers are its own). */
  override fetch(request: Request): Response {
    return this.presence.upgrade(request, this.env.DEPLOYMENT)
  }

  override async webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    const change = await this.presence.message(socket, data)
    if (change === null) return
    if (change.cell !== undefined) {
      const { cell, what, agent } = change.cell
      await this.trail('gateway', what, { cell, agent })
    }
    for (const { cell, reason, state } of change.joined === undefined
      ? []
      : openStops(this.store, change.joined)) {
      if (state === 'wanted') this.presence.halt(cell, reason)
    }
    this.dispatcher.run()
  }

  override webSocketClose(): void {
    this.dispatcher.run()
  }
}
