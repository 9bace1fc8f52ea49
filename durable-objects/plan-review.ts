// One per plan, also per blocked plan: the pipeline run from its alarm, opinions checkpointed one by
// one, the packet, the human review, the decision and the binding. Eviction, disconnect or restart
// at any point: the alarm goes on from what is stored (invariants 3, 4, 7, 8).
import { DurableObject } from 'cloudflare:workers'
import { limits } from '../protocol/limits.ts'
import { objectName } from '../protocol/ids.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { resolve } from '../verify/decide/resolve.ts'
import type {
  AuditEntry,
  BindAnswer,
  BindRequest,
  PlanReviewApi,
  PlanStatus,
  ReviewRecord,
  ReviewRefusal,
  SessionEnd,
  StartSpec,
} from './contracts.ts'
import type { Env } from './env.ts'
import { announce, rememberOutcome } from './review/announce.ts'
import { bindOnce, openSpecOf } from './review/bind-once.ts'
import {
  blockedUnjudged,
  conclude,
  decideFinal,
  expireIfDue,
  judgingFailuresMax,
  leaveQueue,
  refuseBinding,
  unjudged,
} from './review/decided.ts'
import { callsPage } from './review/calls.ts'
import { judgeStored } from './review/judging.ts'
import { flushOutbox, toldFirst } from './review/outbox.ts'
import { evidenceOf, ownVersion, recordOf } from './review/record.ts'
import { ReviewStore } from './review/store.ts'
import { nextWake } from './review/times.ts'
import { siteMovedOn } from './review/outdated.ts'

