// The bounds that all texts of one screen share.
import { injectionLimits } from './limits.ts'
import type { InjectionLimit } from './types.ts'

/** What is left of the bounds, shared by all texts of one screen. */
export interface Budget {
  /** Units of pattern trials. */
  work: number
  decodedChars: number
  fuzzyWindows: number
  /** The first bound that was passed. */
  passed: InjectionLimit | null
}

/** The budget for texts of so many characters: work stays linear in them. */
export const newBudget = (chars: number): Budget => ({
  work: injectionLimits.workBase + chars * injectionLimits.workPerChar,
  decodedChars: injectionLimits.decodedCharsMax,
  fuzzyWindows: injectionLimits.fuzzyBase + Math.floor(chars / injectionLimits.fuzzyCharsPerWindow),
  passed: null,
})

/** Takes `units` of work; answers false, and notes the bound, when there is not enough left. */
export function spend(budget: Budget, units: number): boolean {
  budget.work -= units
  if (budget.work >= 0) return true
  budget.passed ??= 'WORK'
  return false
}
