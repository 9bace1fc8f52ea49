// Whether one actuation still has the authority of the site, asked afresh before every `go`.
// Authority only shrinks with time (invariant 10): each answer but ok ends the session.
import type { TerminationReason } from '../protocol/reasons.ts'
import { isPhysical, type Registry } from '../protocol/registry.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { AuthorityQuestion } from '../protocol/status.ts'
import { isArmed, type AgentState, type CellState } from './dispatch.ts'

export type SiteAuthority = {
  epoch: number
  /** Why the epoch rose above the asker's; the first change after it. */
  epoch_reason: TerminationReason
  cell: CellState | null
  agent: Pick<AgentState, 'revoked' | 'jkt' | 'cell'> | null
  planner_revoked: boolean
  registry: Registry
}

/** Answers for one node; the first failing condition names the reason. */
export function mayActuate(
  ask: AuthorityQuestion,
  site: SiteAuthority,
  now_ms: number,
): Result<void, { reason: TerminationReason }> {
  const no = (reason: TerminationReason) => err({ reason })
  if (site.epoch !== ask.epoch) return no(site.epoch_reason)
  if (site.cell === null || site.cell.session !== ask.session) return no('session_mismatch')
  if (site.cell.needs_clearance) return no('cell_not_armed')
  const { agent } = site
  if (agent === null || agent.revoked || agent.jkt !== ask.agent_jkt || agent.cell !== ask.cell) {
    return no('agent_revoked')
  }
  const tool = site.registry.tools.find((entry) => entry.name === ask.tool)
  if (tool === undefined) return no('registry_changed')
  const planner = site.registry.planners[ask.planner]
  if (site.planner_revoked || planner === undefined) return no('capability_revoked')
  if (!planner.capabilities.includes(tool.capability)) return no('capability_revoked')
  // A step that cannot end within the arming does not start.
  const ends_ms = now_ms + (ask.told_ms ?? 0)
  if (isPhysical(tool.risk_class) && !isArmed(site.cell, ends_ms)) return no('cell_not_armed')
  return ok(undefined)
}
