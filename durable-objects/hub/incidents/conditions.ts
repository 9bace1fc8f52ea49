// What is wrong now, read off what is kept anyway: cells, agents and their health, stops, the queue, what D1
// knows of the last plans, and what running sessions say of their steps. Nothing is kept a second time.
import type { RecentPlan, SiteFacts } from '../../../adapters/incidents-d1.ts'
import type { Condition } from '../../../protocol/incident.ts'
import { limits } from '../../../protocol/limits.ts'
import type { AgentStatus, SessionStatus } from '../../../protocol/status.ts'
import type { CellRow } from '../store.ts'

export type HereNow = {
  readonly cells: readonly CellRow[]
  /** Stops that a second attempt has not brought home, or whose devices are not at rest. */
  readonly stops: readonly { session: string; cell: string; since_ms: number }[]
  /** Stops of whole cells that a second attempt has not brought home. */
  readonly cell_stops: readonly { stop: string; cell: string; at_ms: number }[]
  /** When the plan was queued that has waited longest; null when none waits. */
  readonly queued_ms: number | null
  readonly now_ms: number
}

/** By what the hub itself knows, whenever it is asked. */
export function conditionsHere(here: HereNow): Condition[] {
  const { cells, stops, cell_stops, queued_ms, now_ms } = here
  const found: Condition[] = []
  for (const one of cells.filter(({ needs_clearance }) => needs_clearance)) {
    const { cell, latch_reason: reason, change } = one
    const since_ms = one.change_ms ?? now_ms
    const facts = { cell, reason, change, not_at_rest: one.not_at_rest }
    found.push({ kind: 'cell_latched', about: cell, since_ms, facts })
    if (reason === 'site_restored') {
      found.push({ kind: 'site_restored', about: cell, since_ms, facts })
    }
  }
  for (const { session, cell, since_ms } of stops) {
    found.push({ kind: 'stop_unconfirmed', about: session, since_ms, facts: { session, cell } })
  }
  for (const { stop, cell, at_ms: since_ms } of cell_stops) {
    found.push({ kind: 'stop_unconfirmed', about: stop, since_ms, facts: { stop, cell } })
  }
  const idle = cells.every(({ session }) => session === null)
  if (queued_ms !== null && idle && now_ms - queued_ms > limits.queueOldMs) {
    found.push({ kind: 'queue_old', about: 'queue', since_ms: queued_ms, facts: {} })
  }
  return found
}

/** By who is connected and what agents say of themselves and their devices. */
export function conditionsOfAgents(agents: readonly AgentStatus[], now_ms: number): Condition[] {
  return agents.flatMap((agent) => (agent.revoked ? [] : ofAgent(agent, now_ms)))
}

function ofAgent(one: AgentStatus, now_ms: number): Condition[] {
  const { agent, cell, health, last_seen_ms } = one
  const at = { agent, cell }
  // One that never came is being set up; one that came and went is missed.
  if (!one.online) {
    return last_seen_ms === null
      ? []
      : [{ kind: 'agent_lost', about: agent, since_ms: last_seen_ms, facts: at }]
  }
  const found: Condition[] = []
  const out = health?.out_of_service
  // In whole seconds: another number is another row to write.
  const skew_ms = Math.round((health?.clock_skew_ms ?? 0) / 1_000) * 1_000
  const agentIs = (kind: Condition['kind'], facts: Condition['facts'] = at): void => {
    found.push({ kind, about: agent, since_ms: now_ms, facts })
  }
  if (out === 'ledger_failed') agentIs('ledger_failing')
  if (out === 'local_latch') agentIs('local_latch')
  if (out === 'clock_skew' || Math.abs(skew_ms) > limits.clockSkewToldMs) {
    agentIs('clock_skew', { ...at, skew_ms })
  }
  for (const [server, { state, reason = null }] of Object.entries(health?.servers ?? {})) {
    if (state === 'up' || reason === 'out_of_service') continue
    const facts = { ...at, server, reason }
    found.push({ kind: 'device_down', about: `${agent}/${server}`, since_ms: now_ms, facts })
  }
  return found
}

/** Reasons that mean: somebody who should have judged did not. */
const outages = new Set(['depth_short', 'chief_missing'])
const outageIn = ({ reasons }: RecentPlan): boolean =>
  (JSON.parse(reasons) as string[]).some((reason) => outages.has(reason))

/** By what D1 and the policy know. */
export function conditionsStored(
  facts: SiteFacts,
  day_usd: number | null,
  now_ms: number,
): Condition[] {
  const found: Condition[] = []
  const { review_expires_ms: expires_ms, spent_usd, recent } = facts
  if (expires_ms !== null && expires_ms - now_ms < limits.reviewExpiresSoonMs) {
    const since_ms = Math.max(0, expires_ms - limits.reviewExpiresSoonMs)
    found.push({ kind: 'review_expiring', about: 'reviews', since_ms, facts: { expires_ms } })
  }
  if (day_usd !== null && spent_usd >= day_usd * limits.budgetToldShare) {
    const said = { spent_usd, day_usd }
    found.push({ kind: 'budget_spent', about: 'judges', since_ms: now_ms, facts: said })
  }
  const missed = recent.filter(outageIn)
  const [newest] = recent
  // The newest says how it is now: one that was judged by all ends it.
  if (newest !== undefined && outageIn(newest) && missed.length >= limits.outagesTold) {
    const since_ms = missed.at(-1)?.decided_ms ?? now_ms
    const plans = missed.length
    found.push({ kind: 'judges_down', about: 'judges', since_ms, facts: { plans } })
  }
  const rejected = new Map<string, number>()
  for (const { planner, verdict } of recent) {
    if (verdict === 'reject') rejected.set(planner, (rejected.get(planner) ?? 0) + 1)
  }
  for (const [planner, plans] of rejected) {
    if (plans < limits.refusalsTold) continue
    const said = { planner, plans }
    found.push({ kind: 'refusals_repeated', about: planner, since_ms: now_ms, facts: said })
  }
  return found
}

/** By what running sessions say of their steps. */
export function conditionsRunning(running: readonly SessionStatus[]): Condition[] {
  return running.flatMap(({ session, nodes }) =>
    nodes.flatMap(({ nid, stuck_since_ms, late_since_ms }, i): Condition[] => {
      const since_ms = stuck_since_ms ?? late_since_ms
      if (since_ms === undefined) return []
      const why = stuck_since_ms === undefined ? 'late' : 'silent'
      // Its number: an id is text of the planner, and this leaves the site.
      const facts = { session, step: i + 1, why }
      return [{ kind: 'step_stuck', about: `${session}/${nid}`, since_ms, facts }]
    }),
  )
}
