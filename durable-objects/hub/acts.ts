// What people do: to cells, to sessions, to waiting plans, and to credentials. Each act changes what gives
// authority in its own turn; what has to be told or written follows.
import type { Drain } from '../../protocol/drain.ts'
import type { HaltReason } from '../../protocol/reasons.ts'
import type { ProvenWord, TakenBack } from '../../protocol/proven.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { samePerson } from '../../verify/decide/resolve.ts'
import type {
  AgentRecord,
  AuditEntry,
  CellAnswer,
  PersonsAct,
  ReleaseAnswer,
  RevokedCredential,
  SessionStop,
  StoppedSession,
} from '../contracts.ts'
import type { Env } from '../env.ts'
import type { CellStopper } from './cell-stopper.ts'
import { drillBarredBy } from './cell-stops.ts'
import { setDisarmed, setStopped } from './cells.ts'
import { letGo } from './cleared.ts'
import { disarmArmedBy, isRevoked, noteRevoked } from './credentials.ts'
import { drainOf, setDrain, type DrainAct } from './drain.ts'
import { enrol } from './enrol.ts'
import { planReviewOf } from './neighbours.ts'
import { answerFor, armCell, clearCell, disarmCell, forceClearCell, releaseCell } from './people.ts'
import type { PresenceSockets } from './presence-sockets.ts'
import { putProven, takeProvenBack } from './proven.ts'
import { waiting } from './queue.ts'
import type { Stopper } from './stopper.ts'
import type { BindingRow, HubStore } from './store.ts'
import { restsOn } from './submissions.ts'
import { openWaits, releaseWaits } from './waits.ts'

/** A stop of a session that has just ended still holds the cell: the person meant what they saw. */
const justEndedMs = 60_000

type NoDrill = { reason: 'session_running' } | { reason: 'not_at_rest'; detail: string }

function noDrill(store: HubStore, cell: string): NoDrill | null {
  const by = drillBarredBy(store, cell)
  if (by === 'session') return { reason: 'session_running' }
  if (by === null) return null
  return { reason: 'not_at_rest', detail: 'A stop of this cell is not confirmed yet.' }
}

export type ActsDeps = {
  env: Env
  store: HubStore
  stopper: Stopper
  cellStopper: CellStopper
  presence: Pick<PresenceSockets, 'disconnect'>
  /** Hands waiting plans to free cells. */
  dispatch: () => void
  trail: (actor: string, event: string, facts: AuditEntry['facts']) => Promise<void>
  rearm: () => Promise<void>
}

export class Acts {
  private readonly deps: ActsDeps

  constructor(deps: ActsDeps) {
    this.deps = deps
  }

  async putAgent(
    agent: AgentRecord,
    by: string,
  ): Promise<Result<void, { reason: 'too_many_agents' | 'cell_taken' }>> {
    const { store, presence, trail, cellStopper } = this.deps
    const enrolled = enrol(store, agent)
    if (!enrolled.ok) return enrolled
    await trail(by, 'agent_enrolled', { agent: agent.agent, cell: agent.cell, jkt: agent.jkt })
    const { replaced } = enrolled.value
    if (replaced !== null) {
      // Whoever armed the cell armed it for what served it then.
      setDisarmed(store, agent.cell, 'agent_restarted', { by, now_ms: Date.now() })
      presence.disconnect(agent.agent)
      for (const cell of new Set([agent.cell, replaced.cell])) await cellStopper.agentGone(cell)
      await this.endSessionsOf((row) => row.agent === agent.agent, 'agent_revoked', by)
    }
    return ok(undefined)
  }

