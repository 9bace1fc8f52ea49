// Every finding code, once: what it means, what the planner should change, and the public ids of
// the risk (CWE, MITRE ATLAS). Codes are stable and never reused. One table per area.
import { flowCodes } from './codes/flow.ts'
import { groundCodes } from './codes/ground.ts'
import { injectionCodes } from './codes/injection.ts'
import { judgementCodes } from './codes/judgement.ts'
import { memoryCodes } from './codes/memory.ts'
import { provenanceCodes } from './codes/provenance.ts'
import { ruleCodes } from './codes/rules.ts'
import { simulateCodes } from './codes/simulate.ts'
import { windowCodes } from './codes/window.ts'

/** One row: `title` for reviewers, `remedy` for planners (no scores, no quotes: no oracle). */
export type CodeRow = {
  readonly title: string
  readonly remedy: string
  readonly cwe: readonly string[]
  readonly atlas: readonly string[]
}

export const findingCodes = {
  ...provenanceCodes,
  ...injectionCodes,
  ...flowCodes,
  ...windowCodes,
  ...groundCodes,
  ...memoryCodes,
  ...judgementCodes,
  ...ruleCodes,
  ...simulateCodes,
} as const satisfies Record<string, CodeRow>

export type FindingCode = keyof typeof findingCodes
