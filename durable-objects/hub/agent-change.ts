// What an agent's frame changed, and who hears of it: the state of its cell, the stops that it owes, the queue.
import type { AuditEntry } from '../contracts.ts'
import type { CellStopper } from './cell-stopper.ts'
import type { Continuity } from './mark.ts'
import type { PresenceChange } from './presence-sockets.ts'
import type { Stopper } from './stopper.ts'

export type ChangeParts = {
  readonly continuity: Pick<Continuity, 'forget'>
  readonly stopper: Pick<Stopper, 'joined'>
  readonly cellStopper: Pick<CellStopper, 'take' | 'joined'>
  readonly trail: (actor: string, event: string, facts: AuditEntry['facts']) => Promise<void>
  /** Work that outlives the event. */
  readonly background: (work: Promise<unknown>) => void
}

export async function agentChanged(
  { continuity, stopper, cellStopper, trail, background }: ChangeParts,
  change: NonNullable<PresenceChange>,
): Promise<void> {
  const { another, stopped, joined } = change
  const told = change.cell ?? (another && { ...another, what: 'agent_restarted' as const })
  if (told !== undefined) {
    const { cell, what, agent } = told
    // Another process knows nothing of where things stand, also where nothing was armed.
    background(continuity.forget(cell, what))
    await trail('gateway', what, { cell, agent })
  }
  if (stopped !== undefined) await cellStopper.take(stopped.row, stopped.report)
  if (joined === undefined) return
  stopper.joined(joined)
  await cellStopper.joined(joined)
}
