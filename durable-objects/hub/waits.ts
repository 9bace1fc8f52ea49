// What an accepted plan waits for besides a free cell: the plan that it follows or replaces, a person who
// has seen that it repeats another, or what an ended run of the same planner has already done.
import type { PlanState, PlanWait } from '../../protocol/status.ts'
import type { QueueEntry } from '../contracts.ts'
import { sharedWaitsOf } from './shared.ts'
import type { HubStore } from './store.ts'
import { submissionOf } from './submissions.ts'

/** The same plan sent again so soon after it was done is a repetition. */
const justDoneMs = 600_000
/** How often another plan is asked for its state. */
const askEveryMs = 3_000
/** An end whose calls cannot be read holds its planner's plans for so long at most. */
const doneUnknownMs = 3_600_000

type Row = {
  plan: string
  why: string
  other: string
  session: string | null
  person: number
  done: string
  next_ms: number | null
  released_by: string | null
}

const viewOf = (row: Row): PlanWait => ({
  why: row.why as PlanWait['why'],
  plan: row.other,
  session: row.session,
  person: row.person === 1,
  done: JSON.parse(row.done) as PlanWait['done'],
})

function put(store: HubStore, plan: string, wait: PlanWait): void {
  // One that a person has released stays released.
  store.sql.exec(
    `INSERT INTO waits (plan, why, other, session, person, done) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (plan, why) DO UPDATE SET session = excluded.session, done = excluded.done`,
    plan,
    wait.why,
    wait.plan,
    wait.session,
    wait.person ? 1 : 0,
    JSON.stringify(wait.done),
  )
}

/** What stands against handing out a plan, and has not been released. */
export function openWaits(store: HubStore, plan: string): PlanWait[] {
  const waits = store.sql
    .exec<Row>('SELECT * FROM waits WHERE plan = ? AND released_by IS NULL ORDER BY why', plan)
    .toArray()
    .map(viewOf)
  return [...waits, ...sharedWaitsOf(store, plan)]
}

/** Writes down what a plan has to wait for when it enters the queue. */
export function beginWaits(store: HubStore, entry: QueueEntry, now_ms: number): void {
  const own = submissionOf(store, entry.plan)
  if (own === null) return
  const plain = { session: null, person: false, done: [] }
  if (own.follows !== null) {
    put(store, entry.plan, { why: 'follows', plan: own.follows, ...plain })
  }
  if (own.supersedes !== null) {
    put(store, entry.plan, { why: 'supersedes', plan: own.supersedes, ...plain })
  }
  if (entry.physical && !own.keyed) {
    const same = store.sql
      .exec<{ plan: string; session: string | null }>(
        `SELECT s.plan, b.session FROM submitted s LEFT JOIN bindings b ON b.plan = s.plan
           WHERE s.plan_digest = ?1 AND s.plan <> ?2 AND (s.planner = ?3 OR s.owner = ?4)
             AND (s.plan IN (SELECT plan FROM queue) OR b.state IN ('binding', 'bound')
               OR (b.state = 'ended' AND b.ended_ms >= ?5))
           ORDER BY s.at_ms DESC LIMIT 1`,
        own.plan_digest,
        entry.plan,
        own.planner,
        own.owner,
        now_ms - justDoneMs,
      )
      .toArray()[0]
    if (same !== undefined) {
      const { plan, session } = same
      put(store, entry.plan, { why: 'duplicate_of', plan, session, person: true, done: [] })
    }
  }
  findRepeats(store, entry)
}

/** Calls that an ended run of the same planner or owner has made, or may have made. */
function findRepeats(store: HubStore, entry: QueueEntry): void {
  const own = submissionOf(store, entry.plan)
  if (own === null || own.calls.length === 0) return
  const rows = store.sql
    .exec<{ session: string; plan: string; nid: string; tool: string; state: string }>(
      `SELECT session, plan, nid, tool, state FROM done_calls
         WHERE call IN (SELECT value FROM json_each(?)) AND (planner = ? OR owner = ?)
         ORDER BY at_ms DESC, nid LIMIT 256`,
      JSON.stringify(own.calls.map(({ call }) => call)),
      own.planner,
      own.owner,
    )
    .toArray()
  const [first] = rows
  if (first === undefined) return
  const { plan, session } = first
  const done = rows.map(({ nid, tool, state }) => ({ nid, tool, state }))
  put(store, entry.plan, { why: 'repeats_ended_run', plan, session, person: true, done })
}

