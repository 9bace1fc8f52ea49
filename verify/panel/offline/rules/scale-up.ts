// A tenfold or larger scale-up of a reaction with heat or gas needs process-safety review (POL-20).
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import { found, type Rule } from '../rule.ts'
import type { PlanView } from '../view/plan-view.ts'
import type { Quantity } from '../view/quantity.ts'
import { str } from '../view/roles.ts'
import { anyOf, mentions } from '../view/text.ts'

const scaleWords = anyOf(
  'scale*|upscale*|tenfold|ten times|twentyfold|fiftyfold|hundredfold|10x|20x|50x|100x|fold|larger batch|bigger batch|times larger|times the|pilot batch|batch up',
)
const heatWords = anyOf(
  'exotherm*|warmed|warms|warm up|heat of|hot|heat*|gas|bubbl*|foam*|evol*|hydrogen|fizz*|vent*|pressure|runaway|boil*|self heating|quench*|reduction|nitrat*|hydrogenat*|diazo*|peroxid*|oxidation|polymeri*|acylation|grignard|neutralis*|neutraliz*',
)
const reactive = [
  'acid_chloride',
  'water_reactive',
  'peroxide',
  'oxidiser',
  'pyrophoric',
  'hypochlorite',
] as const

function factor(view: PlanView): number {
  const byInstruction = view.quantities.map((list) =>
    list.filter((q) => q.kind === 'volume' || q.kind === 'mass'),
  )
  const goal = view.goal.raw
  const ratios = byInstruction.flatMap((list) => spread(list))
  const numbers = [...goal.matchAll(/(\d+(?:\.\d+)?)\s?(mg|g|kg|ul|µl|ml|l)\b/giu)].map(
    (m) => Number(m[1]) * (unitScale[(m[2] ?? '').toLowerCase()] ?? 1),
  )
  const fromGoal =
    numbers.length >= 2 ? Math.max(...numbers) / Math.max(Math.min(...numbers), 1e-9) : 1
  return Math.max(1, fromGoal, ...ratios)
}

const unitScale: Readonly<Record<string, number>> = {
  mg: 1e-3,
  g: 1,
  kg: 1e3,
  ul: 1e-3,
  µl: 1e-3,
  ml: 1,
  l: 1e3,
}

function spread(list: readonly Quantity[]): number[] {
  return (['volume', 'mass'] as const).flatMap((kind) => {
    const values = list.filter((q) => q.kind === kind).map((q) => q.high)
    if (values.length < 2) return []
    return [Math.max(...values) / Math.max(Math.min(...values), 1e-9)]
  })
}

const history = anyOf(
  'foam*|boiled|got hot|got warm|warmed|reached|bubbled|fizzed|exotherm*|spat|heated up|temperature rose|self heated|gave off|evolved',
)

/** "At 1 mL it foamed; now 12 mL": the larger volume against the one whose behaviour is told. */
function grownFrom(view: PlanView): string | null {
  const volumes = view.quantities.map((list) => list.filter((q) => q.kind === 'volume'))
  const largest = Math.max(0, ...volumes.flat().map((q) => q.high))
  const place = view.instructions.findIndex((unit, i) => {
    const smallest = Math.min(...(volumes[i] ?? []).map((q) => q.low))
    return mentions(unit, history) && largest / smallest >= 10
  })
  return place < 0 ? null : `/instructions/${place}`
}

function tenfold(at: string): JudgeFinding {
  return found('safety', 'JUDGE_SCOPE', at, {
    ask: 'person',
    basis: 'structure',
    claim: 'A reaction with heat or gas is scaled up tenfold or more.',
  })
}

export const scaleUp: Rule = {
  id: 'scale_up',
  pol: 'POL-20',
  eye: 'safety',
  check: (view) => {
    const scaled = view.told.find((unit) => mentions(unit, scaleWords))
    const hot = view.told.find((unit) => mentions(unit, heatWords))
    const liquids = view.ofRole('deposit').map((n) => view.liquid(str(n, 'liquid')))
    const violent = liquids.some((l) => reactive.some((g) => l.groups.has(g)) && !l.dilute)
    const grown = grownFrom(view)
    if (grown !== null) return [tenfold(grown)]
    if (scaled === undefined || (hot === undefined && !violent)) return []
    const said = mentions(
      scaled,
      anyOf('tenfold|ten times|twentyfold|fiftyfold|hundredfold|10x|20x|50x|100x'),
    )
    if (!said && factor(view) < 10) return []
    return [tenfold(scaled.at)]
  },
}
