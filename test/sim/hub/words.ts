// What happens to a hub, as its model is told of it: facts, not rows.
import type { Cell } from '../gateway/site.ts'

export type Act = { readonly by: string; readonly credential: string; readonly seen: number | null }

export type Entry = {
  readonly plan: string
  readonly planner: string
  /** The cell whose agent it asks for; null for any. */
  readonly cell: Cell | null
  readonly physical: boolean
  readonly told: number
  readonly validUntil: number
}

export type End = {
  readonly session: string
  readonly plan: string
  readonly cell: Cell
  readonly status: 'completed' | 'terminated'
  readonly reason: string | null
  readonly latch: boolean
  readonly untouched: boolean
  readonly devices: readonly { readonly name: string; readonly rests: boolean }[]
}

export type MayAsk = {
  readonly session: string
  readonly cell: Cell
  readonly tool: 'arm.move' | 'camera.read'
  readonly epoch: number
  readonly told: number
}
