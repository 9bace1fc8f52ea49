// Whose plan this isolate works on. Plans cost processor time, and objects of one isolate share its thread: a
// dozen at once do not get ready sooner than two, and every question before a `go` would wait behind all of
// them. So a few are worked on at a time, sites in turn, and whoever asks for nothing but a `go`, a stop or a
// report never stands in this line. It is no lock: a turn that does not end is given on.

/** Plans worked on at the same time: one computes while the other waits for storage. */
const atOnce = 2
/** A turn that has not ended by then is over for the others: its plan goes on, and so does the next. */
const turnMsMax = 2_000
/** How often whoever waits looks again; a site that has not looked for a few times has nobody waiting. */
const lookEveryMs = 15
const waitsNoMoreMs = 10 * lookEveryMs
/** When it was a site's turn is remembered for so long. */
const servedKeptMs = 60_000
/** Nobody waits longer than this: a plan that is worked on late is better than one that is not. */
const waitMsMax = 5_000

type Turn = { readonly until_ms: number }
type Site = { servedAt: number; served_ms: number; looked_ms: number }

/** The line itself, without a clock: who may begin at a given time. */
export class Turns {
  readonly #running = new Set<Turn>()
  readonly #sites = new Map<string, Site>()
  #served = 0

  /** A turn for the site, if it has one now; null: look again. */
  take(site: string, now_ms: number): Turn | null {
    for (const turn of this.#running) {
      const left_ms = turn.until_ms - now_ms
      // A clock that was set back must not keep anybody out either.
      if (left_ms <= 0 || left_ms > turnMsMax) this.#running.delete(turn)
    }
    for (const [name, { served_ms, looked_ms }] of this.#sites) {
      if (Math.abs(now_ms - Math.max(served_ms, looked_ms)) > servedKeptMs) this.#sites.delete(name)
    }
    const own = this.#sites.get(site) ?? { servedAt: 0, served_ms: 0, looked_ms: 0 }
    own.looked_ms = now_ms
    this.#sites.set(site, own)
    if (this.#running.size >= atOnce) return null
    // The site whose last turn is longest ago goes first, however many plans the others have waiting.
    for (const { servedAt, looked_ms } of this.#sites.values()) {
      const waits = Math.abs(now_ms - looked_ms) <= waitsNoMoreMs
      if (waits && servedAt < own.servedAt) return null
    }
    own.servedAt = ++this.#served
    own.served_ms = now_ms
    // Whoever else of this site waits looks again soon.
    own.looked_ms = Number.NEGATIVE_INFINITY
    const turn = { until_ms: now_ms + turnMsMax }
    this.#running.add(turn)
    return turn
  }

  end(turn: Turn): void {
    this.#running.delete(turn)
  }
}

const turns = new Turns()

/**
 * Does a piece of work on a plan of the site in its turn. Each waits with a timer of its own: an isolate must
 * not wait for a promise of another request. Never refuses, and never waits for longer than five seconds.
 */
export async function inTurn<T>(site: string, work: () => Promise<T>): Promise<T> {
  const last_ms = Date.now() + waitMsMax
  let turn = turns.take(site, Date.now())
  while (turn === null && Date.now() < last_ms) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    turn = turns.take(site, Date.now())
  }
  try {
    return await work()
  } finally {
    if (turn !== null) turns.end(turn)
  }
}