  /** Ends what it runs and forbids every further binding to it. */
  async revokeAgent(agent: string, by: string): Promise<boolean> {
    const { store, presence, trail, cellStopper } = this.deps
    const row = store.agent(agent)
    if (row === null) return false
    store.write('UPDATE agents SET revoked = 1 WHERE agent = ?', agent)
    setDisarmed(store, row.cell, 'agent_restarted', { by, now_ms: Date.now() })
    await trail(by, 'agent_revoked', { agent })
    presence.disconnect(agent)
    await cellStopper.agentGone(row.cell)
    await this.endSessionsOf((binding) => binding.agent === agent, 'agent_revoked', by)
    return true
  }

  async arm(cell: string, until_ms: number, act: PersonsAct): Promise<CellAnswer> {
    // It may have been withdrawn after the door let the person in.
    if (isRevoked(this.deps.store, act.credential)) return err({ reason: 'credential_revoked' })
    const answer = armCell(this.deps.store, cell, { ...act, until_ms, now_ms: Date.now() })
    if (!answer.ok) return answer
    const { armed_until_ms, change } = answer.value
    await this.deps.trail(act.by, 'cell_armed', { cell, until_ms: armed_until_ms, change })
    this.deps.dispatch()
    return answerFor(this.deps.store, cell)
  }

  async proven(word: ProvenWord | TakenBack): Promise<boolean> {
    const { store, trail } = this.deps
    if ('taken_back' in word) {
      const { taken_back: tool, by } = word
      const taken = takeProvenBack(store, tool, by, Date.now())
      if (taken) await trail(by, 'row_taken_back', { tool })
      return taken
    }
    const tools = putProven(store, word)
    if (tools.length === 0) return false
    await trail(word.by, 'rows_proven', { tools, session: word.session })
    return true
  }

  async drain(drain: Drain | null, { by, whose }: DrainAct): Promise<Drain | null> {
    const { store, trail, dispatch } = this.deps
    setDrain(store, whose, drain)
    const event = drain === null ? 'drain_ended' : 'drain_begun'
    await trail(by, event, { reason: drain?.reason ?? null, whose })
    dispatch()
    return drainOf(store)
  }

  async disarm(cell: string, by: string): Promise<CellAnswer> {
    const answer = disarmCell(this.deps.store, cell, { by, now_ms: Date.now() })
    if (answer.ok) await this.deps.trail(by, 'cell_disarmed', { cell })
    return answer
  }

  async clear(cell: string, note: string, act: PersonsAct): Promise<CellAnswer> {
    let answer = clearCell(this.deps.store, cell, { ...act, note, now_ms: Date.now() })
    if (!answer.ok && answer.error.reason === 'session_running') {
      // The cell may name a session that has ended without the hub, or that is gone.
      const session = this.deps.store.cell(cell)?.session ?? null
      if (session === null) return answer
      const came = await this.deps.stopper.reconcile({ session, cell }, act.by)
      if (came === 'unreachable') return err({ reason: 'session_unreachable' })
      if (came === 'running') return answer
      await this.deps.trail('gateway', 'session_reconciled', { cell, session, came })
      answer = clearCell(this.deps.store, cell, { ...act, note, now_ms: Date.now() })
    }
    if (answer.ok) {
      await this.deps.trail(act.by, 'cell_cleared', { cell, note })
      const free = await letGo(this.deps.env, this.deps.store, cell, Date.now())
      if (!free) await this.deps.trail('gateway', 'holds_not_released', { cell })
      this.deps.dispatch()
    }
    return answer
  }

  async forceClear(cell: string, note: string, act: PersonsAct): Promise<CellAnswer> {
    const before = this.deps.store.cell(cell)
    const answer = forceClearCell(this.deps.store, cell, { ...act, now_ms: Date.now() })
    if (answer.ok) {
      const { session, not_at_rest } = before ?? { session: null, not_at_rest: [] }
      await this.deps.trail(act.by, 'cell_force_cleared', { cell, note, session, not_at_rest })
    }
    return answer
  }

