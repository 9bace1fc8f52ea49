// The offline panel's chief: it sees opinions only, never the plan (invariant 5), weighs them by
// their evidence and can only raise what the judges say.
import type { ChiefOpinion, Opinion } from '../../../protocol/opinion.ts'
import { worse, type Concern, type Verdict } from '../../../protocol/verdict.ts'
import { demandOf, riskHeld } from '../../decide/evidence.ts'

/** How much an opinion's reasoning weighs: the share of its findings that rest on structure. */
function weightOf(opinion: Opinion): number {
  if (opinion.outcome !== 'answered') return 0
  if (opinion.findings.length === 0) return opinion.confidence
  const firm = opinion.findings.filter((f) => f.substantiated).length
  return Math.max(0.3, firm / opinion.findings.length) * opinion.confidence
}

/** Two judges of different eyes that each ask for a person, both on evidence: still a person. */
function verdictOf(opinions: readonly Opinion[]): Verdict {
  if (opinions.length === 0) return 'escalate'
  return opinions.map((o) => demandOf(o).verdict).reduce<Verdict>(worse, 'accept')
}

function classOf(opinions: readonly Opinion[], verdict: Verdict): Concern {
  if (verdict === 'accept') return 'none'
  let best: Concern = 'safety'
  let most = -1
  for (const o of opinions) {
    const held = demandOf(o).verdict === verdict ? riskHeld(o) : -1
    if (o.concern !== 'none' && held > most) {
      best = o.concern
      most = held
    }
  }
  return best
}

/**
 * The chief's opinion on the judges' opinions. Deterministic; the order of opinions matters only
 * between equal risks. `input_digest` says that its whole input stands in the packet itself.
 */
export function chiefOffline(opinions: readonly Opinion[]): ChiefOpinion {
  const inOrder = [...opinions].sort((a, b) => (a.judge < b.judge ? -1 : 1))
  const verdict = verdictOf(inOrder)
  const decisive = inOrder.filter((o) => demandOf(o).verdict === verdict)
  return {
    seat: 'offline-chief',
    vendor: 'offline',
    model: null,
    outcome: 'answered',
    failure: null,
    verdict,
    classification: classOf(inOrder, verdict),
    weights: Object.fromEntries(inOrder.map((o) => [o.judge, weightOf(o)])),
    reasons: decisive.slice(0, 20).map((o) => `${o.judge} asks for ${verdict}.`),
    input_digest: 'packet:opinions',
    usage: { input_tokens: 0, output_tokens: 0, cost_usd: 0 },
    ms: 0,
  }
}
