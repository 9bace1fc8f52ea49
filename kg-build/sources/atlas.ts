// MITRE ATLAS: tactics, techniques, mitigations and case studies, with the links each states.
import { parse as parseYaml } from 'yaml'
import type { GraphBuilder } from '../graph.ts'
import type { SourceDir, SourceModule } from '../source.ts'
import { Rec, SourceError, stated } from '../source.ts'
import { plain } from './attack.ts'

const name = 'atlas-5.6.0'
const file = 'ATLAS.yaml'

export const atlas: SourceModule = { name, parse }

function parse(dir: SourceDir, graph: GraphBuilder): void {
  const root = new Rec(file, 1, yaml(dir))
  const matrix = root.list('matrices')[0] ?? root.fail('one matrix')
  for (const rec of matrix.list('tactics')) tactic(rec, graph)
  for (const rec of matrix.list('techniques')) technique(rec, matrix, graph)
  for (const rec of matrix.list('mitigations')) mitigation(rec, graph)
  for (const rec of root.list('case-studies')) caseStudy(rec, graph)
}

function yaml(dir: SourceDir): unknown {
  const text = dir.text(file)
  try {
    return parseYaml(text, { logLevel: 'silent' }) as unknown
  } catch (error) {
    const at = error instanceof Error ? /line (\d+)/.exec(error.message)?.[1] : undefined
    throw new SourceError(`${dir.dir}/${file}`, Number(at ?? 1), 'valid YAML')
  }
}

const at = (rec: Rec): string => `${file}#${rec.str('id')}`

function crossRef(rec: Rec, graph: GraphBuilder): void {
  const ref = rec.optRec('ATT&CK-reference').optStr('id')
  if (ref) stated(graph, name)(`atlas:${rec.str('id')}`, 'maps-to', `attack:${ref}`, at(rec))
}

function tactic(rec: Rec, graph: GraphBuilder): void {
  graph.node({
    id: `atlas:${rec.str('id')}`,
    category: 'adversarial',
    kind: 'atlas-tactic',
    name: `ATLAS ${rec.str('id')}: ${rec.str('name')}`,
    text: plain(rec.str('description')),
    source: name,
  })
  crossRef(rec, graph)
}

function technique(rec: Rec, matrix: Rec, graph: GraphBuilder): void {
  const id = rec.str('id')
  const parent = rec.optStr('subtechnique-of')
  const parentName = parent
    ? matrix
        .list('techniques')
        .find((t) => t.str('id') === parent)
        ?.str('name')
    : undefined
  graph.node({
    id: `atlas:${id}`,
    category: 'adversarial',
    kind: 'atlas-technique',
    name: `ATLAS ${id}: ${parentName ? `${parentName}: ` : ''}${rec.str('name')}`,
    text: plain(rec.str('description')),
    source: name,
  })
  const edge = stated(graph, name)
  if (parent) edge(`atlas:${id}`, 'child-of', `atlas:${parent}`, at(rec))
  for (const t of rec.strs('tactics')) edge(`atlas:${id}`, 'in-tactic', `atlas:${t}`, at(rec))
  crossRef(rec, graph)
}

function mitigation(rec: Rec, graph: GraphBuilder): void {
  const id = `atlas:${rec.str('id')}`
  graph.node({
    id,
    category: 'adversarial',
    kind: 'atlas-mitigation',
    name: `ATLAS ${rec.str('id')}: ${rec.str('name')}`,
    text: plain(rec.str('description')),
    source: name,
  })
  for (const t of rec.list('techniques')) {
    stated(graph, name)(id, 'mitigates', `atlas:${t.str('id')}`, at(rec))
  }
  crossRef(rec, graph)
}

function caseStudy(rec: Rec, graph: GraphBuilder): void {
  const id = `atlas:${rec.str('id')}`
  graph.node({
    id,
    category: 'failures',
    kind: 'atlas-case-study',
    name: `ATLAS ${rec.str('id')}: ${rec.str('name')}`,
    text: plain(rec.str('summary')),
    source: name,
  })
  for (const step of rec.list('procedure')) {
    stated(graph, name)(id, 'uses', `atlas:${step.str('technique')}`, at(rec))
    stated(graph, name)(id, 'in-tactic', `atlas:${step.str('tactic')}`, at(rec))
  }
}
