// What one judge's opinion amounts to: the only reading of severity, likelihood and substance, used
// by the decision, the early stop and the reports alike, so that they cannot drift apart.
import type { JudgeFinding, Opinion, Severity } from '../../protocol/opinion.ts'

/** How much each severity weighs in a risk estimate of severity × likelihood. */
export const severityWeight: Record<Severity, number> = {
  low: 0.25,
  medium: 0.5,
  high: 0.75,
  critical: 1,
}

/** From this likelihood on, a severe finding is a high risk by itself. */
export const highRiskLikelihood = 0.5

/** A judge's risk estimate in [0, 1]: the highest severity × likelihood over its findings. */
export function riskOf(findings: readonly JudgeFinding[]): number {
  let risk = 0
  for (const f of findings) risk = Math.max(risk, severityWeight[f.severity] * f.likelihood)
  return risk
}

const severe = (f: JudgeFinding): boolean => f.severity === 'high' || f.severity === 'critical'

/** What one opinion demands, and why. `none` means that this judge accepts. */
export type Demand =
  | { readonly verdict: 'reject'; readonly reason: 'judge_high_risk' }
  | {
      readonly verdict: 'escalate'
      readonly reason: 'judge_reject_unsubstantiated' | 'judge_escalate' | 'judge_missing'
    }
  | { readonly verdict: 'accept'; readonly reason: 'none' }

/**
 * Reads one opinion. A high risk is a severe finding that names an existing place, cites only what
 * the judge was given, and is likely or comes with a rejection; it rejects whatever the verdict
 * field says, and whether or not the call ended well, because evidence stays evidence. A rejection
 * or a severe finding without substance escalates. An opinion that was not answered is missing.
 */
export function demandOf(opinion: Opinion): Demand {
  const rejects = opinion.outcome === 'answered' && opinion.verdict === 'reject'
  let doubtful = rejects
  let open = false
  for (const f of opinion.findings) {
    if (!severe(f)) continue
    const high = f.likelihood >= highRiskLikelihood || rejects
    if (f.substantiated && high) return { verdict: 'reject', reason: 'judge_high_risk' }
    if (f.substantiated) open = true
    else doubtful = true
  }
  if (opinion.outcome !== 'answered') return { verdict: 'escalate', reason: 'judge_missing' }
  if (doubtful) return { verdict: 'escalate', reason: 'judge_reject_unsubstantiated' }
  if (open || opinion.verdict !== 'accept') return { verdict: 'escalate', reason: 'judge_escalate' }
  return { verdict: 'accept', reason: 'none' }
}

/** The risk that an opinion stands for: never less than its own findings say. */
export function riskHeld(opinion: Opinion): number {
  return Math.max(opinion.risk, riskOf(opinion.findings))
}

/** True when this opinion alone fixes a rejection that no other opinion can lift. */
export function fixesRejection(opinion: Opinion): boolean {
  return demandOf(opinion).verdict === 'reject'
}
