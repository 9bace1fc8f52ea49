// What the site says to one actuation, from the hub's tables as they are now (invariant 10).
import { mayActuate } from '../../contain/authority.ts'
import type { TerminationReason } from '../../protocol/reasons.ts'
import { err, type Result } from '../../protocol/result.ts'
import type { AuthorityQuestion } from '../../protocol/status.ts'
import type { HubStore } from './store.ts'

/** Fresh authority for one node of one session; a session that the hub did not bind has none. */
export function authorityFor(
  store: HubStore,
  ask: AuthorityQuestion,
  now_ms: number,
): Result<void, { reason: TerminationReason }> {
  const current = store.registry()
  const binding = store.bindingOf(ask.session)
  if (current === null || binding === null) return err({ reason: 'session_mismatch' })
  return mayActuate(
    ask,
    {
      epoch: store.epoch(),
      epoch_reason: store.epochReason(ask.epoch),
      cell: store.cell(ask.cell),
      agent: store.agent(binding.agent),
      planner_revoked: store.plannerRevokedSince(ask.planner, binding.received_ms),
      registry: current.registry,
    },
    now_ms,
  )
}
