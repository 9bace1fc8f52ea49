// What the rule-based readers found, as breach, unknown or doubt. A refusal of theirs is a fact about
// steps; what asks for a person because something is not shown is unknown; what was read in words is a
// doubt, and its code says of which family.
import {
  collectEvidence,
  type Breach,
  type DoubtFamily,
  type Evidence,
  type RaisedDoubt,
  type Unknown,
} from '../../protocol/evidence.ts'
import { groundCodes } from '../../protocol/codes/ground.ts'
import type { FindingCode } from '../../protocol/finding-codes.ts'
import type { JudgeFinding, Opinion } from '../../protocol/opinion.ts'
import type { Plan } from '../../protocol/plan.ts'

/** The family of a doubt by its code; a code that is not here is a matter of practice. */
const familyOfCode: Partial<Record<FindingCode, DoubtFamily>> = {
  JUDGE_PHYSICAL_RISK: 'physical',
  JUDGE_CHEMICAL_RISK: 'material',
  JUDGE_LIMIT: 'physical',
  JUDGE_MISMATCH: 'mismatch',
  JUDGE_INTEGRITY: 'integrity',
  JUDGE_CONSENT: 'consent',
  JUDGE_DUAL_USE: 'misuse',
  JUDGE_SCOPE: 'scope',
  JUDGE_AUTHORITY: 'approval',
  JUDGE_ADDRESSES_VERIFIER: 'orders',
  JUDGE_EXFILTRATION: 'data',
  JUDGE_SPOOFING: 'identity',
  JUDGE_SUPPLY_CHAIN: 'data',
  JUDGE_IRREVERSIBLE: 'approval',
}

/** A question in place of a claim: the claim is one of our own constant sentences. */
const question = (claim: string): string =>
  `A rule read this in the plan's words: "${claim}" Do the steps, the state or the site's rows show that it is not so, or that it is covered?`

function nodeOf(plan: Plan, at: string): string | null {
  const index = /^\/nodes\/(\d{1,3})(?:\/|$)/.exec(at)?.[1]
  return index === undefined ? null : (plan.nodes[Number(index)]?.id ?? null)
}

const isFact = (f: JudgeFinding): boolean => Object.hasOwn(groundCodes, f.code)

/**
 * The evidence in the rule-based opinions. `verdictOf` is the table that says what a finding asks for;
 * what asks for nothing is a note and moves nothing.
 */
export function evidenceOfRules(
  plan: Plan,
  opinions: readonly Opinion[],
  verdictOf: (finding: JudgeFinding) => 'accept' | 'escalate' | 'reject',
): Evidence {
  const breaches: Breach[] = []
  const unknowns: Unknown[] = []
  const doubts: RaisedDoubt[] = []
  for (const f of opinions.flatMap((o) => o.findings)) {
    const { code, at } = f
    const verdict = verdictOf(f)
    const node = nodeOf(plan, at)
    const facts = { claim: f.claim.slice(0, 200) }
    if (verdict === 'accept') continue
    if (verdict === 'reject' || isFact(f)) breaches.push({ code, node, at, verdict, facts })
    else if (code === 'JUDGE_NO_POSITIVE_EVIDENCE') {
      unknowns.push({ code, node, at, what: f.claim, facts: {} })
    } else {
      const family = familyOfCode[code] ?? 'practice'
      doubts.push({ code, text: question(f.claim), subject: at, family, settleable: true })
    }
  }
  return collectEvidence({ breaches, unknowns, doubts })
}
