// The stops of a hub as its model knows them: wishes that are kept until their session has ended, told again ever
// less often, and done only when nothing of the session may still move.
import type { Cell } from '../gateway/site.ts'
import type { End } from './words.ts'

type Wish = {
  readonly cell: Cell
  readonly reason: string
  readonly by: string
  readonly at: number
}
type Stop = Wish & {
  state: 'wanted' | 'ended' | 'stopped'
  attempts: number
  nextAt: number | null
  devices: string | null
}

const day = 86_400_000

export class Stops {
  readonly #stops = new Map<string, Stop>()

  get(session: string): Stop | undefined {
    return this.#stops.get(session)
  }

  sessions(): string[] {
    return [...this.#stops.keys()]
  }

  /** The first wish stands; what was done a day ago is forgotten. */
  want(session: string, wish: Wish): void {
    if (!this.#stops.has(session)) {
      const fresh = { attempts: 0, nextAt: wish.at + 250, devices: null }
      this.#stops.set(session, { ...wish, ...fresh, state: 'wanted' })
    }
    for (const [other, stop] of this.#stops) {
      if (stop.state === 'stopped' && stop.at < wish.at - day) this.#stops.delete(other)
    }
  }

  #is(stop: Stop, state: Stop['state'], nextAt: number | null = null): void {
    stop.state = state
    stop.nextAt = nextAt
  }

  /** A person has looked at the cell. */
  cleared(cell: Cell): void {
    for (const stop of this.#stops.values()) {
      if (stop.cell === cell && stop.state === 'ended') this.#is(stop, 'stopped')
    }
  }

  /** There is no such session, and there will be none. */
  nothing(session: string): void {
    const stop = this.#stops.get(session)
    if (stop !== undefined) this.#is(stop, 'stopped')
  }

  endUnknown(session: string): void {
    const stop = this.#stops.get(session)
    if (stop !== undefined && stop.state !== 'stopped') this.#is(stop, 'ended')
  }

  endTold(end: End, moving: readonly string[]): void {
    const stop = this.#stops.get(end.session)
    if (stop === undefined) return
    const rests = moving.length === 0 && (!end.latch || end.devices.length > 0)
    this.#is(stop, rests ? 'stopped' : 'ended')
    stop.devices = JSON.stringify(moving)
  }

  /** Soon at first, then ever less often. */
  notReached(session: string, at: number): void {
    const stop = this.#stops.get(session)
    if (stop === undefined) return
    stop.nextAt = at + Math.min(10_000, 250 * 2 ** stop.attempts)
    stop.attempts++
  }

  /** The session has ended, by its own word; `told` when it has told how. */
  reached(session: string, end: { quiet: boolean; told: boolean; at: number }): void {
    const stop = this.#stops.get(session)
    if (stop?.state !== 'wanted') return
    this.#is(stop, end.quiet ? 'stopped' : 'ended', end.told ? null : end.at + 2_000)
  }

  view(): string[] {
    return [...this.#stops]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([session, s]) =>
        [session, s.cell, s.reason, s.by, s.state, s.attempts, s.nextAt, s.devices].join(' | '),
      )
  }
}
