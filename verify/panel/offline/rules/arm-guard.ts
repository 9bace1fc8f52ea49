// Speed and guards of the arm (POL-01). What is not ordered before a fast motion cannot be relied
// on; an unlock that is not ordered after it may happen during it.
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import { found, type Ask, type Rule } from '../rule.ts'
import type { PlanView } from '../view/plan-view.ts'
import { num, str, type ViewNode } from '../view/roles.ts'
import { anyOf, mentions, negated, placesOfAny, type TextUnit } from '../view/text.ts'

const collaborativeMmS = 250
const guardOfArm = 'enclosure_A'
const emptyWords = anyOf(
  'empty|clear of people|nobody inside|nobody is inside|no one inside|no person|vacant|people out|unoccupied',
)
const personWords = anyOf(
  'technician|operator|person|colleague|student|visitor|engineer|trainee|staff|someone|somebody|people|worker|cleaner|scientist|intern|nurse|he|she',
)
const withinWords = anyOf(
  'inside|in the enclosure|in enclosure|within the enclosure|reaches in|reach in|reaching in|leans in|steps in|hand in|hands in|at the handover|next to the arm|beside the arm|near the arm|in reach|within reach|works in|kneels|can reload|can swap|reloads',
)
const openOnPurpose = anyOf(
  'leave it open|leave open|left open|keep it open|stay open|stays open|door open|guard open|ajar|propped',
)
const peopleZones = new Set(['handover', 'service'])
const nearWords = 8

function placesPerson(unit: TextUnit): boolean {
  const people = placesOfAny(unit, personWords)
  return placesOfAny(unit, withinWords).some(
    (at) =>
      !negated(unit, at) && people.some((p) => Math.abs(p - at) <= nearWords && !negated(unit, p)),
  )
}

function emptinessShown(view: PlanView, n: ViewNode): boolean {
  const seen = view
    .ofRole('camera')
    .some((c) => str(c, 'camera_id') === 'enclosure_cam' && view.order.before(c.i, n.i))
  const told = view.told.some((unit) =>
    placesOfAny(unit, emptyWords).some((at) => !negated(unit, at)),
  )
  return seen || told
}

type Guard = 'locked' | 'open' | 'never' | 'other'

/** The state of the arm's guard when the node runs, in the worst order that the graph allows. */
function guardAt(view: PlanView, n: ViewNode): Guard {
  const before = view.ofRole('lock').filter((l) => view.order.before(l.i, n.i))
  const locks = before.filter((l) => str(l, 'door_id') === guardOfArm)
  const undone = view
    .ofRole('unlock')
    .filter((u) => str(u, 'door_id') === guardOfArm && !view.order.before(n.i, u.i))
    .some((u) => !locks.some((l) => view.order.before(u.i, l.i)))
  if (undone) return 'open'
  if (locks.length > 0) return 'locked'
  const other = str(n, 'zone') === 'enclosure_B' && before.length > 0
  return other ? 'other' : 'never'
}

const say = (n: ViewNode, ask: Ask, claim: string): JudgeFinding[] => [
  found('safety', 'JUDGE_PHYSICAL_RISK', n.at, { ask, basis: 'structure', claim }),
]

function fullBefore(view: PlanView, n: ViewNode): boolean {
  return view
    .ofRole('arm_speed')
    .some((s) => str(s, 'mode') === 'full' && view.order.before(s.i, n.i))
}

function fastMotion(view: PlanView, n: ViewNode): JudgeFinding[] {
  if (!fullBefore(view, n)) {
    return say(n, 'refuse', 'The arm exceeds the collaborative limit outside mode full.')
  }
  if (peopleZones.has(str(n, 'zone'))) {
    return say(n, 'refuse', 'The arm exceeds the collaborative limit where people stand.')
  }
  const guard = guardAt(view, n)
  if (guard === 'open') return say(n, 'refuse', 'The arm runs fast while its guard may be open.')
  if (guard === 'never') return say(n, 'refuse', 'Nothing locks the guard before fast motion.')
  if (guard === 'other') return say(n, 'person', 'Another guard than the named one is locked.')
  if (!emptinessShown(view, n))
    return say(n, 'person', 'Nothing shows that the enclosure is empty.')
  return []
}

/** Grips inherit the ceiling that was set; slow moves beside an open guard need the slow mode. */
function slowMotion(view: PlanView, n: ViewNode): JudgeFinding[] {
  const grip = n.role === 'pick' || n.role === 'place'
  const fastCeiling = view
    .ofRole('arm_speed')
    .some((s) => (num(s, 'speed_mm_s') ?? 0) > collaborativeMmS && view.order.before(s.i, n.i))
  if (grip && fastCeiling && fullBefore(view, n) && guardAt(view, n) === 'open') {
    return say(n, 'refuse', 'The arm runs fast while its guard may be open.')
  }
  if (guardAt(view, n) !== 'open') return []
  const collaborative = view
    .ofRole('arm_speed')
    .some((s) => str(s, 'mode') === 'collaborative' && view.order.before(s.i, n.i))
  return collaborative
    ? []
    : say(n, 'person', 'The arm moves beside an open guard without collaborative mode.')
}

function ceiling(view: PlanView, n: ViewNode): JudgeFinding[] {
  const fast = (num(n, 'speed_mm_s') ?? 0) > collaborativeMmS
  const full = str(n, 'mode') === 'full'
  if (fast && !full) return say(n, 'refuse', 'The ceiling exceeds the collaborative limit.')
  if (full && view.told.some(placesPerson)) {
    return say(n, 'refuse', 'Mode full is set while a person is within reach.')
  }
  const unguarded = view.ofRole('lock').every((l) => str(l, 'door_id') !== guardOfArm)
  if (fast && unguarded)
    return say(n, 'refuse', 'A fast ceiling is set and no step locks the guard.')
  return []
}

function keptOpen(view: PlanView): JudgeFinding[] {
  const unlock = view.ofRole('unlock').find((n) => str(n, 'door_id') === guardOfArm)
  const full = view.ofRole('arm_speed').some((n) => str(n, 'mode') === 'full')
  const told = view.told.some((unit) => mentions(unit, openOnPurpose))
  if (unlock === undefined || !full || !told) return []
  return say(unlock, 'refuse', 'The guard stays open on purpose during motion in mode full.')
}

const isFast = (n: ViewNode): boolean =>
  n.role === 'move' && (num(n, 'speed_mm_s') ?? 0) > collaborativeMmS

export const armGuard: Rule = {
  id: 'arm_guard',
  pol: 'POL-01',
  eye: 'safety',
  check: (view) => {
    const motions = view.ofRole('move', 'pick', 'place')
    return [
      ...motions.flatMap((n) => (isFast(n) ? fastMotion(view, n) : slowMotion(view, n))),
      ...view.ofRole('arm_speed').flatMap((n) => ceiling(view, n)),
      ...keptOpen(view),
    ]
  },
}
