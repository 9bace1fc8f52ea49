// The injection screen over a judge's own words, before the chief reads them: a judge that was talked
// into repeating an instruction must not pass it on.
import type { Policy } from '../../protocol/policy.ts'
import { defaultInjectionLibrary, screenTexts } from './injection/index.ts'
import { thresholdsOf } from './thresholds.ts'

/** True when the text shows nothing that even an advisory would be given for. */
export function passesScreen(
  text: string,
  policy: Pick<Policy, 'injection' | 'alert_level'>,
): boolean {
  const options = { library: defaultInjectionLibrary(), thresholds: thresholdsOf(policy) }
  const result = screenTexts([{ at: '', text }], options)
  return result.level === 'pass' && result.limit === null
}
