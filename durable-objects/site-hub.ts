// One per site: agents, cells, arming, clearance, the queue, the revocation epoch and the sliding
// window. A thin shell: choices are made in contain/dispatch and contain/authority, storage is in
// hub/. RPC methods answer refusals as values.
import { DurableObject } from 'cloudflare:workers'
import { digest } from '../protocol/digest.ts'
import { limits } from '../protocol/limits.ts'
import { policySchema, type Policy } from '../protocol/policy.ts'
import type { HaltReason, TerminationReason, Violation } from '../protocol/reasons.ts'
import type { Registry } from '../protocol/registry.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { WindowEntry } from '../protocol/snapshot.ts'
import { approveRegistry } from '../verify/screen/approve.ts'
import { appendAudit, createAuditTable, readAudit } from './audit-log.ts'
import type {
  AgentRecord,
  AgentStatus,
  AuditEntry,
  AuthorityQuestion,
  CellAnswer,
  CellStatus,
  EnqueueAnswer,
  IdempotencyAnswer,
  IdempotencyClaim,
  QueueEntry,
  SessionEnd,
  SiteHubApi,
  SiteSettings,
  SnapshotAnswer,
} from './contracts.ts'
import type { Env } from './env.ts'
import { authorityFor } from './hub/authority.ts'
import { endBinding, reserve, settle } from './hub/bindings.ts'
import { answerSnapshot, claimKey, readSettings, rememberWindow } from './hub/door.ts'
import { answerFor, armCell, cellStatus, clearCell, disarmCell } from './hub/people.ts'
import { enrol } from './hub/enrol.ts'
import { endSession, planReviewOf, sessionOf } from './hub/neighbours.ts'
import { openSiteKey, putSiteKey } from './hub/site-keys.ts'
import { enqueuePlan, queuedPlans, waiting } from './hub/queue.ts'
import { PresenceSockets } from './hub/presence-sockets.ts'
import { HubStore, type BindingRow } from './hub/store.ts'

/** A review that does not answer is asked again, ever less often. */
const bindRetryMs = 1_000
const bindRetryMsMax = 60_000

const randomBytes = (): Uint8Array => crypto.getRandomValues(new Uint8Array(26))

export class SiteHub extends DurableObject<Env> implements SiteHubApi {
  private readonly store: HubStore
  private readonly presence: PresenceSockets
  private dispatching: Promise<void> | null = null
  private dispatchAgain = false

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.store = new HubStore(ctx.storage.sql)
    createAuditTable(ctx.storage.sql)
    this.presence = new PresenceSockets(ctx, this.store)
    // Alarms can be lost with the machine: an unfinished binding always has one.
    const open = this.store.bindings('binding').length + queuedPlans(this.store)
    if (open > 0) void ctx.blockConcurrencyWhile(() => this.wake(0))
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

  async putRegistry(
    registry: Registry,
    by: string,
  ): Promise<
    Result<{ registry_digest: string; quarantined: string[] }, { violations: Violation[] }>
  > {
    const approval = approveRegistry(registry)
    if (approval.violations.length > 0) return err({ violations: approval.violations })
    const registryDigest = await digest('registry', registry)
    const before = this.store.get('registry_digest')
    this.store.set('registry', JSON.stringify(registry))
    this.store.set('registry_digest', registryDigest)
    this.store.set('quarantined', JSON.stringify(approval.quarantined))
    if (before !== null && before !== registryDigest) {
      this.store.raiseEpoch('registry_changed', by, Date.now())
    }
    await this.trail(by, 'registry_approved', { registry_digest: registryDigest })
    this.presence.tellRegistry(registry, registryDigest)
    return ok({ registry_digest: registryDigest, quarantined: approval.quarantined })
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
    this.store.sql.exec('UPDATE agents SET revoked = 1 WHERE agent = ?', agent)
    await this.trail(by, 'agent_revoked', { agent })
    this.presence.disconnect(agent)
    await this.endSessionsOf((binding) => binding.agent === agent, 'agent_revoked', by)
    return true
  }

