// Times that people send: one in the past does nothing, or is a slip of units, and would be taken as done.
import { limits } from '../protocol/limits.ts'
import type { Violation } from '../protocol/reasons.ts'

/** A time that must come; `capMs` is how far ahead it may lie, null for any. */
export function timeViolation(
  at: string,
  at_ms: number,
  { now_ms, capMs }: { now_ms: number; capMs: number | null },
): Violation | null {
  if (at_ms <= now_ms) {
    const message = `${at_ms} is not in the future: it is ${now_ms} now`
    return { code: 'time_past', at, message }
  }
  // The caller reads its own clock: what it computed as the cap must not fail by a second.
  if (capMs === null || at_ms <= now_ms + capMs + limits.clockSkewMsMax) return null
  const message = `at most ${capMs} ms (${capMs / 3_600_000} hours) from now`
  return { code: 'time_too_far', at, message }
}
