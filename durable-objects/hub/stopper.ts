// The way of a stop: told to the session first, written down in the same turn, told a second way over the
// agent's presence when the session is slow, and repeated by the alarm until it has been reached.
import { noteMeasures } from '../../adapters/measures-d1.ts'
import type { HaltReason } from '../../protocol/reasons.ts'
import type { SessionStatus, SessionStop } from '../../protocol/status.ts'
import type { ExecutionSessionApi } from '../contracts.ts'
import type { Env } from '../env.ts'
import { stopWhenAnswered } from './bindings.ts'
import { sessionOf } from './neighbours.ts'
import type { PresenceSockets } from './presence-sockets.ts'
import { reconcile, type Reconciled } from './reconcile.ts'
import {
  dueStops,
  notReached,
  nothingToStop,
  openStops,
  sessionReached,
  stopOf,
  stopView,
  wantStop,
  type StopRow,
} from './stops.ts'
import type { HubStore } from './store.ts'

/** A session that has not answered by then is stopped over the agent's presence as well. */
const secondWayMs = 80

export type Wish = { session: string; cell: string; reason: HaltReason; by: string }

export class Stopper {
  private readonly env: Env
  private readonly store: HubStore
  private readonly presence: Pick<PresenceSockets, 'halt'>

  constructor(env: Env, store: HubStore, presence: Pick<PresenceSockets, 'halt'>) {
    this.env = env
    this.store = store
    this.presence = presence
  }

  /** Stops one session, and says how far that has come. Never throws. */
  async stop(wish: Wish): Promise<{ stop: SessionStop; status: SessionStatus | null }> {
    // The call leaves before anything is written: a storage that fails must not keep it back.
    const asked = this.ask(wish)
    wantStop(this.store, { ...wish, now_ms: Date.now() })
    // One that does not exist yet loses its cell now, and is stopped as soon as it does.
    stopWhenAnswered(this.store, wish.session, wish.reason)
    const status = await this.settle(wish, asked)
    const row = stopOf(this.store, wish.session)
    const stop: SessionStop =
      row === null
        ? { session: wish.session, cell: wish.cell, stop: 'stopped', devices: [] }
        : stopView(row)
    return { stop, status }
  }

  /** When a stop is told again; null when none has to be. */
  nextDue(): number | null {
    const due = openStops(this.store).flatMap(({ next_ms }) => next_ms ?? [])
    return due.length === 0 ? null : Math.min(...due)
  }

  /** An agent that is there again hears of the stops of its cell that have not arrived. */
  joined(cell: string): void {
    for (const { reason, state } of openStops(this.store, cell)) {
      if (state === 'wanted') this.presence.halt(cell, reason)
    }
  }

  /** Everything that is due once more; the stops that were reached by it. */
  async again(now_ms: number): Promise<{ session: string; cell: string }[]> {
    const wanted = () => openStops(this.store).filter(({ state }) => state === 'wanted')
    const before = wanted()
    await Promise.all(
      dueStops(this.store, now_ms).map(async (row) => {
        if (row.state === 'wanted') {
          this.presence.halt(row.cell, row.reason)
          await this.settle(row, this.ask(row))
        } else {
          await this.reconcile(row, row.by)
        }
      }),
    )
    const open = new Set(wanted().map(({ session }) => session))
    return before.filter(({ session }) => !open.has(session))
  }

  /** Asks the session that a cell names how it is, and adopts what it says. */
  async reconcile(held: { session: string; cell: string }, by: string): Promise<Reconciled> {
    try {
      const session = this.session(held.session)
      const [status, end] = await Promise.all([session.status(), session.end()])
      return reconcile(this.store, held, status === null ? null : { end }, {
        now_ms: Date.now(),
        by,
      })
    } catch (cause) {
      console.error(`session ${held.session}: ${String(cause)}`)
      notReached(this.store, held.session, Date.now())
      return 'unreachable'
    }
  }

  /** A person waits for the answer: what has not answered in time is reported as not reached. */
  private session(session: string): ExecutionSessionApi {
    return sessionOf(this.env, this.store, session, 'hub: stop')
  }

  /** How long the stop took, once it has been reached. */
  private measure({ session, at_ms }: StopRow): void {
    if (stopOf(this.store, session)?.state === 'wanted') return
    const value = (Date.now() - at_ms) / 1_000
    const measures = [{ name: 'stop_seconds', label: '', value }] as const
    void noteMeasures(this.env.DB, this.store.get('site') ?? '', measures)
  }

  private ask({ session, reason, by }: Wish): Promise<SessionStatus | null> {
    try {
      return this.session(session).stop(reason, by)
    } catch (cause) {
      return Promise.reject(cause instanceof Error ? cause : new Error('stop failed'))
    }
  }

  private async settle(
    wish: Wish,
    asked: Promise<SessionStatus | null>,
  ): Promise<SessionStatus | null> {
    const { session, cell } = wish
    const timer = setTimeout(() => this.presence.halt(cell, wish.reason), secondWayMs)
    let status: SessionStatus | null = null
    try {
      status = await asked
      clearTimeout(timer)
      const binding = this.store.bindingOf(session)
      if (status !== null) {
        const before = stopOf(this.store, session)
        sessionReached(this.store, status, binding?.physical ?? true, Date.now())
        if (before?.state === 'wanted') this.measure(before)
        const end = await this.session(session).end()
        if (end !== null) reconcile(this.store, wish, { end }, { now_ms: Date.now(), by: wish.by })
      } else if (binding === null) {
        nothingToStop(this.store, session)
      } else if (binding.state !== 'binding') {
        reconcile(this.store, wish, null, { now_ms: Date.now(), by: wish.by })
      } else {
        // It may still come to exist, and then the answer to its binding ends it.
        notReached(this.store, session, Date.now())
      }
    } catch (cause) {
      console.error(`stop ${session}: ${String(cause)}`)
      notReached(this.store, session, Date.now())
    }
    return status
  }
}
