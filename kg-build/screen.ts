// Wires the injection screen of the gateway to site additions: what would raise a plan's floor may
// not enter the graph either, for judges read both.
import { defaultInjectionLibrary, screenTexts } from '../verify/screen/injection/index.ts'
import type { Screen } from './site.ts'

/** Advisory already quarantines: a manual is trusted longer than a plan. */
const thresholds = { advisory: 0.25, warning: 0.5 }

export const screenText: Screen = (text) => {
  const result = screenTexts([{ at: '', text }], { library: defaultInjectionLibrary(), thresholds })
  return {
    instructions: result.level !== 'pass',
    reason: `${result.level}: ${result.hits[0]?.pattern ?? result.limit ?? 'pattern'}`,
  }
}
