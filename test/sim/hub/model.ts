// A reference model of a site's hub, written apart from the product code and by other means: sets and maps of
// what has happened, and from them who may do what, what waits, what is bound, which stop is still to arrive and
// when it is told again. Where it and the hub disagree, one of them is wrong.
import type { Cell } from '../gateway/site.ts'
import { CellModel } from './cell.ts'
import { Stops } from './stops.ts'
import type { Act, End, Entry, MayAsk } from './words.ts'

type Binding = {
  readonly session: string
  plan: string
  readonly cell: Cell
  readonly entry: Entry
  readonly with: string
  state: 'binding' | 'bound' | 'refused' | 'ended'
  stop: string | null
  outcome: string | null
  endedAt: number | null
  checkAt: number | null
  /** What it has done has been read. */
  read: boolean
}

type Health = { readonly at: number; readonly servers: Readonly<Record<string, string>> }

const armedAtMost = 8 * 3_600_000
const healthLasts = 30_000
const hour = 3_600_000

export class HubModel {
  readonly cells = new Map<Cell, CellModel>()
  readonly bindings = new Map<string, Binding>()
  readonly #stops = new Stops()
  readonly #health = new Map<Cell, Health>()
  readonly #revoked = new Set<string>()
  readonly #submittedWith = new Map<string, string>()
  #queue: { entry: Entry; at: number }[] = []
  epoch = 0

  constructor(cells: readonly Cell[]) {
    for (const cell of cells) {
      this.cells.set(cell, new CellModel())
    }
  }