  async releaseCell(cell: string, act: PersonsAct): Promise<CellAnswer> {
    const answer = releaseCell(this.deps.store, cell, { ...act, now_ms: Date.now() })
    if (answer.ok) {
      await this.deps.trail(act.by, 'queue_released', { cell })
      this.deps.dispatch()
    }
    return answer
  }

  async stopCell(cell: string, by: string): Promise<CellAnswer> {
    const row = this.deps.store.cell(cell)
    if (row === null) return err({ reason: 'cell_unknown' })
    const { session } = row
    const reason = 'stopped_by_person'
    // The session is told first; what is written after it is for those who come later.
    const stopping = session === null ? null : this.deps.stopper.stop({ session, cell, reason, by })
    setStopped(this.deps.store, cell, { by, now_ms: Date.now() })
    // Also where nothing runs: what a finished session left on is stopped with the rest of the cell.
    const resting = this.deps.cellStopper.press(cell, 'stop', by)
    await this.deps.trail(by, 'cell_stopped', { cell, session })
    await Promise.all([stopping, resting])
    await this.deps.rearm()
    // What the ended run has done is read before anything may follow it.
    this.deps.dispatch()
    return answerFor(this.deps.store, cell)
  }

  /** Runs the stop of a cell in which nothing runs, to see that it works and how long it takes. */
  async drillCell(cell: string, by: string): Promise<CellAnswer> {
    const { store, cellStopper, trail } = this.deps
    if (store.cell(cell) === null) return err({ reason: 'cell_unknown' })
    const barred = noDrill(store, cell)
    if (barred !== null) return err(barred)
    if (!cellStopper.reaches(cell)) {
      const detail = 'The agent of the cell is not connected, or too old to be drilled.'
      return err({ reason: 'cannot_drill', detail })
    }
    await trail(by, 'drill_begun', { cell })
    if ((await cellStopper.press(cell, 'drill', by)) === null) {
      // A stop or a session may have come while the line was written.
      const since = noDrill(store, cell)
      if (since !== null) return err(since)
      const detail = 'No row of the site file names a safe-stop that this cell may call now.'
      return err({ reason: 'cannot_drill', detail })
    }
    await this.deps.rearm()
    return answerFor(store, cell)
  }

  async stopSite(by: string): Promise<{ sessions: SessionStop[] }> {
    const now_ms = Date.now()
    const reason = 'stopped_by_person'
    const sessions = new Map<string, string>()
    for (const row of this.deps.store.cells())
      if (row.session !== null) sessions.set(row.session, row.cell)
    for (const state of ['bound', 'binding'] as const) {
      for (const row of this.deps.store.bindings(state)) sessions.set(row.session, row.cell)
    }
    const stopping = [...sessions].map(([session, cell]) =>
      this.deps.stopper.stop({ session, cell, reason, by }),
    )
    this.deps.store.raiseEpoch(reason, by, now_ms)
    const resting = this.deps.store.cells().map(({ cell }) => {
      setStopped(this.deps.store, cell, { by, now_ms })
      return this.deps.cellStopper.press(cell, 'stop', by)
    })
    await this.deps.trail(by, 'site_stopped', { epoch: this.deps.store.epoch() })
    // One unreachable session keeps none of the others from being stopped.
    const stopped = await Promise.all(stopping)
    await Promise.all(resting)
    await this.deps.rearm()
    // What the ended run has done is read before anything may follow it.
    this.deps.dispatch()
    return { sessions: stopped.map(({ stop }) => stop) }
  }

