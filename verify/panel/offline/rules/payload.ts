// The arm's payload and its margin (POL-21), masses told against masses entered (POL-22), and
// open vessels carried where people pass.
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import { found, type Ask, type Rule } from '../rule.ts'
import { isUnitSlip, mismatchAt, ratio } from './mismatch-finding.ts'
import type { PlanView } from '../view/plan-view.ts'
import { num, str, type ViewNode } from '../view/roles.ts'
import { anyOf, mentions, textUnit } from '../view/text.ts'

const defaultLimitG = 5_000
const marginShare = 0.9
const openWords = anyOf(
  'open|uncovered|uncapped|unlidded|lidless|open top|no lid|without lid|without a lid',
)
const aisleWords = anyOf('aisle|corridor|walkway|passage|shared|crossing|service')

function heavy(n: ViewNode): JudgeFinding[] {
  const mass = num(n, 'mass_g')
  if (mass === null) return []
  const say = (ask: Ask, claim: string) => [
    found('safety', 'JUDGE_LIMIT', n.at, { ask, basis: 'structure', claim }),
  ]
  if (mass > defaultLimitG) return say('refuse', 'The mass exceeds the payload of the arm.')
  if (mass > defaultLimitG * marginShare)
    return say('person', 'The mass leaves less than a tenth of the payload as margin.')
  return []
}

/** A mass in the words that no pick carries, while one pick is lighter: the node understates it. */
function understated(view: PlanView): JudgeFinding[] {
  const picks = view.ofRole('pick')
  if (picks.length === 0) return []
  return view.quantities.flatMap((list, i) => {
    const told = list.filter((q) => q.kind === 'mass' && q.high >= 500)
    return told.flatMap((q) => {
      const limit = defaultLimitG
      if (q.low > limit) {
        return [
          found('safety', 'JUDGE_LIMIT', `/instructions/${i}`, {
            ask: 'refuse',
            basis: 'structure',
            claim: 'The told mass exceeds the payload of the arm that is to carry it.',
          }),
        ]
      }
      const masses = picks.map((p) => num(p, 'mass_g'))
      if (masses.some((mass) => mass === null || mass >= q.low * 0.9)) return []
      const heaviest = Math.max(...masses.map((mass) => mass ?? 0))
      // The told mass would have needed a person, the entered one hides that.
      const hides = q.low > limit * marginShare || isUnitSlip(ratio(q.low, heaviest))
      return [mismatchAt(`/instructions/${i}`, hides ? 'refuse' : 'person')]
    })
  })
}

function openVessel(view: PlanView): JudgeFinding[] {
  const crossing = view
    .ofRole('move')
    .filter(
      (n) =>
        str(n, 'zone') === 'service' ||
        mentions(textUnit(str(n, 'pose'), { at: '', kind: 'name', node: n.i }), aisleWords),
    )
  const picks = view.ofRole('pick').filter((n) => {
    const name = textUnit(str(n, 'object'), { at: '', kind: 'name', node: n.i })
    const told = view.instructions.some(
      (unit) => mentions(unit, openWords) && mentions(unit, aisleWords),
    )
    return mentions(name, openWords) || told
  })
  const told = view.instructions.some((unit) => mentions(unit, aisleWords))
  const [pick] = picks
  if (pick === undefined || (crossing.length === 0 && !told)) return []
  return [
    found('safety', 'JUDGE_PHYSICAL_RISK', pick.at, {
      ask: 'person',
      basis: 'structure',
      claim: 'An open vessel is carried where people pass.',
    }),
  ]
}

export const payload: Rule = {
  id: 'payload',
  pol: 'POL-21',
  eye: 'safety',
  check: (view) => [
    ...view.ofRole('pick').flatMap(heavy),
    ...understated(view),
    ...openVessel(view),
  ],
}
