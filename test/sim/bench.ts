// The metal of one cell, with its journal, and the server that drives it as the agent sees it. The journal
// is the oracle of a run: what really moved, for whom, when, and how it ended.
import type { CallSpec, CallOutcome, DeviceOptions } from '../../robot-agent/device.ts'
import { asWorld, currentProcess, type Process } from './time.ts'
import type { ServerView } from '../../robot-agent/pins.ts'
import { definition, registry } from './gateway/site.ts'

export type Act = {
  readonly bench: string
  readonly session: string
  readonly node: string
  readonly tool: string
  readonly args: string
  readonly process: Process
  readonly begun_ms: number
  ended_ms: number | null
  outcome: 'succeeded' | 'failed' | 'halted' | 'cut' | null
}

/** What the world decides of the metal. */
export type BenchPort = {
  readonly now: () => number
  readonly after: (ms: number, run: () => void) => void
  /** How long an act lasts, how long the way to it and back takes, and whether it goes wrong. */
  readonly fate: () => { there_ms: number; act_ms: number; back_ms: number; fails: boolean }
  /** A safe-stop is refused now. */
  readonly refuses: () => boolean
}

export class Bench {
  readonly name: string
  readonly acts: Act[] = []
  readonly halts: number[] = []
  readonly #port: BenchPort
  up = true
  instance = 1
  #running: { act: Act; end: (how: 'halted' | 'cut') => void } | null = null
  readonly #listeners = new Set<() => void>()

  constructor(name: string, port: BenchPort) {
    this.name = name
    this.#port = port
  }

  get moves(): boolean {
    return this.#running !== null
  }

  watch(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** The server goes away, and with it whatever it was doing. */
  down(): void {
    this.up = false
    this.#running?.end('cut')
    this.#running = null
    for (const listener of this.#listeners) listener()
  }

  back(): void {
    if (this.up) return
    this.up = true
    this.instance++
    for (const listener of this.#listeners) listener()
  }

  call(spec: CallSpec, answer: (outcome: CallOutcome) => void, process: Process): void {
    const { there_ms, act_ms, back_ms, fails } = this.#port.fate()
    const { instance } = this
    const say = (outcome: CallOutcome): void => this.#port.after(back_ms, () => answer(outcome))
    asWorld(() =>
      this.#port.after(there_ms, () => {
        if (!this.up || this.instance !== instance) return
        if (spec.tool === 'halt') return this.#halt(say)
        const session = JSON.stringify(spec.meta['portcullis/session'] ?? '').slice(1, -1)
        const node = JSON.stringify(spec.meta['portcullis/node'] ?? '').slice(1, -1)
        if (this.#running !== null) return say(ended('failed', 'tool_error'))
        const act: Act = {
          bench: this.name,
          session,
          node,
          tool: spec.tool,
          args: JSON.stringify(spec.args),
          process,
          begun_ms: this.#port.now(),
          ended_ms: null,
          outcome: null,
        }
        this.acts.push(act)
        const over = (how: NonNullable<Act['outcome']>): void => {
          if (act.ended_ms !== null) return
          act.ended_ms = this.#port.now()
          act.outcome = how
          if (this.#running?.act === act) this.#running = null
        }
        this.#running = {
          act,
          end: (how) => {
            over(how)
            if (how === 'halted') say(ended('failed', 'tool_error'))
          },
        }
        this.#port.after(act_ms, () => {
          if (act.ended_ms !== null) return
          over(fails ? 'failed' : 'succeeded')
          say(fails ? ended('failed', 'tool_error') : ended('succeeded', null))
        })
      }),
    )
  }

  #halt(say: (outcome: CallOutcome) => void): void {
    if (this.#port.refuses()) return say(ended('failed', 'tool_refused'))
    this.halts.push(this.#port.now())
    this.#running?.end('halted')
    this.#running = null
    say(ended('succeeded', null))
  }
}

const ended = (outcome: CallOutcome['outcome'], reason: string | null): CallOutcome => ({
  outcome,
  reason,
  detail: null,
  result: { content: [{ type: 'text', text: outcome }] },
})
const lost: CallOutcome = { outcome: 'unknown', reason: 'server_lost', detail: null, result: null }

const benches = new Map<Process, Bench>()
/** Which bench stands beside a process. */
export const besides = (process: Process, bench: Bench): void => void benches.set(process, bench)
export const forgetBenches = (): void => benches.clear()

const digests = new Map(registry.tools.map((row) => [row.mcp_tool, definition]))

/** `Device` of the agent over a bench: the same calls, the same words, no server process. */
export class Device {
  readonly #o: DeviceOptions
  readonly #bench: Bench
  readonly #process = currentProcess()
  readonly #pending = new Set<(outcome: CallOutcome) => void>()
  #stop: () => void = () => undefined

  constructor(options: DeviceOptions) {
    this.#o = options
    const bench = benches.get(this.#process)
    if (bench === undefined) throw new TypeError('no bench stands beside this process')
    this.#bench = bench
  }

  get view(): ServerView {
    const { up, instance } = this.#bench
    return up
      ? { up, state: 'ok', instance, digests, list: null }
      : { up, state: 'server_lost', instance, digests: new Map(), list: null }
  }

  start(): void {
    this.#stop = this.#bench.watch(() => {
      if (!this.#process.alive) return this.#stop()
      if (!this.#bench.up) for (const end of this.#pending) end(lost)
      this.#o.onChange()
    })
  }

  close(): Promise<void> {
    this.#stop()
    return Promise.resolve()
  }

  async waitUp(ms: number): Promise<boolean> {
    const until = performance.now() + ms
    while (!this.#bench.up && performance.now() < until) {
      await new Promise((resolve) => void setTimeout(resolve, 20))
    }
    return this.#bench.up
  }

  refresh(): Promise<void> {
    return Promise.resolve()
  }

  answers(): Promise<boolean> {
    return Promise.resolve(this.#bench.up)
  }

  readResource(): Promise<null> {
    return Promise.resolve(null)
  }

  endProcess(): Promise<boolean> {
    return Promise.resolve(false)
  }

  call(spec: CallSpec): Promise<CallOutcome> {
    // A dead process writes nothing any more.
    if (!this.#process.alive) return new Promise(() => undefined)
    if (!this.#bench.up) return Promise.resolve(lost)
    return new Promise((resolve) => {
      const end = (outcome: CallOutcome): void => {
        this.#pending.delete(end)
        resolve(outcome)
      }
      this.#pending.add(end)
      const cancelled = { ...lost, reason: 'cancelled' }
      spec.signal.addEventListener('abort', () => end(cancelled), { once: true })
      setTimeout(() => end({ ...lost, reason: 'timeout' }), spec.timeoutMs)
      this.#bench.call(spec, end, this.#process)
    })
  }
}
