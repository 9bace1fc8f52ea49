// The one alarm of an object. Whatever an alarm handler does, a next one is set: before the work, so that
// a handler that takes the whole object with it (processor time, memory) rings again without depending on
// the platform's few retries, and after it, for whatever is due then.

/** How long after the start of a handler it rings again if the handler never came to its end. */
const guardMs = 5_000
/** When the object cannot even say what is due next, it is asked again after this. */
const blindMs = 60_000

type AlarmStorage = Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm' | 'deleteAlarm'>

export class Wake {
  readonly #storage: AlarmStorage
  /** When the alarm is set for; null for never, undefined until it was asked. */
  #armed: number | null | undefined = undefined

  constructor(storage: AlarmStorage) {
    this.#storage = storage
  }

  /**
   * Rings at `at_ms` (milliseconds since the epoch) or earlier; null asks for nothing. An alarm that is
   * early only finds nothing due, so it is only ever moved forward and most calls write nothing.
   */
  async by(at_ms: number | null): Promise<void> {
    if (at_ms === null) return
    if (this.#armed === undefined) {
      const set = await this.#storage.getAlarm()
      // Two at once: whoever was answered first may have set an earlier one meanwhile.
      if (this.#armed === undefined) this.#armed = set
    }
    if (this.#armed !== null && this.#armed <= at_ms) return
    this.#armed = at_ms
    await this.#storage.setAlarm(at_ms)
  }

  /**
   * Runs an alarm handler. `next` says from the stored state when something is due; it is asked after
   * the work, whether that succeeded or not. An error of the work is logged and goes no further: the
   * next alarm is the retry.
   */
  async ring(
    what: string,
    work: () => Promise<void>,
    next: (now_ms: number) => number | null,
  ): Promise<void> {
    // The alarm that rang is used up.
    this.#armed = null
    await this.by(Date.now() + guardMs)
    try {
      await work()
    } catch (cause) {
      console.error(`${what}: ${String(cause)}`)
    } finally {
      await this.#set(due(what, next))
    }
  }

  async #set(at_ms: number | null): Promise<void> {
    this.#armed = at_ms
    await (at_ms === null ? this.#storage.deleteAlarm() : this.#storage.setAlarm(at_ms))
  }
}

function due(what: string, next: (now_ms: number) => number | null): number | null {
  const now_ms = Date.now()
  try {
    const at = next(now_ms)
    return at === null ? null : Math.max(now_ms, at)
  } catch (cause) {
    console.error(`${what}: what is due next cannot be read: ${String(cause)}`)
    return now_ms + blindMs
  }
}
