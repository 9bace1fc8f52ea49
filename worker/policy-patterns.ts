// Patterns of what a policy hides from vendors. One that may take long, or that matches nothing at all, is
// refused when it is set: it runs on every prompt of the site (CWE-1333).
import type { Policy } from '../protocol/policy.ts'
import type { Violation } from '../protocol/reasons.ts'
import { checkLinear } from '../verify/linear-regex/check.ts'

/** One violation for each pattern that may not be used. */
export function patternViolations(policy: Policy): Violation[] {
  return (policy.hide ?? []).flatMap((rule, i) =>
    rule.patterns.flatMap((pattern, k): Violation[] => {
      const at = `/hide/${i}/patterns/${k}`
      const refuse = (message: string): Violation[] => [{ code: 'pattern_not_linear', at, message }]
      const proof = checkLinear(pattern, 'u')
      if (!proof.ok) return refuse(`${proof.error.code}: ${proof.error.message}`)
      return new RegExp(pattern, 'u').test('') ? refuse('it matches where nothing stands') : []
    }),
  )
}