  async stopSession(
    session: string,
    by: string,
    planner: string | null,
  ): Promise<StoppedSession | null> {
    const binding = this.deps.store.bindingOf(session)
    if (planner !== null && binding?.planner !== planner) return null
    const held = this.deps.store.cells().find((row) => row.session === session)
    const reason = 'stopped_by_person'
    const cell = binding?.cell ?? held?.cell ?? ''
    const ended_ms = this.deps.store.endedOf(session)
    const stopping = this.deps.stopper.stop({ session, cell, reason, by })
    const now_ms = Date.now()
    // Long over: the cell is about other things by now.
    const over = held === undefined && (ended_ms === null || now_ms - ended_ms > justEndedMs)
    // A planner ends its own run; the cell is the people's, and its other plans wait as after any end.
    let resting: Promise<unknown> = Promise.resolve()
    if (binding !== null && planner === null && (!over || binding.state !== 'ended')) {
      setStopped(this.deps.store, cell, { by, now_ms })
      resting = this.deps.cellStopper.press(cell, 'stop', by)
      await this.deps.trail(by, 'session_stopped', { cell, session })
    }
    const answer = await stopping
    await resting
    await this.deps.rearm()
    // What the ended run has done is read before anything may follow it.
    this.deps.dispatch()
    if (binding === null && answer.status === null && answer.stop.stop === 'stopped') {
      this.deps.store.write('DELETE FROM stops WHERE session = ?', session)
      return null
    }
    return answer
  }

  async releasePlan(plan: string, act: { by: string; note: string }): Promise<ReleaseAnswer> {
    const entry = waiting(this.deps.store, Date.now()).find((one) => one.plan === plan)
    if (entry === undefined) return err({ reason: 'not_found' })
    // Whoever answers for the planner does not decide on what its plans may repeat.
    if (samePerson(entry.owner, act.by)) return err({ reason: 'conflict_of_interest' })
    const released = releaseWaits(this.deps.store, plan, act.by)
    if (released.length === 0) return err({ reason: 'nothing_to_release' })
    const why = released.map((wait) => wait.why)
    await this.deps.trail(act.by, 'plan_released', { plan, why, note: act.note })
    this.deps.dispatch()
    return ok(openWaits(this.deps.store, plan))
  }

  async revokeCredential(revoked: RevokedCredential, by: string): Promise<void> {
    const { credential, role, subject } = revoked
    const now_ms = Date.now()
    const known = isRevoked(this.deps.store, credential)
    noteRevoked(this.deps.store, revoked, by)
    const falls = (row: { rests_on: string[]; planner: string; received_ms: number }): boolean =>
      row.rests_on.includes(credential) ||
      // Plans that were taken in before plans named their credential.
      (row.rests_on.length === 0 &&
        role === 'planner' &&
        row.planner === subject &&
        row.received_ms <= revoked.revoked_ms)
    const cells = disarmArmedBy(this.deps.store, credential, { by, now_ms })
    const queued = waiting(this.deps.store, now_ms).filter((entry) =>
      falls({ ...entry, rests_on: restsOn(this.deps.store, entry.plan) }),
    )
    // Out of the queue in the same turn: what rests on it cannot be dispatched any more.
    for (const { plan } of queued) this.deps.store.write('DELETE FROM queue WHERE plan = ?', plan)
    if (!known)
      await this.deps.trail(by, 'authority_withdrawn', { credential, role, subject, cells })
    const told = await Promise.allSettled([
      this.endSessionsOf(falls, 'capability_revoked', by),
      ...queued.map((entry) =>
        planReviewOf(this.deps.env, this.deps.store, entry.plan).withdraw(by),
      ),
    ])
    // Asked again by the door when the person repeats the revocation.
    for (const one of told) if (one.status === 'rejected') throw one.reason
  }

  /** Ends what runs, or is about to, in the cells whose binding answers to `which`. */
  async endSessionsOf(
    which: (row: BindingRow) => boolean,
    reason: HaltReason,
    by: string,
  ): Promise<void> {
    const rows = [
      ...this.deps.store.bindings('binding'),
      ...this.deps.store.bindings('bound'),
    ].filter(which)
    await Promise.all(
      rows.map(({ session, cell }) => this.deps.stopper.stop({ session, cell, reason, by })),
    )
    await this.deps.rearm()
    // What the ended run has done is read before anything may follow it.
    this.deps.dispatch()
  }
}
