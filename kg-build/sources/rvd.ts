// Robot vulnerabilities: facts in our own words, with the weakness, vendor and robots they name.
import type { GraphBuilder } from '../graph.ts'
import { slug } from '../graph.ts'
import type { SourceDir, SourceModule } from '../source.ts'
import { Rec, stated } from '../source.ts'

const name = 'rvd-facts'
const file = 'rvd_facts.json'

export const rvd: SourceModule = { name, parse }

function parse(dir: SourceDir, graph: GraphBuilder): void {
  const list = dir.json(file)
  if (!Array.isArray(list)) throw new TypeError(`${file}: expected a list`)
  for (const value of list) vulnerability(new Rec(file, 1, value), graph)
}

function vulnerability(rec: Rec, graph: GraphBuilder): void {
  const id = `rvd:${rec.num('id')}`
  const at = `${file}#${rec.num('id')}`
  graph.node({
    id,
    category: 'failures',
    kind: 'robot-vulnerability',
    name: `RVD#${rec.num('id')}: ${rec.str('title')}`,
    text: rec.str('summary'),
    source: name,
  })
  const edge = stated(graph, name)
  const weakness = rec.optStr('cwe')
  if (weakness) edge(id, 'instance-of', `cwe:${weakness.slice(4)}`, at)
  const cve = rec.optStr('cve')
  if (cve) {
    graph.node({
      id: `cve:${cve}`,
      category: 'failures',
      kind: 'cve',
      name: `${cve}: ${rec.str('title')}`,
      source: name,
    })
    edge(id, 'reports', `cve:${cve}`, at)
  }
  const vendor = rec.optStr('vendor')
  if (vendor) {
    graph.node({
      id: `vendor:${slug(vendor)}`,
      category: 'lab_context',
      kind: 'vendor',
      name: `Vendor: ${vendor}`,
      source: name,
    })
  }
  for (const robot of rec.strs('robots')) {
    graph.node({
      id: `robot:${slug(robot)}`,
      category: 'lab_context',
      kind: 'robot-or-component',
      name: /^UR\d/.test(robot) ? `${robot} robot arm` : robot,
      source: name,
    })
    edge(id, 'affects', `robot:${slug(robot)}`, at)
    if (vendor) edge(`robot:${slug(robot)}`, 'made-by', `vendor:${slug(vendor)}`, at)
  }
}
