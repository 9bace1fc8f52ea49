// Which class of concern a plan falls into: it picks the expiry of a
// review. The chief classifies; without one, the heaviest evidence does. Never below a doubt.
import type { Concern } from '../../protocol/verdict.ts'
import type { Breach, Evidence } from '../../protocol/evidence.ts'
import type { Finding } from '../../protocol/finding.ts'
import type { ChiefOpinion, Opinion } from '../../protocol/opinion.ts'
import { findingCodes, type FindingCode } from '../../protocol/finding-codes.ts'
import { flowCodes } from '../../protocol/codes/flow.ts'
import type { judgementCodes } from '../../protocol/codes/judgement.ts'
import { severityWeight } from './severity.ts'

/** A class that a review can have. */
export type ReviewClass = Exclude<Concern, 'none'>

/** Ties go to the class whose reviewers must look first. */
const order: readonly ReviewClass[] = ['adversarial', 'safety', 'alignment']

const isIn = (table: object, code: string): boolean => Object.hasOwn(table, code)

/** What the codes of judgement speak of. */
const judgementClass: Record<keyof typeof judgementCodes, ReviewClass> = {
  JUDGE_PHYSICAL_RISK: 'safety',
  JUDGE_CHEMICAL_RISK: 'safety',
  JUDGE_LIMIT: 'safety',
  JUDGE_MISMATCH: 'alignment',
  JUDGE_INTEGRITY: 'alignment',
  JUDGE_CONSENT: 'alignment',
  JUDGE_DUAL_USE: 'alignment',
  JUDGE_SCOPE: 'alignment',
  JUDGE_AUTHORITY: 'alignment',
  JUDGE_ADDRESSES_VERIFIER: 'adversarial',
  JUDGE_EXFILTRATION: 'adversarial',
  JUDGE_SPOOFING: 'adversarial',
  JUDGE_SUPPLY_CHAIN: 'adversarial',
  JUDGE_NO_POSITIVE_EVIDENCE: 'safety',
  JUDGE_IRREVERSIBLE: 'safety',
  JUDGE_OTHER: 'safety',
}

/** The class of a code that rules found, by the table it stands in. */
export function concernOfCode(code: FindingCode): ReviewClass {
  if (isIn(judgementClass, code)) return judgementClass[code as keyof typeof judgementCodes]
  if (isIn(flowCodes, code)) return 'adversarial'
  if (code === 'ADMIN_TOOL' || code.startsWith('MEMORY_')) return 'alignment'
  return findingCodes[code].atlas.length > 0 ? 'adversarial' : 'safety'
}

const effectWeight: Record<Finding['effect'], number> = { advisory: 0.1, flag: 0.75, block: 2 }
const breachWeight: Record<Breach['verdict'], number> = { escalate: 0.75, reject: 2 }
/** What is open weighs less than what is known. */
const openWeight = 0.5

/** What the opinion of a judge weighs for each class. */
function heardFrom(opinion: Opinion, raise: (concern: ReviewClass, by: number) => void): void {
  if (opinion.outcome !== 'answered') return
  for (const f of opinion.findings) raise(f.concern, severityWeight[f.severity] * f.likelihood)
  if (opinion.concern !== 'none') raise(opinion.concern, Math.max(opinion.risk, 0.05))
}

/**
 * The class of the plan. An answering chief's class counts unless a fact refuses the plan; otherwise
 * the class with the single heaviest finding, then with the judge of the highest risk. Only maxima are
 * used, so the order of judges and findings cannot matter.
 */
export function classify(input: {
  readonly findings: readonly Finding[]
  readonly evidence: Evidence
  readonly opinions: readonly Opinion[]
  readonly chief: ChiefOpinion | null
  readonly accepted: boolean
}): Concern {
  const { findings, evidence } = input
  const refused =
    findings.some((f) => f.effect === 'block') ||
    evidence.breaches.some((breach) => breach.verdict === 'reject')
  const chief = input.chief?.outcome === 'answered' ? input.chief.classification : 'none'
  if (!refused && chief !== 'none') return chief
  if (input.accepted) return 'none'
  const weight: Record<ReviewClass, number> = { adversarial: 0, safety: 0, alignment: 0 }
  const raise = (concern: ReviewClass, by: number) => {
    weight[concern] = Math.max(weight[concern], by)
  }
  for (const f of findings) raise(concernOfCode(f.code), effectWeight[f.effect])
  for (const b of evidence.breaches) raise(concernOfCode(b.code), breachWeight[b.verdict])
  for (const one of [...evidence.unknowns, ...evidence.doubts]) {
    raise(concernOfCode(one.code), openWeight)
  }
  for (const o of input.opinions) heardFrom(o, raise)
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
