// Plays events through the pure machine, one after the other: an effect that causes an event waits for
// the effects before it.
import { initialState, type Effect, type MachineEvent, type MachineState } from './machine-types.ts'
import { step } from './machine.ts'

export class MachineLoop {
  readonly #perform: (effect: Effect) => void
  readonly #queue: MachineEvent[] = []
  #draining = false
  state: MachineState = initialState({ reports: [], outcomes: new Map(), over: null })

  constructor(perform: (effect: Effect) => void) {
    this.#perform = perform
  }

  /** Starts over from what an earlier process left behind. */
  begin(left: Parameters<typeof initialState>[0]): void {
    this.state = initialState(left)
  }

  dispatch(event: MachineEvent): void {
    this.#queue.push(event)
    if (this.#draining) return
    this.#draining = true
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        const { state, effects } = step(this.state, next)
        this.state = state
        for (const effect of effects) this.#perform(effect)
      }
    } finally {
      this.#draining = false
    }
  }
}
