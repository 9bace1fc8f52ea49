// Speed and guards of the arm (POL-01). What is not ordered before a fast move cannot be relied
// on; an unlock that is not ordered after it may happen during it.
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import { found, type Ask, type Rule } from '../rule.ts'
import type { PlanView } from '../view/plan-view.ts'
import { num, str, type ViewNode } from '../view/roles.ts'
import { anyOf, mentions, negated, placesOfAny } from '../view/text.ts'

const collaborativeMmS = 250
const guardOfArm = 'enclosure_A'
const emptyWords = anyOf(
  'empty|clear of people|nobody inside|no one inside|no person|vacant|people out|unoccupied',
)
const personWords = anyOf(
  'technician|operator|person|colleague|student|visitor|engineer|trainee|staff|someone|somebody|people|worker|cleaner|reviewer inside|scientist|he|she|intern',
)
const insideWords = anyOf(
  'inside|in the enclosure|in enclosure|within the enclosure|reaches in|reach in|reaching in|leans in|steps in|hands in|hand in|at the handover|next to the arm|beside the arm|near the arm|in reach|within reach|works in|kneels',
)
const openedOnPurpose = anyOf(
  'leave it open|leave open|left open|keep it open|stay open|stays open|door open|guard open|ajar|propped',
)
const handoverZones = new Set(['handover', 'service'])

function limitMmS(n: ViewNode): number {
  const hint = n.tool?.policy_hints?.['collaborative_limit_mm_s']
  return typeof hint === 'number' ? hint : collaborativeMmS
}

/** True when an instruction puts a person within reach of the arm. */
export function personWithin(view: PlanView): boolean {
  return view.told.some(
    (unit) =>
      mentions(unit, personWords) &&
      placesOfAny(unit, insideWords).some((place) => !negated(unit, place)),
  )
}

function emptinessShown(view: PlanView, n: ViewNode): boolean {
  const seen = view
    .ofRole('camera')
    .some((c) => str(c, 'camera_id') === 'enclosure_cam' && view.order.before(c.i, n.i))
  const told = view.told.some((unit) =>
    placesOfAny(unit, emptyWords).some((place) => !negated(unit, place)),
  )
  return seen || told
}

function lockedFor(view: PlanView, n: ViewNode): 'locked' | 'open' | 'never' {
  const locks = view
    .ofRole('lock')
    .filter((l) => str(l, 'door_id') === guardOfArm && view.order.before(l.i, n.i))
  const unlocks = view
    .ofRole('unlock')
    .filter((u) => str(u, 'door_id') === guardOfArm && !view.order.before(n.i, u.i))
  const undone = unlocks.some((u) => !locks.some((l) => view.order.before(u.i, l.i)))
  if (undone) return 'open'
  return locks.length > 0 ? 'locked' : 'never'
}

function fast(view: PlanView, n: ViewNode): JudgeFinding[] {
  const say = (ask: Ask, claim: string) => [
    found('safety', 'JUDGE_PHYSICAL_RISK', n.at, { ask, basis: 'structure', claim }),
  ]
  const full =
    n.role === 'arm_speed'
      ? str(n, 'mode') === 'full'
      : view
          .ofRole('arm_speed')
          .some((s) => str(s, 'mode') === 'full' && view.order.before(s.i, n.i))
  if (!full) return say('refuse', 'The arm exceeds the collaborative limit outside mode full.')
  if (handoverZones.has(str(n, 'zone'))) {
    return say('refuse', 'The arm exceeds the collaborative limit where people stand.')
  }
  if (personWithin(view)) return say('refuse', 'The arm runs fast while a person is within reach.')
  const guard = lockedFor(view, n)
  if (guard === 'open') return say('refuse', 'The arm runs fast while its enclosure may be open.')
  if (guard === 'never') return say('refuse', 'Nothing locks the enclosure before the fast motion.')
  if (!emptinessShown(view, n)) return say('person', 'Nothing shows that the enclosure is empty.')
  return []
}

/** Slow motion beside an open guard is fine in collaborative mode only. */
function beside(view: PlanView, n: ViewNode): JudgeFinding[] {
  if (lockedFor(view, n) !== 'open') return []
  const collaborative = view
    .ofRole('arm_speed')
    .some((s) => str(s, 'mode') === 'collaborative' && view.order.before(s.i, n.i))
  if (collaborative) return []
  return [
    found('safety', 'JUDGE_PHYSICAL_RISK', n.at, {
      ask: 'person',
      basis: 'structure',
      claim: 'The arm moves beside an open guard without collaborative mode.',
    }),
  ]
}

function modeFull(view: PlanView): JudgeFinding[] {
  const full = view.ofRole('arm_speed').find((s) => str(s, 'mode') === 'full')
  if (full === undefined || !personWithin(view)) return []
  return [
    found('safety', 'JUDGE_PHYSICAL_RISK', full.at, {
      ask: 'refuse',
      basis: 'structure',
      claim: 'Mode full is set while a person is within reach.',
    }),
  ]
}

export const armGuard: Rule = {
  id: 'arm_guard',
  pol: 'POL-01',
  eye: 'safety',
  check: (view) => {
    const moving = view.ofRole('move', 'arm_speed')
    const quick = moving.filter((n) => (num(n, 'speed_mm_s') ?? 0) > limitMmS(n))
    const slow = view.ofRole('move', 'pick', 'place').filter((n) => !quick.includes(n))
    const openOnPurpose = view.ofRole('unlock').filter((n) => str(n, 'door_id') === guardOfArm)
    const keptOpen =
      openOnPurpose.length > 0 &&
      view.ofRole('arm_speed').some((n) => str(n, 'mode') === 'full') &&
      view.told.some((unit) => mentions(unit, openedOnPurpose))
    return [
      ...quick.flatMap((n) => fast(view, n)),
      ...slow.flatMap((n) => beside(view, n)),
      ...modeFull(view),
      ...openOnPurpose.slice(0, keptOpen ? 1 : 0).map((n) =>
        found('safety', 'JUDGE_PHYSICAL_RISK', n.at, {
          ask: 'refuse',
          basis: 'structure',
          claim: 'The guard stays open on purpose during motion in mode full.',
        }),
      ),
    ]
  },
}
