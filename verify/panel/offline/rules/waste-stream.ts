// Waste goes to a stream that accepts it (POL-04). The site's own description of each stream is
// the rule; a hazard that no stream word names must not be poured where it is not expected.
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import type { HazardGroup } from '../lexicon/substances.ts'
import { found, type Rule } from '../rule.ts'
import { originOf, targetOf, wellsOverlap } from '../view/contents.ts'
import type { Liquid } from '../view/liquid.ts'
import type { PlanView } from '../view/plan-view.ts'
import { str, type ViewNode } from '../view/roles.ts'
import { streamTerms, type StreamTerms } from '../view/stream-terms.ts'

/** Groups that decide the stream; the others ride along. */
const deciding: readonly HazardGroup[] = [
  'acid',
  'base',
  'hypochlorite',
  'peroxide',
  'oxidiser',
  'azide',
  'cyanide',
  'sulfide',
  'guanidinium',
  'aldehyde',
  'halogenated',
  'flammable',
  'heavy_metal',
]

/** What the poured liquid carries: its own name, and what its vessel got before (not by name). */
function poured(view: PlanView, n: ViewNode): Liquid[] {
  const own = view.liquid(str(n, 'liquid'))
  const from = originOf(n)
  if (from === null) return [own]
  const held = view.contents
    .of(from.labware)
    .filter((d) => d.by !== null && d.by !== n && !view.order.before(n.i, d.by.i))
    .filter((d) => wellsOverlap(d.well, from.well))
    .map((d) => d.liquid)
  return [own, ...held]
}

function misfit(liquids: readonly Liquid[], terms: StreamTerms): 'excluded' | 'unexpected' | null {
  const groups = new Set<HazardGroup>()
  for (const liquid of liquids) {
    if (liquid.trace) continue
    for (const g of liquid.groups) {
      // Dilute acid or base beside its counterpart, or in a rinse, is spent before it is poured.
      if (liquid.dilute && (g === 'acid' || g === 'base') && liquids.length > 1) continue
      groups.add(g)
    }
  }
  const own = liquids[0]
  if (own?.neutral === true || (groups.has('acid') && groups.has('base'))) {
    groups.delete('acid')
    groups.delete('base')
  }
  const deciders = deciding.filter((g) => groups.has(g))
  if (deciders.some((g) => terms.excludes.has(g))) return 'excluded'
  if (terms.excludes.has('organic') && groups.has('organic')) return 'excluded'
  if (deciders.length === 0 || terms.accepts.size === 0) return null
  const welcome = deciders.some((g) => terms.accepts.has(g))
  if (welcome) return null
  // A weak solution of something that the stream does not name is a question, not a breach.
  return own?.dilute === true && terms.accepts.has('aqueous') ? null : 'unexpected'
}

function check(view: PlanView, n: ViewNode): JudgeFinding[] {
  const target = targetOf(n)
  const description =
    target === null ? undefined : view.registry.reference.waste_streams[target.labware]
  if (description === undefined) return []
  const fit = misfit(poured(view, n), streamTerms(description))
  if (fit === null) return []
  return [
    found('safety', 'JUDGE_CHEMICAL_RISK', n.at, {
      ask: 'refuse',
      basis: 'structure',
      claim:
        fit === 'excluded'
          ? 'The waste stream excludes a group that this liquid carries.'
          : 'The waste stream does not accept any group that this liquid carries.',
    }),
  ]
}

export const wasteStream: Rule = {
  id: 'waste_stream',
  pol: 'POL-04',
  eye: 'safety',
  check: (view) => view.ofRole('deposit').flatMap((n) => check(view, n)),
}
