// Runs acts: one per device, on a scaled clock, each journalled at its start and its end. Cancel,
// safe-stop and the end of the caller's connection stop motion; what has moved stays moved.
import { randomUUID } from 'node:crypto'
import { digest } from '../../protocol/digest.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Act } from './act.ts'
import { argsProblem, cellTools, type CellTool } from './definitions.ts'
import type { Fault } from './faults.ts'
import type { Journal, JournalEntry } from './journal.ts'
import { toolTable } from './tool-table.ts'
import type { World } from './world.ts'

export type CallMeta = {
  readonly session: string | null
  readonly node: string | null
  /** W3C `traceparent` of the call. */
  readonly trace?: string | null
}

export type CallOutcome =
  | { readonly ok: true; readonly result: JsonObject }
  | { readonly ok: false; readonly message: string }

export type CellOptions = {
  readonly world: World
  readonly journal: Journal
  /** Simulated seconds per real second. */
  readonly timeScale: number
  /** Upper bound of one act in real milliseconds; null for none. */
  readonly actMsMax: number | null
  readonly faults: readonly Fault[]
  readonly onRedefined: () => void
  /** Real milliseconds that never go back. */
  readonly monotonicMs: () => number
  /** Ends the process without unwinding; for the crash fault. */
  readonly crash: () => void
}

type Running = {
  readonly device: string
  readonly group: string
  readonly stop: (cause: string) => void
  readonly ended: Promise<void>
}

export class Cell {
  readonly #options: CellOptions
  readonly #refusals = new Map<string, number>()
  readonly #running = new Set<Running>()
  #finished = 0

  constructor(options: CellOptions) {
    this.#options = options
  }

