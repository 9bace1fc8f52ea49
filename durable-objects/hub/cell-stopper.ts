// Carrying out the stop of a whole cell: the order is signed for each connection that serves the cell, told again
// until the agent's signed answer says that everything rests, and honest about what has not been reached.
import { signerOrThrow } from '../../adapters/signer.ts'
import { importJwks } from '../../contain/keys.ts'
import { signClaims } from '../../contain/sign.ts'
import { verifySigned } from '../../contain/verify.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { CellStopWhy } from '../../protocol/status.ts'
import type { StopKind } from '../../protocol/stop-order.ts'
import type { Env } from '../env.ts'
import {
  cellStopOf,
  cellStopTold,
  dueCellStops,
  endCellStop,
  isOrderable,
  isOverdue,
  nextCellStop,
  openCellStops,
  orderable,
  orderedAgain,
  stopForgotten,
  stopNotPossible,
  unforgottenStops,
  wantCellStop,
  type CellStopRow,
} from './cell-stops.ts'
import { askedNotResting, restOfCellStop, standing } from './cell-stop-view.ts'
import { setLatched, setRest } from './cells.ts'
import { cellStateOf } from './neighbours.ts'
import type { PresenceSockets } from './presence-sockets.ts'
import type { AgentRow, HubStore } from './store.ts'

/** A person waits for the answer: what the devices have not said by then is told later. */
const answerWithinMs = 400
/** A cell's state that does not answer is told again. */
const forgetAgainMs = 5_000

export type CellStopperDeps = {
  env: Env
  store: HubStore
  presence: Pick<PresenceSockets, 'orderStop' | 'online' | 'featuresOf'>
  trail: (actor: string, event: string, facts: JsonObject) => Promise<void>
  background: (work: Promise<unknown>) => void
}

export class CellStopper {
  private readonly deps: CellStopperDeps
  private readonly waiting = new Map<string, () => void>()

  constructor(deps: CellStopperDeps) {
    this.deps = deps
  }

  /** Why no order can ever be answered: no agent, or one that is there and reads none; null where one can. */
  private barredBy(cell: string): CellStopWhy | null {
    const { store, presence } = this.deps
    const agent = store.agentKeys().find((row) => row.cell === cell && !row.revoked)
    if (agent === undefined) return 'no_agent'
    const online = presence.online(Date.now()).has(agent.agent)
    const reads = presence.featuresOf(agent.agent).includes('stop-order')
    return online && !reads ? 'agent_outdated' : null
  }

  /** True when a drill would reach the agent of the cell. */
  reaches(cell: string): boolean {
    const { store, presence } = this.deps
    const agent = store.agentKeys().find((row) => row.cell === cell && !row.revoked)
    return agent !== undefined && presence.featuresOf(agent.agent).includes('stop-order')
  }

  /**
   * Writes the wish down and orders it; waits a moment for what the devices say. Where nothing can be called, or
   * nobody could be told, a stop is a row that says so, and a drill null.
   */
  async press(cell: string, kind: StopKind, by: string): Promise<CellStopRow | null> {
    const { store } = this.deps
    const wish = { cell, kind, by, now_ms: Date.now() }
    let row: CellStopRow | null = null
    let why: CellStopWhy | null = null
    try {
      why = this.barredBy(cell)
      if (why === null) row = wantCellStop(store, wish)
    } catch (cause) {
      // What stands in the way here must not stand in the way of the session's end.
      console.error(`cell stop in ${cell}: ${String(cause)}`)
      why = 'failed'
    }
    if (row === null) {
      return kind === 'drill' ? null : this.notPossible(wish, why ?? 'nothing_to_call')
    }
    const answered = new Promise<void>((resolve) => this.waiting.set(row.stop, resolve))
    if (await this.order(row)) await Promise.race([answered, scheduler.wait(answerWithinMs)])
    this.waiting.delete(row.stop)
    return cellStopOf(store, row.stop)
  }

