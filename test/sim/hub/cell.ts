// One cell as the hub's model knows it: who armed it, what latched it, what may still move, whose plans wait, and
// how often it has changed since anybody looked.
import type { Cell } from '../gateway/site.ts'
import type { Act } from './words.ts'

export class CellModel {
  armedUntil: number | null = null
  armedBy: string | null = null
  armedWith: string | null = null
  latch: string | null = null
  session: string | null = null
  changes = 0
  change: { what: string; by: string; at: number } | null = null
  heldBy: string | null = null
  readonly moving = new Set<string>()
  /** Planner → session and reason of the end after which their plans wait. */
  readonly holds = new Map<string, string>()

  changed(what: string, by: string, at: number): void {
    this.changes++
    this.change = { what, by, at }
  }

  disarm(): void {
    this.armedUntil = null
    this.armedBy = null
    this.armedWith = null
  }

  /** The first reason stands. */
  latched(reason: string, by: string, at: number, what = 'latched'): void {
    this.changed(what, by, at)
    this.disarm()
    this.latch ??= reason
  }

  /** Whether somebody acts on what is there now, and not on what they saw before. */
  seenBy({ by, seen }: Act, arming: boolean): boolean {
    if (seen !== null) return seen === this.changes
    if (this.change?.by === by) return true
    return arming && (this.change === null || ['armed', 'cleared'].includes(this.change.what))
  }

  view(name: Cell) {
    return {
      cell: name,
      armed_until_ms: this.armedUntil,
      armed_by: this.armedBy,
      armed_boot: this.armedUntil === null ? null : `boot-${name}`,
      needs_clearance: this.latch !== null,
      latch_reason: this.latch,
      session: this.session,
      change: this.changes,
      change_what: this.change?.what ?? null,
      change_by: this.change?.by ?? null,
      change_ms: this.change?.at ?? null,
      held: this.heldBy,
      not_at_rest: [...this.moving].sort(),
      holds: [...this.holds].map(([planner, why]) => `${planner} ${why}`).sort(),
    }
  }
}
