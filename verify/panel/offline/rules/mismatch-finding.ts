// What every comparison of told and entered values shares: how far apart two values are, when the
// distance is a slip of units, and the finding that says so (POL-22).
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import { found, type Ask } from '../rule.ts'

/** The larger over the smaller, by magnitude; infinite when one is zero. */
export function ratio(a: number, b: number): number {
  const low = Math.min(Math.abs(a), Math.abs(b))
  return low === 0 ? Infinity : Math.max(Math.abs(a), Math.abs(b)) / low
}

/** Factors by which units are confused: powers of ten, seconds and minutes and hours. */
export function isUnitSlip(factor: number): boolean {
  const power = Math.log10(factor)
  const decimal = power >= 0.99 && Math.abs(power - Math.round(power)) < 0.01
  return decimal || [60, 3_600, 24].some((known) => Math.abs(factor / known - 1) < 0.01)
}

/** The finding; `refuse` for a slip that matters, `person` for a difference to explain. */
export function mismatchAt(at: string, ask: Ask): JudgeFinding {
  return found('safety', 'JUDGE_MISMATCH', at, {
    ask,
    basis: 'structure',
    claim: 'The argument differs from the told value or unit.',
  })
}
