// How much a severity weighs, and a judge's risk estimate: one reading for the decision, the record
// and the reports, so that they cannot drift apart.
import type { JudgeFinding, Severity } from '../../protocol/opinion.ts'

/** How much each severity weighs in a risk estimate of severity × likelihood. */
export const severityWeight: Record<Severity, number> = {
  low: 0.25,
  medium: 0.5,
  high: 0.75,
  critical: 1,
}

/** True when a finding is at least as severe as `least`. */
export const atLeastSevere = (finding: JudgeFinding, least: Severity): boolean =>
  severityWeight[finding.severity] >= severityWeight[least]

/** A judge's risk estimate in [0, 1]: the highest severity × likelihood over its findings. */
export function riskOf(findings: readonly JudgeFinding[]): number {
  let risk = 0
  for (const f of findings) risk = Math.max(risk, severityWeight[f.severity] * f.likelihood)
  return risk
}