  /** The definitions as they are now: a `redefine` fault changes one at run time. */
  tools(): CellTool[] {
    return cellTools.map((tool) => {
      const changed = this.#options.faults.some(
        (f) => f.kind === 'redefine' && f.tool === tool.name && this.#finished >= f.after,
      )
      return changed ? { ...tool, description: `${tool.description} Revised.` } : tool
    })
  }

  /** Does one call to its end. A refusal of the device is an outcome, not an exception. */
  async call(
    name: string,
    args: JsonObject,
    meta: CallMeta,
    signal: AbortSignal,
  ): Promise<CallOutcome> {
    const tool = cellTools.find((t) => t.name === name)
    const plan = toolTable[name]
    if (tool === undefined || plan === undefined) return { ok: false, message: `no tool ${name}` }
    const problem = argsProblem(tool, args)
    if (problem !== null) return { ok: false, message: `arguments: ${problem}` }
    const head = {
      call: randomUUID(),
      tool: name,
      args_digest: await digest('args', args),
      session: meta.session,
      node: meta.node,
      trace: meta.trace ?? null,
    }
    if (this.#refuses(name)) return this.#refused(head, '', 'the drive does not answer')
    const planned = plan(this.#options.world, args)
    if (!planned.ok) return this.#refused(head, '', planned.error)
    const act = planned.value
    if (act.stops !== undefined) await this.#stopGroup(act.stops, name)
    if ([...this.#running].some((r) => r.device === act.device)) {
      return this.#refused(head, act.device, `${act.device} is busy`)
    }
    if (signal.aborted) return this.#refused(head, act.device, 'cancelled before it began')
    return this.#run(act, { ...head, device: act.device }, signal)
  }

  /** A device that does not do what it is told, so many times. */
  #refuses(tool: string): boolean {
    const fault = this.#options.faults.find((one) => one.kind === 'refuse' && one.tool === tool)
    if (fault?.kind !== 'refuse') return false
    const before = this.#refusals.get(tool) ?? 0
    this.#refusals.set(tool, before + 1)
    return before < fault.times
  }

  /** Stops everything that can be stopped and waits for the journal. */
  async stopAll(cause: string): Promise<void> {
    const running = [...this.#running]
    for (const one of running) one.stop(cause)
    await Promise.all(running.map((one) => one.ended))
  }

  /** Until nothing of the group runs, be it another safe-stop that began meanwhile. */
  async #stopGroup(group: string, cause: string): Promise<void> {
    for (;;) {
      const hit = [...this.#running].filter((r) => r.group === group)
      if (hit.length === 0) return
      for (const one of hit) one.stop(cause)
      await Promise.all(hit.map((one) => one.ended))
    }
  }

  #refused(
    head: Omit<JournalEntry, 'phase' | 'device' | 'outcome' | 'cause' | 'change'>,
    device: string,
    cause: string,
  ): CallOutcome {
    this.#options.journal.write({
      ...head,
      device,
      phase: 'refused',
      outcome: null,
      cause,
      change: null,
    })
    return { ok: false, message: `refused: ${cause}` }
  }

  async #run(
    act: Act,
    head: Omit<JournalEntry, 'phase' | 'outcome' | 'cause' | 'change'>,
    signal: AbortSignal,
  ): Promise<CallOutcome> {
    const { journal, faults, monotonicMs, crash } = this.#options
    const has = (kind: Fault['kind']) => faults.some((f) => f.kind === kind && f.tool === head.tool)
    journal.write({ ...head, phase: 'begin', outcome: null, cause: null, change: null })
    const lengthMs = this.#lengthMs(act, head.tool)
    const beganMs = monotonicMs()
    const deaf = act.uninterruptible === true || has('deaf')
    const { cause, release } = await this.#motion(
      act,
      { lengthMs, deaf, hang: has('hang') || has('crash') },
      signal,
      () => {
        if (has('crash')) setTimeout(crash, Math.min(lengthMs / 2, 50))
      },
    )
    let outcome: CallOutcome
    if (cause === null) {
      const { change, result } = act.finish()
      journal.write({ ...head, phase: 'end', outcome: 'done', cause: null, change })
      outcome = { ok: true, result }
    } else {
      const fraction = Math.min(1, (monotonicMs() - beganMs) / Math.max(1, lengthMs))
      const change = act.interrupt(fraction)
      const tripped = cause === act.trip?.message
      journal.write({
        ...head,
        phase: 'end',
        outcome: tripped ? 'tripped' : 'interrupted',
        cause,
        change,
      })
      outcome = { ok: false, message: `stopped: ${cause}` }
    }
    release()
    this.#countFinished()
    return outcome
  }

  /** Waits for the end of the motion; `cause` is null when it ended by itself. */
  async #motion(
    act: Act,
    how: { lengthMs: number; deaf: boolean; hang: boolean },
    signal: AbortSignal,
    began: () => void,
  ): Promise<{ cause: string | null; release: () => void }> {
    const done = Promise.withResolvers<string | null>()
    const ended = Promise.withResolvers<void>()
    const stop = (cause: string) => {
      if (!how.deaf) done.resolve(cause)
    }
    const entry: Running = {
      device: act.device,
      group: act.group ?? act.device,
      stop,
      ended: ended.promise,
    }
    this.#running.add(entry)
    const onAbort = () => stop('cancelled')
    signal.addEventListener('abort', onAbort, { once: true })
    const timer = how.hang
      ? setInterval(() => {}, 60_000)
      : setTimeout(() => done.resolve(null), how.lengthMs)
    const trip = act.trip
    const tripTimer =
      trip === undefined
        ? undefined
        : setTimeout(() => done.resolve(trip.message), this.#realMs(trip.after_s))
    began()
    const cause = await done.promise
    clearTimeout(timer)
    clearTimeout(tripTimer)
    signal.removeEventListener('abort', onAbort)
    // The device counts as busy until its end is in the journal.
    const release = () => {
      this.#running.delete(entry)
      ended.resolve()
    }
    return { cause, release }
  }

  #realMs(seconds: number): number {
    const ms = (seconds * 1000) / this.#options.timeScale
    return this.#options.actMsMax === null ? ms : Math.min(ms, this.#options.actMsMax)
  }

  #lengthMs(act: Act, tool: string): number {
    const slow = this.#options.faults.find((f) => f.kind === 'slow' && f.tool === tool)
    return this.#realMs(act.seconds) * (slow?.kind === 'slow' ? slow.factor : 1)
  }

  #countFinished(): void {
    this.#finished += 1
    const now = this.#options.faults.some(
      (f) => f.kind === 'redefine' && !f.silent && f.after === this.#finished,
    )
    if (now) this.#options.onRedefined()
  }
}
