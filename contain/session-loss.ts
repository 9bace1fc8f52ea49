// What a lost connection is to a session: when it has to be played, and how many connections are left.
// Small, and apart, because a slip here gives an agent that is gone no grace and its session no end.
import type { SessionEvent, SessionState } from './session-state.ts'

type Lost = Extract<SessionEvent, { type: 'lost' }>

/** After a new instance of the object: a running session with no proven connection has lost its agent. */
export function lostAtWake(state: SessionState, provenNow: number): Lost | null {
  return state.status === 'active' && provenNow === 0 ? { type: 'lost', proven_left: 0 } : null
}

/** After a proven connection closed. `proven` may still list it: a closing one is no connection. */
export function lostAtClose<T>(proven: readonly T[], closing: T): Lost {
  return { type: 'lost', proven_left: proven.filter((other) => other !== closing).length }
}
