// One per plan, also per blocked plan: a thin shell around verify/review/step.ts. It turns calls and alarms
// into events, writes what the step says in one transaction, and then acts. The rules are not here.
// Eviction, disconnect or restart at any point: the alarm goes on from what is stored (invariants 3, 4, 7, 8).
import { DurableObject } from 'cloudflare:workers'
import type { AuditEntry } from '../protocol/audit.ts'
import type { Forgetting, Forgotten } from '../protocol/keeping.ts'
import { limits } from '../protocol/limits.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { SiteSnapshot } from '../protocol/snapshot.ts'
import type { PlanStatus } from '../protocol/status.ts'
import {
  admittedBefore,
  checkPlan,
  decideJudged,
  screenedBefore,
  unjudged,
} from '../verify/pipeline.ts'
import type {
  Assigning,
  AssignRefusal,
  Review,
  ReviewEffect,
  ReviewEvent,
  ReviewRefusal,
  ReviewSpec,
  ReviewStep,
} from '../verify/review/state.ts'
import { nextTime } from '../verify/review/status.ts'
import { begin, step } from '../verify/review/step.ts'
import type {
  BindAnswer,
  BindRequest,
  PlanReviewApi,
  ReviewRecord,
  SessionEnd,
} from './contracts.ts'
import type { Env } from './env.ts'
import { callMs } from './limited.ts'
import { Outbox } from './outbox.ts'
import { differencesNow, holdFor, untilHeard } from './review/cell.ts'
import { callsPage } from './review/calls.ts'
import { attemptsMax, deliver } from './review/deliver.ts'
import { judgeStored } from './review/judging.ts'
import { isCovered, restsOnTemplate, standingNow, standingUnopened } from './review/standing.ts'
import { releaseTotals } from './review/totals.ts'
import { messageKinds, toldFirst, type MessageKind } from './review/messages.ts'
import { exportedReview } from './review/export.ts'
import { forgetReview, lookForgetting } from './review/forget.ts'
import { judgedPlanOf } from './review/judged-plan.ts'
import { sessionOf } from './review/neighbours.ts'
import { openRefusals, openSpecOf, rowsFor } from './review/open.ts'
import { siteMovedOn } from './review/outdated.ts'
import { evidenceOf, ownVersion, recordOf } from './review/record.ts'
import { ReviewStore, StateUnreadable } from './review/store.ts'
import { tellOfPass } from './review/trace.ts'
import { writeStep } from './review/write.ts'
import { inTurn } from './turns.ts'
import { Wake } from './wake.ts'
import { readWindow } from './window/reader.ts'

/** How long a change of state waits for those who must know first. */
const firstTimeoutMs = 2_000

