// CAPEC: attack patterns, their courses of action, and the links to CWE and ATT&CK they state.
import type { GraphBuilder } from '../graph.ts'
import type { Rec, SourceDir, SourceModule } from '../source.ts'
import { stated } from '../source.ts'

const name = 'capec-3.9'

export const capec: SourceModule = { name, parse }

function parse(dir: SourceDir, graph: GraphBuilder): void {
  const numberOf = new Map<string, string>()
  const patterns = [...dir.lines('attack-patterns.jsonl')].filter((r) => !isDead(r))
  for (const rec of patterns) {
    const own = rec
      .list('external_references')
      .find((r) => r.str('source_name') === 'capec')
      ?.str('external_id')
    if (own === undefined) rec.fail('an external reference of "capec"')
    numberOf.set(rec.str('id'), `capec:${String(own).slice('CAPEC-'.length)}`)
  }
  for (const rec of patterns) pattern(rec, numberOf, graph)
  actions(dir, numberOf, graph)
}

function isDead(rec: Rec): boolean {
  return rec.str('x_capec_status') === 'Deprecated' || rec.str('name').startsWith('DEPRECATED')
}

function pattern(rec: Rec, numberOf: ReadonlyMap<string, string>, graph: GraphBuilder): void {
  const id = numberOf.get(rec.str('id')) ?? rec.fail('a known pattern id')
  graph.node({
    id,
    category: 'cwe',
    kind: 'attack-pattern',
    name: `CAPEC-${id.slice(6)}: ${rec.str('name')}`,
    text: `${rec.optStr('description')} ${rec.optStr('x_capec_extended_description')}`.replace(
      /<[^>]*>/g,
      ' ',
    ),
    aliases: rec.strs('x_capec_alternate_terms').map((t) => t.split(':')[0] ?? t),
    source: name,
  })
  const edge = stated(graph, name)
  for (const ref of rec.list('external_references')) {
    const source = ref.str('source_name')
    const external = ref.optStr('external_id')
    if (source === 'cwe') edge(id, 'exploits', `cwe:${external.slice(4)}`, rec.at)
    if (source === 'ATTACK') edge(id, 'maps-to', `attack:${external}`, rec.at)
  }
  const relations: readonly (readonly [string, string])[] = [
    ['x_capec_child_of_refs', 'child-of'],
    ['x_capec_can_precede_refs', 'can-precede'],
    ['x_capec_peer_of_refs', 'peer-of'],
  ]
  for (const [key, kind] of relations) {
    for (const ref of rec.strs(key)) {
      const to = numberOf.get(ref)
      if (to) edge(id, kind, to, rec.at)
    }
  }
  for (const ref of rec.strs('x_capec_can_follow_refs')) {
    const from = numberOf.get(ref)
    if (from) edge(from, 'can-precede', id, rec.at)
  }
}

function actions(dir: SourceDir, numberOf: ReadonlyMap<string, string>, graph: GraphBuilder): void {
  const idOf = new Map<string, string>()
  for (const rec of dir.lines('courses-of-action.jsonl')) {
    const id = `capec-${rec.str('name')}`
    idOf.set(rec.str('id'), id)
    graph.node({
      id,
      category: 'cwe',
      kind: 'mitigation',
      name: `CAPEC mitigation ${rec.str('name').replace(/^coa-/, '')}`,
      text: rec.str('description').replace(/<[^>]*>/g, ' '),
      source: name,
    })
  }
  for (const rec of dir.lines('relationships.jsonl')) {
    const from = idOf.get(rec.str('source_ref'))
    const to = numberOf.get(rec.str('target_ref'))
    if (from && to) stated(graph, name)(from, 'mitigates', to, rec.at)
  }
}
