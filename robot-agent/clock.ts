// How far this machine's wall clock is from the gateway's. The danger: a clock that is off turns every
// token early or late, and each accepted plan is burnt. So the agent says it before it takes a plan.
import { limits } from '../protocol/limits.ts'

/** Seen later than sent: the measured skew may be off by the way of one frame. */
const skewMsMax = limits.clockSkewMsMax - limits.goLifetimeMs

/** A clock that looks wrong is measured again after this. */
const askAgainMs = 15_000

type Seen = { readonly gateway_ms: number; readonly monotonic_ms: number }

export class ClockWatch {
  readonly #nowMs: () => number
  readonly #monotonicMs: () => number
  #seen: Seen | null = null

  constructor(io: { readonly nowMs: () => number; readonly monotonicMs: () => number }) {
    this.#nowMs = io.nowMs
    this.#monotonicMs = io.monotonicMs
  }

  /** The gateway's clock, as a challenge (or an HTTP answer) has just told it. */
  seen(gatewayMs: number): void {
    if (!Number.isFinite(gatewayMs)) return
    this.#seen = { gateway_ms: gatewayMs, monotonic_ms: this.#monotonicMs() }
  }

  /**
   * Milliseconds that this clock is ahead of the gateway's, now: a wall clock that was set, or a machine
   * that slept since, shows as well. Null until the gateway has told its own.
   */
  get skewMs(): number | null {
    if (this.#seen === null) return null
    const gateway = this.#seen.gateway_ms + (this.#monotonicMs() - this.#seen.monotonic_ms)
    return Math.round(this.#nowMs() - gateway)
  }

  /**
   * True when this clock looks wrong by a word of the gateway's that is old by now: a machine that slept
   * since has a right clock and a wrong measurement.
   */
  get doubtful(): boolean {
    const old = this.#monotonicMs() - (this.#seen?.monotonic_ms ?? 0) > askAgainMs
    return this.wrong && old
  }

  /** True when tokens and proofs would look early or late. */
  get wrong(): boolean {
    const skew = this.skewMs
    return skew !== null && Math.abs(skew) > skewMsMax
  }
}
