// The hub's own core over its own rows: what decides about cells, the queue, bindings, stops and a `go`. Each
// method is what the object does in one turn; calls to sessions and reviews, and their answers, are the caller's.
import { setDisarmed, setStopped } from '../../../durable-objects/hub/cells.ts'
import * as bindings from '../../../durable-objects/hub/bindings.ts'
import { disarmArmedBy, isRevoked, noteRevoked } from '../../../durable-objects/hub/credentials.ts'
import { Gate } from '../../../durable-objects/hub/gate.ts'
import * as people from '../../../durable-objects/hub/people.ts'
import { recordHealth } from '../../../durable-objects/hub/presence.ts'
import { enqueuePlan, waiting } from '../../../durable-objects/hub/queue.ts'
import { reconcile } from '../../../durable-objects/hub/reconcile.ts'
import { HubStore } from '../../../durable-objects/hub/store.ts'
import * as stops from '../../../durable-objects/hub/stops.ts'
import { noteSubmission, restsOn } from '../../../durable-objects/hub/submissions.ts'
import { endsUnread, noteDone } from '../../../durable-objects/hub/waits.ts'
import type { PersonsAct, QueueEntry, SessionEnd } from '../../../durable-objects/contracts.ts'
import type { HaltReason } from '../../../protocol/reasons.ts'
import { policySchema } from '../../../protocol/policy.ts'
import { ObjectStorage, type Database } from './database.ts'
import { agentOf, cells, registry, type Cell } from './site.ts'

/** The functions of the hub, so that a broken one can take the place of its own. */
const own = {
  ...bindings,
  ...people,
  ...stops,
  setDisarmed,
  setStopped,
  disarmArmedBy,
  isRevoked,
  enqueuePlan,
  waiting,
  noteDone,
  recordHealth,
  /** What memory keeps between two questions is read again after every write. */
  gate: (store: HubStore) => new Gate(store),
}
export type HubParts = typeof own
export const hubParts: HubParts = own

type Health = Parameters<typeof recordHealth>[2]
export type Bound = { readonly plan: string; readonly session: string; readonly cell: string }

const jkt = (cell: Cell): string => `jkt-${cell}`

export class HubCore {
  readonly #sql: SqlStorage
  readonly #parts: HubParts
  #store: HubStore
  #gate: Gate
  #ids = 0

