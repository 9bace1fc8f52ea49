// The sensors that must hold just before a call: the agent tests what they said before it signs its start,
// the session before it answers with a `go`, and the agent their age in the very tick of the call.
import { limits } from '../protocol/limits.ts'
import { freshMsOf, valueMiss } from '../protocol/precondition.ts'
import type { MissedRead, StartClaims } from '../protocol/tokens.ts'
import type { ToolRow } from '../protocol/tool-row.ts'
import type { Elapsed } from './go.ts'

/** True when a reading is older than its row allows, by either clock, or when the two disagree. */
export function isStale({ monotonic_ms, wall_ms }: Elapsed, freshMs: number): boolean {
  const inTime = monotonic_ms >= 0 && Math.max(monotonic_ms, wall_ms) <= freshMs
  const agree = Math.abs(wall_ms - monotonic_ms) <= limits.goLifetimeMs
  return !(inTime && agree)
}

/** Why a start may not become a `go`; null when every precondition of the node's row was read and met. */
export function startMiss(
  tool: string,
  rows: readonly ToolRow[],
  start: Pick<StartClaims, 'reads'>,
): MissedRead | null {
  const wanted = rows.find((row) => row.tool === tool)?.preconditions ?? []
  const reads = start.reads ?? []
  for (const [precondition, one] of wanted.entries()) {
    const read = reads[precondition]
    if (read === undefined) return { precondition, miss: 'not_read', read: null }
    const reader = rows.find((row) => row.tool === one.tool)
    const miss = reader === undefined ? ('not_read' as const) : valueMiss(read.value, one, reader)
    if (miss !== null) return { precondition, miss, read }
    if (read.age_ms > freshMsOf(one)) return { precondition, miss: 'stale', read }
  }
  return reads.length > wanted.length
    ? { precondition: wanted.length, miss: 'not_read', read: null }
    : null
}
