// The ledger as the agent uses it. The danger: a disk that is full, or fails, between a person's stop and
// the device. What must be on disk before metal moves is refused when it cannot be written; what is
// written on the way to rest is kept in memory and repeated, and never stands before a device.
import { err, ok, type Result } from '../protocol/result.ts'
import type { Ledger } from './ledger.ts'

export type LedgerFailed = 'ledger_failed'

export type KeptLedgerIo = {
  /** Opens the ledger's file; throws while the disk does not let it. */
  readonly open: () => Ledger
  readonly nowMs: () => number
  /** Called once per failure, in the tick of it: out of service, devices to rest. */
  readonly onFailed: (why: string) => void
  /** Everything that was owed is on disk again. */
  readonly onMended: () => void
}

/** How often a ledger that failed is tried again. */
const retryMs = 1_000

export class KeptLedger {
  readonly #io: KeptLedgerIo
  #ledger: Ledger | null
  #owed: ((ledger: Ledger) => void)[] = []
  #failed = false
  #timer: NodeJS.Timeout | undefined

  /** Opens at once; throws when it cannot: an agent without a ledger does not start. */
  constructor(io: KeptLedgerIo) {
    this.#io = io
    this.#ledger = io.open()
  }

  /** False from the first failure until everything owed is written again. */
  get working(): boolean {
    return !this.#failed
  }

  /** What must be known or durable before anything moves. A failure takes the agent out of service. */
  before<T>(work: (ledger: Ledger) => T): Result<T, LedgerFailed> {
    if (this.#failed || this.#ledger === null) return err('ledger_failed')
    try {
      return ok(work(this.#ledger))
    } catch (error) {
      this.#fail(error)
      return err('ledger_failed')
    }
  }

  /** What is written down after the act. Never throws; in order, and repeated until it is on disk. */
  after(write: (ledger: Ledger) => void): void {
    if (this.#failed || this.#ledger === null) {
      this.#owed.push(write)
      return
    }
    try {
      write(this.#ledger)
    } catch (error) {
      this.#owed.push(write)
      this.#fail(error)
    }
  }

  /** Ends for good. False when something that is owed could not be written. */
  close(): boolean {
    clearTimeout(this.#timer)
    const clean = !this.#failed || this.#mend()
    try {
      this.#ledger?.close()
    } catch {
      return false
    }
    return clean
  }

  #fail(error: unknown): void {
    if (this.#failed) return
    this.#failed = true
    this.#again()
    this.#io.onFailed(error instanceof Error ? error.message : String(error))
  }

  #again(): void {
    this.#timer = setTimeout(() => {
      if (!this.#mend()) return this.#again()
      this.#io.onMended()
    }, retryMs)
    this.#timer.unref()
  }

  /** Writes what is owed, through a fresh handle: after an I/O error the old one may stay broken. */
  #mend(): boolean {
    try {
      this.#ledger?.close()
    } catch {
      // A handle that cannot be closed is dropped all the same.
    }
    this.#ledger = null
    try {
      this.#ledger = this.#io.open()
      this.#ledger.probe(this.#io.nowMs())
      for (let next = this.#owed[0]; next !== undefined; next = this.#owed[0]) {
        next(this.#ledger)
        this.#owed.shift()
      }
    } catch {
      return false
    }
    this.#failed = false
    return true
  }
}
