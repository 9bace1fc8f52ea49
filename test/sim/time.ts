// Simulated time, and the processes whose timers run in it. Everything that the code under test asks of the
// platform's clock is answered here, so that a seed is a run: the same timers fire in the same order. A
// process can be killed (its timers never fire), stopped (they fire when it goes on) and set wrong.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers'

export type Process = {
  readonly name: string
  alive: boolean
  /** Until when nothing of it runs; 0 while it runs. */
  stopped_until_ms: number
  /** How far its wall clock is ahead of the true time. */
  skew_ms: number
  /** What its monotonic clock has slept through. */
  slept_ms: number
}

export function newProcess(name: string): Process {
  return { name, alive: true, stopped_until_ms: 0, skew_ms: 0, slept_ms: 0 }
}

type Timer = {
  at_ms: number
  readonly seq: number
  readonly process: Process
  readonly run: () => void
  done: boolean
}

const here = new AsyncLocalStorage<Process>()
/** What belongs to no process: the network, people, the world itself. */
const nobody = newProcess('world')

export const currentProcess = (): Process => here.getStore() ?? nobody

/** Runs `work`, and everything that follows from it, as a part of `process`. */
export const inProcess = <T>(process: Process, work: () => T): T => here.run(process, work)

export const asWorld = <T>(work: () => T): T => here.run(nobody, work)

/** Everything that can go on without time passing has gone on. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

export class SimTime {
  now_ms: number
  steps = 0
  #seq = 0
  /** A binary heap, the next timer first. */
  readonly #heap: Timer[] = []

  constructor(start_ms: number) {
    this.now_ms = start_ms
  }

  /** Runs `run` in the present process after `ms`. */
  after(ms: number, run: () => void): Timer {
    const process = currentProcess()
    const at_ms = this.now_ms + Math.max(0, Math.ceil(ms))
    const timer = { at_ms, seq: this.#seq++, process, run, done: false }
    this.#push(timer)
    return timer
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve))
  }

  /** Lets everything happen that is due until `until_ms`. */
  async runTo(until_ms: number): Promise<void> {
    for (;;) {
      await settled()
      const next = this.#heap[0]
      if (next === undefined || next.at_ms > until_ms) break
      this.#pop()
      if (next.done || !next.process.alive) continue
      this.now_ms = Math.max(this.now_ms, next.at_ms)
      if (next.process.stopped_until_ms > this.now_ms) {
        next.at_ms = next.process.stopped_until_ms
        this.#push(next)
        continue
      }
      this.steps++
      next.done = true
      here.run(next.process, next.run)
    }
    this.now_ms = Math.max(this.now_ms, until_ms)
  }

  #push(timer: Timer): void {
    const heap = this.#heap
    let at = heap.push(timer) - 1
    while (at > 0) {
      const up = (at - 1) >> 1
      if (before(heap[up] as Timer, timer)) break
      heap[at] = heap[up] as Timer
      at = up
    }
    heap[at] = timer
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let at = 0
    for (;;) {
      let down = 2 * at + 1
      if (down >= heap.length) break
      if (down + 1 < heap.length && before(heap[down + 1] as Timer, heap[down] as Timer)) down++
      if (before(last, heap[down] as Timer)) break
      heap[at] = heap[down] as Timer
      at = down
    }
    heap[at] = last
  }
}

const before = (a: Timer, b: Timer): boolean =>
  a.at_ms === b.at_ms ? a.seq < b.seq : a.at_ms < b.at_ms

/** What `setTimeout` gives back: what the code under test does with it, and nothing more. */
class Handle {
  timer: Timer | null = null
  cleared = false
  unref(): this {
    return this
  }
}

/** Puts simulated time in the place of the platform's until the answer is called. */
export function installTime(time: SimTime): () => void {
  const globals = globalThis as unknown as Record<string, unknown>
  const own = {
    setTimeout: (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
      const handle = new Handle()
      handle.timer = time.after(ms, () => run(...args))
      return handle
    },
    setInterval: (run: () => void, ms = 0) => {
      const handle = new Handle()
      const again = () => {
        handle.timer = time.after(Math.max(1, ms), () => {
          again()
          run()
        })
      }
      again()
      return handle
    },
    clearTimeout: (handle: unknown) => {
      if (handle instanceof Handle && handle.timer !== null) handle.timer.done = true
    },
    scheduler: { wait: (ms: number) => time.sleep(ms) },
  }
  const all: Record<string, unknown> = { ...own, clearInterval: own.clearTimeout }
  const kept = Object.fromEntries(Object.keys(all).map((name) => [name, globals[name]]))
  Object.assign(globals, all)
  const { now } = Date
  const monotonic = performance.now.bind(performance)
  // The platform's clock counts whole milliseconds.
  Date.now = () => Math.floor(time.now_ms)
  performance.now = () => time.now_ms - currentProcess().slept_ms
  return () => {
    Object.assign(globals, kept)
    Date.now = now
    performance.now = monotonic
  }
}
