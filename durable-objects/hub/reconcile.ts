// A cell that says that a session runs in it, and the session itself: after a restore, a rollback or a
// lost object they may disagree. The session is asked, and its end is adopted; one that does not exist
// leaves a latched cell that people can clear (invariant 13).
import type { SessionEnd } from '../contracts.ts'
import { endBinding } from './bindings.ts'
import { freeCell, setLatched } from './cells.ts'
import { endTold, endUnknown, nothingToStop } from './stops.ts'
import type { HubStore } from './store.ts'

/** What came of asking. `unreachable`: it could not be asked, so nothing was changed. */
export type Reconciled = 'running' | 'adopted' | 'missing' | 'unreachable'

/** Takes over what a session says of itself. `null`: there is no such session. */
export function reconcile(
  store: HubStore,
  held: { session: string; cell: string },
  said: { end: SessionEnd | null } | null,
  at: { now_ms: number; by: string },
): Reconciled {
  const { session, cell } = held
  if (said === null) {
    const state = store.bindingOf(session)?.state ?? null
    // Not answered for yet: it may still come to exist, with this id.
    if (state === 'binding') return 'running'
    // Ended long ago and deleted since: nothing is lost, and the cell that runs something else is left alone.
    if (state === 'ended' && store.cell(cell)?.session !== session) {
      nothingToStop(store, session)
      return 'adopted'
    }
    if (state === 'refused') nothingToStop(store, session)
    else endUnknown(store, session)
    store.write(
      `UPDATE bindings SET state = 'ended', outcome = 'terminated', ended_ms = ?
         WHERE session = ? AND state NOT IN ('ended', 'refused')`,
      at.now_ms,
      session,
    )
    freeCell(store, session)
    setLatched(store, cell, { reason: 'session_missing', ...at })
    return 'missing'
  }
  if (said.end === null) return 'running'
  if (!endBinding(store, said.end, at.now_ms)) {
    // Told before, or never bound as far as the hub knows: the cell alone still names the session.
    freeCell(store, session)
    if (said.end.latch) {
      setLatched(store, cell, { reason: said.end.reason ?? 'session_missing', ...at })
    }
    endTold(store, said.end)
  }
  return 'adopted'
}
