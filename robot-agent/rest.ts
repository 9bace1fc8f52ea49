// Bringing the devices of one session, or of a whole cell, to rest, in the site's order where it states one. The
// call goes out first, in the tick in which it is wanted; log and ledger come after it. It is never taken back by its
// sender and is repeated until the device has confirmed it: a stop that was given up is a device that still moves.
import { limits } from '../protocol/limits.ts'
import { backoffMs } from './backoff.ts'
import { stopKey, type StopCall } from './recovery.ts'
import type { DeviceRest, RestState } from '../protocol/tokens.ts'
import type { SessionDeps } from './session-deps.ts'

type Wanted = {
  readonly stop: StopCall
  state: RestState
  detail: string | null
  asked_ms: number | null
  rested_ms: number | null
}
type Deps = Pick<SessionDeps, 'ledger' | 'devices' | 'nowMs' | 'log' | 'random' | 'turns'>

/** Soon at first, since metal moves; later often enough for a device that comes back. */
const again = { baseMs: 500, maxMs: 15_000 }
/** From the least to the most worrying: what is told of a server with several safe-stops. */
const worst: readonly RestState[] = ['at_rest', 'pending', 'unreachable', 'refused']

export class SessionRest {
  readonly #session: string
  readonly #deps: Deps
  readonly #onChange: () => void
  readonly #wanted = new Map<string, Wanted>()
  readonly #waits = new Set<() => void>()
  readonly #noted: DeviceRest[] = []
  #left = false

  constructor(session: string, deps: Deps, onChange: () => void) {
    this.#session = session
    this.#deps = deps
    this.#onChange = onChange
  }

  /**
   * Wants one device at rest; the same call is wanted once. The call is written in this tick, unless the
   * sequence has others before it.
   */
  want(stop: StopCall, cause: string): void {
    const key = stopKey(stop)
    if (this.#wanted.has(key) || this.#left) return
    const wanted: Wanted = {
      stop,
      state: 'pending',
      detail: null,
      asked_ms: null,
      rested_ms: null,
    }
    this.#wanted.set(key, wanted)
    void this.#bring(wanted, cause)
  }

  /** How one call stands; null when it was never wanted here. */
  of(key: string): Omit<Wanted, 'stop'> | null {
    return this.#wanted.get(key) ?? null
  }

  /** Tells of a device that is not asked: nothing is waited for. */
  note(device: DeviceRest): void {
    this.#noted.push(device)
  }

  /** True when every device that was asked has confirmed. */
  get confirmed(): boolean {
    return [...this.#wanted.values()].every((wanted) => wanted.state === 'at_rest')
  }

  /** How each server stands, by name. */
  get devices(): DeviceRest[] {
    const out = new Map<string, DeviceRest>()
    const asked = [...this.#wanted.values()].map(({ stop, state, detail }) => ({
      server: stop.server,
      state,
      detail: detail?.slice(0, limits.restDetailCharsMax) ?? null,
    }))
    for (const device of [...asked, ...this.#noted]) {
      const { server, state } = device
      const before = out.get(server)
      if (before !== undefined && worst.indexOf(before.state) >= worst.indexOf(state)) continue
      out.set(server, device)
    }
    return [...out.values()].sort((a, b) => (a.server < b.server ? -1 : 1))
  }

  /** The process is about to exit: nothing is taken back, nothing is asked again. */
  leave(): void {
    this.#left = true
    for (const wake of this.#waits) wake()
  }

  async #bring(wanted: Wanted, cause: string): Promise<void> {
    const { devices, log, random, nowMs } = this.#deps
    const { stop } = wanted
    const facts = { session: this.#session, server: stop.server, tool: stop.mcp_tool }
    const turn = this.#deps.turns.enter(stop.place)
    if (turn.wait !== null) await turn.wait
    for (let attempt = 0; !this.#left; attempt += 1) {
      const asked_ms = nowMs()
      wanted.asked_ms ??= asked_ms
      const answer = devices.safeStop(stop, this.#session)
      if (attempt === 0) {
        log('warn', 'safe_stop', { ...facts, cause })
        this.#note(stop, { cause, asked_ms, ended_ms: null, outcome: null })
      }
      const { outcome, reason, detail } = await answer
      turn.answered()
      const state = restOf(outcome, reason)
      const told = detail ?? reason
      const level = state === 'at_rest' ? 'info' : 'error'
      if (state !== wanted.state || attempt === 0) {
        log(level, 'safe_stop_ended', { ...facts, outcome, state, detail: told })
        const ended = { cause, asked_ms, ended_ms: nowMs(), outcome: reason ?? outcome }
        this.#note(stop, ended)
      }
      if (state === 'at_rest') wanted.rested_ms = nowMs()
      this.#change(wanted, state, state === 'at_rest' ? null : told)
      if (state === 'at_rest') return
      await this.#pause(backoffMs(attempt, random(), again))
    }
  }

  #change(wanted: Wanted, state: RestState, detail: string | null): void {
    if (wanted.state === state && wanted.detail === detail) return
    wanted.state = state
    wanted.detail = detail
    this.#onChange()
  }

  #note(
    { server, mcp_tool }: StopCall,
    stop: { cause: string; asked_ms: number; ended_ms: number | null; outcome: string | null },
  ): void {
    const row = { session: this.#session, server, mcp_tool, ...stop }
    this.#deps.ledger.after((ledger) => ledger.safeStop(row))
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#waits.delete(done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      this.#waits.add(done)
    })
  }
}

/** Only the device's own success is rest. What nobody answered may have been carried out or not. */
function restOf(outcome: string, reason: string | null): RestState {
  if (outcome === 'succeeded') return 'at_rest'
  return reason === 'tool_error' || reason === 'tool_refused' ? 'refused' : 'unreachable'
}
