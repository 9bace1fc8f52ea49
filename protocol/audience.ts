// What each audience sees of a finding: one function for each, over the one table of codes. Planners get
// code, place and remedy: no spans, scores, facts or judge text, so that the gateway is neither an oracle
// for probing nor a channel of injection into the planner. Reviewers get all.
import type { Finding } from './finding.ts'
import { findingCodes, type FindingCode } from './finding-codes.ts'
import type { DecisionReason } from './records.ts'
import { reasonRemedies } from './remedies.ts'
import { riskNames } from './risk-names.ts'

export type PlannerFinding = {
  readonly code: FindingCode
  /** JSON pointer into the plan. */
  readonly at: string
  readonly remedy: string
}

export type ReviewerFinding = Finding & {
  readonly title: string
  readonly remedy: string
  readonly risks: readonly { readonly id: string; readonly name: string }[]
}

/** A finding as its planner sees it. */
export function forPlanner({ code, at }: Pick<Finding, 'code' | 'at'>): PlannerFinding {
  return { code, at, remedy: findingCodes[code].remedy }
}

/** The findings of a plan as its planner sees them: each code and place once. */
export function allForPlanner(findings: readonly Pick<Finding, 'code' | 'at'>[]): PlannerFinding[] {
  const seen = new Map(findings.map((item) => [`${item.code} ${item.at}`, forPlanner(item)]))
  return [...seen.values()]
}

/** The reasons of a decision as its planner sees them: each with what to do about it. */
export function reasonsForPlanner(
  reasons: readonly DecisionReason[],
): { reason: DecisionReason; remedy: string }[] {
  return reasons.map((reason) => ({ reason, remedy: reasonRemedies[reason] }))
}

/** A finding as reviewers and the audit trail see it. */
export function forReviewer(found: Finding): ReviewerFinding {
  const { title, remedy, cwe, atlas } = findingCodes[found.code]
  const risks = [...cwe, ...atlas].map((id) => ({ id, name: riskNames[id] ?? id }))
  return { ...found, title, remedy, risks }
}