export class PlanReview extends DurableObject<Env> implements PlanReviewApi {
  readonly #store: ReviewStore
  readonly #outbox: Outbox<MessageKind>
  readonly #wake: Wake
  /** Ends the judges' work when its outcome can no longer matter; null while no pass runs. */
  #judging: AbortController | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#store = new ReviewStore(ctx.storage.sql)
    this.#outbox = new Outbox(ctx.storage.sql, messageKinds)
    this.#wake = new Wake(ctx.storage)
    // A lost alarm must not leave a plan unjudged, unexpired or untold.
    void ctx.blockConcurrencyWhile(async () => {
      try {
        await this.#wake.by(this.#nextDue())
      } catch (cause) {
        // The object still answers: it says of each call that its state cannot be read.
        console.error(`review: ${String(cause)}`)
      }
    })
  }

  // ---------- what is asked of it ----------

  async start(spec: ReviewSpec): Promise<PlanStatus> {
    const known = this.#store.status()
    if (known !== null) return known
    // Only its trail is left: what was consumed stays consumed.
    if (this.#store.exists()) throw new TypeError('a plan that was deleted is not started again')
    await this.#settled(async (now_ms) => {
      // Two at once with the same key: the first stands.
      if (this.#store.status() !== null) return
      const first = begin(spec, now_ms)
      await this.#write(first, now_ms, spec)
      if (spec.floor.level !== 'block') return
      // A block needs no model: it is decided here and now.
      const decided = await decideJudged(unjudged(screenedBefore(spec), []), now_ms)
      const facts = { spec, packet: null }
      await this.#write(step(facts, first.state, { type: 'judged', decided }, now_ms), now_ms)
    })
    return this.#must()
  }

  status(): Promise<PlanStatus | null> {
    return Promise.resolve(this.#store.status())
  }

  record(): Promise<ReviewRecord | null> {
    const own = ownVersion(this.#store)
    return own === null ? Promise.resolve(null) : recordOf(this.#store, this.env, own)
  }

  version(): Promise<string | null> {
    const own = ownVersion(this.#store)
    return Promise.resolve(own === null ? null : JSON.stringify(own))
  }

  /** All that the decision rests on, as JSON text for verify/rederive; null before `start`. */
  evidence(): Promise<string | null> {
    return Promise.resolve(evidenceOf(this.#store))
  }

  judgedPlan(have: readonly string[]): Promise<string | null> {
    return Promise.resolve(judgedPlanOf(this.#store, have))
  }

  calls(after: number): Promise<string | null> {
    const page = this.#store.exists() ? callsPage(this.#store, after) : null
    return Promise.resolve(page === null ? null : JSON.stringify(page))
  }

  audit(after: number): Promise<AuditEntry[]> {
    return Promise.resolve(this.#store.auditPage(after, limits.auditEntriesPerPage))
  }

  /** All that is kept of it but its calls, as JSON text. */
  exported(): Promise<string | null> {
    return Promise.resolve(exportedReview(this.#store))
  }

  /** What would be left of the plan if it were deleted now. */
  lookForgetting(): Promise<Forgotten> {
    return Promise.resolve(lookForgetting(this.#store))
  }

  forget(what: Forgetting): Promise<Forgotten> {
    return forgetReview(this.ctx.storage, this.#store, { what, now_ms: Date.now() })
  }

  async resolve(review: Review): Promise<Result<PlanStatus, { code: ReviewRefusal }>> {
    if (this.#store.status() === null) return err({ code: 'not_found' })
    const outdated = review.verdict === 'accept' && (await siteMovedOn(this.#store, this.env))
    const { refused } = await this.#play({ type: 'review', review, outdated })
    // A review is refused by the words of reviews alone.
    return refused === null ? ok(this.#must()) : err(refused as { code: ReviewRefusal })
  }

  async assign(assign: Assigning): Promise<Result<PlanStatus, { code: AssignRefusal }>> {
    if (this.#store.status() === null) return err({ code: 'not_found' })
    const { refused } = await this.#play({ type: 'assign', assign })
    return refused === null ? ok(this.#must()) : err(refused as { code: AssignRefusal })
  }

  async withdraw(by: string): Promise<Result<PlanStatus, { code: 'not_found' | 'too_late' }>> {
    if (this.#store.status() === null) return err({ code: 'not_found' })
    const { refused } = await this.#play({ type: 'withdraw', by })
    return refused === null ? ok(this.#must()) : err({ code: 'too_late' })
  }

  async bind(request: BindRequest): Promise<BindAnswer> {
    const now_ms = Math.max(request.now_ms, Date.now())
    let asked: ReviewStep
    try {
      if (this.#store.status() === null) return err({ code: 'not_accepted' })
      asked = await this.#bind(request, now_ms)
    } catch (cause) {
      // An object that cannot read its plan lets nobody run it.
      if (cause instanceof StateUnreadable) return err({ code: 'state_unreadable' })
      throw cause
    }
    if (asked.refused !== null) {
      await releaseTotals(this.env, this.#store.spec(), request.session, now_ms)
      return err(asked.refused as { code: 'already_bound' })
    }
    const spec = openSpecOf(this.#store)
    const { site, session } = spec.context
    const state = this.#store.state()
    if (state?.state === 'bound') {
      const plan = this.#store.spec()
      // Written down and never opened: meanwhile people may have taken back what it rests on.
      const gone = restsOnTemplate(state)
        ? await standingUnopened(this.env, plan, { session, now_ms })
        : []
      if (gone.length > 0) {
        const no = err({ code: 'not_accepted' } as const)
        await this.#play({ type: 'opened', session, answer: no })
        return no
      }
      await holdFor(this.env, plan, { open: spec, bound: this.#store.boundCell() })
    }
    const opened = await sessionOf(this.env, site, session).open(spec)
    if (opened.ok) return ok({ ctx: opened.value.ctx })
    // No usable signing key is an outage of the deployment: the hub asks again with the same session.
    if (opened.error.reason === 'keys_missing') throw new Error('no signing key')
    const code = openRefusals[opened.error.reason]
    // The await let other events in: an end that was reported meanwhile stands.
    await this.#play({ type: 'opened', session, answer: err({ code }) })
    return err({ code })
  }

  async #bind(request: BindRequest, now_ms: number): Promise<ReviewStep> {
    const { snapshot: head, ...who } = request
    const spec = this.#store.spec()
    // Another registry than the plan's is told by its digest alone, and refuses the binding.
    const snapshot: SiteSnapshot = { ...head, registry: spec.snapshot.registry, window: [] }
    const state = this.#store.state()
    const waits = state?.state === 'queued'
    const asked = { ...request, now_ms, covered: isCovered(state) }
    // Outside of its turn: nobody else waits for what this cell has to hear.
    if (waits) await untilHeard(this.env, spec, request)
    const { floor, cell, rows, gone } = waits
      ? await inTurn(head.site, () => this.#lookedAtAgain(spec, asked))
      : { floor: null, cell: null, rows: {}, gone: [] }
    const decision_digest = this.#store.row()?.decision_digest ?? ''
    const event: ReviewEvent = {
      type: 'bind',
      ask: { ...who, snapshot },
      floor,
      differences: [...gone, ...(cell?.differences ?? [])],
      cell_state: cell?.now ?? null,
      session_over: waits && cell === null,
      rows,
      decision_digest,
    }
    try {
      return await this.#play(event, now_ms)
    } catch (cause) {
      // Reserved by this question, and never to run: nobody else would let go of it.
      if (cell !== null && cause instanceof StateUnreadable) {
        await releaseTotals(this.env, spec, request.session, now_ms)
      }
      throw cause
    }
  }

  /** The checks and the dry run once more, over the site and the cell as they are now. */
  async #lookedAtAgain(spec: ReviewSpec, request: BindRequest & { covered: boolean }) {
    const { snapshot: head, now_ms, covered } = request
    const recent = await readWindow(this.env, head.site, now_ms)
    const window = recent.filter((entry) => entry.plan !== spec.plan_id)
    const snapshot: SiteSnapshot = { ...head, registry: spec.snapshot.registry, window }
    const { floor } = await checkPlan(admittedBefore({ ...spec, snapshot, received_ms: now_ms }))
    const cell = await differencesNow(this.env, spec, request)
    const rows = await rowsFor(spec, request)
    // Last: what is taken back while the rest was looked at counts.
    const gone = covered ? await standingNow(this.env, spec, now_ms) : []
    return { floor, cell, rows, gone }
  }

  async sessionEnded(end: SessionEnd): Promise<void> {
    if (this.#store.status() !== null) await this.#play({ type: 'ended', ...end })
  }

  // ---------- time ----------

  override alarm(): Promise<void> {
    return this.#wake.ring(
      'review',
      async () => {
        if (this.#store.status() === null) return
        await this.#flush(null)
        try {
          await this.#timePasses()
        } finally {
          await this.#flush(null)
        }
      },
      () => this.#nextDue(),
    )
  }

  #nextDue(): number | null {
    const row = this.#store.row()
    if (row === null) return null
    const times = [nextTime(row.state), this.#hasOutbox() ? this.#outbox.nextDue() : null]
    const due = times.filter((at) => at !== null)
    return due.length === 0 ? null : Math.max(Date.now(), Math.min(...due))
  }

  #hasOutbox(): boolean {
    return this.#store.hasTable('outbox')
  }

  /** What is due is done; a pass of the judges that has become due is run to its end. */
  async #timePasses(): Promise<void> {
    const { effects } = await this.#play({ type: 'tick', idle: this.#judging === null })
    const due = effects.find((effect) => effect.do === 'judge')
    if (due !== undefined) await this.#judge(due.ask)
  }

  /** One pass, counted already: whatever becomes of it, the next one is due by itself. */
  async #judge(ask: Extract<ReviewEffect, { do: 'judge' }>['ask']): Promise<void> {
    const judging = new AbortController()
    const began_ms = Date.now()
    this.#judging = judging
    try {
      const spec = this.#store.spec()
      const judged =
        ask === 'nobody'
          ? unjudged(screenedBefore(spec), this.#store.opinions())
          : await judgeStored(this.#store, spec, { env: this.env, signal: judging.signal })
      const decided = await decideJudged(judged, Date.now())
      const { packet, decision } = decided
      const pass = { spec, packet, decision, began_ms, ended_ms: Date.now() }
      this.ctx.waitUntil(tellOfPass(this.env, pass))
      // The await let other events in: a withdrawal meanwhile stands.
      await this.#play({ type: 'judged', decided })
    } finally {
      this.#judging = null
    }
  }

  // ---------- one step ----------

  /** Plays one event against what is stored: step, write, then act. */
  async #play(event: ReviewEvent, at_ms = Date.now()): Promise<ReviewStep> {
    const played = await this.#settled(async () => {
      const row = this.#store.row()
      if (row === null) throw new TypeError('nothing happens to a plan that was never started')
      const facts = { spec: this.#store.spec(), packet: this.#store.packet() }
      const done = step(facts, row.state, event, at_ms)
      if (done.state !== row.state || done.effects.length > 0) await this.#write(done, at_ms)
      return done
    })
    if (played.effects.some((effect) => effect.do === 'stop_judging')) this.#judging?.abort()
    return played
  }

  #write(done: ReviewStep, now_ms: number, spec?: ReviewSpec): Promise<void> {
    const { storage } = this.ctx
    return writeStep({ storage, store: this.#store, outbox: this.#outbox }, done, { now_ms, spec })
  }

  /**
   * One change of state together with what the next request must already know: failure memory and the
   * window. Nobody sees the change before they were told, or could not be reached in time.
   */
  async #settled<T>(work: (now_ms: number) => Promise<T>): Promise<T> {
    const done = await this.ctx.blockConcurrencyWhile(async () => {
      // A throw in here would reset the object; it is an ordinary failure of its caller instead.
      try {
        const value = await work(Date.now())
        if (this.#hasOutbox()) await this.#flush(toldFirst)
        return { ok: true as const, value }
      } catch (cause) {
        return { ok: false as const, cause }
      }
    })
    if (!done.ok) throw done.cause
    await this.#wake.by(this.#nextDue())
    return done.value
  }

  /** Delivers what is due. What a receiver's answer means for the plan is played after. */
  async #flush(only: typeof toldFirst | null): Promise<void> {
    const head = this.#store.head()
    if (head === null) return
    const follow: ReviewEvent[] = []
    const given = await this.#outbox.flush({
      now_ms: Date.now(),
      only,
      within_ms: only === null ? callMs['review: message'] : firstTimeoutMs,
      attemptsMax,
      deliver: async (message) => {
        const event = await deliver({ env: this.env, site: head.submitter.site }, message)
        if (event !== null) follow.push(event)
      },
    })
    // Neither memory nor window has an answer, and neither is given up: nothing is played inside a step.
    for (const { kind, attempts } of given) follow.push({ type: 'given_up', kind, attempts })
    for (const event of follow) await this.#play(event)
  }

  #must(): PlanStatus {
    const status = this.#store.status()
    if (status === null) throw new TypeError('a started plan has a status')
    return status
  }
}
