// The three rule-based judges: physical safety, alignment and integrity, adversarial. Pure, no
// model, no network; a site may choose them, and they sit beside model judges as one more eye.
import type { Floor } from '../../../protocol/finding.ts'
import type { JudgeFinding, Opinion } from '../../../protocol/opinion.ts'
import type { Plan } from '../../../protocol/plan.ts'
import type { Registry } from '../../../protocol/registry.ts'
import { worse, type Concern, type Verdict } from '../../../protocol/verdict.ts'
import { riskOf } from '../../decide/severity.ts'
import type { Eye } from './rule.ts'
import { groundingFindings } from './rules/grounding.ts'
import { rulesOf } from './rules/all.ts'
import { planView, type GroundingView, type PlanView } from './view/plan-view.ts'

type OfflineContext = {
  readonly registry: Registry
  readonly floor: Floor
  readonly grounding: GroundingView | null
}

const findingsMax = 50

/**
 * The verdict that one finding asks for: the table in docs/offline-panel.md.
 * high or critical, substantiated → reject; on words alone → escalate, unless the words address
 * the verifier; medium → escalate; low → accept.
 */
export function verdictOf(finding: JudgeFinding): Verdict {
  if (finding.severity === 'low') return 'accept'
  if (finding.severity === 'medium') return 'escalate'
  const plain = finding.substantiated || finding.code === 'JUDGE_ADDRESSES_VERIFIER'
  return plain ? 'reject' : 'escalate'
}

function mostSevere(findings: readonly JudgeFinding[]): JudgeFinding[] {
  const rank = { accept: 0, escalate: 1, reject: 2 } as const
  return [...findings]
    .sort(
      (a, b) =>
        rank[verdictOf(b)] - rank[verdictOf(a)] ||
        riskOf([b]) - riskOf([a]) ||
        (a.at < b.at ? -1 : a.at > b.at ? 1 : a.code < b.code ? -1 : a.code > b.code ? 1 : 0),
    )
    .slice(0, findingsMax)
}

function opinionOf(eye: Eye, view: PlanView): Opinion {
  const rules = rulesOf(eye)
  const every = rules.flatMap((rule) => rule.check(view))
  if (eye === 'safety') every.push(...groundingFindings(view))
  const findings = mostSevere(every)
  const verdict = every.map(verdictOf).reduce<Verdict>(worse, 'accept')
  const worst = findings[0]
  const concern: Concern = verdict === 'accept' || worst === undefined ? 'none' : worst.concern
  return {
    judge: `offline-${eye}`,
    vendor: 'offline',
    wire: null,
    answers: [],
    model: null,
    outcome: 'answered',
    failure: null,
    verdict,
    // Rules know less than people: silence of all rules is weaker than a structural finding.
    confidence: verdict === 'reject' ? 0.9 : verdict === 'escalate' ? 0.7 : 0.6,
    concern,
    risk: riskOf(every),
    findings,
    reasoning: [
      `${rules.length} rules looked at ${view.nodes.length} nodes and ${view.instructions.length} instructions.`,
      ...findings.slice(0, 10).map((f) => `${f.code}: ${f.claim}`),
    ],
    usage: { input_tokens: 0, output_tokens: 0, cost_usd: 0 },
    ms: 0,
  }
}

/** The three opinions on one plan. Total; the order of nodes in the array is irrelevant. */
export function judgeOffline(plan: Plan, context: OfflineContext): Opinion[] {
  const view = planView(plan, context)
  return (['safety', 'alignment', 'adversarial'] as const).map((eye) => opinionOf(eye, view))
}
