// What decides a `go`, in memory: cells, keys of agents, bindings that may run, what was withdrawn. Read
// from the hub's own rows after every write that could change it, and from nowhere else, so that a
// question before a `go` costs map look-ups however long the queue, the window or the history is.
import { mayActuate } from '../../contain/authority.ts'
import type { TerminationReason } from '../../protocol/reasons.ts'
import { err, type Result } from '../../protocol/result.ts'
import type { AuthorityQuestion } from '../../protocol/status.ts'
import type { AgentKey, BindingRow, CellRow, HubStore } from './store.ts'

type Kept = {
  writes: number
  epoch: number
  cells: ReadonlyMap<string, CellRow>
  agents: ReadonlyMap<string, AgentKey>
  running: ReadonlyMap<string, BindingRow>
  /** Sessions that somebody wants to end, with the reason. */
  stopping: ReadonlyMap<string, TerminationReason>
  revoked: ReadonlySet<string>
}

/** Reads a list into a map by one of its members. */
const by = <T>(list: readonly T[], key: (one: T) => string): Map<string, T> =>
  new Map(list.map((one) => [key(one), one]))

export class Gate {
  private readonly store: HubStore
  private kept: Kept | null = null

  constructor(store: HubStore) {
    this.store = store
  }

  /** Fresh authority for one node of one session; a session that the hub did not bind has none. */
  mayActuate(ask: AuthorityQuestion, now_ms: number): Result<void, { reason: TerminationReason }> {
    const kept = this.current()
    const registry = this.store.registry()
    const binding = kept.running.get(ask.session)
    const stopping = kept.stopping.get(ask.session)
    if (stopping !== undefined) return err({ reason: stopping })
    if (kept.epoch !== ask.epoch) return err({ reason: this.store.epochReason(ask.epoch) })
    if (binding === undefined) return err({ reason: 'session_mismatch' })
    if (registry === null) return err({ reason: 'registry_changed' })
    return mayActuate(
      ask,
      {
        epoch: kept.epoch,
        epoch_reason: 'epoch_revoked',
        cell: kept.cells.get(ask.cell) ?? null,
        agent: kept.agents.get(binding.agent) ?? null,
        planner_revoked: binding.rests_on.some((credential) => kept.revoked.has(credential)),
        registry: registry.registry,
      },
      now_ms,
    )
  }

  private current(): Kept {
    const { store } = this
    if (this.kept?.writes === store.writes) return this.kept
    const stops = store.sql
      .exec<{ session: string; reason: string }>(
        `SELECT session, reason FROM stops WHERE state = 'wanted'`,
      )
      .toArray()
    const revoked = store.sql
      .exec<{ credential: string }>('SELECT credential FROM revoked_credentials')
      .toArray()
    this.kept = {
      writes: store.writes,
      epoch: store.epoch(),
      cells: by(store.cells(), (row) => row.cell),
      agents: by(store.agentKeys(), (row) => row.agent),
      running: by([...store.bindings('bound'), ...store.bindings('binding')], (row) => row.session),
      stopping: new Map(stops.map((row) => [row.session, row.reason as TerminationReason])),
      revoked: new Set(revoked.map(({ credential }) => credential)),
    }
    return this.kept
  }
}
