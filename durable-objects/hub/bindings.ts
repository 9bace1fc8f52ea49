// From a waiting plan to a bound session. The session id is fixed and durable before anyone is
// asked, so a crash anywhere in between is answered by asking again with the same id: one plan,
// one session, ever (invariant 2).
import { assign } from '../../contain/dispatch.ts'
import { makeId } from '../../protocol/ids.ts'
import { waiting } from './queue.ts'
import type { BindingRow, HubStore } from './store.ts'

/**
 * Chooses plans for free cells and writes the bindings and the cells' session ids in one
 * transaction. Returns the new bindings; their sessions exist only after `PlanReview.bind`.
 */
export function reserve(
  store: HubStore,
  online: ReadonlySet<string>,
  at: { now_ms: number; random: () => Uint8Array },
): BindingRow[] {
  const queue = waiting(store, at.now_ms)
  const agents = store.agents().map((row) => ({ ...row, online: online.has(row.agent) }))
  const chosen = assign(queue, { cells: store.cells(), agents }, at.now_ms)
  const rows: BindingRow[] = []
  for (const assignment of chosen) {
    const entry = queue.find((candidate) => candidate.plan === assignment.plan)
    if (entry === undefined) continue
    const row: BindingRow = {
      ...assignment,
      session: makeId('sess', at.random()),
      planner: entry.planner,
      received_ms: entry.received_ms,
      state: 'binding',
      stop_reason: null,
      started_ms: at.now_ms,
      attempts: 0,
    }
    const written = store.sql.exec(
      `INSERT OR IGNORE INTO bindings (plan, session, cell, agent, agent_jkt, planner, state,
         received_ms, started_ms) VALUES (?, ?, ?, ?, ?, ?, 'binding', ?, ?)`,
      row.plan,
      row.session,
      row.cell,
      row.agent,
      row.agent_jkt,
      row.planner,
      row.received_ms,
      row.started_ms,
    ).rowsWritten
    store.sql.exec('DELETE FROM queue WHERE plan = ?', row.plan)
    // A plan that already has a binding never gets a second one.
    if (written === 0) continue
    store.sql.exec('UPDATE cells SET session = ? WHERE cell = ?', row.session, row.cell)
    rows.push(row)
  }
  return rows
}

/**
 * Marks how a binding went; a refusal frees the cell. False when the binding is no longer waiting for
 * an answer: its session has ended or was stopped meanwhile, and that stands.
 */
export function settle(store: HubStore, row: BindingRow, state: 'bound' | 'refused'): boolean {
  const changed = store.sql.exec(
    `UPDATE bindings SET state = ? WHERE session = ? AND state = 'binding'`,
    state,
    row.session,
  ).rowsWritten
  if (changed === 0) return false
  if (state === 'refused') {
    store.sql.exec(
      'UPDATE cells SET session = NULL WHERE cell = ? AND session = ?',
      row.cell,
      row.session,
    )
  }
  return true
}

/**
 * Remembers that a session which does not exist yet must end as soon as it does, and frees its cell:
 * without the cell it has no authority. False when the session was answered for already.
 */
export function stopWhenAnswered(store: HubStore, session: string, reason: string): boolean {
  const changed = store.sql.exec(
    `UPDATE bindings SET stop_reason = COALESCE(stop_reason, ?)
       WHERE session = ? AND state = 'binding'`,
    reason,
    session,
  ).rowsWritten
  if (changed === 0) return false
  store.sql.exec('UPDATE cells SET session = NULL WHERE session = ?', session)
  return true
}

/** Frees the cell of an ended session; latches it after an abnormal end. Idempotent. */
export function endBinding(
  store: HubStore,
  end: { session: string; cell: string; latch: boolean; reason: string | null },
): boolean {
  const changed = store.sql.exec(
    `UPDATE bindings SET state = 'ended' WHERE session = ? AND state <> 'ended'`,
    end.session,
  ).rowsWritten
  if (changed === 0) return false
  store.sql.exec(
    `UPDATE cells SET session = NULL WHERE cell = ? AND session = ?`,
    end.cell,
    end.session,
  )
  if (end.latch) {
    store.sql.exec(
      `UPDATE cells SET needs_clearance = 1, latch_reason = ?, armed_until_ms = NULL,
         armed_by = NULL WHERE cell = ?`,
      end.reason,
      end.cell,
    )
  }
  return true
}
