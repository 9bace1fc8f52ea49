// What each audience sees of a finding: one function for each, over the one table of codes. Planners get
// code, place and remedy, and of the facts those that open-facts.json names: limits that the site approved
// and the planner's own value. No spans, scores or judge text, so that the gateway is neither an oracle
// for probing nor a channel of injection into the planner. Reviewers get all.
import type { Finding } from './finding.ts'
import { findingCodes, type FindingCode } from './finding-codes.ts'
import openFacts from './open-facts.json' with { type: 'json' }
import type { DecisionReason } from './records.ts'
import { reasonRemedies } from './remedies.ts'
import { riskNames } from './risk-names.ts'

export type PlannerFinding = {
  readonly code: FindingCode
  /** JSON pointer into the plan. */
  readonly at: string
  readonly remedy: string
  /** Approved limits and the values that break them; left out when there are none. */
  readonly facts?: Finding['facts']
}

/** A finding, or a breach of a site's rule with a remedy in the rule's own words. */
export type Told = Pick<Finding, 'code' | 'at'> & {
  readonly facts?: Finding['facts']
  readonly remedy?: string | undefined
}

const openNames: Readonly<Record<string, readonly string[]>> = openFacts

/** The facts of a code that are no secret. */
function openOf({ code, facts }: Told): Finding['facts'] {
  const names = openNames[code] ?? []
  return Object.fromEntries(Object.entries(facts ?? {}).filter(([name]) => names.includes(name)))
}

export type ReviewerFinding = Finding & {
  readonly title: string
  readonly remedy: string
  readonly risks: readonly { readonly id: string; readonly name: string }[]
}

/** A finding as its planner sees it. */
export function forPlanner(told: Told): PlannerFinding {
  const { code, at } = told
  const facts = openOf(told)
  const remedy = told.remedy ?? findingCodes[code].remedy
  return { code, at, remedy, ...(Object.keys(facts).length === 0 ? {} : { facts }) }
}

/** The findings of a plan as its planner sees them: each code and place once, the first with facts. */
export function allForPlanner(findings: readonly Told[]): PlannerFinding[] {
  const seen = new Map<string, PlannerFinding>()
  for (const item of findings) {
    const told = forPlanner(item)
    const key = `${item.code} ${item.at}`
    const known = seen.get(key)
    if (known === undefined || (known.facts === undefined && told.facts !== undefined)) {
      seen.set(key, told)
    }
  }
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