export class PlanReview extends DurableObject<Env> implements PlanReviewApi {
  private readonly store: ReviewStore
  /** Ends the judges' work when its outcome can no longer matter. */
  private judging: AbortController | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.store = new ReviewStore(ctx.storage.sql)
    // A lost alarm must not leave a plan unjudged, unexpired or untold.
    void ctx.blockConcurrencyWhile(async () => {
      const at = nextWake(this.store, Date.now())
      if (at !== null) await this.wake(at)
    })
  }

  // ---------- intake ----------

  async start(spec: StartSpec): Promise<PlanStatus> {
    const known = this.store.status()
    if (known !== null) return known
    return this.settled(async (now_ms) => {
      this.store.putSpec(spec)
      this.store.setState('judging')
      const { plan_digest, submitter, floor } = spec
      await this.trail('gateway', 'plan_received', {
        plan: spec.plan_id,
        plan_digest,
        ...submitter,
        floor: floor.level,
        snapshot_digest: floor.snapshot_digest,
        received_ms: spec.received_ms,
      })
      const { supersedes } = spec.plan
      if (supersedes !== undefined) {
        const body = { plan: supersedes, by: submitter.planner }
        this.store.post('withdraw_ancestor', body, { due_ms: now_ms })
      }
      // A block needs no model: it is decided here and now.
      if (floor.level === 'block') await conclude(this.store, blockedUnjudged, now_ms)
      else announce(this.store, now_ms)
      return this.must()
    })
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

  /** All that the decision rests on, as JSON text for verify/rederive; null before `start`. */
  evidence(): Promise<string | null> {
    return Promise.resolve(evidenceOf(this.store))
  }

  calls(after: number): Promise<string | null> {
    const page = this.store.state() === null ? null : callsPage(this.store, after)
    return Promise.resolve(page === null ? null : JSON.stringify(page))
  }

  audit(after: number): Promise<AuditEntry[]> {
    return Promise.resolve(this.store.auditPage(after, limits.auditEntriesPerPage))
  }

  // ---------- pipeline ----------

  override async alarm(): Promise<void> {
    const site = this.store.status()?.site
    if (site === undefined) return
    try {
      if (this.store.state() === 'judging') await this.judge()
      await this.settled((now_ms) => expireIfDue(this.store, now_ms))
    } catch (cause) {
      // Never lose the plan to a failure of ours: the next alarm tries again.
      console.error(`review: ${String(cause)}`)
      this.store.set('failures', String((this.store.number('failures') ?? 0) + 1))
    }
    await this.flush(site)
    // Last in the handler: an alarm set early would replace the platform's own retries.
    const at = nextWake(this.store, Date.now())
    if (at !== null) await this.ctx.storage.setAlarm(at)
  }

  private async judge(): Promise<void> {
    const spec = this.store.spec()
    if (spec === null) return
    this.judging = new AbortController()
    // A plan that cannot be judged goes to a person; it never waits for ever, nor passes.
    const tired = (this.store.number('failures') ?? 0) >= judgingFailuresMax
    const judged = tired
      ? unjudged(this.store)
      : await judgeStored(this.store, spec, { env: this.env, signal: this.judging.signal })
    await this.settled(async (now_ms) => {
      // The await let other events in: a withdrawal meanwhile stands.
      if (this.store.state() === 'judging') await conclude(this.store, judged, now_ms)
    })
  }

  // ---------- people ----------

  async resolve(review: {
    approver: string
    verdict: 'accept' | 'reject'
    rationale: string
    packet_digest: string
  }): Promise<Result<PlanStatus, { reason: ReviewRefusal }>> {
    if (this.store.state() === null) return err({ reason: 'not_found' })
    const outdated = review.verdict === 'accept' && (await siteMovedOn(this.store, this.env))
    return this.settled(async (now_ms) => {
      // The alarm may be late: what has expired is expired before anything is resolved.
      await expireIfDue(this.store, now_ms)
      const spec = this.store.spec()
      const packet = this.store.packet()
      const packet_digest = this.store.get('packet_digest')
      if (spec === null || packet === null || packet_digest === null) {
        return err({ reason: 'not_escalated' as const })
      }
      if (this.store.state() !== 'escalated') {
        const stale = review.packet_digest !== packet_digest
        return err({ reason: stale ? ('stale_packet' as const) : this.lateReason() })
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
      // A person is not asked to answer for what can no longer be bound; a rejection always counts.
      if (outdated) return err({ reason: 'outdated' as const })
      const { verdict, reasons, approvals, valid_until } = resolved.value
      const last = approvals.at(-1)
      if (last === undefined || !this.store.putApproval(last)) {
        return err({ reason: 'same_approver' as const })
      }
      const facts = { verdict: review.verdict, packet_digest }
      await this.trail(review.approver, 'reviewed', facts)
      if (valid_until !== null) {
        const decision = { packet_digest, verdict, reasons, approvals, valid_until }
        const state = verdict === 'accept' ? 'accepted' : 'rejected'
        await decideFinal(this.store, decision, state, now_ms)
      }
      return ok(this.must())
    })
  }

  /** Why a review of a plan that no longer waits is refused. */
  private lateReason(): ReviewRefusal {
    const decision = this.store.decision()
    if (decision?.reasons.includes('review_expired') === true) return 'expired'
    const resolved = decision !== null && decision.approvals.length > 0
    return resolved ? 'already_resolved' : 'not_escalated'
  }

  async withdraw(by: string): Promise<Result<PlanStatus, { reason: 'not_found' | 'too_late' }>> {
    const state = this.store.state()
    if (state === null) return err({ reason: 'not_found' })
    if (state === 'withdrawn') return ok(this.must())
    if (!['judging', 'escalated', 'accepted', 'queued'].includes(state)) {
      return err({ reason: 'too_late' })
    }
    const now_ms = Date.now()
    this.store.setState('withdrawn')
    leaveQueue(this.store, now_ms)
    await this.trail(by, 'withdrawn', {})
    announce(this.store, now_ms)
    await this.wake(now_ms)
    this.judging?.abort()
    return ok(this.must())
  }

  // ---------- binding ----------

  async bind(request: BindRequest): Promise<BindAnswer> {
    const bound = await bindOnce(this.store, request, Math.max(request.now_ms, Date.now()))
    await this.wake(Date.now())
    if (!bound.ok) return bound
    const spec = openSpecOf(this.store)
    const { site, session } = spec.context
    const stub = this.env.EXECUTION_SESSION.getByName(objectName(site, session))
    const opened = await stub.open(spec)
    if (opened.ok) return ok({ ctx: opened.value.ctx })
    // No usable signing key is an outage of the deployment: the hub asks again with the same session.
    if (opened.error.reason === 'keys_missing') throw new Error('no signing key')
    const reasons = {
      other_context: 'already_bound',
      deadline_passed: 'decision_expired',
      context_invalid: 'not_accepted',
    } as const
    const reason = reasons[opened.error.reason]
    // The await let other events in: an end that was reported meanwhile stands.
    if (this.store.state() === 'bound') await refuseBinding(this.store, reason, Date.now())
    await this.wake(Date.now())
    return err({ reason })
  }

  async sessionEnded(end: SessionEnd): Promise<void> {
    if (this.store.get('session') !== end.session || this.store.state() !== 'bound') return
    await this.settled(async (now_ms) => {
      this.store.setState(end.status)
      if (end.reason !== null) this.store.set('session_reason', end.reason)
      if (end.node !== null) this.store.set('failed_node', end.node)
      this.store.set('ended_ms', String(end.ended_ms))
      await this.trail('gateway', 'session_ended', { status: end.status, reason: end.reason })
      rememberOutcome(this.store, now_ms)
      announce(this.store, now_ms)
    })
  }

  // ---------- housekeeping ----------

  /**
   * One change of state together with what the next request must already know: failure memory and the
   * window. Nobody sees the change before they were told, or could not be reached in time.
   */
  private async settled<T>(work: (now_ms: number) => Promise<T>): Promise<T> {
    const done = await this.ctx.blockConcurrencyWhile(async () => {
      // A throw in here would reset the object; it is an ordinary failure of its caller instead.
      try {
        const value = await work(Date.now())
        const site = this.store.status()?.site
        if (site !== undefined) await this.flush(site, toldFirst)
        return { ok: true as const, value }
      } catch (cause) {
        return { ok: false as const, cause }
      }
    })
    const at = nextWake(this.store, Date.now())
    if (at !== null) await this.wake(at)
    if (!done.ok) throw done.cause
    return done.value
  }

  private flush(site: string, only?: typeof toldFirst): Promise<void> {
    return flushOutbox(this.store, this.env, { site, now_ms: Date.now(), only: only ?? null })
  }

  private must(): PlanStatus {
    const status = this.store.status()
    if (status === null) throw new TypeError('a started plan has a status')
    return status
  }

  private trail(actor: string, event: string, facts: AuditEntry['facts']): Promise<void> {
    return this.store.trail({ at_ms: Date.now(), actor, event, facts })
  }

  private async wake(at_ms: number): Promise<void> {
    const current = await this.ctx.storage.getAlarm()
    if (current === null || current > at_ms) await this.ctx.storage.setAlarm(at_ms)
  }
}
