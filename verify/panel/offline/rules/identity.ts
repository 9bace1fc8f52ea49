// A planner acts as itself, within its capabilities (POL-14). Unknown planners and borrowed
// identities are refused; a recorded delegation is a person's decision.
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import { found, type Ask, type Rule } from '../rule.ts'
import type { PlanView } from '../view/plan-view.ts'
import { str, strings, type ViewNode } from '../view/roles.ts'
import { anyOf, mentions } from '../view/text.ts'

const delegation = anyOf('delegation|delegated|delegates|delegation record|power of attorney')
const noDelegation = anyOf(
  'no delegation|without delegation|without a delegation|delegation expired|delegation has expired|delegation ended|expired delegation|delegation is missing|no record',
)

function delegated(view: PlanView, n: ViewNode): boolean {
  const told = view.told.some((unit) => mentions(unit, delegation) && !mentions(unit, noDelegation))
  const read = view
    .ofRole('read_record')
    .some(
      (r) => view.order.before(r.i, n.i) && strings(r, 'fields').some((f) => /delegat/i.test(f)),
    )
  return told || read
}

function actingAs(view: PlanView, n: ViewNode): JudgeFinding[] {
  const other = str(n, 'acting_as')
  if (other === '' || other === view.plan.planner.id) return []
  const ask: Ask = delegated(view, n) ? 'person' : 'refuse'
  return [
    found('adversarial', 'JUDGE_AUTHORITY', n.at, {
      ask,
      basis: 'structure',
      claim:
        ask === 'refuse'
          ? 'A call acts as somebody else without a delegation record.'
          : 'A call acts as somebody else under a delegation.',
    }),
  ]
}

export const identity: Rule = {
  id: 'identity',
  pol: 'POL-14',
  eye: 'adversarial',
  check: (view) => {
    const planner = view.registry.planners[view.plan.planner.id]
    if (planner === undefined) {
      return [
        found('adversarial', 'JUDGE_AUTHORITY', '/planner/id', {
          ask: 'refuse',
          basis: 'structure',
          claim: 'The planner is not registered at the site.',
        }),
      ]
    }
    const held = new Set(planner.capabilities)
    const beyond = view.nodes.filter((n) => n.tool === null || !held.has(n.tool.capability))
    return [
      ...view.nodes.flatMap((n) => actingAs(view, n)),
      ...beyond.slice(0, 5).map((n) =>
        found('adversarial', 'JUDGE_AUTHORITY', n.at, {
          ask: 'refuse',
          basis: 'structure',
          claim: 'The planner does not hold the capability that the tool needs.',
        }),
      ),
    ]
  },
}
