// When a session must be looked at again, whatever set its alarm last. The alarm itself is in ../wake.ts.
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
  const told = [watch.stuckAt({ binding, state }), watch.lateAt({ binding, state })]
  return [...times, own, ...listen, ...told.filter((at) => at !== null)]
}
