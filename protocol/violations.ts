// Lists of violations as they leave: in order, and bounded (limits.violationsMax).
import { limits } from './limits.ts'
import type { Violation } from './reasons.ts'

/** At most `limits.violationsMax` entries; when some are left out, the last one says so. */
export function capViolations(all: readonly Violation[]): Violation[] {
  if (all.length <= limits.violationsMax) return [...all]
  const shown = all.slice(0, limits.violationsMax - 1)
  const message = `more than ${limits.violationsMax - 1} violations; the rest is not listed`
  return [...shown, { code: 'too_many_violations', at: '', message }]
}
