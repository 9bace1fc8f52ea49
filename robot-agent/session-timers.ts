// The timers of one session. Each has one name and one meaning; a new one replaces the old.
import type { AgentConfig } from './config.ts'
import type { Effect, MachineEvent, Timer } from './machine-types.ts'

export class SessionTimers {
  readonly #config: Pick<AgentConfig, 'hold_grace_ms' | 'lost_grace_ms'>
  readonly #fire: (event: Extract<MachineEvent, { type: 'timer' }>) => void
  readonly #running = new Map<Timer, NodeJS.Timeout>()

  constructor(
    config: Pick<AgentConfig, 'hold_grace_ms' | 'lost_grace_ms'>,
    fire: (event: Extract<MachineEvent, { type: 'timer' }>) => void,
  ) {
    this.#config = config
    this.#fire = fire
  }

  set({ timer, nid, ms: given }: Extract<Effect, { do: 'timer' }>): void {
    const { hold_grace_ms, lost_grace_ms } = this.#config
    const ms = given ?? (timer === 'hold' ? hold_grace_ms : lost_grace_ms)
    this.clear(timer)
    const handle = setTimeout(() => this.#fire({ type: 'timer', timer, nid }), ms)
    this.#running.set(timer, handle)
  }

  clear(timer: Timer): void {
    clearTimeout(this.#running.get(timer))
  }

  clearAll(): void {
    for (const timer of this.#running.values()) clearTimeout(timer)
  }
}