  /** The person who pressed must not take the answer for a stop of the devices. */
  private async notPossible(
    wish: Parameters<typeof stopNotPossible>[1],
    why: CellStopWhy,
  ): Promise<CellStopRow | null> {
    try {
      const row = stopNotPossible(this.deps.store, wish, why)
      await this.tellNotPossible(row, why)
      return row
    } catch (cause) {
      console.error(`cell stop in ${wish.cell}: ${String(cause)}`)
      return null
    }
  }

  private tellNotPossible({ cell, stop, kind }: CellStopRow, why: CellStopWhy): Promise<void> {
    return this.deps.trail('gateway', 'cell_stop_not_possible', { cell, stop, kind, why })
  }

  /** An agent has come: what is still to stop is ordered before anything else is told. */
  async joined(cell: string): Promise<void> {
    for (const row of openCellStops(this.deps.store, cell)) await this.retry(row)
  }

  /** Everything that is due once more. */
  async again(now_ms: number): Promise<void> {
    for (const row of dueCellStops(this.deps.store, now_ms)) {
      if (isOverdue(this.deps.store, row.stop, now_ms)) await this.giveUp(row, now_ms)
      else await this.retry(row)
    }
    await this.forget()
  }

  private async retry(row: CellStopRow): Promise<void> {
    const why = this.barredBy(row.cell)
    if (why === null) await this.order(row)
    else await this.drop(row, why)
  }

  /** The agent that was ordered is not the cell's any more: nobody will ever answer. */
  async agentGone(cell: string): Promise<void> {
    for (const row of openCellStops(this.deps.store, cell)) await this.drop(row, 'agent_revoked')
  }

  private async drop(row: CellStopRow, why: CellStopWhy): Promise<void> {
    endCellStop(this.deps.store, row.stop, 'dropped', Date.now(), why)
    await this.tellNotPossible(row, why)
  }

  nextDue(): number | null {
    const due = nextCellStop(this.deps.store)
    if (unforgottenStops(this.deps.store).length === 0) return due
    return Math.min(due ?? Infinity, Date.now() + forgetAgainMs)
  }

  /** The agent's signed word; one that cannot be proved changes nothing. */
  async take(agent: AgentRow, report: string): Promise<void> {
    const { store } = this.deps
    const keys = await importJwks({ keys: [agent.jwk] })
    const told = keys.ok ? await verifySigned('stopped', report, keys.value) : keys
    if (!told.ok || told.value.sub !== agent.agent || told.value.cell !== agent.cell) return
    const before = cellStopOf(store, told.value.stop)
    if (before === null || before.cell !== agent.cell) return
    // The word of an earlier process: what it says of the devices may be over since.
    if (told.value.boot_id !== store.agent(agent.agent)?.boot_id) return
    const row = cellStopTold(store, told.value.stop, told.value, Date.now())
    if (row === null) return
    await this.noted(row, agent.agent)
    this.deps.background(this.forget())
    if (row.ended_ms !== null || row.told.every(({ state }) => state !== 'pending')) {
      this.waiting.get(row.stop)?.()
    }
    if (row.ended_ms !== null) await this.ended(row)
  }

  /** A device that does not stop latches its cell: whoever runs anything there looks first. */
  private async noted(row: CellStopRow, by: string): Promise<void> {
    const { store, trail } = this.deps
    const now_ms = Date.now()
    const rest = restOfCellStop(row)
    const known = store.cell(row.cell)?.not_at_rest ?? []
    const news = rest.moving.filter((device) => !known.includes(device))
    if (news.length === 0)
      return setRest(store, row.cell, { ...rest, moving: rest.moving, by, now_ms })
    const reason = 'device_not_at_rest' as const
    setLatched(store, row.cell, { reason, devices: rest.moving, by, now_ms })
    const { cell, stop, kind } = row
    await trail('gateway', 'device_not_at_rest', { cell, stop, kind, devices: rest.moving })
  }

