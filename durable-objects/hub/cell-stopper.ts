// Carrying out the stop of a whole cell: the order is signed for each connection that serves the cell, told again
// until the agent's signed answer says that everything rests, and honest about what has not been reached.
import { signerOrThrow } from '../../adapters/signer.ts'
import { importJwks } from '../../contain/keys.ts'
import { signClaims } from '../../contain/sign.ts'
import { verifySigned } from '../../contain/verify.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { StopKind } from '../../protocol/stop-order.ts'
import type { Env } from '../env.ts'
import {
  cellStopOf,
  cellStopTold,
  dueCellStops,
  endCellStop,
  isOverdue,
  nextCellStop,
  openCellStops,
  orderedAgain,
  restOfCellStop,
  stopForgotten,
  unforgottenStops,
  wantCellStop,
  type CellStopRow,
} from './cell-stops.ts'
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

  /** True where no order can ever be answered: no agent, or one that is there and reads none. */
  private outdated(cell: string): boolean {
    const { store, presence } = this.deps
    const agent = store.agentKeys().find((row) => row.cell === cell && !row.revoked)
    if (agent === undefined) return true
    const online = presence.online(Date.now()).has(agent.agent)
    return online && !presence.featuresOf(agent.agent).includes('stop-order')
  }

  /** True when a drill would reach the agent of the cell. */
  reaches(cell: string): boolean {
    const { store, presence } = this.deps
    const agent = store.agentKeys().find((row) => row.cell === cell && !row.revoked)
    return agent !== undefined && presence.featuresOf(agent.agent).includes('stop-order')
  }

  /**
   * Writes the wish down and orders it; waits a moment for what the devices say. Null when there is nothing
   * to call, or nobody who could be told: an agent of the release before ends its sessions and no more.
   */
  async press(cell: string, kind: StopKind, by: string): Promise<CellStopRow | null> {
    const { store } = this.deps
    let row: CellStopRow | null
    try {
      if (this.outdated(cell)) return null
      row = wantCellStop(store, { cell, kind, by, now_ms: Date.now() })
    } catch (cause) {
      // What stands in the way here must not stand in the way of the session's end.
      console.error(`cell stop in ${cell}: ${String(cause)}`)
      return null
    }
    if (row === null) return null
    const answered = new Promise<void>((resolve) => this.waiting.set(row.stop, resolve))
    if (await this.order(row)) await Promise.race([answered, scheduler.wait(answerWithinMs)])
    this.waiting.delete(row.stop)
    return cellStopOf(store, row.stop)
  }

  /** An agent has come: what is still to stop is ordered before anything else is told. */
  async joined(cell: string): Promise<void> {
    const { store, trail } = this.deps
    for (const row of openCellStops(store, cell)) {
      if (!this.outdated(cell)) await this.order(row)
      else {
        endCellStop(store, row.stop, 'dropped', Date.now())
        await trail('gateway', 'cell_stop_not_possible', { cell, stop: row.stop, kind: row.kind })
      }
    }
  }

  /** Everything that is due once more. */
  async again(now_ms: number): Promise<void> {
    for (const row of dueCellStops(this.deps.store, now_ms)) {
      if (isOverdue(this.deps.store, row.stop, now_ms)) await this.giveUp(row, now_ms)
      else await this.order(row)
    }
    await this.forget()
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
    const { cell, stop, kind, at_ms, ended_ms } = row
    const ms = (ended_ms ?? at_ms) - at_ms
    const event = kind === 'drill' ? 'drill_passed' : 'cell_stop_confirmed'
    await this.deps.trail('gateway', event, { cell, stop, ms, devices: timesOf(row) })
  }

  /** The drill's time is over: what has not confirmed is told by name, and a person looks. */
  private async giveUp(row: CellStopRow, now_ms: number): Promise<void> {
    const { cell, stop } = row
    endCellStop(this.deps.store, stop, 'dropped', now_ms)
    await this.deps.trail('gateway', 'drill_failed', { cell, stop, devices: timesOf(row) })
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

  private async order(row: CellStopRow): Promise<boolean> {
    const { env, store, presence } = this.deps
    const { cell, stop, kind, calls } = row
    let reached = false
    try {
      const { key } = await signerOrThrow(env.SIGNING_KEYS)
      reached = await presence.orderStop(cell, ({ agent, nonce }) =>
        signClaims(key, 'stop', {
          iss: env.DEPLOYMENT,
          aud: store.get('site') ?? '',
          sub: agent,
          cell,
          cn: nonce,
          stop,
          kind,
          calls: calls.map(({ call }) => call),
          iat_ms: Date.now(),
        }),
      )
    } catch (cause) {
      console.error(`cell stop ${stop}: ${String(cause)}`)
    }
    orderedAgain(store, stop, { reached, now_ms: Date.now() })
    return reached
  }
}

/** For the trail: every safe-stop with its state and its time. */
function timesOf({ calls, told }: CellStopRow): JsonObject[] {
  return calls.flatMap(({ call }, i) => {
    const { state, asked_ms, rested_ms } = told[i] ?? { state: 'pending' as const }
    if (state === 'absent') return []
    const ms = asked_ms == null || rested_ms == null ? null : Math.max(0, rested_ms - asked_ms)
    return [{ server: call.server, tool: call.mcp_tool, state, ms }]
  })
}
