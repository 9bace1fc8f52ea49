// From a waiting plan to a bound session. The session id is fixed and durable before anyone is
// asked, so a crash anywhere in between is answered by asking again with the same id: one plan,
// one session, ever (invariant 2).
import { assign, type Assignment } from '../../contain/dispatch.ts'
import { makeId } from '../../protocol/ids.ts'
import type { BindRefusal } from '../../protocol/reasons.ts'
import type { AuditEntry, SessionEnd } from '../contracts.ts'
import { freeCell, setHold, setLatched, setRest } from './cells.ts'
import { unforgotten } from './forgetting.ts'
import type { PresenceSockets } from './presence-sockets.ts'
import { barredCells, waiting } from './queue.ts'
import {
  addressesFor,
  clashing,
  holdShared,
  releaseShared,
  sharedNeeds,
  sharedWaits,
} from './shared.ts'
import { drainOf } from './drain.ts'
import type { BindingRow, HubStore } from './store.ts'
import { allRest, endTold, restOf, stopOf } from './stops.ts'
import { restsOn } from './submissions.ts'
import { mustWait } from './waits.ts'

/**
 * Chooses plans for free cells and writes the bindings and the cells' session ids in one
 * transaction. Returns the new bindings; their sessions exist only after `PlanReview.bind`.
 */
export function reserve(
  store: HubStore,
  presence: Pick<PresenceSockets, 'online' | 'featuresOf'>,
  at: { now_ms: number; random: () => Uint8Array },
): BindingRow[] {
  // What cannot be judged again cannot be bound: a site that this release cannot read waits.
  if (store.registry() === null || store.policy() === null) return []
  if (drainOf(store) !== null) return []
  const bars = barredCells(store)
  const queue = waiting(store, at.now_ms).map((entry) => ({
    ...entry,
    shared: sharedNeeds(store, entry),
    barred_cells: bars.get(entry.planner) ?? new Set<string>(),
  }))
  if (queue.length === 0) return []
  const online = presence.online(at.now_ms)
  const blind = unforgotten(store)
  const site = {
    cells: store.cells().filter(({ cell }) => !blind.has(cell)),
    agents: store.agents().map((row) => ({
      ...row,
      online: online.has(row.agent),
      features: presence.featuresOf(row.agent),
    })),
  }
  // What has to wait for more than a cell makes room for the next one that fits.
  const waits = new Set<string>()
  let chosen: Assignment[] = []
  let entries: typeof queue = []
  for (;;) {
    const free = queue.filter(({ plan }) => !waits.has(plan))
    chosen = assign(free, site, at.now_ms)
    entries = chosen.flatMap(({ plan, agent: name }) => {
      const entry = free.find((one) => one.plan === plan)
      const agent = site.agents.find((one) => one.agent === name)
      if (entry === undefined || agent === undefined) return []
      const addresses = addressesFor(agent, entry.servers)
      return [{ ...entry, shared: [...entry.shared, ...addresses] }]
    })
    const clash = clashing(entries)
    const held = entries.filter(
      (entry) =>
        clash.has(entry.plan) ||
        mustWait(store, entry, at.now_ms) ||
        sharedWaits(store, entry).length > 0,
    )
    if (held.length === 0) break
    for (const { plan } of held) waits.add(plan)
  }
  const rows: BindingRow[] = []
  for (const assignment of chosen) {
    const entry = entries.find((candidate) => candidate.plan === assignment.plan)
    if (entry === undefined) continue
    const rests_on = restsOn(store, entry.plan)
    const row: BindingRow = {
      ...assignment,
      session: makeId('sess', at.random()),
      planner: entry.planner,
      owner: entry.owner,
      received_ms: entry.received_ms,
      state: 'binding',
      stop_reason: null,
      started_ms: at.now_ms,
      attempts: 0,
      rests_on,
      physical: entry.physical,
      next_ms: at.now_ms,
    }
    const written = store.write(
      `INSERT OR IGNORE INTO bindings (plan, session, cell, agent, agent_jkt, planner, state,
         received_ms, started_ms, owner, rests_on, physical, next_ms)
         VALUES (?, ?, ?, ?, ?, ?, 'binding', ?, ?, ?, ?, ?, ?)`,
      row.plan,
      row.session,
      row.cell,
      row.agent,
      row.agent_jkt,
      row.planner,
      row.received_ms,
      row.started_ms,
      row.owner,
      JSON.stringify(rests_on),
      row.physical ? 1 : 0,
      row.next_ms,
    )
    store.sql.exec('DELETE FROM queue WHERE plan = ?', row.plan)
    // A plan that already has a binding never gets a second one.
    if (written === 0) continue
    store.write('UPDATE cells SET session = ? WHERE cell = ?', row.session, row.cell)
    holdShared(store, row, entry.shared)
    rows.push(row)
  }
  return rows
}

