// Hands waiting plans to free cells. Each binding is its own piece of work with its own time limit, so
// that a review that hangs holds up its own cell and nobody else: no person's act waits for one.
import type { SessionStop } from '../../protocol/status.ts'
import type { AuditEntry } from '../contracts.ts'
import type { Env } from '../env.ts'
import { reserve, settle } from './bindings.ts'
import { siteHead } from './door.ts'
import { callMs } from '../limited.ts'
import { planReviewOf, sessionOf } from './neighbours.ts'
import type { PresenceSockets } from './presence-sockets.ts'
import type { Stopper } from './stopper.ts'
import type { BindingRow, HubStore } from './store.ts'
import { nothingToStop } from './stops.ts'
import { chainSeen, chainsDue, endsUnread, nextChain, noteDone } from './waits.ts'

/** A review that does not answer is asked again, ever less often. */
const bindRetryMs = 1_000
const bindRetryMsMax = 60_000
/** A cell that names a session is compared with the session itself this often. */
const checkEveryMs = 10_000

const randomBytes = (): Uint8Array => crypto.getRandomValues(new Uint8Array(26))

export type DispatcherDeps = {
  env: Env
  store: HubStore
  presence: Pick<PresenceSockets, 'online' | 'assign' | 'featuresOf'>
  stopper: Stopper
  trail: (actor: string, event: string, facts: AuditEntry['facts']) => Promise<void>
  /** Work that outlives the event which began it. */
  background: (work: Promise<unknown>) => void
  /** False until it is known that the storage was not set back: nothing is handed out before. */
  ready: () => boolean
  /** Sets the alarm for whatever is due next. */
  rearm: () => Promise<void>
}

export class Dispatcher {
  private readonly deps: DispatcherDeps
  private readonly inFlight = new Set<string>()

  constructor(deps: DispatcherDeps) {
    this.deps = deps
  }

  /** Chooses for the free cells and sets every binding that is due going. Waits for none of them. */
  run(): void {
    const { store, presence, background } = this.deps
    const now_ms = Date.now()
    if (this.deps.ready()) {
      reserve(store, presence, { now_ms, random: randomBytes })
    }
    for (const row of store.bindings('binding')) {
      if (this.inFlight.has(row.session) || (row.next_ms ?? 0) > now_ms) continue
      this.inFlight.add(row.session)
      background(this.bind(row).finally(() => this.inFlight.delete(row.session)))
    }
    this.checkHeld(now_ms)
    this.checkChains(now_ms)
    this.readEnds()
    background(this.deps.rearm())
  }

  /** Plans that wait for another one: it is asked how it stands. */
  private checkChains(now_ms: number): void {
    const { env, store, background } = this.deps
    for (const chain of chainsDue(store, now_ms)) {
      background(
        planReviewOf(env, store, chain.other)
          .status()
          .then((status) => {
            if (chainSeen(store, chain, status?.state ?? null)) this.run()
          }),
      )
    }
  }

  /** What a run that did not complete has done is kept, for whoever lets the like of it run again. */
  private readEnds(): void {
    const { env, store, background } = this.deps
    for (const run of endsUnread(store)) {
      if (this.inFlight.has(run.session)) continue
      this.inFlight.add(run.session)
      background(
        sessionOf(env, store, run.session)
          .status()
          .then((status) => {
            noteDone(store, run, status?.nodes ?? null, Date.now())
            this.inFlight.delete(run.session)
            this.run()
          })
          .finally(() => this.inFlight.delete(run.session)),
      )
    }
  }

  /** When a binding or a chain has to be asked again; null when none waits. */
  nextDue(): number | null {
    const row = this.deps.store.sql
      .exec<{ at: number | null }>(
        `SELECT MIN(COALESCE(next_ms, 0)) AS at FROM bindings WHERE state = 'binding'`,
      )
      .one()
    const check = this.deps.store.sql
      .exec<{ at: number | null }>(`SELECT MIN(check_ms) AS at FROM bindings WHERE state = 'bound'`)
      .one()
    const due = [row.at, check.at, nextChain(this.deps.store)].filter((at) => at !== null)
    return due.length === 0 ? null : Math.min(...due)
  }

