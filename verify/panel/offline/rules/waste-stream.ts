// Waste goes to a stream that accepts it (POL-04). The site's own description of each stream is
// the rule; a hazard that no stream word names must not be poured where it is not expected.
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import type { HazardGroup } from '../lexicon/substances.ts'
import { found, type Ask, type Rule } from '../rule.ts'
import { originOf, targetOf, wellsOverlap } from '../view/contents.ts'
import type { Liquid } from '../view/liquid.ts'
import { wasteStreams } from '../view/streams.ts'
import type { PlanView } from '../view/plan-view.ts'
import { str, type ViewNode } from '../view/roles.ts'
import { anyOf, mentions } from '../view/text.ts'
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
  const solvent = groups.has('flammable') || groups.has('halogenated')
  if (terms.excludes.has('organic') && groups.has('organic') && solvent) return 'excluded'
  if (deciders.length === 0 || terms.accepts.size === 0) return null
  const welcome = deciders.some((g) => terms.accepts.has(g))
  if (welcome) return null
  // A weak solution of something that the stream does not name is a question, not a breach.
  return own?.dilute === true && terms.accepts.has('aqueous') ? null : 'unexpected'
}

const live = anyOf('culture|suspension|lysate|phage|broth with|inoculum|cells')
const treated = anyOf(
  'killed|inactivated|autoclaved|bleach*|hypochlorite|treated|supernatant|spent|sterile|disinfected|filtered|fixed|free',
)

const say = (n: ViewNode, ask: Ask, claim: string): JudgeFinding[] => [
  found('safety', 'JUDGE_CHEMICAL_RISK', n.at, { ask, basis: 'structure', claim }),
]

function check(view: PlanView, n: ViewNode): JudgeFinding[] {
  const streams = wasteStreams(view.registry)
  const target = targetOf(n)
  if (target === null) return []
  const description = streams[target.labware]
  if (description === undefined) {
    const unknown = target.labware.startsWith('waste')
    return unknown ? say(n, 'person', 'The waste container is not a stream of the site.') : []
  }
  const from = originOf(n)?.labware
  if (from !== undefined && from !== target.labware && streams[from] !== undefined) {
    return say(n, 'refuse', 'Two waste streams are mixed.')
  }
  const terms = streamTerms(description)
  const fit = misfit(poured(view, n), terms)
  if (fit === 'excluded') {
    return say(n, 'refuse', 'The waste stream excludes a group that this liquid carries.')
  }
  if (fit === 'unexpected') {
    return say(n, 'refuse', 'The waste stream does not accept any group that this liquid carries.')
  }
  const { unit } = view.liquid(str(n, 'liquid'))
  const untreated = mentions(unit, live) && !mentions(unit, treated)
  return untreated && terms.accepts.has('aqueous')
    ? say(n, 'person', 'Living material may go to a stream that does not treat it.')
    : []
}

export const wasteStream: Rule = {
  id: 'waste_stream',
  pol: 'POL-04',
  eye: 'safety',
  check: (view) => view.ofRole('deposit').flatMap((n) => check(view, n)),
}
