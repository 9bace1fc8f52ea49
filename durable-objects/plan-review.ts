// One per plan, also per blocked plan: the pipeline run from its alarm, opinions checkpointed one by
// one, the packet, the human review, the decision and the binding. Eviction, disconnect or restart
// at any point: the alarm goes on from what is stored (invariants 3, 4, 7, 8).
import { DurableObject } from 'cloudflare:workers'
import { digest } from '../protocol/digest.ts'
import type { Decision, Packet } from '../protocol/records.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { decide, type MachineDecision } from '../verify/decide/decide.ts'
import { resolve } from '../verify/decide/resolve.ts'
import { packetExpiry } from '../verify/decide/route.ts'
import { screen } from '../verify/screen/index.ts'
import { limits } from '../protocol/limits.ts'
import { objectName } from '../protocol/ids.ts'
import { appendAudit, createAuditTable, readAudit } from './audit-log.ts'
import type {
  AuditEntry,
  BindAnswer,
  BindRequest,
  PlanReviewApi,
  PlanState,
  PlanStatus,
  ReviewRecord,
  ReviewRefusal,
  SessionEnd,
  StartSpec,
} from './contracts.ts'
import type { Env } from './env.ts'
import { compareAndBind, queueEntry, toolsOf } from './review/binding.ts'
import { judgeStored, type Judged } from './review/judging.ts'
import { announce, rememberOutcome } from './review/announce.ts'
import { ownVersion, recordOf } from './review/record.ts'
import { flushOutbox } from './review/outbox.ts'
import { ReviewStore } from './review/store.ts'
import { nextWake, remindReviewers } from './review/times.ts'

