// A pool for requests that wait for response headers: a Worker may have six of those at a time, and
// a seventh would wait unseen inside the platform, beyond the reach of our deadline's reasons.

export class Pool {
  private free: number
  private readonly waiting: (() => void)[] = []

  constructor(size: number) {
    this.free = size
  }

  /** Resolves with a release that may be called any number of times and counts once. */
  async take(): Promise<() => void> {
    if (this.free > 0) this.free -= 1
    else {
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve)
      })
    }
    let held = true
    return () => {
      if (!held) return
      held = false
      const next = this.waiting.shift()
      if (next === undefined) this.free += 1
      else next()
    }
  }
}
