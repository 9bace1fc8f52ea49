// What the state of a cell promises the other objects and the door.
import type { Result } from '../../protocol/result.ts'
import type { CellRecord, StateFact } from '../../protocol/state.ts'

export interface CellStateApi {
  /** A person's record; all or nothing. */
  record(
    record: CellRecord,
    by: string,
    now_ms: number,
  ): Promise<
    Result<
      { version: number },
      { reason: 'too_many_rows'; table: 'inventory' | 'facts' | 'approvals' }
    >
  >
  remove(thing: string, by: string, now_ms: number): Promise<boolean>
  /** What a session may touch is not known until it ends; the same session may hold again. */
  hold(held: LeftBehind): Promise<void>
  /** What an ended session left; its holds end with it. */
  sessionLeft(left: LeftBehind): Promise<void>
  /** Sessions that hold something in the cell: its own, and those of cells that share a thing with it. */
  holding(): Promise<string[]>
  /** A person has cleared the cell: these sessions are over, and hold nothing any more. */
  cleared(sessions: readonly string[], now_ms: number): Promise<void>
  /** What was known is not known: a restore, a new agent process, a lost device. */
  forget(why: string, now_ms: number): Promise<void>
  /** The same of these things alone. */
  forgetOf(things: readonly string[], why: string, now_ms: number): Promise<void>
  /** A CellState as JSON text. */
  state(cell: string): Promise<string>
}

/** Facts that a session left; a null value: it was touched and is not known. */
export type LeftBehind = {
  readonly session: string
  readonly facts: readonly Omit<StateFact, 'source' | 'by' | 'at_ms'>[]
  readonly at_ms: number
}
