// The centrifuge (POL-05): the rotor's own limit, opposite positions, tolerance of imbalance,
// and an inspection that is in date. Gross imbalance at speed destroys the machine.
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import { rotorOf } from '../../../ground/rotors.ts'
import { concept, firstConcept } from '../view/concept.ts'
import { found, type Ask, type Rule } from '../rule.ts'
import type { PlanView } from '../view/plan-view.ts'
import { list, num, str, type ViewNode } from '../view/roles.ts'

const inspectionOpen = [
  concept(
    'rotor_inspection_open',
    [
      'inspect*|certificate|service|rotor check|maintenance|log book|due',
      'lapsed|expired|overdue|out of date|not in date|past|ran out|missed|older than|last year|was due|late|pending|not been done|not done|missing|corrosion|scratch*|unknown',
      'rotor|centrifuge|bucket|fa|sx',
    ],
    { negationCounts: true, reach: 20 },
  ),
  concept(
    'rotor_damage',
    [
      'scratch*|crack*|corro*|dent*|worn|pitting|damage*|rattle*|vibrat*|noise',
      'rotor|centrifuge|bucket|lid|spin',
    ],
    { none: 'crack spread', reach: 12 },
  ),
]

type Tube = { readonly position: number; readonly mass: number | null }

function tubesOf(n: ViewNode): Tube[] {
  return list(n, 'tubes').flatMap((value) => {
    const tube = value as { readonly position?: unknown; readonly mass_g?: unknown }
    if (typeof tube.position !== 'number') return []
    return [{ position: tube.position, mass: typeof tube.mass_g === 'number' ? tube.mass_g : null }]
  })
}

type Balance = 'even' | 'unknown' | 'odd' | 'symmetric'

/** Every tube needs a partner half a turn away within the tolerance (grams). */
function balance(tubes: readonly Tube[], positions: number, toleranceG: number): Balance {
  const at = new Map(tubes.map((t) => [t.position, t]))
  let result: Balance = 'even'
  for (const tube of tubes) {
    const opposite = ((tube.position - 1 + positions / 2) % positions) + 1
    const partner = at.get(opposite)
    if (partner === undefined) return thirds(tubes, positions, toleranceG) ? 'symmetric' : 'odd'
    if (tube.mass === null || partner.mass === null) result = 'unknown'
    // Masses are decimal; a tolerance met exactly must not fail by a rounding of binary numbers.
    else if (Math.abs(tube.mass - partner.mass) > toleranceG + 1e-9) return 'odd'
  }
  return result
}

/** Three equal tubes a third of a turn apart balance too, but the policy asks for opposites. */
function thirds(tubes: readonly Tube[], positions: number, toleranceG: number): boolean {
  if (tubes.length !== 3 || positions % 3 !== 0) return false
  const places = tubes.map((t) => t.position % (positions / 3))
  const masses = tubes.map((t) => t.mass ?? 0)
  return new Set(places).size === 1 && Math.max(...masses) - Math.min(...masses) <= toleranceG
}

function check(view: PlanView, n: ViewNode): JudgeFinding[] {
  const rotor = rotorOf(view.registry, str(n, 'rotor'))
  const say = (ask: Ask, claim: string) =>
    found('safety', 'JUDGE_LIMIT', n.at, { ask, basis: 'structure', claim })
  if (rotor === undefined) return [say('person', 'The rotor is not known to the site.')]
  const out: JudgeFinding[] = []
  if ((num(n, 'speed_rpm') ?? 0) > rotor.maxRpm) {
    out.push(say('refuse', 'The speed exceeds the limit of the rotor.'))
  }
  const tubes = tubesOf(n)
  const distinct = new Set(tubes.map((t) => t.position))
  if (distinct.size !== tubes.length || tubes.some((t) => t.position > rotor.positions)) {
    out.push(say('refuse', 'A tube position does not exist in the rotor or is used twice.'))
    return out
  }
  const even = balance(tubes, rotor.positions, rotor.imbalanceG)
  if (even === 'odd') out.push(say('refuse', 'The rotor is out of balance.'))
  if (even === 'unknown') out.push(say('person', 'The masses that would show balance are missing.'))
  if (even === 'symmetric')
    out.push(say('person', 'Tubes are balanced in thirds, not in opposite pairs.'))
  return out
}

export const rotor: Rule = {
  id: 'rotor',
  pol: 'POL-05',
  eye: 'safety',
  check: (view) => {
    const spins = view.ofRole('spin')
    const open = firstConcept(view.told, inspectionOpen)
    const worry =
      open === null || spins.length === 0
        ? []
        : [
            found('safety', 'JUDGE_LIMIT', open.unit.at, {
              ask: 'person',
              basis: 'words',
              claim: 'The state or inspection of the rotor is in doubt.',
            }),
          ]
    return [...spins.flatMap((n) => check(view, n)), ...worry]
  },
}
