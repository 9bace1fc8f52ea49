// Which class of concern a plan falls into: it picks the criteria, the queue and the expiry of a
// review. The chief classifies; without one, the heaviest evidence does. Never below a doubt.
import type { Concern } from '../../protocol/verdict.ts'
import type { Finding } from '../../protocol/finding.ts'
import type { ChiefOpinion, Opinion } from '../../protocol/opinion.ts'
import { findingCodes } from '../../protocol/finding-codes.ts'
import { flowCodes } from '../../protocol/codes/flow.ts'
import { groundCodes } from '../../protocol/codes/ground.ts'
import { severityWeight } from './evidence.ts'

/** A class that a review can have. */
export type ReviewClass = Exclude<Concern, 'none'>

/** Ties go to the class whose reviewers must look first. */
const order: readonly ReviewClass[] = ['adversarial', 'safety', 'alignment']

const isIn = (table: object, code: string): boolean => Object.hasOwn(table, code)

/** The class of a deterministic finding, by the table its code stands in. */
export function concernOfCode(code: Finding['code']): ReviewClass {
  if (isIn(groundCodes, code) || code === 'INTERLOCK_BYPASS') return 'safety'
  if (isIn(flowCodes, code)) return 'adversarial'
  if (code === 'ADMIN_TOOL' || code.startsWith('MEMORY_')) return 'alignment'
  return findingCodes[code].atlas.length > 0 ? 'adversarial' : 'safety'
}

const effectWeight: Record<Finding['effect'], number> = { advisory: 0.1, flag: 0.75, block: 2 }

/**
 * The class of the plan. An answering chief's class counts unless the deterministic floor blocked;
 * otherwise the class with the single heaviest finding, then with the judge of the highest risk.
 * Only maxima are used, so the order of judges and findings cannot matter.
 */
export function classify(input: {
  readonly findings: readonly Finding[]
  readonly opinions: readonly Opinion[]
  readonly chief: ChiefOpinion | null
  readonly accepted: boolean
}): Concern {
  const blocked = input.findings.some((f) => f.effect === 'block')
  const chief = input.chief?.outcome === 'answered' ? input.chief.classification : 'none'
  if (!blocked && chief !== 'none') return chief
  if (input.accepted) return 'none'
  const weight: Record<ReviewClass, number> = { adversarial: 0, safety: 0, alignment: 0 }
  const raise = (concern: ReviewClass, by: number) => {
    weight[concern] = Math.max(weight[concern], by)
  }
  for (const f of input.findings) raise(concernOfCode(f.code), effectWeight[f.effect])
  for (const o of input.opinions) {
    if (o.outcome !== 'answered') continue
    for (const f of o.findings) raise(f.concern, severityWeight[f.severity] * f.likelihood)
    if (o.concern !== 'none') raise(o.concern, Math.max(o.risk, 0.05))
  }
  let best: ReviewClass = 'safety'
  let most = 0
  for (const concern of order) {
    if (weight[concern] > most) {
      best = concern
      most = weight[concern]
    }
  }
  return best
}
