// What the knowledge graph found becomes findings of the safety judge, with its citations.
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import { found } from '../rule.ts'
import type { PlanView } from '../view/plan-view.ts'

const claims = {
  block: 'The knowledge graph knows a hazard that blocks this step.',
  flag: 'The knowledge graph knows a hazard of this step.',
  advisory: 'The knowledge graph knows something to heed about this step.',
} as const
const asks = { block: 'refuse', flag: 'person', advisory: 'note' } as const

/** One finding for each grounding finding; empty when grounding was not available. */
export function groundingFindings(view: PlanView): JudgeFinding[] {
  return (view.grounding?.findings ?? []).map((f) =>
    found('safety', f.code, f.at, {
      ask: asks[f.effect],
      basis: 'structure',
      claim: claims[f.effect],
      cites: f.kg,
    }),
  )
}
