// What an act of a person on a cell is answered with.
import type { Result } from '../../protocol/result.ts'
import type { CellStatus } from '../../protocol/status.ts'

export type CellRefusal =
  | 'cell_unknown'
  | 'needs_clearance'
  | 'session_running'
  | 'session_unreachable'
  | 'not_at_rest'
  | 'stale_change'
  | 'credential_revoked'
  | 'cannot_drill'
/** `detail` says what stands against it, for the person. */
export type CellAnswer = Result<CellStatus, { reason: CellRefusal; detail?: string }>
