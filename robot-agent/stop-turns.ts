// Whose turn it is when a cell comes to rest. The site's stop sequence says in which order devices stop; a
// device that is late, refuses or is away never holds up the others for longer than its group may take.
import type { StopPlace } from '../protocol/stop-order.ts'

type Entry = { readonly group: number; readonly within_ms: number; waits: (() => void) | null }

/** One safe-stop on its way through the sequence. */
type Turn = {
  /** Resolves when it may be called; null when that is now, in this tick. */
  readonly wait: Promise<void> | null
  /** The device has answered, whatever it said: the next group need not wait for it. */
  readonly answered: () => void
}

const free: Turn = { wait: null, answered: () => undefined }

export class StopTurns {
  readonly #open = new Set<Entry>()
  readonly #timers = new Map<Entry, NodeJS.Timeout>()

  /** Takes part in the sequence. What has no place in it is called at once, and nobody waits for it. */
  enter(place: StopPlace | null | undefined): Turn {
    if (place === null || place === undefined) return free
    const entry: Entry = { ...place, waits: null }
    const before = this.#isHeld(entry)
    this.#open.add(entry)
    const answered = (): void => this.#leave(entry)
    if (!before) {
      this.#begin(entry)
      return { wait: null, answered }
    }
    const wait = new Promise<void>((resolve) => (entry.waits = resolve))
    return { wait, answered }
  }

  #isHeld({ group }: Entry): boolean {
    return [...this.#open].some((other) => other.group < group)
  }

  #begin(entry: Entry): void {
    this.#timers.set(
      entry,
      setTimeout(() => this.#leave(entry), entry.within_ms),
    )
  }

  #leave(entry: Entry): void {
    clearTimeout(this.#timers.get(entry))
    this.#timers.delete(entry)
    if (!this.#open.delete(entry)) return
    for (const other of this.#open) {
      if (other.waits === null || this.#isHeld(other)) continue
      const go = other.waits
      other.waits = null
      this.#begin(other)
      go()
    }
  }
}
