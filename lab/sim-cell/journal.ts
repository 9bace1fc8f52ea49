// The cell's own append-only journal: JSON lines, each synced to disk before the act goes on. It is
// the oracle of the tests: what really moved, how often and in what order, whatever others claim.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import type { JsonObject } from '../../protocol/json.ts'

export type JournalLine = {
  readonly seq: number
  readonly at_ms: number
  /** `begin` and `end` frame an act that moved; `refused` is an act that never began. */
  readonly phase: 'begin' | 'end' | 'refused'
  /** Joins the lines of one call. */
  readonly call: string
  readonly tool: string
  readonly device: string
  readonly args_digest: string
  /** What the caller said it acts for, from `_meta`; null for a call that said nothing. */
  readonly session: string | null
  readonly node: string | null
  /** The trace that the call belongs to. */
  readonly trace?: string | null
  /** On `end` only. */
  readonly outcome: 'done' | 'interrupted' | 'tripped' | null
  /** What ended it early, or why it was refused. */
  readonly cause: string | null
  readonly change: JsonObject | null
}

export type JournalEntry = Omit<JournalLine, 'seq' | 'at_ms'>

export class Journal {
  readonly #fd: number | null
  readonly #nowMs: () => number
  #seq = 0

  /** `file` null keeps no journal (the cell still works). */
  constructor(file: string | null, nowMs: () => number) {
    this.#fd = file === null ? null : openSync(file, 'a')
    this.#nowMs = nowMs
  }

  /** One line, on disk when this returns. */
  write(entry: JournalEntry): void {
    const line: JournalLine = { seq: this.#seq++, at_ms: this.#nowMs(), ...entry }
    if (this.#fd === null) return
    writeSync(this.#fd, `${JSON.stringify(line)}\n`)
    fsyncSync(this.#fd)
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd)
  }
}
