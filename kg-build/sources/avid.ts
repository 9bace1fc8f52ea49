// AVID: reports of failures of AI systems, with the artefacts, organisations, weaknesses and
// risk domains that each record names.
import type { GraphBuilder } from '../graph.ts'
import { slug } from '../graph.ts'
import type { Rec, SourceDir, SourceModule } from '../source.ts'
import { stated } from '../source.ts'
import { plain } from './attack.ts'

const name = 'avid-db'

export const avid: SourceModule = { name, parse }

function parse(dir: SourceDir, graph: GraphBuilder): void {
  for (const rec of dir.lines('reports.jsonl')) report(rec, graph)
}

function report(rec: Rec, graph: GraphBuilder): void {
  const id = `avid:${rec.str('id')}`
  graph.node({
    id,
    category: 'failures',
    kind: 'ai-vuln-report',
    name: `${rec.str('id')}: ${rec.optStr('title') || rec.str('cls')}`,
    text: plain(rec.optStr('description')),
    source: name,
  })
  const edge = stated(graph, name)
  for (const weakness of rec.strs('cwe')) {
    edge(id, 'instance-of', `cwe:${weakness.replace(/^CWE-/, '')}`, rec.at)
  }
  const affects = rec.rec('affects')
  for (const artifact of affects.list('artifacts')) {
    const to = `artifact:${slug(artifact.optStr('name'))}`
    if (to === 'artifact:') continue
    graph.node({
      id: to,
      category: 'failures',
      kind: 'affected-artifact',
      name: `${artifact.optStr('type') || 'System'}: ${artifact.str('name')}`,
      source: name,
    })
    edge(id, 'affects', to, rec.at)
  }
  for (const role of ['developer', 'deployer'] as const) {
    for (const org of affects.strs(role)) organisation(org, role, id, { rec, graph })
  }
  taxonomy(rec, id, graph)
  for (const cve of new Set(rec.optStr('title').match(/CVE-\d{4}-\d{4,}/g) ?? [])) {
    graph.node({
      id: `cve:${cve}`,
      category: 'failures',
      kind: 'cve',
      name: cve,
      text: rec.optStr('title'),
      source: name,
    })
    edge(id, 'reports', `cve:${cve}`, rec.at)
  }
}

function organisation(
  org: string,
  role: string,
  of: string,
  to: { rec: Rec; graph: GraphBuilder },
): void {
  const id = `org:${slug(org)}`
  if (id === 'org:') return
  to.graph.node({
    id,
    category: 'failures',
    kind: 'organization',
    name: `Organization: ${org}`,
    source: name,
  })
  stated(to.graph, name)(of, role, id, to.rec.at)
}

/** The record's own classes: software/ethics/performance views and risk domains. */
function taxonomy(rec: Rec, id: string, graph: GraphBuilder): void {
  const avidRec = rec.rec('avid')
  const views: readonly (readonly [string, string])[] = [
    ['sep_view', 'avid-sep'],
    ['risk_domain', 'avid-risk'],
    ['lifecycle_view', 'avid-stage'],
  ]
  for (const [key, prefix] of views) {
    for (const value of avidRec.strs(key)) {
      const to = `${prefix}:${slug(value, 60)}`
      graph.node({
        id: to,
        category: 'failures',
        kind: 'ai-risk-class',
        name: `AVID ${value}`,
        source: name,
      })
      stated(graph, name)(id, 'classified-as', to, rec.at)
    }
  }
}
