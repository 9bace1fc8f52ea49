// Volatile toxic, corrosive or flammable liquids are open only in a hood with the sash low
// (POL-03); a sash above its working limit with any chemical inside is a person's decision (POL-21).
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import { found, type Ask, type Rule } from '../rule.ts'
import { originOf, targetOf } from '../view/contents.ts'
import type { Liquid } from '../view/liquid.ts'
import { wasteStreams } from '../view/streams.ts'
import type { PlanView } from '../view/plan-view.ts'
import { num, str, type ViewNode } from '../view/roles.ts'
import { anyOf, mentions, textUnit } from '../view/text.ts'

const hoodWords = anyOf('hood|hood1|hood2|sash|fume')
const chemicalInside = anyOf('inside|bath|open|lid|beaker|bottle|flask|vessel|reaction')
/** Below this a flammable of low toxicity is a wipe or a wash on the deck, in µL per well. */
const smallFlammableUl = 1_000

const workingLimitCm = 45

/** Up to this a toxic solvent is a fixation or an additive, in µL per well: a person decides. */
const smallToxicUl = 200

/** How much the liquid needs a hood. */
function need(liquid: Liquid, volumeUl: number): 'must' | 'should' | 'none' {
  if (liquid.trace) return 'none'
  if (liquid.groups.has('volatile_toxic')) {
    if (liquid.dilute) return 'none'
    const strength = liquid.percent !== null || liquid.molar !== null
    // "Lysis buffer with mercaptoethanol": an additive of unknown, usually small share.
    const additive = liquid.groups.has('aqueous') && !strength
    return volumeUl <= smallToxicUl || additive ? 'should' : 'must'
  }
  if (liquid.groups.has('flammable') && !liquid.dilute) {
    return volumeUl > smallFlammableUl ? 'should' : 'none'
  }
  return 'none'
}

function namesHood(n: ViewNode): boolean {
  const names = [originOf(n)?.labware, targetOf(n)?.labware].filter((x) => x !== undefined)
  return names.some((name) =>
    mentions(textUnit(name, { at: '', kind: 'name', node: null }), hoodWords),
  )
}

/** Sash heights that may be in force when the node runs. */
function sashes(
  view: PlanView,
  n: ViewNode,
): { set: ViewNode[]; high: boolean; unordered: boolean } {
  const candidates = view.ofRole('sash').filter((s) => !view.order.before(n.i, s.i))
  const certain = candidates.filter((s) => view.order.before(s.i, n.i))
  const unordered = candidates.some((s) => view.order.unordered(s.i, n.i))
  // Only a sash that no later certain one replaces can still be in force.
  const live = candidates.filter(
    (s) =>
      !certain.some(
        (later) =>
          later !== s &&
          str(later, 'hood_id') === str(s, 'hood_id') &&
          view.order.before(s.i, later.i),
      ),
  )
  return {
    set: certain,
    high: live.some((s) => (num(s, 'height_cm') ?? 0) > workingLimitCm),
    unordered,
  }
}

function openLiquid(view: PlanView, n: ViewNode): JudgeFinding[] {
  const wanted = need(view.liquid(str(n, 'liquid')), num(n, 'volume_ul') ?? 0)
  if (wanted === 'none') return []
  const target = targetOf(n)
  // A closed waste container at its port is the way out, judged by the stream rule.
  const toWaste = target !== null && target.labware in wasteStreams(view.registry)
  const sash = sashes(view, n)
  const say = (ask: Ask, claim: string) => [
    found('safety', 'JUDGE_CHEMICAL_RISK', n.at, { ask, basis: 'structure', claim }),
  ]
  if (sash.high) return say('refuse', 'A volatile hazardous liquid is open under a raised sash.')
  if (sash.set.length > 0) return []
  if (sash.unordered) return say('person', 'Nothing orders the sash before the open liquid.')
  if (
    namesHood(n) ||
    view.told.some(
      (unit) =>
        mentions(unit, hoodWords) &&
        !mentions(
          unit,
          anyOf(
            'hood is in use|hood is busy|hood is full|no hood|without hood|without the hood|outside',
          ),
        ),
    )
  ) {
    return say('person', 'A hood is named but no step sets its sash.')
  }
  if (toWaste)
    return wanted === 'must' ? say('person', 'A volatile liquid is poured outside a hood.') : []
  return wanted === 'must'
    ? say('refuse', 'A volatile toxic or corrosive liquid is open outside a hood.')
    : say('person', 'A larger amount of flammable liquid is open outside a hood.')
}

function raisedSash(view: PlanView, n: ViewNode): JudgeFinding[] {
  if ((num(n, 'height_cm') ?? 0) <= workingLimitCm) return []
  const texts = view.told.some(
    (unit) => view.liquid(unit.raw).substances.length > 0 || mentions(unit, chemicalInside),
  )
  const handled = view.ofRole('deposit').length > 0
  return [
    found('safety', 'JUDGE_PHYSICAL_RISK', n.at, {
      ask: texts || handled ? 'person' : 'note',
      basis: 'structure',
      claim: 'The sash is set above its working limit.',
    }),
  ]
}

export const hood: Rule = {
  id: 'hood',
  pol: 'POL-03',
  eye: 'safety',
  check: (view) => [
    ...view.ofRole('deposit').flatMap((n) => openLiquid(view, n)),
    ...view.ofRole('sash').flatMap((n) => raisedSash(view, n)),
  ],
}