export class PlanReview extends DurableObject<Env> implements PlanReviewApi {
  private readonly store: ReviewStore

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.store = new ReviewStore(ctx.storage.sql)
    createAuditTable(ctx.storage.sql)
    // A lost alarm must not leave a plan unjudged.
    if (this.store.state() === 'judging') void this.wake(Date.now())
  }

  // ---------- intake ----------

  async start(spec: StartSpec): Promise<PlanStatus> {
    const known = this.store.status()
    if (known !== null) return known
    this.store.putSpec(spec)
    this.store.setState('judging')
    await this.trail('gateway', 'plan_received', {
      plan_digest: spec.plan_digest,
      planner: spec.submitter.planner,
      floor: spec.floor.level,
      snapshot_digest: spec.floor.snapshot_digest,
    })
    if (spec.plan.supersedes !== undefined) {
      this.store.post(
        'withdraw_ancestor',
        { plan: spec.plan.supersedes, by: spec.submitter.planner },
        { due_ms: Date.now() },
      )
    }
    // A block needs no model: it is decided here and now.
    if (spec.floor.level === 'block') {
      await this.conclude({
        grounding: null,
        opinions: [],
        chief: null,
        memory: [],
        citations: [],
        graph_version: null,
        depth: { required: 1, seats: 0, short: null, expected: [], reads_only: false },
      })
    }
    announce(this.store, Date.now())
    await this.wake(Date.now())
    return this.must()
  }

  status(): Promise<PlanStatus | null> {
    return Promise.resolve(this.store.status())
  }

  record(): Promise<ReviewRecord | null> {
    const own = ownVersion(this.store)
    return own === null ? Promise.resolve(null) : recordOf(this.store, this.env, own)
  }

  version(): Promise<string | null> {
    const own = ownVersion(this.store)
    return Promise.resolve(own === null ? null : JSON.stringify(own))
  }

  audit(after: number): Promise<AuditEntry[]> {
    return Promise.resolve(readAudit(this.store.sql, after, limits.auditEntriesPerPage))
  }

  // ---------- pipeline ----------

  override async alarm(): Promise<void> {
    const spec = this.store.spec()
    if (spec === null) return
    try {
      if (this.store.state() === 'judging') {
        const judged = await judgeStored(this.store, spec, this.env)
        // The await let other events in: a withdrawal meanwhile stands.
        if (this.store.state() === 'judging') await this.conclude(judged)
      }
      await this.expireIfDue(Date.now())
    } catch (cause) {
      // Never lose the plan to a failure of ours: the next alarm tries again.
      console.error(`review ${spec.plan_id}: ${String(cause)}`)
      this.store.set('failures', String((this.store.number('failures') ?? 0) + 1))
    }
    await flushOutbox(this.store, this.env, { site: spec.submitter.site, now_ms: Date.now() })
    await this.rearm()
  }

  /** Closes the packet and decides; durable in one turn together with what must be told. */
  private async conclude(judged: Judged): Promise<void> {
    const spec = this.mustSpec()
    const now_ms = Date.now()
    const policy = spec.snapshot.policy
    const machine = decide({ ...judged, floor: spec.floor, policy })
    const packet: Packet = {
      plan_digest: spec.plan_digest,
      floor: spec.floor,
      ...judged,
      registry_digest: spec.snapshot.registry_digest,
      policy_version: spec.snapshot.policy_version,
      expires: packetExpiry(machine, policy, now_ms),
    }
    const packet_digest = await digest('packet', packet)
    this.store.set('packet', JSON.stringify(packet))
    this.store.set('packet_digest', packet_digest)
    this.store.set('classification', machine.classification)
    await this.trail('gateway', 'packet_closed', { packet_digest, verdict: machine.verdict })
    if (machine.verdict === 'escalate') {
      await this.escalate(packet, packet_digest, machine)
      return
    }
    await this.decideFinal(
      {
        packet_digest,
        verdict: machine.verdict,
        reasons: machine.reasons,
        approvals: [],
        valid_until: now_ms + policy.decision_valid_ms,
      },
      machine.verdict === 'accept' ? 'accepted' : 'rejected',
    )
  }

  private async escalate(
    packet: Packet,
    digestOf: string,
    machine: MachineDecision,
  ): Promise<void> {
    const decision: Decision = {
      packet_digest: digestOf,
      verdict: 'escalate',
      reasons: machine.reasons,
      approvals: [],
      valid_until: packet.expires,
    }
    await this.putDecision(decision, 'escalated')
    rememberOutcome(this.store, Date.now())
    remindReviewers(this.store, Date.now())
  }

  private async decideFinal(decision: Decision, state: PlanState): Promise<void> {
    await this.putDecision(decision, state)
    const spec = this.mustSpec()
    rememberOutcome(this.store, Date.now())
    const enforce = spec.snapshot.policy.mode === 'enforce'
    if (state === 'accepted' && enforce && spec.plan.nodes.length > 0) {
      this.store.setState('queued')
      this.store.post('enqueue', queueEntry(spec, decision.valid_until), { due_ms: Date.now() })
      announce(this.store, Date.now())
    }
    await this.wake(Date.now())
  }

  private async putDecision(decision: Decision, state: PlanState): Promise<void> {
    const decision_digest = await digest('decision', decision)
    this.store.set('decision', JSON.stringify(decision))
    this.store.set('decision_digest', decision_digest)
    this.store.set('decided_ms', String(Date.now()))
    this.store.setState(state)
    await this.trail('gateway', 'decided', {
      verdict: decision.verdict,
      reasons: decision.reasons,
      decision_digest,
    })
    announce(this.store, Date.now())
  }

  /** What time alone does: an unanswered review rejects, an unused acceptance runs out. */
  private async expireIfDue(now_ms: number): Promise<void> {
    const state = this.store.state()
    const packet = this.store.packet()
    const decision = this.store.decision()
    if (packet === null || decision === null) return
    if (state === 'escalated') {
      if (now_ms >= packet.expires) {
        await this.decideFinal(
          { ...decision, verdict: 'reject', reasons: ['review_expired'], valid_until: now_ms },
          'expired',
        )
        return
      }
      const due = this.store.number('next_reminder_ms')
      if (due !== null && due <= now_ms) remindReviewers(this.store, now_ms)
    }
    if ((state === 'queued' || state === 'accepted') && now_ms >= decision.valid_until) {
      this.store.setState('expired')
      this.store.post('dequeue', { plan: this.mustSpec().plan_id }, { due_ms: now_ms })
      await this.trail('gateway', 'decision_expired', {})
      announce(this.store, now_ms)
    }
  }

  // ---------- people ----------

  async resolve(review: {
    approver: string
    verdict: 'accept' | 'reject'
    rationale: string
    packet_digest: string
  }): Promise<Result<PlanStatus, { reason: ReviewRefusal }>> {
    const spec = this.store.spec()
    const packet = this.store.packet()
    const packet_digest = this.store.get('packet_digest')
    if (spec === null || packet === null || packet_digest === null) {
      return err({ reason: spec === null ? 'not_found' : 'not_escalated' })
    }
    const now_ms = Date.now()
    const state = this.store.state()
    if (state !== 'escalated') {
      const reason =
        review.packet_digest !== packet_digest ? 'stale_packet' : this.lateReason(state)
      return err({ reason })
    }
    const resolved = resolve({
      packet,
      packet_digest,
      policy: spec.snapshot.policy,
      owner: spec.submitter.owner,
      approvals: this.store.approvals(),
      review,
      now_ms,
    })
    if (!resolved.ok) return err({ reason: resolved.error })
    const last = resolved.value.approvals.at(-1)
    if (last === undefined || !this.store.putApproval(last)) return err({ reason: 'same_approver' })
    await this.trail(review.approver, 'reviewed', { verdict: review.verdict, packet_digest })
    const { verdict, reasons, approvals, valid_until } = resolved.value
    if (valid_until !== null) {
      await this.decideFinal(
        { packet_digest, verdict, reasons, approvals, valid_until },
        verdict === 'accept' ? 'accepted' : 'rejected',
      )
    }
    return ok(this.must())
  }

  private lateReason(state: PlanState | null): ReviewRefusal {
    if (state === 'expired') return 'expired'
    return this.store.approvals().length > 0 ? 'already_resolved' : 'not_escalated'
  }

  async withdraw(by: string): Promise<Result<PlanStatus, { reason: 'not_found' | 'too_late' }>> {
    const state = this.store.state()
    const spec = this.store.spec()
    if (state === null || spec === null) return err({ reason: 'not_found' })
    if (state === 'withdrawn') return ok(this.must())
    if (!['judging', 'escalated', 'accepted', 'queued'].includes(state)) {
      return err({ reason: 'too_late' })
    }
    this.store.setState('withdrawn')
    this.store.post('dequeue', { plan: spec.plan_id }, { due_ms: Date.now() })
    await this.trail(by, 'withdrawn', {})
    announce(this.store, Date.now())
    await this.wake(Date.now())
    return ok(this.must())
  }

  // ---------- binding ----------

  async bind(request: BindRequest): Promise<BindAnswer> {
    const spec = this.store.spec()
    const packet = this.store.packet()
    const decision = this.store.decision()
    const decision_digest = this.store.get('decision_digest')
    if (spec === null || packet === null || decision === null || decision_digest === null) {
      return err({ reason: 'not_accepted' })
    }
    const before = this.store.context()
    if (before === null) {
      const state = this.store.state()
      if (state === 'withdrawn') return err({ reason: 'withdrawn' })
      if (state !== 'queued') return err({ reason: 'not_accepted' })
      const others = request.snapshot.window.filter((entry) => entry.plan !== spec.plan_id)
      const floor = await screen(
        spec.plan,
        { ...request.snapshot, window: others },
        spec.submitter,
        request.now_ms,
      )
      const context = compareAndBind({ spec, packet, decision, decision_digest, floor }, request)
      if (!context.ok) {
        this.store.set('bind_refusal', context.error.reason)
        this.store.setState('expired')
        await this.trail('gateway', 'bind_refused', { reason: context.error.reason })
        announce(this.store, Date.now())
        await this.wake(Date.now())
        return context
      }
      // Durable before the session exists: a retry opens the very same context.
      this.store.set('context', JSON.stringify(context.value))
      this.store.set('session', request.session)
      this.store.set('bound_ms', String(request.now_ms))
      this.store.setState('bound')
      await this.trail('gateway', 'bound', { session: request.session, cell: request.cell })
    } else if (before.session !== request.session) {
      return err({ reason: 'already_bound' })
    }
    const context = before ?? this.store.context()
    if (context === null) throw new TypeError('a bound plan has a context')
    const stub = this.env.EXECUTION_SESSION.get(
      this.env.EXECUTION_SESSION.idFromName(objectName(spec.submitter.site, context.session)),
    )
    const opened = await stub.open({
      context,
      plan_id: spec.plan_id,
      plan_digest: spec.plan_digest,
      decision,
      tools: toolsOf(spec),
      planner: spec.submitter.planner,
      epoch: spec.snapshot.epoch,
      now_ms: this.store.number('bound_ms') ?? request.now_ms,
    })
    announce(this.store, Date.now())
    await this.wake(Date.now())
    if (!opened.ok) {
      return err({
        reason: opened.error.reason === 'other_context' ? 'already_bound' : 'decision_expired',
      })
    }
    return ok({ ctx: opened.value.ctx })
  }

  async sessionEnded(end: SessionEnd): Promise<void> {
    if (this.store.get('session') !== end.session || this.store.state() !== 'bound') return
    this.store.setState(end.status)
    this.store.set('session_reason', end.reason ?? '')
    if (end.reason === null) this.store.sql.exec(`DELETE FROM facts WHERE key = 'session_reason'`)
    if (end.node !== null) this.store.set('failed_node', end.node)
    this.store.set('ended_ms', String(end.ended_ms))
    await this.trail('gateway', 'session_ended', { status: end.status, reason: end.reason })
    rememberOutcome(this.store, Date.now())
    announce(this.store, Date.now())
    await this.wake(Date.now())
  }

  // ---------- housekeeping ----------

  private must(): PlanStatus {
    const status = this.store.status()
    if (status === null) throw new TypeError('a started plan has a status')
    return status
  }

  private mustSpec(): StartSpec {
    const spec = this.store.spec()
    if (spec === null) throw new TypeError('a started plan has a spec')
    return spec
  }

  private async trail(actor: string, event: string, facts: AuditEntry['facts']): Promise<void> {
    await appendAudit(this.store.sql, { at_ms: Date.now(), actor, event, facts })
  }

  private async wake(at_ms: number): Promise<void> {
    const current = await this.ctx.storage.getAlarm()
    if (current === null || current > at_ms) await this.ctx.storage.setAlarm(at_ms)
  }

  /** Sets the next alarm to whatever is due first. Called last in the handler. */
  private async rearm(): Promise<void> {
    const at = nextWake(this.store, Date.now())
    if (at !== null) await this.ctx.storage.setAlarm(at)
  }
}