  private async bind(row: BindingRow): Promise<void> {
    const { env, store, trail, stopper } = this.deps
    const now_ms = Date.now()
    // Durable before anyone is asked: after a crash the alarm asks again with the same id.
    const delay = Math.min(bindRetryMsMax, bindRetryMs * 2 ** Math.min(row.attempts, 10))
    store.sql.exec(
      'UPDATE bindings SET attempts = attempts + 1, next_ms = ? WHERE session = ?',
      now_ms + callMs['hub: bind'] + delay,
      row.session,
    )
    await this.deps.rearm()
    const head = siteHead(store, now_ms)
    if (head === null) return
    try {
      const answer = await planReviewOf(env, store, row.plan, 'hub: bind').bind({
        session: row.session,
        cell: row.cell,
        agent: row.agent,
        agent_jkt: row.agent_jkt,
        features: this.deps.presence.featuresOf(row.agent),
        boot_id: store.agent(row.agent)?.boot_id ?? null,
        snapshot: head,
        now_ms,
      })
      // The await let other events in: someone may have stopped what has only now come to exist.
      const reason = store.bindingOf(row.session)?.stop_reason ?? null
      const state = answer.ok ? 'bound' : 'refused'
      const code = answer.ok ? null : answer.error.code
      const settled = settle(store, row, { state, code }, Date.now())
      if (answer.ok && reason !== null) {
        const { session, cell } = row
        const stopped = await stopper.stop({ session, cell, reason, by: 'gateway' })
        await this.noteLate(stopped.stop)
      }
      if (!answer.ok) nothingToStop(store, row.session)
      if (!settled) return
      if (answer.ok && reason === null) this.deps.presence.assign(row, row.session)
      await trail('gateway', `bind_${state}`, {
        plan: row.plan,
        session: row.session,
        cell: row.cell,
        ...(answer.ok ? { ctx: answer.value.ctx } : { reason: answer.error.code }),
      })
      // The cell is free again: another plan may fit it.
      if (!answer.ok) this.run()
    } catch (cause) {
      // Not known whether the session exists: asked again with the same id.
      console.error(`bind ${row.plan}: ${String(cause)}`)
      store.sql.exec(
        `UPDATE bindings SET next_ms = ? WHERE session = ? AND state = 'binding'`,
        Date.now() + delay,
        row.session,
      )
      await this.deps.rearm()
    }
  }

  private noteLate(stop: SessionStop): Promise<void> {
    const { session, cell } = stop
    return this.deps.trail('gateway', 'late_session_stopped', { session, cell, stop: stop.stop })
  }

  /** Cells whose session has said nothing for long: it may have ended without the hub. */
  private checkHeld(now_ms: number): void {
    const { store, background } = this.deps
    const due = store.sql
      .exec<{ cell: string; session: string }>(
        `SELECT c.cell, c.session FROM cells c LEFT JOIN bindings b ON b.session = c.session
           WHERE c.session IS NOT NULL AND (b.session IS NULL OR b.state <> 'binding')
             AND COALESCE(b.check_ms, b.started_ms + ?1, 0) <= ?2`,
        checkEveryMs,
        now_ms,
      )
      .toArray()
    for (const held of due) {
      store.sql.exec(
        'UPDATE bindings SET check_ms = ? WHERE session = ?',
        now_ms + checkEveryMs,
        held.session,
      )
      background(this.check(held, now_ms))
    }
  }

  private async check(held: { session: string; cell: string }, now_ms: number): Promise<void> {
    const { env, store, stopper, presence, trail } = this.deps
    const came = await stopper.reconcile(held, 'gateway')
    if (came === 'adopted' || came === 'missing') {
      await trail('gateway', 'session_reconciled', { ...held, came })
      this.run()
      return
    }
    // Bound, and its agent is not heard: the session is ended before anything was released in it.
    const binding = store.bindingOf(held.session)
    if (came !== 'running' || binding === null) return
    if (presence.online(now_ms).has(binding.agent)) return
    const status = await sessionOf(env, store, held.session).status()
    if (status?.status !== 'bound') return
    await stopper.stop({ ...held, reason: 'agent_lost', by: 'gateway' })
    await trail('gateway', 'agent_not_answering', { ...held, agent: binding.agent })
    this.run()
  }
}
