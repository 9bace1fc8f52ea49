// One per site: agents, cells, arming, clearance, the queue, the revocation epoch and the sliding
// window. A thin shell: choices are made in contain/dispatch and contain/authority, storage is in
// hub/. RPC methods answer refusals as values.
import { DurableObject } from 'cloudflare:workers'
import { mayActuate } from '../contain/authority.ts'
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
  Authority,
  CellAnswer,
  CellStatus,
  IdempotencyAnswer,
  IdempotencyClaim,
  QueueEntry,
  SessionEnd,
  SiteHubApi,
  SiteSettings,
  SnapshotAnswer,
} from './contracts.ts'
import type { Env } from './env.ts'
import { endBinding, reserve, settle } from './hub/bindings.ts'
import { claimKey, readSettings, rememberWindow, takeSnapshot } from './hub/door.ts'
import { answerFor, armCell, cellStatus, clearCell, disarmCell } from './hub/people.ts'
import { endSessionIn, planReviewOf } from './hub/neighbours.ts'
import { openSiteKey, putSiteKey } from './hub/site-keys.ts'
import { PresenceSockets } from './hub/presence-sockets.ts'
import { HubStore, type BindingRow } from './hub/store.ts'

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
    if (this.store.bindings('binding').length > 0) void this.wake(0)
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
    const rows = this.store.agents()
    const live = rows.filter((row) => !row.revoked && row.agent !== agent.agent)
    if (live.length >= limits.agentsPerSiteMax) return err({ reason: 'too_many_agents' })
    if (live.some((row) => row.cell === agent.cell)) return err({ reason: 'cell_taken' })
    this.store.sql.exec(
      `INSERT OR REPLACE INTO agents (agent, cell, jkt, jwk) VALUES (?, ?, ?, ?)`,
      agent.agent,
      agent.cell,
      agent.jkt,
      JSON.stringify(agent.jwk),
    )
    this.store.sql.exec('INSERT OR IGNORE INTO cells (cell) VALUES (?)', agent.cell)
    await this.trail(by, 'agent_enrolled', { agent: agent.agent, cell: agent.cell, jkt: agent.jkt })
    return ok(undefined)
  }

  async revokeAgent(agent: string, by: string): Promise<boolean> {
    const row = this.store.agent(agent)
    if (row === null) return false
    this.store.sql.exec('UPDATE agents SET revoked = 1 WHERE agent = ?', agent)
    await this.trail(by, 'agent_revoked', { agent })
    this.presence.disconnect(agent)
    await this.endSessionOf(row.cell, 'agent_revoked', by)
    return true
  }

  async revokePlanner(planner: string, by: string): Promise<void> {
    this.store.sql.exec(
      'INSERT OR REPLACE INTO revoked_planners (planner, by, at_ms) VALUES (?, ?, ?)',
      planner,
      by,
      Date.now(),
    )
    await this.trail(by, 'planner_revoked', { planner })
    const queued = this.store.sql
      .exec<{ entry: string }>('SELECT entry FROM queue')
      .toArray()
      .map((row) => JSON.parse(row.entry) as QueueEntry)
      .filter((entry) => entry.planner === planner)
    for (const entry of queued) await this.planReview(entry.plan).withdraw(by)
    for (const binding of this.store.bindings('bound')) {
      if (binding.planner === planner) {
        await this.endSessionOf(binding.cell, 'capability_revoked', by)
      }
    }
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
    if (this.store.cell(cell) === null) return err({ reason: 'cell_unknown' })
    disarmCell(this.store, cell)
    await this.trail(by, 'cell_stopped', { cell })
    await this.endSessionOf(cell, 'stopped_by_person', by)
    return answerFor(this.store, cell)
  }

  async stopSite(by: string): Promise<{ stopped: string[] }> {
    this.store.raiseEpoch('stopped_by_person', by, Date.now())
    await this.trail(by, 'site_stopped', { epoch: this.store.epoch() })
    const running = this.store.cells().filter((cell) => cell.session !== null)
    // One unreachable session must not keep the others from being stopped.
    await Promise.allSettled(running.map((cell) => this.stopCell(cell.cell, by)))
    return { stopped: running.flatMap((cell) => (cell.session === null ? [] : [cell.session])) }
  }

  // ---------- plans ----------

  snapshot(have: { registry_digest: string } | null): Promise<SnapshotAnswer | null> {
    const snapshot = takeSnapshot(this.store, have, Date.now())
    return Promise.resolve(snapshot === null ? null : { snapshot, queued: this.queued() })
  }

  claimKey(claim: IdempotencyClaim): Promise<IdempotencyAnswer> {
    return Promise.resolve(claimKey(this.store, claim))
  }

  remember(entry: WindowEntry): Promise<void> {
    rememberWindow(this.store, entry, Date.now())
    return Promise.resolve()
  }

  async enqueue(
    entry: QueueEntry,
  ): Promise<Result<void, { reason: 'queue_full' | 'shadow_mode' }>> {
    if (this.store.policy()?.policy.mode === 'shadow') return err({ reason: 'shadow_mode' })
    if (this.queued() >= limits.queuedPlansMax) return err({ reason: 'queue_full' })
    const bound = this.store.sql.exec('SELECT 1 FROM bindings WHERE plan = ?', entry.plan).toArray()
    if (bound.length === 0) {
      this.store.sql.exec(
        'INSERT OR IGNORE INTO queue (plan, entry, enqueued_ms) VALUES (?, ?, ?)',
        entry.plan,
        JSON.stringify(entry),
        Date.now(),
      )
      await this.trail('gateway', 'plan_queued', { plan: entry.plan })
      await this.wake(0)
    }
    return ok(undefined)
  }

  private queued(): number {
    return this.store.sql.exec<{ n: number }>('SELECT COUNT(*) AS n FROM queue').one().n
  }

  async dequeue(plan: string): Promise<void> {
    const gone = this.store.sql.exec('DELETE FROM queue WHERE plan = ?', plan).rowsWritten
    if (gone > 0) await this.trail('gateway', 'plan_dequeued', { plan })
  }

  mayActuate(ask: Authority): Promise<Result<void, { reason: TerminationReason }>> {
    const current = this.store.registry()
    const binding = this.store.bindingOf(ask.session)
    if (current === null || binding === null) {
      return Promise.resolve(err({ reason: 'session_mismatch' as const }))
    }
    const answer = mayActuate(
      ask,
      {
        epoch: this.store.epoch(),
        epoch_reason: this.store.epochReason(ask.epoch),
        cell: this.store.cell(ask.cell),
        agent: this.store.agent(binding.agent),
        planner_revoked: this.store.plannerRevokedSince(ask.planner, binding.started_ms),
        registry: current.registry,
      },
      Date.now(),
    )
    return Promise.resolve(answer)
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
      for (const row of [...unfinished, ...fresh]) await this.bind(row)
    } while (this.dispatchAgain)
  }

  private async bind(row: BindingRow): Promise<void> {
    const snapshot = takeSnapshot(this.store, null, Date.now())
    const registry = this.store.registry()
    if (snapshot === null || registry === null) return
    try {
      const answer = await this.planReview(row.plan).bind({
        session: row.session,
        cell: row.cell,
        agent: row.agent,
        agent_jkt: row.agent_jkt,
        snapshot: { ...snapshot, registry: registry.registry },
        now_ms: Date.now(),
      })
      const state = answer.ok ? 'bound' : 'refused'
      settle(this.store, row, state)
      await this.trail('gateway', `bind_${state}`, {
        plan: row.plan,
        session: row.session,
        cell: row.cell,
        ...(answer.ok ? { ctx: answer.value.ctx } : { reason: answer.error.reason }),
      })
      if (answer.ok) this.presence.assign(row.agent, row.session)
      else this.dispatchAgain = true
    } catch (cause) {
      // Not known whether the session exists: the alarm asks again with the same id.
      this.store.sql.exec('UPDATE bindings SET attempts = attempts + 1 WHERE plan = ?', row.plan)
      console.error(`bind ${row.plan}: ${String(cause)}`)
      await this.wake(1_000)
    }
  }

  private endSessionOf(cell: string, reason: HaltReason, by: string): Promise<void> {
    return endSessionIn(this.env, this.store, { cell, reason, by })
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
