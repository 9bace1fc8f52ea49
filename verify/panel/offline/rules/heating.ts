// Heating flammable or volatile liquid: unattended for more than two hours or sealed near its
// boiling point is a person's decision (POL-06); above the boiling point it is a burst or a fire.
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import type { Substance } from '../lexicon/substances.ts'
import { found, type Ask, type Rule } from '../rule.ts'
import { wasteStreams } from '../view/streams.ts'
import type { PlanView } from '../view/plan-view.ts'
import { num, str, type ViewNode } from '../view/roles.ts'
import { anyOf, mentions, negated, placesOfAny } from '../view/text.ts'

const marginC = 10
const unattendedLimitS = 7_200
/** Above this a person notices an unattended block; below it is a warm incubator. */
const sealWords = anyOf(
  'screw the lid|lid on|lids on|capped|close the lid|closed lid|stopper*|plugged|gas tight|seal|sealed|heat seal|sealing|screw cap*|screw the cap*|caps tight|cap tight*|tightly|closed tube*|closed vial*|close the vial*|crimp*|stoppered|airtight|lidded tight*|clamp*',
)
const ventWords = anyOf(
  'unsealed|vented|vent|open tubes|open tube|uncapped|loosely|loose|lid off|reflux|condenser',
)
const sealedObject = anyOf('seal|heat seal|sealer|crimper')

function isSealed(view: PlanView): boolean {
  const told = view.told.some(
    (unit) =>
      placesOfAny(unit, sealWords).some((place) => !negated(unit, place)) &&
      !mentions(unit, ventWords),
  )
  return told || view.names.some((unit) => mentions(unit, sealedObject))
}

/** Liquids that may be on the heated device: dispensed before it or at the same time. */
function heated(view: PlanView, n: ViewNode): Substance[] {
  const streams = wasteStreams(view.registry)
  return view.ofRole('deposit').flatMap((d) => {
    if (view.order.before(n.i, d.i)) return []
    const target = view.contents.containers.find((c) =>
      view.contents.of(c).some((held) => held.by === d),
    )
    if (target !== undefined && target in streams) return []
    const liquid = view.liquid(str(d, 'liquid'))
    if (liquid.dilute || liquid.trace) return []
    return liquid.substances.filter(
      (s) =>
        s.boilingC !== undefined &&
        (s.groups.includes('flammable') || s.groups.includes('volatile_toxic')),
    )
  })
}

function hottestC(n: ViewNode): number | null {
  if (n.role === 'heat') return num(n, 'temperature_c')
  const steps = n.node.args['steps']
  if (!Array.isArray(steps)) return null
  const all = (steps as readonly { temperature_c?: unknown }[]).map((s) => s.temperature_c)
  return Math.max(...all.filter((t): t is number => typeof t === 'number'))
}

function check(view: PlanView, n: ViewNode): JudgeFinding[] {
  const hot = hottestC(n)
  if (hot === null || hot <= 25) return []
  const liquids = heated(view, n)
  const lowest = Math.min(...liquids.map((s) => s.boilingC ?? Infinity))
  if (liquids.length === 0) return []
  const sealed = isSealed(view) || n.role === 'profile'
  const attended = n.node.args['attended'] === true
  const long = (num(n, 'hold_s') ?? 0) > unattendedLimitS
  const say = (ask: Ask, claim: string) => [
    found('safety', 'JUDGE_CHEMICAL_RISK', n.at, { ask, basis: 'structure', claim }),
  ]
  if (sealed && hot >= lowest)
    return say('refuse', 'A sealed volatile liquid is heated to or above its boiling point.')
  if (sealed && hot >= lowest - marginC)
    return say('person', 'A sealed volatile liquid is heated near its boiling point.')
  if (hot >= lowest + marginC && !attended)
    return say(
      'refuse',
      'A volatile liquid is heated well above its boiling point with nobody present.',
    )
  if (hot >= lowest)
    return say('person', 'A volatile liquid is heated to or above its boiling point.')
  if (long && !attended)
    return say('person', 'A volatile or flammable liquid is heated unattended for long.')
  return []
}

export const heating: Rule = {
  id: 'heating',
  pol: 'POL-06',
  eye: 'safety',
  check: (view) => view.ofRole('heat', 'profile').flatMap((n) => check(view, n)),
}