  #cell(name: Cell): CellModel {
    const cell = this.cells.get(name)
    if (cell === undefined) throw new Error(`no cell ${name}`)
    return cell
  }

  #freed(session: string): void {
    for (const cell of this.cells.values()) if (cell.session === session) cell.session = null
  }

  health(cell: Cell, servers: Health['servers'], at: number): void {
    const before = this.#health.get(cell)
    const same = JSON.stringify(before?.servers) === JSON.stringify(servers)
    // Unchanged, it is written again after a third of its life.
    if (before === undefined || !same || at - before.at >= healthLasts / 3) {
      this.#health.set(cell, { at, servers })
    }
  }

  /** Its agent has said of late that its bench is up. */
  isWell(cell: Cell, at: number): boolean {
    const health = this.#health.get(cell)
    return health?.servers['bench'] === 'up' && at - health.at <= healthLasts
  }

  // ---------- people ----------

  arm(name: Cell, until: number, act: Act, at: number): string {
    const cell = this.#cell(name)
    if (this.#revoked.has(act.credential)) return 'credential_revoked'
    if (cell.latch !== null) return 'needs_clearance'
    if (!cell.seenBy(act, true)) return 'stale_change'
    cell.holds.clear()
    cell.changed('armed', act.by, at)
    cell.armedUntil = Math.min(until, at + armedAtMost)
    cell.armedBy = act.by
    cell.armedWith = act.credential
    cell.heldBy = null
    return 'ok'
  }

  disarm(name: Cell, by: string, at: number): void {
    const cell = this.#cell(name)
    cell.changed('disarmed', by, at)
    cell.disarm()
  }

  clear(name: Cell, act: Act, at: number): string {
    const cell = this.#cell(name)
    if (cell.session !== null) return 'session_running'
    if (!cell.seenBy(act, false)) return 'stale_change'
    const told = Object.values(this.#health.get(name)?.servers ?? {})
    if (cell.moving.size > 0 || told.includes('not_at_rest')) return 'not_at_rest'
    this.#stops.cleared(name)
    cell.holds.clear()
    cell.changed('cleared', act.by, at)
    cell.latch = null
    cell.heldBy = null
    return 'ok'
  }

  force(name: Cell, act: Act, at: number): string {
    const cell = this.#cell(name)
    if (!cell.seenBy(act, false)) return 'stale_change'
    const { session } = cell
    if (session !== null) {
      const binding = this.bindings.get(session)
      if (binding !== undefined) {
        this.#over(binding, 'terminated', at)
        binding.stop ??= 'stopped_by_person'
      }
      this.#stops.endUnknown(session)
      this.#freed(session)
    }
    cell.moving.clear()
    cell.latched('forced_clear', act.by, at, 'forced_clear')
    return 'ok'
  }

  release(name: Cell, act: Act, at: number): string {
    const cell = this.#cell(name)
    if (!cell.seenBy(act, false)) return 'stale_change'
    cell.holds.clear()
    cell.changed('queue_released', act.by, at)
    cell.heldBy = null
    return 'ok'
  }

  stopCell(name: Cell, by: string, at: number): void {
    const cell = this.#cell(name)
    if (cell.session !== null) this.#stop(cell.session, name, 'stopped_by_person', by, at)
    cell.changed('stopped', by, at)
    cell.disarm()
    cell.heldBy = by
  }

  stopSite(by: string, at: number): void {
    for (const [name, { session }] of this.cells) {
      if (session !== null) this.#stop(session, name, 'stopped_by_person', by, at)
    }
    for (const { session, cell, state } of this.bindings.values()) {
      if (state !== 'bound' && state !== 'binding') continue
      this.#stop(session, cell, 'stopped_by_person', by, at)
    }
    this.epoch++
    for (const [name, cell] of this.cells) {
      cell.session = this.#cell(name).session
      cell.changed('stopped', by, at)
      cell.disarm()
      cell.heldBy = by
    }
  }

  #stop(session: string, cell: Cell, reason: string, by: string, at: number): void {
    this.#stops.want(session, { cell, reason, by, at })
    const binding = this.bindings.get(session)
    if (binding?.state !== 'binding') return
    binding.stop ??= reason
    this.#freed(session)
  }

  revoke(credential: string, by: string, at: number): void {
    this.#revoked.add(credential)
    for (const cell of this.cells.values()) {
      if (cell.armedWith !== credential) continue
      cell.changed('credential_revoked', by, at)
      cell.disarm()
    }
    this.#queue = this.#queue.filter(
      ({ entry }) => this.#submittedWith.get(entry.plan) !== credential,
    )
    for (const binding of this.bindings.values()) {
      if (binding.with !== credential) continue
      if (binding.state !== 'binding' && binding.state !== 'bound') continue
      this.#stop(binding.session, binding.cell, 'capability_revoked', by, at)
    }
  }

  // ---------- the queue ----------

  enqueue(entry: Entry, credential: string, at: number): string {
    if (!this.#submittedWith.has(entry.plan)) this.#submittedWith.set(entry.plan, credential)
    if (this.#revoked.has(this.#submittedWith.get(entry.plan) ?? '')) return 'capability_revoked'
    const bound = [...this.bindings.values()].some(({ plan }) => plan === entry.plan)
    if (bound || this.#queue.some((one) => one.entry.plan === entry.plan)) return 'known'
    this.#queue.push({ entry, at })
    this.#queue.sort((a, b) => a.at - b.at || (a.entry.plan < b.entry.plan ? -1 : 1))
    return 'new'
  }

  /** What the free cells get now: plan → cell. */
  reserve(online: readonly Cell[], at: number): Map<string, Cell> {
    this.#expire(at)
    const given = new Map<string, Cell>()
    for (const { entry } of this.#queue) {
      if (this.#mustWait(entry, at)) continue
      const cell = [...this.cells.keys()].find(
        (name) => ![...given.values()].includes(name) && this.#fits(entry, name, online, at),
      )
      if (cell !== undefined) given.set(entry.plan, cell)
    }
    return given
  }

  /** The hub has named the sessions of what it gave out. */
  bound(plan: string, session: string, cell: Cell): void {
    const one = this.#queue.find(({ entry }) => entry.plan === plan)
    if (one === undefined) throw new Error(`${plan} does not wait`)
    this.#queue = this.#queue.filter((other) => other !== one)
    this.#cell(cell).session = session
    this.bindings.set(session, {
      session,
      plan,
      cell,
      entry: one.entry,
      state: 'binding',
      stop: null,
      outcome: null,
      endedAt: null,
      checkAt: null,
      read: false,
      with: this.#submittedWith.get(plan) ?? '',
    })
  }

  #expire(at: number): void {
    this.#queue = this.#queue.filter(({ entry }) => entry.validUntil > at)
  }

  /** A run of the same planner has ended, and nobody knows yet what it did. */
  #mustWait({ physical, planner }: Entry, at: number): boolean {
    return (
      physical &&
      [...this.bindings.values()].some(
        (one) =>
          one.outcome === 'terminated' &&
          !one.read &&
          one.entry.planner === planner &&
          one.endedAt !== null &&
          one.endedAt > at - hour,
      )
    )
  }

  #fits(entry: Entry, name: Cell, online: readonly Cell[], at: number): boolean {
    const cell = this.#cell(name)
    if (cell.session !== null || cell.latch !== null || cell.heldBy !== null) return false
    if (cell.holds.has(entry.planner)) return false
    if (entry.cell !== null && entry.cell !== name) return false
    if (!online.includes(name) || !this.isWell(name, at)) return false
    return !entry.physical || (cell.armedUntil !== null && cell.armedUntil > at + entry.told)
  }

  // ---------- sessions ----------

  settle(session: string, how: string): boolean {
    const binding = this.bindings.get(session)
    const open = binding?.state === 'binding'
    if (binding !== undefined && how !== 'bound') this.#stops.nothing(session)
    return open
  }

  settled(session: string, how: string, at: number): void {
    const binding = this.bindings.get(session)
    if (binding === undefined) return
    if (how === 'bound') {
      binding.state = 'bound'
      binding.checkAt = at + 8_000
      return
    }
    binding.state = 'refused'
    binding.endedAt = at
    if (how === 'state_changed') binding.plan = `${binding.plan}/${session}`
    this.#freed(session)
  }

  #over(binding: Binding, outcome: string, at: number): void {
    binding.state = 'ended'
    binding.outcome = outcome
    binding.endedAt = at
  }

  ended(end: End, at: number): void {
    const binding = this.bindings.get(end.session)
    const moving = end.devices.filter(({ rests }) => !rests).map(({ name }) => name)
    if (end.untouched && end.reason === 'agent_lost' && binding?.state === 'bound') {
      this.#over(binding, 'given_back', at)
      binding.checkAt = null
      binding.plan = `${binding.plan}/${end.session}`
      this.#freed(end.session)
      return this.#stops.endTold(end, moving)
    }
    if (binding === undefined || binding.state === 'ended') return this.#toldAgain(end, moving, at)
    this.#over(binding, end.status, at)
    binding.checkAt = null
    const by = this.#stops.get(end.session)?.by ?? 'gateway'
    const reason = end.reason ?? 'node_unknown'
    this.#freed(end.session)
    const cell = this.#cell(end.cell)
    if (end.status !== 'completed') {
      cell.holds.set(binding.entry.planner, `${end.session} ${reason}`)
      cell.changed('queue_held', by, at)
    }
    if (end.latch || moving.length > 0) {
      cell.latched(reason, by, at)
      for (const device of moving) cell.moving.add(device)
    }
    this.#stops.endTold(end, moving)
  }

  #toldAgain(end: End, moving: readonly string[], at: number): void {
    this.#stops.endTold(end, moving)
    const cell = this.#cell(end.cell)
    if (cell.latch === null) {
      if (moving.length === 0) return
      cell.latched(end.reason ?? 'node_unknown', 'gateway', at)
      for (const device of moving) cell.moving.add(device)
      return
    }
    const before = [...cell.moving].sort().join()
    for (const { name, rests } of end.devices) {
      if (rests && !moving.includes(name)) cell.moving.delete(name)
      else cell.moving.add(name)
    }
    if ([...cell.moving].sort().join() !== before) cell.changed('rest_reported', 'gateway', at)
  }

  answered(session: string, how: string, at: number): void {
    const stop = this.#stops.get(session)
    if (stop === undefined) return
    const binding = this.bindings.get(session)
    if (how === 'nothing' || (how === 'missing' && binding?.state === 'binding')) {
      return this.#stops.notReached(session, at)
    }
    if (how !== 'missing') {
      const quiet = how === 'ended_quiet' || binding?.entry.physical === false
      return this.#stops.reached(session, { quiet, told: binding?.state === 'ended', at })
    }
    // Ended long ago and deleted since: the cell may run something else by now.
    if (binding?.state === 'ended' && this.#cell(stop.cell).session !== session) {
      return this.#stops.nothing(session)
    }
    if (binding === undefined || binding.state === 'refused') this.#stops.nothing(session)
    else this.#stops.endUnknown(session)
    if (binding === undefined) return
    if (binding.state === 'bound') this.#over(binding, 'terminated', at)
    this.#freed(session)
    this.#cell(stop.cell).latched('session_missing', stop.by, at)
  }

  readEnds(): void {
    for (const binding of this.bindings.values())
      if (binding.outcome === 'terminated') binding.read = true
  }

  /** Whether one node of a session may go, and why not. */
  may({ session, cell: name, tool, epoch, told }: MayAsk, at: number): string {
    const stop = this.#stops.get(session)
    if (stop?.state === 'wanted') return stop.reason
    if (epoch !== this.epoch)
      return epoch < this.epoch && this.epoch > 0 ? 'stopped_by_person' : 'epoch_revoked'
    const binding = this.bindings.get(session)
    const cell = this.#cell(name)
    const runs = binding?.state === 'bound' || binding?.state === 'binding'
    if (binding === undefined || !runs || cell.session !== session) return 'session_mismatch'
    if (cell.latch !== null) return 'cell_not_armed'
    if (this.#revoked.has(binding.with)) return 'capability_revoked'
    if (tool === 'camera.read') return 'ok'
    return cell.armedUntil !== null && cell.armedUntil > at + told ? 'ok' : 'cell_not_armed'
  }

  view(at: number) {
    this.#expire(at)
    return {
      epoch: this.epoch,
      cells: [...this.cells].map(([name, cell]) => cell.view(name)),
      queue: this.#queue.map(({ entry }) => entry.plan),
      bindings: [...this.bindings.values()]
        .sort((a, b) => (a.session < b.session ? -1 : 1))
        .map((b) =>
          [b.session, b.plan, b.state, b.stop, b.outcome, b.endedAt, b.checkAt].join(' | '),
        ),
      stops: this.#stops.view(),
    }
  }

  stopsWanted(): string[] {
    return this.#stops.sessions()
  }
}
