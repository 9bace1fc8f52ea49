// What a running call says of itself, on its way to the session: the newest word, at most one a second, and
// nothing once the call has ended. A flood of a device stays on this machine.
import { limits } from '../protocol/limits.ts'
import type { Told } from '../protocol/progress.ts'

/** What the MCP library hands over of a progress notification. */
export type DeviceProgress = {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

/** Who listens to one running call. */
export type Ears = {
  readonly progress: (said: DeviceProgress) => void
  /** The server asked something in the middle of the call; it was declined. */
  readonly declined: (method: string) => void
}

const finite = (x: number | undefined): number | null =>
  x !== undefined && Number.isFinite(x) && Math.abs(x) <= Number.MAX_SAFE_INTEGER ? x : null

export class ProgressTeller {
  readonly #send: (nid: string, told: Told) => void
  #latest: Told | null = null
  #timer: NodeJS.Timeout | undefined
  #declined = 0

  constructor(send: (nid: string, told: Told) => void) {
    this.#send = send
  }

  /** Ears for the call of one node; whatever an earlier call still had to say is dropped. */
  of(nid: string): Ears {
    this.end()
    this.#declined = 0
    return {
      progress: ({ progress, total, message }) => {
        const words = message?.toWellFormed().slice(0, limits.progressCharsMax) ?? null
        this.#latest = {
          progress: finite(progress),
          total: finite(total),
          message: words?.toWellFormed() ?? null,
          declined: null,
        }
        this.#tell(nid)
      },
      declined: (method) => {
        if (++this.#declined > limits.declinedPerCallMax) return
        const silent = { progress: null, total: null, message: null }
        this.#send(nid, { ...silent, declined: method.toWellFormed().slice(0, 60).toWellFormed() })
      },
    }
  }

  /** The call has ended. */
  end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#latest = null
  }

  #tell(nid: string): void {
    if (this.#timer !== undefined || this.#latest === null) return
    this.#send(nid, this.#latest)
    this.#latest = null
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#tell(nid)
    }, limits.progressEveryMs)
  }
}