  async revokePlanner(planner: string, by: string): Promise<void> {
    this.store.sql.exec(
      'INSERT OR REPLACE INTO revoked_planners (planner, by, at_ms) VALUES (?, ?, ?)',
      planner,
      by,
      Date.now(),
    )
    const queued = waiting(this.store, Date.now()).filter((entry) => entry.planner === planner)
    // Out of the queue in the same turn: what was submitted before cannot be dispatched any more.
    for (const { plan } of queued) this.store.sql.exec('DELETE FROM queue WHERE plan = ?', plan)
    await this.trail(by, 'planner_revoked', { planner })
    const told = await Promise.allSettled([
      this.endSessionsOf((row) => row.planner === planner, 'capability_revoked', by),
      ...queued.map((entry) => this.planReview(entry.plan).withdraw(by)),
    ])
    // Asked again by the door when the person repeats the revocation.
    for (const one of told) if (one.status === 'rejected') throw one.reason
  }

  // ---------- cells and people ----------

  cells(): Promise<CellStatus[]> {
    return Promise.resolve(this.store.cells().map((cell) => cellStatus(this.store, cell)))
  }

  agents(): Promise<AgentStatus[]> {
    const online = this.presence.online()
    return Promise.resolve(
      this.store
        .agents()
        .map(({ jwk: _jwk, ...row }) => ({ ...row, online: online.has(row.agent) })),
    )
  }

  async arm(cell: string, until_ms: number, by: string): Promise<CellAnswer> {
    const answer = armCell(this.store, cell, { until_ms, by, now_ms: Date.now() })
    if (answer.ok) {
      await this.trail(by, 'cell_armed', { cell, until_ms: answer.value.armed_until_ms })
      await this.dispatch()
    }
    return answer.ok ? answerFor(this.store, cell) : answer
  }

  async disarm(cell: string, by: string): Promise<CellAnswer> {
    const answer = disarmCell(this.store, cell)
    if (answer.ok) await this.trail(by, 'cell_disarmed', { cell })
    return answer
  }

  async clear(cell: string, note: string, by: string): Promise<CellAnswer> {
    const answer = clearCell(this.store, cell, note)
    if (answer.ok) {
      await this.trail(by, 'cell_cleared', { cell, note })
      await this.dispatch()
    }
    return answer
  }

  async stopCell(cell: string, by: string): Promise<CellAnswer> {
    const session = this.store.cell(cell)?.session
    if (session === undefined) return err({ reason: 'cell_unknown' })
    disarmCell(this.store, cell)
    await this.trail(by, 'cell_stopped', { cell })
    const reason = 'stopped_by_person'
    if (session !== null) await endSession(this.env, this.store, { session, reason, by })
    return answerFor(this.store, cell)
  }

  async stopSite(by: string): Promise<{ stopped: string[] }> {
    this.store.raiseEpoch('stopped_by_person', by, Date.now())
    await this.trail(by, 'site_stopped', { epoch: this.store.epoch() })
    const cells = this.store.cells()
    for (const { cell } of cells) disarmCell(this.store, cell)
    // One unreachable session must not keep the others from being stopped.
    await Promise.allSettled(cells.map(({ cell }) => this.stopCell(cell, by)))
    return { stopped: cells.flatMap(({ session }) => (session === null ? [] : [session])) }
  }

  // ---------- plans ----------

  snapshot(have: { registry_digest: string } | null): Promise<SnapshotAnswer | null> {
    return Promise.resolve(answerSnapshot(this.store, have, Date.now()))
  }

  claimKey(claim: IdempotencyClaim): Promise<IdempotencyAnswer> {
    return Promise.resolve(claimKey(this.store, claim))
  }

  remember(entry: WindowEntry): Promise<void> {
    rememberWindow(this.store, entry, Date.now())
    return Promise.resolve()
  }

  async enqueue(entry: QueueEntry): Promise<EnqueueAnswer> {
    const answer = enqueuePlan(this.store, entry, Date.now())
    if (!answer.ok) return answer
    if (answer.value === 'new') {
      await this.trail('gateway', 'plan_queued', { plan: entry.plan })
      await this.wake(0)
    }
    return ok(undefined)
  }

  async dequeue(plan: string): Promise<void> {
    const gone = this.store.sql.exec('DELETE FROM queue WHERE plan = ?', plan).rowsWritten
    if (gone > 0) await this.trail('gateway', 'plan_dequeued', { plan })
  }

  mayActuate(ask: AuthorityQuestion): Promise<Result<void, { reason: TerminationReason }>> {
    return Promise.resolve(authorityFor(this.store, ask, Date.now()))
  }

