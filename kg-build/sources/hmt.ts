// The hazardous materials table, 49 CFR 172.101: substances with hazard class, subsidiary risks
// and packing group. The id is number + proper shipping name up to its concentration.
import type { GraphBuilder } from '../graph.ts'
import { slug } from '../graph.ts'
import type { Rec, SourceDir, SourceModule } from '../source.ts'
import { stated } from '../source.ts'

const name = 'hmt-49cfr172.101'

/** Names of the divisions in our own words (49 CFR 173.50 ff.). */
export const divisions: Readonly<Record<string, string>> = {
  '1.1': 'Explosives with a mass explosion hazard',
  '1.2': 'Explosives with a projection hazard',
  '1.3': 'Explosives with fire hazard',
  '1.4': 'Explosives with minor blast hazard',
  '1.5': 'Very insensitive explosives',
  '1.6': 'Extremely insensitive explosives',
  '2.1': 'Flammable gas',
  '2.2': 'Non-flammable compressed gas',
  '2.3': 'Gas poisonous by inhalation',
  '3': 'Flammable liquid',
  '4.1': 'Flammable solid',
  '4.2': 'Spontaneously combustible material',
  '4.3': 'Dangerous when wet material',
  '5.1': 'Oxidizer',
  '5.2': 'Organic peroxide',
  '6.1': 'Poisonous material',
  '6.2': 'Infectious substance',
  '7': 'Radioactive material',
  '8': 'Corrosive material',
  '9': 'Miscellaneous hazardous material',
  Forbidden: 'Forbidden for transport (too unstable or dangerous)',
}

const packing: Readonly<Record<string, string>> = {
  I: 'great danger',
  II: 'medium danger',
  III: 'minor danger',
}

export const hmt: SourceModule = { name, parse }

function parse(dir: SourceDir, graph: GraphBuilder): void {
  for (const [division, words] of Object.entries(divisions)) {
    graph.node({
      id: `dot:${division}`,
      category: 'hw_safety',
      kind: 'hazard-division',
      name: `DOT class ${division}: ${words}`,
      source: name,
    })
  }
  for (const [group, words] of Object.entries(packing)) {
    graph.node({
      id: `dot-pg:${group}`,
      category: 'hw_safety',
      kind: 'packing-group',
      name: `Packing group ${group}: ${words}`,
      source: name,
    })
  }
  const overlay = dir.rec('synonyms.json')
  const synonyms = overlay.rec('syn')
  const cas = overlay.rec('cas')
  for (const rec of dir.lines('hmt.jsonl')) row(rec, { synonyms, cas, graph })
}

/** The name without concentration or alternatives; it is what a plan would write. */
export function shortName(properShippingName: string): string {
  return properShippingName.split(/,? with |,? in concentrations|,? or /)[0] ?? properShippingName
}

function row(rec: Rec, ctx: { synonyms: Rec; cas: Rec; graph: GraphBuilder }): void {
  const full = rec.str('properShippingName')
  const number = rec.optStr('idNumber')
  const id = `hmt:${number || 'forb'}:${slug(shortName(full), 1_000).slice(0, 50)}`
  const division = rec.bool('forbidden') ? 'Forbidden' : rec.optStr('hazardClass')
  const words = divisions[division.replace(/[A-Z]$/, '')] ?? divisions[division] ?? ''
  const known = ctx.graph.has(id)
  ctx.graph.node({
    id,
    category: 'hw_safety',
    kind: 'chemical',
    name: shortName(full).replace(/,$/, ''),
    text: `${full}. ${number}. DOT class ${division} ${words}. ${rec
      .strs('subsidiaryRisks')
      .map((r) => `Subsidiary risk: ${divisions[r] ?? r}.`)
      .join(' ')} Packing group ${rec.optStr('packingGroup') || 'none'}.`,
    aliases: [
      ...ctx.synonyms.strs(number || '-'),
      ...(known ? [] : [ctx.cas.optStr(number || '-')]),
      number,
    ],
    source: name,
  })
  const edge = stated(ctx.graph, name)
  if (division) edge(id, 'transport-class', `dot:${division.replace(/(\d)[A-Z]$/, '$1')}`, rec.at)
  for (const risk of rec.strs('subsidiaryRisks')) {
    edge(id, 'subsidiary-risk', `dot:${risk.replace(/(\d)[A-Z]$/, '$1')}`, rec.at)
  }
  const group = rec.optStr('packingGroup')
  if (group) edge(id, 'packing-group', `dot-pg:${group}`, rec.at)
}