  /** A new site in an empty database. */
  constructor(database: Database, parts: HubParts) {
    const sql: unknown = new ObjectStorage(database, () => undefined)
    this.#sql = sql as SqlStorage
    this.#parts = parts
    this.#store = new HubStore(this.#sql)
    this.#gate = parts.gate(this.#store)
    this.#store.set('registry', JSON.stringify(registry))
    this.#store.set('registry_digest', 'registry')
    this.#store.set('policy', JSON.stringify(policySchema.parse({})))
    this.#store.set('policy_version', 'policy')
    for (const cell of cells) {
      const jwk = JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: 'x' })
      const put = 'INSERT INTO agents (agent, cell, jkt, jwk, boot_id) VALUES (?, ?, ?, ?, ?)'
      this.#store.write(put, agentOf(cell), cell, jkt(cell), jwk, `boot-${cell}`)
      this.#store.write('INSERT INTO cells (cell) VALUES (?)', cell)
    }
  }

  /** Another instance over the same rows. */
  restart(): void {
    this.#store = new HubStore(this.#sql)
    this.#gate = this.#parts.gate(this.#store)
  }

  health(
    cell: Cell,
    servers: Readonly<Record<string, 'up' | 'down' | 'not_at_rest'>>,
    now_ms: number,
  ) {
    const row = this.#store.agent(agentOf(cell))
    if (row === null) throw new TypeError(`no agent for ${cell}`)
    const told = Object.entries(servers).map(([name, state]) => [
      name,
      state === 'not_at_rest'
        ? { state: 'down' as const, reason: state, tools: {} }
        : { state, tools: {} },
    ])
    const reported = Object.fromEntries(told) as Health['servers']
    this.#parts.recordHealth(this.#store, row, { servers: reported, sandboxes: {} }, now_ms)
  }

  arm(cell: Cell, until_ms: number, act: PersonsAct, now_ms: number): string {
    if (this.#parts.isRevoked(this.#store, act.credential)) return 'credential_revoked'
    const answer = this.#parts.armCell(this.#store, cell, { ...act, until_ms, now_ms })
    return answer.ok ? 'ok' : answer.error.reason
  }

  disarm(cell: Cell, by: string, now_ms: number): void {
    this.#parts.disarmCell(this.#store, cell, { by, now_ms })
  }

  clear(cell: Cell, act: PersonsAct, now_ms: number): string {
    const answer = this.#parts.clearCell(this.#store, cell, { ...act, note: 'seen', now_ms })
    return answer.ok ? 'ok' : answer.error.reason
  }

  force(cell: Cell, act: PersonsAct, now_ms: number): string {
    const answer = this.#parts.forceClearCell(this.#store, cell, { ...act, now_ms })
    return answer.ok ? 'ok' : answer.error.reason
  }

  release(cell: Cell, act: PersonsAct, now_ms: number): string {
    const answer = this.#parts.releaseCell(this.#store, cell, { ...act, now_ms })
    return answer.ok ? 'ok' : answer.error.reason
  }

  /** The stop of one session, as it is written down in the turn in which it is told. */
  #stop(session: string, cell: string, about: { reason: HaltReason; by: string; now_ms: number }) {
    this.#parts.wantStop(this.#store, { session, cell, ...about })
    this.#parts.stopWhenAnswered(this.#store, session, about.reason)
  }

  stopCell(cell: Cell, by: string, now_ms: number): void {
    const session = this.#store.cell(cell)?.session ?? null
    if (session !== null) this.#stop(session, cell, { reason: 'stopped_by_person', by, now_ms })
    this.#parts.setStopped(this.#store, cell, { by, now_ms })
  }

  stopSite(by: string, now_ms: number): void {
    const running = [...this.#store.bindings('bound'), ...this.#store.bindings('binding')]
    const held = this.#store
      .cells()
      .flatMap(({ session, cell }) => (session === null ? [] : [{ session, cell }]))
    for (const { session, cell } of [...held, ...running]) {
      this.#stop(session, cell, { reason: 'stopped_by_person', by, now_ms })
    }
    this.#store.raiseEpoch('stopped_by_person', by, now_ms)
    for (const cell of cells) this.#parts.setStopped(this.#store, cell, { by, now_ms })
  }

  revoke(credential: string, by: string, now_ms: number): void {
    const about = { credential, role: 'operator' as const, subject: credential, owner: by }
    noteRevoked(this.#store, { ...about, revoked_ms: now_ms }, by)
    this.#parts.disarmArmedBy(this.#store, credential, { by, now_ms })
    for (const { plan } of this.#parts.waiting(this.#store, now_ms)) {
      if (!restsOn(this.#store, plan).includes(credential)) continue
      this.#store.write('DELETE FROM queue WHERE plan = ?', plan)
    }
    for (const row of [...this.#store.bindings('binding'), ...this.#store.bindings('bound')]) {
      if (!row.rests_on.includes(credential)) continue
      this.#stop(row.session, row.cell, { reason: 'capability_revoked', by, now_ms })
    }
  }

  enqueue(entry: QueueEntry, credential: string, now_ms: number): string {
    const who = { planner: entry.planner, owner: entry.owner, credential, keyed: true }
    const chain = { follows: null, supersedes: null, calls: [] }
    const note = { plan: entry.plan, plan_digest: entry.plan, ...who, ...chain }
    noteSubmission(this.#store, { ...note, received_ms: entry.received_ms }, now_ms)
    const answer = this.#parts.enqueuePlan(this.#store, entry, now_ms)
    return answer.ok ? answer.value : answer.error.reason
  }

  reserve(online: readonly Cell[], now_ms: number): Bound[] {
    const presence = {
      online: () => new Set(online.map(agentOf)),
      featuresOf: () => [],
    }
    return this.#parts
      .reserve(this.#store, presence, { now_ms, random: () => this.#random() })
      .map(({ plan, session, cell }) => ({ plan, session, cell }))
  }

  /** The next id: they differ, and a run gives the same ones again. */
  #random(): Uint8Array {
    const id = ++this.#ids
    return Uint8Array.from({ length: 26 }, (_, i) => (i < 4 ? (id >> (15 - 5 * i)) & 31 : 0))
  }

  settle(
    session: string,
    how: 'bound' | 'state_changed' | 'policy_changed',
    now_ms: number,
  ): boolean {
    const row = this.#store.bindingOf(session)
    if (row === null) return false
    const bound = { state: 'bound', code: null } as const
    const answer = how === 'bound' ? bound : ({ state: 'refused', code: how } as const)
    const settled = this.#parts.settle(this.#store, row, answer, now_ms)
    if (answer.state === 'refused') this.#parts.nothingToStop(this.#store, session)
    return settled
  }

  /** The session tells its end, for the first time or again. */
  ended(end: SessionEnd, now_ms: number): void {
    if (this.#parts.endBinding(this.#store, end, now_ms)) return
    this.#parts.restTold(this.#store, end, now_ms)
  }

  /** What a session that is to stop answers. */
  answered(
    session: string,
    how: 'nothing' | 'missing' | 'ended_quiet' | 'ended_moved',
    now_ms: number,
  ) {
    const binding = this.#store.bindingOf(session)
    const row = stops.stopOf(this.#store, session)
    if (row === null) return
    if (how === 'nothing') return this.#parts.notReached(this.#store, session, now_ms)
    if (how !== 'missing') {
      const state = how === 'ended_moved' ? ('succeeded' as const) : ('released' as const)
      const status = { session, status: 'terminated', nodes: [{ nid: 'n0', state }] }
      const physical = binding?.physical ?? true
      return this.#parts.sessionReached(this.#store, status as never, physical, now_ms)
    }
    if (binding === null) return this.#parts.nothingToStop(this.#store, session)
    if (binding.state === 'binding') return this.#parts.notReached(this.#store, session, now_ms)
    reconcile(this.#store, { session, cell: row.cell }, null, { now_ms, by: row.by })
  }

  readEnds(now_ms: number): void {
    for (const run of endsUnread(this.#store)) this.#parts.noteDone(this.#store, run, [], now_ms)
  }

  may(
    session: string,
    cell: Cell,
    about: { planner: string; tool: string; epoch: number; told_ms: number },
    now_ms: number,
  ): string {
    const ask = { session, cell, agent_jkt: jkt(cell), ...about }
    const answer = this.#gate.mayActuate(ask, now_ms)
    return answer.ok ? 'ok' : answer.error.reason
  }

  /** Every row that decides, in an order that does not depend on when it was written. */
  view(now_ms: number) {
    const sql = this.#sql
    const rows = (query: string) => sql.exec(query).toArray()
    return {
      epoch: this.#store.epoch(),
      cells: this.#store.cells().map((cell) => ({
        ...cell,
        holds: rows(`SELECT planner || ' ' || session || ' ' || reason AS h FROM holds
          WHERE cell = '${cell.cell}' ORDER BY h`).map(({ h }) => String(h)),
      })),
      queue: this.#parts.waiting(this.#store, now_ms).map(({ plan }) => plan),
      bindings: rows('SELECT * FROM bindings ORDER BY session').map((row) =>
        [
          row['session'],
          row['plan'],
          row['state'],
          row['stop_reason'],
          row['outcome'],
          row['ended_ms'],
          row['check_ms'],
        ].join(' | '),
      ),
      stops: rows('SELECT * FROM stops ORDER BY session').map((row) =>
        [
          row['session'],
          row['cell'],
          row['reason'],
          row['by'],
          row['state'],
          row['attempts'],
          row['next_ms'],
          row['devices'],
        ].join(' | '),
      ),
    }
  }
}
