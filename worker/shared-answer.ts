// An answer that stands for everybody who asks within a few seconds, also for those who ask while it is
// being made: a crowd of strangers costs the storage as much as one.

/** Whoever made it may have gone away: the others wait for it so long, then make their own. */
const sharedMsMax = 2_000

export class SharedAnswer<T> {
  readonly #freshMs: number
  #last: { value: T; at_ms: number } | null = null
  #making: { answer: Promise<T>; since_ms: number } | null = null

  constructor(freshMs: number) {
    this.#freshMs = freshMs
  }

  /** The answer of a moment ago, the one being made, or a new one. Throws what `make` throws. */
  async get(make: () => Promise<T>, now_ms: number): Promise<T> {
    // A clock that was set back must not keep an old answer for as long as it went back.
    const within = (at_ms: number, ms: number): boolean => now_ms >= at_ms && now_ms - at_ms < ms
    if (this.#last !== null && within(this.#last.at_ms, this.#freshMs)) return this.#last.value
    if (this.#making !== null && within(this.#making.since_ms, sharedMsMax)) {
      const waited = await Promise.race([
        this.#making.answer.then((value) => ({ value })),
        scheduler.wait(sharedMsMax).then(() => null),
      ])
      if (waited !== null) return waited.value
    }
    const answer = make()
    const making = { answer, since_ms: now_ms }
    this.#making = making
    try {
      const value = await answer
      this.#last = { value, at_ms: Date.now() }
      return value
    } finally {
      if (this.#making === making) this.#making = null
    }
  }
}