/** Refusals after which a person may let the plan run all the same, over the cell as it is then. */
const comesBack: ReadonlySet<BindRefusal> = new Set<BindRefusal>(['state_changed', 'not_accepted'])

/** An agent that is there says hello in the session within this. */
const helloWithinMs = 8_000

/**
 * Marks how a binding went; a refusal frees the cell. False when the binding is no longer waiting for
 * an answer: its session has ended or was stopped meanwhile, and that stands.
 */
export function settle(
  store: HubStore,
  row: BindingRow,
  { state, code }: { readonly state: 'bound' | 'refused'; readonly code: BindRefusal | null },
  now_ms: number,
): boolean {
  const changed = store.write(
    `UPDATE bindings SET state = ?, next_ms = NULL, ended_ms = ?, check_ms = ? WHERE session = ?
       AND state = 'binding'`,
    state,
    state === 'refused' ? now_ms : null,
    state === 'bound' ? now_ms + helloWithinMs : null,
    row.session,
  )
  if (changed === 0) return false
  if (state === 'bound') return true
  if (code !== null && comesBack.has(code)) {
    // The row keeps the session known under a name that no plan has, so that the plan can queue anew.
    store.write(`UPDATE bindings SET plan = plan || '/' || session WHERE session = ?`, row.session)
  }
  freeCell(store, row.session)
  releaseShared(store, row.session)
  return true
}

/**
 * Remembers that a session which does not exist yet must end as soon as it does, and frees its cell:
 * without the cell it has no authority. False when the session was answered for already.
 */
export function stopWhenAnswered(store: HubStore, session: string, reason: string): boolean {
  const changed = store.write(
    `UPDATE bindings SET stop_reason = COALESCE(stop_reason, ?)
       WHERE session = ? AND state = 'binding'`,
    reason,
    session,
  )
  if (changed === 0) return false
  freeCell(store, session)
  releaseShared(store, session)
  return true
}

/**
 * Frees the cell of an ended session; latches it after an abnormal end, and holds the planner's other
 * plans after any end but `completed`. Idempotent.
 */
export function endBinding(store: HubStore, end: SessionEnd, now_ms: number): boolean {
  const binding = store.bindingOf(end.session)
  if (end.untouched === true && end.reason === 'agent_lost' && binding?.state === 'bound') {
    return giveBack(store, end, now_ms)
  }
  const changed = store.write(
    `UPDATE bindings SET state = 'ended', outcome = ?, ended_ms = ?, next_ms = NULL, check_ms = NULL
       WHERE session = ? AND state <> 'ended'`,
    end.status,
    now_ms,
    end.session,
  )
  if (changed === 0 || binding === null) return false
  // Whoever stopped it has caused what follows: it is their doing, and they know of it.
  const by = stopOf(store, end.session)?.by ?? 'gateway'
  const { session, cell, plan } = end
  freeCell(store, session)
  const reason = end.reason ?? 'node_unknown'
  if (end.status !== 'completed') {
    setHold(store, { cell, planner: binding.planner, session, plan, reason, by, now_ms })
  }
  const devices = restOf(end).moving
  if (end.latch || devices.length > 0) {
    setLatched(store, cell, { reason, by, now_ms, devices })
    // What may still move keeps what it shares with others, until it rests or a person clears the cell.
  } else releaseShared(store, session)
  endTold(store, end)
  return true
}

/**
 * No agent ever came to the session: it is over, and its plan may be bound anew. The row keeps the session
 * known under a name that no plan has.
 */
function giveBack(store: HubStore, end: SessionEnd, now_ms: number): boolean {
  store.write(
    `UPDATE bindings SET state = 'ended', outcome = 'given_back', ended_ms = ?, next_ms = NULL,
       check_ms = NULL, plan = plan || '/' || session WHERE session = ?`,
    now_ms,
    end.session,
  )
  freeCell(store, end.session)
  releaseShared(store, end.session)
  endTold(store, end)
  return true
}

/**
 * The end of a session told again: the agent has said more of its devices since. True when it let go of
 * something that another plan may wait for.
 */
export function restTold(store: HubStore, end: SessionEnd, now_ms: number): boolean {
  endTold(store, end)
  const { moving, at_rest } = restOf(end)
  const cell = store.cell(end.cell)
  const doing = { by: 'gateway', now_ms }
  if (cell?.needs_clearance === true) setRest(store, end.cell, { moving, at_rest, ...doing })
  else if (moving.length > 0) {
    // Cleared before it came to rest: the latch comes back.
    const reason = end.reason ?? 'node_unknown'
    setLatched(store, end.cell, { reason, devices: moving, ...doing })
  }
  return allRest(end) && releaseShared(store, end.session)
}

/** What the trail of the site says of an end. */
export const endFacts = ({ session, status, reason, latch }: SessionEnd): AuditEntry['facts'] => ({
  session,
  status,
  reason,
  latched: latch,
})
