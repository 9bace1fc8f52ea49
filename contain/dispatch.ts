// Which waiting plan goes to which cell: a pure choice, so that every rule about arming, clearance
// and health can be tested as a table. One session per cell at a time (invariant 2).
import type { Feature } from '../protocol/features.ts'
import { limits } from '../protocol/limits.ts'
import type { AgentHealth } from '../protocol/snapshot.ts'

export type WaitingPlan = {
  plan: string
  agent: string | null
  servers: readonly string[]
  sandboxes: readonly string[]
  physical: boolean
  /** What an agent must be able to do for its steps, beyond the first version of the wire. */
  features?: readonly Feature[]
  /** Milliseconds that its steps last at least, by what they tell. */
  told_ms?: number
  valid_until_ms: number
  /** Cells in which an earlier run of the same planner waits for a person. */
  barred_cells?: ReadonlySet<string>
}

export type CellState = {
  cell: string
  armed_until_ms: number | null
  needs_clearance: boolean
  session: string | null
  /** Who stopped the cell: nothing starts in it by itself. */
  held?: string | null
}

export type AgentState = {
  agent: string
  cell: string
  jkt: string
  online: boolean
  revoked: boolean
  /** What its connection can do. */
  features: readonly Feature[]
  health: AgentHealth | null
}

export type Assignment = { plan: string; cell: string; agent: string; agent_jkt: string }

/** Why a waiting plan does not fit a cell now; `null` when it does. In the order of the checks. */
export type NotNow =
  | 'expired'
  | 'cell_busy'
  | 'needs_clearance'
  | 'held'
  | 'planner_held'
  | 'other_agent'
  | 'agent_revoked'
  | 'agent_offline'
  | 'agent_outdated'
  | 'health_stale'
  | 'agent_out_of_service'
  | 'server_not_operable'
  | 'sandbox_not_operable'
  | 'not_armed'
  | 'arming_too_short'

/** Everything that must hold for `plan` to run in `cell` under `agent` at `now_ms`. */
export function fits(
  plan: WaitingPlan,
  at: { cell: CellState; agent: AgentState },
  now_ms: number,
): NotNow | null {
  const { cell, agent } = at
  if (plan.valid_until_ms <= now_ms) return 'expired'
  if (cell.session !== null) return 'cell_busy'
  if (cell.needs_clearance) return 'needs_clearance'
  if (cell.held != null) return 'held'
  if (plan.barred_cells?.has(cell.cell) === true) return 'planner_held'
  if (agent.cell !== cell.cell || (plan.agent !== null && plan.agent !== agent.agent)) {
    return 'other_agent'
  }
  if (agent.revoked) return 'agent_revoked'
  if (!agent.online) return 'agent_offline'
  if (plan.features?.some((feature) => !agent.features.includes(feature)) === true) {
    return 'agent_outdated'
  }
  const health = agent.health
  if (health === null || now_ms - health.reported_at_ms > limits.presenceStaleMs) {
    return 'health_stale'
  }
  if (health.out_of_service !== undefined) return 'agent_out_of_service'
  if (plan.servers.some((server) => health.servers[server]?.state !== 'up')) {
    return 'server_not_operable'
  }
  if (plan.sandboxes.some((sandbox) => health.sandboxes[sandbox] !== 'up')) {
    return 'sandbox_not_operable'
  }
  if (plan.physical && !isArmed(cell, now_ms)) return 'not_armed'
  // Half a run is worse than none: it waits until a person arms for long enough.
  if (plan.physical && !isArmed(cell, now_ms + (plan.told_ms ?? 0))) return 'arming_too_short'
  return null
}

/** True while a person's arming of the cell has not run out. */
export function isArmed(cell: Pick<CellState, 'armed_until_ms'>, now_ms: number): boolean {
  return cell.armed_until_ms !== null && cell.armed_until_ms > now_ms
}

/**
 * Assigns waiting plans to free cells, oldest plan first; each cell gets at most one.
 * A plan that fits nowhere now does not hold up the ones behind it.
 */
export function assign(
  waiting: readonly WaitingPlan[],
  site: { cells: readonly CellState[]; agents: readonly AgentState[] },
  now_ms: number,
): Assignment[] {
  const taken = new Set<string>()
  const assignments: Assignment[] = []
  for (const plan of waiting) {
    for (const agent of site.agents) {
      const cell = site.cells.find((candidate) => candidate.cell === agent.cell)
      if (cell === undefined || taken.has(cell.cell)) continue
      if (fits(plan, { cell, agent }, now_ms) !== null) continue
      taken.add(cell.cell)
      assignments.push({
        plan: plan.plan,
        cell: cell.cell,
        agent: agent.agent,
        agent_jkt: agent.jkt,
      })
      break
    }
  }
  return assignments
}