/** True when an ended run of the planner or owner has not been read yet: what it did is not known. */
function endUnread(store: HubStore, entry: QueueEntry, now_ms: number): boolean {
  const rows = store.sql.exec(
    `SELECT 1 FROM bindings WHERE outcome = 'terminated' AND done_ms IS NULL AND ended_ms > ?
       AND (planner = ? OR owner = ?) LIMIT 1`,
    now_ms - doneUnknownMs,
    entry.planner,
    entry.owner,
  )
  return rows.toArray().length > 0
}

/** Whether a plan that a cell could take now has to wait all the same. */
export function mustWait(store: HubStore, entry: QueueEntry, now_ms: number): boolean {
  if (entry.physical) {
    if (endUnread(store, entry, now_ms)) return true
    findRepeats(store, entry)
  }
  return openWaits(store, entry.plan).length > 0
}

/** Chains whose other plan has to be asked for its state. */
export function chainsDue(
  store: HubStore,
  now_ms: number,
): { plan: string; why: string; other: string }[] {
  const rows = store.sql
    .exec<Row>(
      `SELECT * FROM waits WHERE person = 0 AND released_by IS NULL AND COALESCE(next_ms, 0) <= ?
         AND plan IN (SELECT plan FROM queue)`,
      now_ms,
    )
    .toArray()
  for (const { plan, why } of rows) {
    store.sql.exec(
      'UPDATE waits SET next_ms = ? WHERE plan = ? AND why = ?',
      now_ms + askEveryMs,
      plan,
      why,
    )
  }
  return rows
}

/** When the next chain has to be looked at; null when no plan waits for another. */
export function nextChain(store: HubStore): number | null {
  return store.sql
    .exec<{ at: number | null }>(
      `SELECT MIN(COALESCE(next_ms, 0)) AS at FROM waits WHERE person = 0
         AND released_by IS NULL AND plan IN (SELECT plan FROM queue)`,
    )
    .one().at
}

/** What the state of the other plan means. True when something has changed. */
export function chainSeen(
  store: HubStore,
  chain: { plan: string; why: string; other: string },
  state: PlanState | null,
): boolean {
  const { plan, why } = chain
  const over = state === null || ['rejected', 'withdrawn', 'expired', 'terminated'].includes(state)
  const met = why === 'follows' ? state === 'completed' : over
  const broken = why === 'follows' ? over : state === 'completed'
  if (!met && !broken) return false
  store.sql.exec('DELETE FROM waits WHERE plan = ? AND why = ?', plan, why)
  if (broken) {
    // What it was to follow never ran to its end, or what it was to replace did: a person decides.
    const now = why === 'follows' ? 'follows_broken' : 'superseded_completed'
    put(store, plan, { why: now, plan: chain.other, session: null, person: true, done: [] })
  }
  return true
}

/** A person lets a plan run. Returns what was released; nothing that only waits for another plan. */
export function releaseWaits(store: HubStore, plan: string, by: string): PlanWait[] {
  const waits = openWaits(store, plan).filter(({ person }) => person)
  store.sql.exec(
    'UPDATE waits SET released_by = ? WHERE plan = ? AND person = 1 AND released_by IS NULL',
    by,
    plan,
  )
  for (const { why, session } of waits) {
    // Seen once, by a person: the next plan is not held for it again.
    if (why === 'repeats_ended_run' && session !== null) {
      store.sql.exec('DELETE FROM done_calls WHERE session = ?', session)
    }
  }
  return waits
}

/** Ended runs whose calls have not been read yet. */
export function endsUnread(store: HubStore): { session: string; plan: string }[] {
  return store.sql
    .exec<{ session: string; plan: string }>(
      `SELECT session, plan FROM bindings WHERE outcome = 'terminated' AND done_ms IS NULL`,
    )
    .toArray()
}

/** What an ended run has done, by node; null when nobody can say: then all of it may have been. */
export function noteDone(
  store: HubStore,
  run: { session: string; plan: string },
  nodes: readonly { nid: string; state: string }[] | null,
  now_ms: number,
): void {
  const own = submissionOf(store, run.plan)
  const states = new Map(nodes?.map(({ nid, state }) => [nid, state]))
  for (const { nid, tool, call } of own?.calls ?? []) {
    const state = nodes === null ? 'unknown' : (states.get(nid) ?? 'pending')
    if (own === null || ['pending', 'released', 'skipped'].includes(state)) continue
    store.sql.exec(
      `INSERT OR IGNORE INTO done_calls (session, nid, plan, planner, owner, tool, call, state,
         at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      run.session,
      nid,
      run.plan,
      own.planner,
      own.owner,
      tool,
      call,
      state,
      now_ms,
    )
  }
  store.write('UPDATE bindings SET done_ms = ? WHERE session = ?', now_ms, run.session)
}
