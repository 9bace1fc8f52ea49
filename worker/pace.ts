// How often something is looked at that nobody tells of: soon after a change, then seldomer and seldomer,
// so that what waits for hours costs next to nothing. Pure.

/** `first` and `last` are the shortest and the longest pause, in milliseconds. */
export class Pace {
  readonly #first: number
  readonly #last: number
  #pause: number
  #due = 0

  constructor(bounds: { readonly firstMs: number; readonly lastMs: number }) {
    this.#first = bounds.firstMs
    this.#last = bounds.lastMs
    this.#pause = bounds.firstMs
  }

  /** True when it is time to look again. */
  due(now_ms: number): boolean {
    return now_ms >= this.#due
  }

  /** After a look: the next one is in twice the time when nothing had changed, and soon when it had. */
  looked(now_ms: number, changed: boolean): void {
    this.#pause = changed ? this.#first : Math.min(this.#pause * 2, this.#last)
    this.#due = now_ms + this.#pause
  }

  /** Milliseconds until the next look. */
  restMs(now_ms: number): number {
    return Math.max(0, this.#due - now_ms)
  }
}
