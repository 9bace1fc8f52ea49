// When a told value and a step's value are the same.
import type { Interval } from '../scene.ts'

/** Rounding that people allow themselves: one part in a hundred. */
const slackShare = 0.01

/**
 * True when every value that the step may take lies in what was told, up to rounding. A told value
 * that could not be read agrees with nothing.
 */
export function agrees(step: Interval, told: Interval | null): boolean {
  if (told === null) return false
  const slack = Math.max(Math.abs(told.lo), Math.abs(told.hi)) * slackShare + 1e-9
  return step.lo >= told.lo - slack && step.hi <= told.hi + slack
}