  async sessionEnded(end: SessionEnd): Promise<void> {
    if (!endBinding(this.store, end)) return
    await this.trail('gateway', 'session_ended', {
      session: end.session,
      status: end.status,
      reason: end.reason,
      latched: end.latch,
    })
    await this.wake(0)
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
    await this.dispatch()
  }

  /** Runs one dispatch at a time; a call during one asks for another round. */
  private async dispatch(): Promise<void> {
    if (this.dispatching !== null) {
      this.dispatchAgain = true
      return this.dispatching
    }
    this.dispatching = this.dispatchRounds()
    try {
      await this.dispatching
    } finally {
      this.dispatching = null
    }
  }

  private async dispatchRounds(): Promise<void> {
    do {
      this.dispatchAgain = false
      const unfinished = this.store.bindings('binding')
      const fresh = reserve(this.store, this.presence.online(), {
        now_ms: Date.now(),
        random: randomBytes,
      })
      // Durable before anyone is asked, with an alarm that asks again after a crash.
      if (unfinished.length + fresh.length > 0) await this.wake(5_000)
      // Side by side: a review that does not answer holds up its own cell alone.
      await Promise.all([...unfinished, ...fresh].map((row) => this.bind(row)))
    } while (this.dispatchAgain)
  }

  private async bind(row: BindingRow): Promise<void> {
    const snapshot = answerSnapshot(this.store, null, Date.now())?.snapshot
    const registry = this.store.registry()
    if (snapshot === undefined || registry === null) return
    try {
      const answer = await this.planReview(row.plan).bind({
        session: row.session,
        cell: row.cell,
        agent: row.agent,
        agent_jkt: row.agent_jkt,
        snapshot: { ...snapshot, registry: registry.registry },
        now_ms: Date.now(),
      })
      // The await let other events in: someone may have stopped what has only now come to exist.
      const stop = this.store.bindingOf(row.session)?.stop_reason ?? null
      if (answer.ok && stop !== null) {
        await sessionOf(this.env, this.store, row.session).stop(stop, 'gateway')
      }
      const state = answer.ok ? 'bound' : 'refused'
      if (!settle(this.store, row, state)) return
      if (answer.ok && stop === null) this.presence.assign(row.agent, row.session)
      if (!answer.ok) this.dispatchAgain = true
      await this.trail('gateway', `bind_${state}`, {
        plan: row.plan,
        session: row.session,
        cell: row.cell,
        ...(answer.ok ? { ctx: answer.value.ctx } : { reason: answer.error.reason }),
      })
    } catch (cause) {
      // Not known whether the session exists: the alarm asks again with the same id.
      this.store.sql.exec(
        'UPDATE bindings SET attempts = attempts + 1 WHERE session = ?',
        row.session,
      )
      console.error(`bind ${row.plan}: ${String(cause)}`)
      await this.wake(Math.min(bindRetryMsMax, bindRetryMs * 2 ** Math.min(row.attempts, 10)))
    }
  }

  /** Ends what runs, or is about to, in the cells whose binding answers to `which`. */
  private async endSessionsOf(
    which: (row: BindingRow) => boolean,
    reason: HaltReason,
    by: string,
  ): Promise<void> {
    const rows = [...this.store.bindings('binding'), ...this.store.bindings('bound')].filter(which)
    const ended = await Promise.allSettled(
      rows.map(({ session }) => endSession(this.env, this.store, { session, reason, by })),
    )
    for (const one of ended) if (one.status === 'rejected') throw one.reason
  }

  private planReview(plan: string) {
    return planReviewOf(this.env, this.store, plan)
  }

  private async wake(delay_ms: number): Promise<void> {
    const at = Date.now() + delay_ms
    const current = await this.ctx.storage.getAlarm()
    if (current === null || current > at) await this.ctx.storage.setAlarm(at)
  }

  private async trail(actor: string, event: string, facts: AuditEntry['facts']): Promise<void> {
    await appendAudit(this.store.sql, { at_ms: Date.now(), actor, event, facts })
  }

  // ---------- presence sockets ----------

  /** The upgrade, already authenticated by the door (x-portcullis-* headers are its own). */
  override fetch(request: Request): Response {
    return this.presence.upgrade(request)
  }

  override async webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    const change = await this.presence.message(socket, data)
    if (change === 'health') await this.dispatch()
  }

  override async webSocketClose(): Promise<void> {
    await this.wake(0)
  }
}
