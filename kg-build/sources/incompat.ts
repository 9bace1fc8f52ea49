// Incompatibility groups and pairs of 40 CFR 264 Appendix V, stated by the regulation. Which
// substance belongs to which group is a rule set of ours (links/reactivity.ts): derived edges.
import type { GraphBuilder } from '../graph.ts'
import type { SourceDir, SourceModule } from '../source.ts'
import { stated } from '../source.ts'

const name = 'incompat-40cfr264'
const file = 'cfr264_appV.json'

export const incompat: SourceModule = { name, parse }

function parse(dir: SourceDir, graph: GraphBuilder): void {
  const rec = dir.rec(file)
  const groups = rec.rec('groups')
  for (const key of groups.keys()) {
    const group = groups.rec(key)
    graph.node({
      id: `rg:${key}`,
      category: 'hw_safety',
      kind: 'reactive-group',
      name: `Incompatibility group ${key}: ${group.str('label')}`,
      text: `Members: ${group.strs('members').join('; ')}.`,
      source: name,
    })
  }
  for (const pair of rec.list('pairs')) {
    const [a, b] = [pair.str('a'), pair.str('b')]
    const id = `rx:${a.toLowerCase()}-${b.toLowerCase()}`
    const label = (key: string): string => groups.rec(key).str('label')
    graph.node({
      id,
      category: 'hw_safety',
      kind: 'incompatibility',
      name: `Incompatible: ${label(a)} with ${label(b)}`,
      text: `Do not mix group ${a} with group ${b}. ${pair.str('consequence')}`,
      source: name,
    })
    const edge = stated(graph, name)
    for (const group of [a, b]) edge(id, 'concerns', `rg:${group}`, `${file}#${a}+${b}`)
    edge(`rg:${a}`, 'incompatible-with', `rg:${b}`, `${file}#${a}+${b}`)
  }
}
