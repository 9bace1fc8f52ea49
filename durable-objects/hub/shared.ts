// Things that cells share are held by one session at a time, from its binding until everything that it
// moved is at rest. A row stands for a hold: it survives the object, and a clearance of the cell ends it.
import type { PlanWait } from '../../protocol/status.ts'
import { sharedThings } from '../../verify/review/shared.ts'
import type { QueueEntry } from '../contracts.ts'
import type { AgentRow, BindingRow, HubStore } from './store.ts'

export const sharedTable = `
CREATE TABLE IF NOT EXISTS shared_holds (thing TEXT PRIMARY KEY, session TEXT NOT NULL,
  plan TEXT NOT NULL, cell TEXT NOT NULL, at_ms REAL NOT NULL);
`

/**
 * The shared things that a waiting plan needs. A row of the release before does not say: it may need any
 * of those that the site shares.
 */
export function sharedNeeds(store: HubStore, entry: Pick<QueueEntry, 'shared'>): string[] {
  if (entry.shared !== undefined) return entry.shared
  const read = store.registry()
  return read === null ? [] : [...sharedThings(read.registry).keys()]
}

/**
 * Device servers that an agent reaches over the network and a plan needs, by their addresses. The agent of
 * another cell may reach the same one, whatever the site file says: then they are one instrument.
 */
export function addressesFor(
  agent: Pick<AgentRow, 'health'>,
  servers: readonly string[],
): string[] {
  const told = servers.flatMap((name) => agent.health?.servers[name]?.address ?? [])
  return [...new Set(told)].sort()
}

/** The name of a device server under which some agent told of the address; null for any other thing. */
function serverAt(store: HubStore, thing: string): string | null {
  if (!thing.startsWith('device:')) return null
  const told = store.agents().flatMap(({ health }) => Object.entries(health?.servers ?? {}))
  return told.find(([, { address }]) => address === thing)?.[0] ?? 'a device server'
}

/** A hold whose session is over, in a cell where nothing may still move, would keep its thing for ever. */
function dropStale(store: HubStore): void {
  store.write(
    `DELETE FROM shared_holds
       WHERE session IN (SELECT session FROM bindings WHERE state IN ('ended', 'refused'))
         AND cell NOT IN (SELECT cell FROM cells WHERE needs_clearance = 1)`,
  )
}

/** What a waiting plan needs and another session holds. */
export function sharedWaits(store: HubStore, entry: Pick<QueueEntry, 'shared'>): PlanWait[] {
  const needs = sharedNeeds(store, entry)
  if (needs.length === 0) return []
  dropStale(store)
  return store.sql
    .exec<{ thing: string; session: string; plan: string }>(
      `SELECT thing, session, plan FROM shared_holds
         WHERE thing IN (SELECT value FROM json_each(?)) ORDER BY thing`,
      JSON.stringify(needs),
    )
    .toArray()
    .map(({ thing: held, session, plan }) => {
      const thing = serverAt(store, held) ?? held
      return { why: 'shared_thing' as const, thing, plan, session, person: false, done: [] }
    })
}

/** The same for a plan in the queue, with the device servers of the agent that it names. */
export function sharedWaitsOf(store: HubStore, plan: string): PlanWait[] {
  const row = store.sql
    .exec<{ entry: string }>('SELECT entry FROM queue WHERE plan = ?', plan)
    .toArray()[0]
  if (row === undefined) return []
  const entry = JSON.parse(row.entry) as QueueEntry
  const agent = entry.agent === null ? null : store.agent(entry.agent)
  const servers = agent === null ? [] : addressesFor(agent, entry.servers)
  // What a run of its own cell holds is no news: the cell is busy.
  const elsewhere = ({ session }: PlanWait) =>
    session === null || store.bindingOf(session)?.cell !== agent?.cell
  return [
    ...sharedWaits(store, entry),
    ...sharedWaits(store, { shared: servers }).filter((wait) => elsewhere(wait)),
  ]
}

/**
 * Of plans that are chosen together, in their order: those that need what an earlier one takes. Two cells
 * must not both be given the door between them.
 */
export function clashing(chosen: readonly Pick<QueueEntry, 'plan' | 'shared'>[]): Set<string> {
  const taken = new Set<string>()
  const out = new Set<string>()
  for (const { plan, shared = [] } of chosen) {
    if (shared.some((thing) => taken.has(thing))) out.add(plan)
    else for (const thing of shared) taken.add(thing)
  }
  return out
}

/** Written in the turn in which the binding is, so that nobody sees one without the other. */
export function holdShared(store: HubStore, row: BindingRow, things: readonly string[]): void {
  for (const thing of things) {
    store.write(
      'INSERT INTO shared_holds (thing, session, plan, cell, at_ms) VALUES (?, ?, ?, ?, ?)',
      thing,
      row.session,
      row.plan,
      row.cell,
      row.started_ms,
    )
  }
}

/** True when the session held something: a plan may be waiting for it. */
export const releaseShared = (store: HubStore, session: string): boolean =>
  store.write('DELETE FROM shared_holds WHERE session = ?', session) > 0

/** A person has cleared the cell, in which nothing runs: whatever its sessions held is free. */
export const releaseSharedIn = (store: HubStore, cell: string): boolean =>
  store.write('DELETE FROM shared_holds WHERE cell = ?', cell) > 0
