// The one alarm of a session object. One that is early does nothing but arm the next, so it is only ever
// moved forward: most steps write none.
import { nextTimer } from '../../contain/session-end.ts'
import type { SessionBinding, SessionState } from '../../contain/session-state.ts'
import { forgetAt } from './results.ts'
import { listenEveryMs, type SessionSockets } from './sockets.ts'
import type { SessionStore } from './store.ts'
import type { StepWatch } from './watch.ts'

/** When the session must be looked at again: its own time, the outbox, and whether its agent is heard. */
export function dueTimes(
  { binding, state }: { readonly binding: SessionBinding; readonly state: SessionState },
  {
    store,
    sockets,
    watch,
  }: {
    readonly store: SessionStore
    readonly sockets: SessionSockets
    readonly watch: StepWatch
  },
  nowMs: number,
): number[] {
  const forget = forgetAt(store.sql, { binding, state })
  const times = [...store.outbox().map((row) => row.next_ms), ...(forget === null ? [] : [forget])]
  const own = nextTimer(binding, state)
  if (own === null) return times
  const listen = sockets.pinging().length > 0 ? [nowMs + listenEveryMs] : []
  const stuck = watch.stuckAt({ binding, state })
  return [...times, own, ...listen, ...(stuck === null ? [] : [stuck])]
}

/** After an alarm that failed in a way nobody thought of. */
export const retryMs = 30_000

export class SessionAlarm {
  readonly #storage: DurableObjectStorage
  /** When the alarm is set for; null when there is none. */
  #at: number | null = null

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
  }

  /** After a new instance: what an earlier one has set. */
  async load(): Promise<void> {
    this.#at = await this.#storage.getAlarm()
  }

  /** A fired alarm is used up. */
  fired(): void {
    this.#at = null
  }

  async forward(times: readonly number[]): Promise<void> {
    if (times.length === 0) return
    const at = Math.min(...times)
    if (this.#at !== null && this.#at <= at) return
    this.#at = at
    await this.#storage.setAlarm(at)
  }
}
