// Accepted plans that wait for a cell: bounded, and only those that could still be run.
import { fits } from '../../contain/dispatch.ts'
import { limits } from '../../protocol/limits.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { EnqueueAnswer, QueueEntry, QueueLine } from '../contracts.ts'
import { revokedUnder } from './credentials.ts'
import { drainOf } from './drain.ts'
import type { PresenceSockets } from './presence-sockets.ts'
import type { HubStore } from './store.ts'
import { beginWaits, openWaits } from './waits.ts'

/** How many plans wait. */
export function queuedPlans(store: HubStore): number {
  return store.sql.exec<{ n: number }>('SELECT COUNT(*) AS n FROM queue').one().n
}

/** How many plans of each planner wait. */
export function queuedByPlanner(store: HubStore): Record<string, number> {
  const rows = store.sql.exec<{ planner: string; n: number }>(
    `SELECT json_extract(entry, '$.planner') AS planner, COUNT(*) AS n FROM queue GROUP BY planner`,
  )
  return Object.fromEntries(rows.toArray().map(({ planner, n }) => [planner, n]))
}

/** Waiting plans, oldest first. What ran out while it waited would hold its place for ever: it goes. */
export function waiting(store: HubStore, now_ms: number): QueueEntry[] {
  store.sql.exec(`DELETE FROM queue WHERE json_extract(entry, '$.valid_until_ms') <= ?`, now_ms)
  return store.sql
    .exec<{ entry: string }>('SELECT entry FROM queue ORDER BY enqueued_ms, plan')
    .toArray()
    .map((row) => JSON.parse(row.entry) as QueueEntry)
}

type Refused = Extract<EnqueueAnswer, { ok: false }>['error']

/** Takes a plan into the queue; `known` when it waits already or was bound before. */
export function enqueuePlan(
  store: HubStore,
  entry: QueueEntry,
  now_ms: number,
): Result<'new' | 'known', Refused> {
  if (store.policy()?.policy.mode === 'shadow') return err({ reason: 'shadow_mode' })
  if (revokedUnder(store, entry)) return err({ reason: 'capability_revoked' })
  const known = store.sql.exec(
    'SELECT plan FROM bindings WHERE plan = ?1 UNION SELECT plan FROM queue WHERE plan = ?1',
    entry.plan,
  )
  if (known.toArray().length > 0) return ok('known')
  if (queuedPlans(store) >= limits.queuedPlansMax) return err({ reason: 'queue_full' })
  const own = queuedByPlanner(store)[entry.planner] ?? 0
  if (own >= limits.queuedPlansPerPlannerMax) return err({ reason: 'queue_full' })
  store.write(
    'INSERT INTO queue (plan, entry, enqueued_ms) VALUES (?, ?, ?)',
    entry.plan,
    JSON.stringify(entry),
    now_ms,
  )
  beginWaits(store, entry, now_ms)
  return ok('new')
}

/** The waiting plans as people see them, with why one cell does not take each now; null without it. */
export function queueLines(
  store: HubStore,
  name: string,
  presence: Pick<PresenceSockets, 'online' | 'featuresOf'>,
  now_ms: number,
): QueueLine[] | null {
  const cell = store.cell(name)
  if (cell === null) return null
  const agent = store.agents().find((row) => row.cell === name && !row.revoked)
  const bars = barredCells(store)
  const draining = drainOf(store) !== null
  const online = presence.online(now_ms)
  return waiting(store, now_ms).map((entry) => {
    const plan = { ...entry, barred_cells: bars.get(entry.planner) ?? new Set<string>() }
    const features = agent === undefined ? [] : presence.featuresOf(agent.agent)
    const at = agent && { cell, agent: { ...agent, online: online.has(agent.agent), features } }
    return {
      plan: entry.plan,
      planner: entry.planner,
      physical: entry.physical,
      valid_until_ms: entry.valid_until_ms,
      not_now: draining ? 'draining' : at === undefined ? 'no_agent' : fits(plan, at, now_ms),
      waits: openWaits(store, entry.plan),
    }
  })
}

/** Planners whose plans a cell does not take before a person has looked. */
export function barredCells(store: HubStore): Map<string, Set<string>> {
  const cells = new Map<string, Set<string>>()
  for (const { planner, cell } of store.sql.exec<{ planner: string; cell: string }>(
    'SELECT planner, cell FROM holds',
  )) {
    cells.set(planner, (cells.get(planner) ?? new Set()).add(cell))
  }
  return cells
}
