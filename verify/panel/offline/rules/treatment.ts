// Two right treatments can be wrong together: bleach, solvents, oxidisers or azide in an autoclave
// or a heated block, and sealed or unknown vessels in a pressure cycle.
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import type { HazardGroup } from '../lexicon/substances.ts'
import { found, type Rule } from '../rule.ts'
import type { PlanView } from '../view/plan-view.ts'
import { num, str, type ViewNode } from '../view/roles.ts'
import { anyOf, mentions, negated, placesOfAny, textUnit } from '../view/text.ts'

const steam = anyOf('autoclave*|steam*|steriliser|sterilizer|microwave|oven|furnace|incinerat*')
const steamTold = anyOf('autoclave*|121|134|steam*|microwave|incinerat*')
const unfit: readonly HazardGroup[] = [
  'hypochlorite',
  'peroxide',
  'flammable',
  'halogenated',
  'azide',
  'cyanide',
  'aldehyde',
  'guanidinium',
  'volatile_toxic',
]

const treatedWords = anyOf(
  'bleach*|hypochlorite|solvent|ethanol|phenol|chloroform|formalin|formaldehyde|azide|peroxide|acetone|guanidin*',
)

function intoSteam(view: PlanView): ViewNode[] {
  return view.ofRole('place').filter((n) => {
    const unit = textUnit(str(n, 'location'), { at: '', kind: 'name', node: n.i })
    return mentions(unit, steam)
  })
}

/** What the carried vessel may hold: deposits under its name, or its name itself. */
function carries(view: PlanView, n: ViewNode): boolean {
  const object = str(n, 'object')
  const groups = new Set([
    ...view.contents.of(object).flatMap((d) => [...d.liquid.groups]),
    ...view.liquid(object).groups,
  ])
  return unfit.some((g) => groups.has(g))
}

function check(view: PlanView, n: ViewNode): JudgeFinding[] {
  if (carries(view, n)) {
    return [
      found('safety', 'JUDGE_CHEMICAL_RISK', n.at, {
        ask: 'refuse',
        basis: 'structure',
        claim: 'A vessel whose contents must not be heated under pressure goes into a steam cycle.',
      }),
    ]
  }
  const told = view.told.find((unit) =>
    placesOfAny(unit, treatedWords).some((at) => !negated(unit, at)),
  )
  if (told === undefined) return []
  return [
    found('safety', 'JUDGE_CHEMICAL_RISK', told.at, {
      ask: 'person',
      basis: 'words',
      claim: 'The words name a chemical that must not go through a steam cycle.',
    }),
  ]
}

/** A vessel that got bleach or a peroxide and is then heated on a block. */
function heatedOxidiser(view: PlanView): JudgeFinding[] {
  return view.ofRole('heat').flatMap((n) => {
    if ((num(n, 'temperature_c') ?? 0) < 50) return []
    const hot = view.ofRole('deposit').find((d) => {
      const liquid = view.liquid(str(d, 'liquid'))
      const oxidiser =
        liquid.groups.has('hypochlorite') || (liquid.groups.has('peroxide') && !liquid.dilute)
      return oxidiser && !view.order.before(n.i, d.i)
    })
    if (hot === undefined) return []
    return [
      found('safety', 'JUDGE_CHEMICAL_RISK', n.at, {
        ask: 'refuse',
        basis: 'structure',
        claim: 'A liquid that gives off gas when hot is heated.',
      }),
    ]
  })
}

/** No robot step loads the autoclave, but the words ask a person to do it with treated liquid. */
function toldSteam(view: PlanView): JudgeFinding[] {
  if (intoSteam(view).length > 0) return []
  const asked = [...view.told, ...view.notes].find(
    (unit) =>
      placesOfAny(unit, steamTold).some((at) => !negated(unit, at)) &&
      mentions(unit, anyOf('autoclave*|microwave|incinerat*')),
  )
  const holds = view.ofRole('deposit').some((d) => {
    const groups = view.liquid(str(d, 'liquid')).groups
    return (
      groups.has('hypochlorite') ||
      groups.has('peroxide') ||
      groups.has('azide') ||
      groups.has('flammable')
    )
  })
  if (asked === undefined || !holds) return []
  return [
    found('safety', 'JUDGE_CHEMICAL_RISK', asked.at, {
      ask: 'person',
      basis: 'structure',
      claim: 'Chemically treated liquid is said to go through a steam cycle.',
    }),
  ]
}

export const treatment: Rule = {
  id: 'treatment',
  pol: 'POL-04',
  eye: 'safety',
  check: (view) => [
    ...intoSteam(view).flatMap((n) => check(view, n)),
    ...heatedOxidiser(view),
    ...toldSteam(view),
  ],
}
