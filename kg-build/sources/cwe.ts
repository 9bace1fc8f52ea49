// CWE: weaknesses, categories, views, their mitigations, impacts, technologies and requirements.
// Two shapes of the same list: JSON Lines of the REST repository, and the raw file of `cwe-sdk`.
import type { GraphBuilder } from '../graph.ts'
import { slug } from '../graph.ts'
import type { Rec, SourceDir, SourceModule } from '../source.ts'
import { stated } from '../source.ts'

/** The name nodes and edges carry, whichever of the two shapes they were read from. */
const name = 'cwe'

const natures: Readonly<Record<string, string>> = {
  ChildOf: 'child-of',
  PeerOf: 'peer-of',
  CanPrecede: 'can-precede',
  CanAlsoBe: 'can-also-be',
  Requires: 'requires',
  StartsWith: 'starts-with',
  CanFollow: 'can-follow',
}

/** CWE from the JSON Lines files of the REST API working group. */
export const cwe: SourceModule = { name: 'cwe-4.19.1', parse }

function parse(dir: SourceDir, graph: GraphBuilder): void {
  for (const rec of dir.lines('weaknesses.jsonl')) weakness(rec, graph)
  for (const rec of dir.lines('categories.jsonl')) category(rec, graph)
  for (const rec of dir.lines('views.jsonl')) view(rec, graph)
}

export function weakness(rec: Rec, graph: GraphBuilder): void {
  if (rec.str('Status') === 'Deprecated') return
  const id = `cwe:${rec.str('ID')}`
  graph.node({
    id,
    category: 'cwe',
    kind: 'weakness',
    name: `CWE-${rec.str('ID')}: ${rec.str('Name')}`,
    text: `${rec.str('Description')} ${rec.optStr('ExtendedDescription')}`,
    aliases: rec.list('AlternateTerms').map((t) => t.str('Term')),
    source: name,
  })
  const edge = stated(graph, name)
  for (const other of rec.list('RelatedWeaknesses')) {
    const kind = natures[other.str('Nature')] ?? other.fail('a known "Nature" of relation')
    edge(id, kind, `cwe:${other.str('CweID')}`, rec.at)
  }
  for (const pattern of rec.strs('RelatedAttackPatterns')) {
    edge(`capec:${pattern}`, 'exploits', id, rec.at)
  }
  consequences(rec, id, graph)
  mitigations(rec, id, graph)
  platforms(rec, id, graph)
  requirements(rec, id, graph)
  examples(rec, id, graph)
}

function consequences(rec: Rec, id: string, graph: GraphBuilder): void {
  for (const consequence of rec.list('CommonConsequences')) {
    for (const impact of consequence.strs('Impact')) {
      if (impact === 'Other' || impact === 'Varies by Context') continue
      const to = `impact:${slug(impact)}`
      graph.node({
        id: to,
        category: 'cwe',
        kind: 'technical-impact',
        name: `Technical impact: ${impact}`,
        source: name,
      })
      stated(graph, name)(id, 'has-impact', to, rec.at)
    }
  }
}

function mitigations(rec: Rec, id: string, graph: GraphBuilder): void {
  for (const [i, mitigation] of rec.list('PotentialMitigations').entries()) {
    const own = mitigation.optStr('MitigationID')
    const to = own ? `cwe-mit:${own}` : `cwe-mit:${id.slice(4)}-${i}`
    const strategy = mitigation.optStr('Strategy') || mitigation.strs('Phase').join(', ')
    graph.node({
      id: to,
      category: 'cwe',
      kind: 'mitigation',
      name: own
        ? `CWE mitigation ${own}: ${strategy}`
        : `Mitigation of CWE-${id.slice(4)}: ${strategy || 'general'}`,
      text: mitigation.optStr('Description'),
      source: name,
    })
    stated(graph, name)(to, 'mitigates', id, rec.at)
  }
}

function platforms(rec: Rec, id: string, graph: GraphBuilder): void {
  for (const platform of rec.list('ApplicablePlatforms')) {
    const label = platform.optStr('Name') || platform.optStr('Class')
    if (!label || label.startsWith('Not ') || label === 'Other') continue
    const type = platform.str('Type')
    const to = type === 'Technology' ? `tech:${slug(label)}` : `platform:${slug(label)}`
    graph.node({
      id: to,
      category: 'cwe',
      kind: type === 'Technology' ? 'technology' : 'platform',
      name: type === 'Technology' ? `Technology: ${label}` : `${type.replace('_', ' ')}: ${label}`,
      source: name,
    })
    stated(graph, name)(id, 'applies-to', to, rec.at)
  }
}

function requirements(rec: Rec, id: string, graph: GraphBuilder): void {
  for (const mapping of rec.list('TaxonomyMappings')) {
    if (mapping.str('TaxonomyName') !== 'ISA/IEC 62443') continue
    const part = mapping.optStr('EntryID')
    const entry = mapping.optStr('EntryName')
    const clean = `${part} ${entry}`.trim().replace(/[^A-Za-z0-9]+/g, '-')
    const to = `iec62443:${clean.replace(/^-+|-+$/g, '')}`
    graph.node({
      id: to,
      category: 'cwe',
      kind: 'standard-requirement',
      name: `ISA/IEC 62443 ${part} ${entry}`,
      source: name,
    })
    stated(graph, name)(id, 'violates', to, rec.at)
  }
}

/** Observed examples are prior failures: one node per CVE, with the source's one-line account. */
function examples(rec: Rec, id: string, graph: GraphBuilder): void {
  for (const example of rec.list('ObservedExamples')) {
    const cve = example.str('Reference')
    if (!/^CVE-\d{4}-\d{4,}$/.test(cve)) continue
    graph.node({
      id: `cve:${cve}`,
      category: 'failures',
      kind: 'cve',
      name: cve,
      text: example.optStr('Description'),
      source: name,
    })
    stated(graph, name)(`cve:${cve}`, 'example-of', id, rec.at)
  }
}

export function category(rec: Rec, graph: GraphBuilder): void {
  if (rec.str('Status') === 'Deprecated') return
  const id = `cwe-cat:${rec.str('ID')}`
  graph.node({
    id,
    category: 'cwe',
    kind: 'weakness-category',
    name: `CWE category ${rec.str('ID')}: ${rec.str('Name')}`,
    text: rec.str('Summary'),
    source: name,
  })
  members(rec, id, rec.list('Relationships'), graph)
}

export function view(rec: Rec, graph: GraphBuilder): void {
  if (rec.str('Status') === 'Deprecated') return
  const id = `cwe-view:${rec.str('ID')}`
  graph.node({
    id,
    category: 'cwe',
    kind: 'weakness-view',
    name: `CWE view ${rec.str('ID')}: ${rec.str('Name')}`,
    text: rec.str('Objective'),
    source: name,
  })
  members(rec, id, rec.list('Members'), graph)
}

/** A member is a weakness or a category: numbers are unique over both lists. */
function members(rec: Rec, id: string, list: readonly Rec[], graph: GraphBuilder): void {
  const edge = stated(graph, name)
  for (const member of list) {
    const number = member.str('CweID')
    const weak = `cwe:${number}`
    edge(id, 'has-member', graph.has(weak) ? weak : `cwe-cat:${number}`, rec.at)
  }
}
