// The shape of one rule: a pure function from the view of a plan to findings. A rule that finds
// nothing says nothing; silence of all rules is not yet an accept (see rules/known-materials.ts).
import type { FindingCode } from '../../../protocol/finding-codes.ts'
import type { JudgeFinding, Severity } from '../../../protocol/opinion.ts'
import type { PlanView } from './view/plan-view.ts'

/** Which of the three judges looks through this rule. */
export type Eye = 'safety' | 'alignment' | 'adversarial'

export type Rule = {
  readonly id: string
  /** The site's rule that it guards; empty for rules of the method itself. */
  readonly pol: string
  readonly eye: Eye
  readonly check: (view: PlanView) => JudgeFinding[]
}

/**
 * What a finding asks for. `refuse`: a clear breach of a never-rule. `person`: somebody has to
 * decide. `note`: known to the reviewers, moves nothing.
 */
export type Ask = 'refuse' | 'person' | 'note'

const severities: Record<Ask, Severity> = { refuse: 'high', person: 'medium', note: 'low' }
const likelihoods: Record<Ask, number> = { refuse: 0.9, person: 0.6, note: 0.2 }

/** Facts or words: a finding on words alone never refuses, except text that addresses judges. */
type Basis = 'structure' | 'words'

/** Builds one finding; `claim` is a constant sentence and never holds text of the plan. */
export function found(
  eye: Eye,
  code: FindingCode,
  at: string,
  rest: { ask: Ask; basis: Basis; claim: string; cites?: readonly string[] },
): JudgeFinding {
  return {
    code,
    concern: eye,
    at,
    severity: severities[rest.ask],
    likelihood: likelihoods[rest.ask],
    claim: rest.claim,
    cites: [...(rest.cites ?? [])],
    substantiated: rest.basis === 'structure',
  }
}