  private async ended(row: CellStopRow): Promise<void> {
    const { cell, stop, kind, at_ms, ended_ms, why } = row
    if (why !== null) {
      // What was called rests, and it was not all of the cell.
      const failed = { cell, stop, why, devices: timesOf(row) }
      if (kind === 'drill') return this.deps.trail('gateway', 'drill_failed', failed)
      return this.tellNotPossible(row, why)
    }
    const ms = (ended_ms ?? at_ms) - at_ms
    const event = kind === 'drill' ? 'drill_passed' : 'cell_stop_confirmed'
    await this.deps.trail('gateway', event, { cell, stop, ms, devices: timesOf(row) })
  }

  /** The drill's time is over: what was asked and has not confirmed is told by name, and a person looks. */
  private async giveUp({ stop }: CellStopRow, now_ms: number): Promise<void> {
    const { store, trail } = this.deps
    const row = cellStopOf(store, stop)
    if (row === null || row.ended_ms !== null) return
    const { cell } = row
    endCellStop(store, stop, 'dropped', now_ms)
    const devices = askedNotResting(row)
    if (devices.length > 0) {
      setLatched(store, cell, { reason: 'device_not_at_rest', devices, by: 'gateway', now_ms })
    }
    await trail('gateway', 'drill_failed', { cell, stop, devices: timesOf(row) })
  }

  /** What was set, held or running there before is not known any more. One that is not taken is told again. */
  private async forget(): Promise<void> {
    const { env, store } = this.deps
    for (const row of unforgottenStops(store)) {
      const called = row.calls.filter((_call, i) => row.told[i]?.asked_ms != null)
      const devices = called.flatMap((one) => one.devices)
      const barriers = store.registry()?.registry.barriers ?? []
      const lids = barriers.filter(({ device }) => device !== undefined && devices.includes(device))
      const why = row.kind === 'drill' ? 'drilled' : 'cell_stopped'
      // A safe-stop of which nobody says what it touches may have touched anything.
      const all = called.some((one) => one.devices.length === 0)
      const things = all ? null : [...devices, ...lids.map(({ id }) => id)]
      try {
        const state = cellStateOf(env, store, row.cell)
        await (things === null
          ? state.forget(why, Date.now())
          : state.forgetOf(things, why, Date.now()))
        stopForgotten(store, row)
      } catch (cause) {
        console.error(`cell ${row.cell}: ${String(cause)}`)
      }
    }
  }

  private async order(wanted: CellStopRow): Promise<boolean> {
    const { env, store, presence } = this.deps
    const before = cellStopOf(store, wanted.stop)
    // A stop may have taken its place while others were told.
    if (before === null || before.ended_ms !== null) return false
    const row = orderable(store, before, Date.now())
    if (row === null) {
      await this.tellNotPossible(
        before,
        before.calls.length === 0 ? 'unreadable' : 'held_elsewhere',
      )
      return false
    }
    const { cell, stop, kind, calls } = row
    let reached = false
    try {
      const { key } = await signerOrThrow(env.SIGNING_KEYS)
      reached = await presence.orderStop(cell, async ({ agent, nonce }) => {
        const order = await signClaims(key, 'stop', {
          iss: env.DEPLOYMENT,
          aud: store.get('site') ?? '',
          sub: agent,
          cell,
          cn: nonce,
          stop,
          kind,
          calls: calls.map(({ call }) => call),
          iat_ms: Date.now(),
        })
        return isOrderable(store, row) ? order : null
      })
    } catch (cause) {
      console.error(`cell stop ${stop}: ${String(cause)}`)
    }
    orderedAgain(store, stop, { reached, now_ms: Date.now() })
    return reached
  }
}

/** For the trail: every safe-stop with its state and its time. */
function timesOf({ calls, told }: CellStopRow): JsonObject[] {
  return calls.flatMap((one, i) => {
    const { call } = one
    const { asked_ms = null, rested_ms = null } = told[i] ?? {}
    const state = standing(one, told[i])
    if (state === 'absent') return []
    const ms = asked_ms === null || rested_ms === null ? null : Math.max(0, rested_ms - asked_ms)
    return [{ server: call.server, tool: call.mcp_tool, state, ms }]
  })
}
