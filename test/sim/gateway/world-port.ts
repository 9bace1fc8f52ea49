// What the gateway's objects stand on, as the world gives it: time, chance and faults.
import type { Database } from './database.ts'

/** A part of a process tree whose timers can be taken away. */
export type Life = { alive: boolean }

export type WorldPort = {
  readonly nowMs: () => number
  /** Runs later, whatever becomes of who asked. */
  readonly later: (ms: number, run: () => void) => void
  readonly openDatabase: () => Database
  /** A new life for one instance of an object. */
  readonly newLife: (name: string) => Life
  readonly within: <T>(life: Life, work: () => T) => T
  /** The instance that runs now; null for everybody else. */
  readonly current: () => Life | null
  /** How long a flush takes, and whether it fails. */
  readonly flush: () => { readonly ms: number; readonly fails: boolean }
  /** What becomes of one call between two objects. */
  readonly call: () => {
    readonly there_ms: number
    readonly back_ms: number
    /** Lost on its way, or done and its answer lost. */
    readonly lost: 'no' | 'there' | 'back'
  }
}
