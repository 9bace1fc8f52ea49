// Which substance belongs to which incompatibility group, and which hazard statements its transport
// class implies. Rules of ours: they need a chemist's eye, so each edge is marked derived.
import chemicals from '../facts/chemicals.json' with { type: 'json' }
import nameGroups from '../facts/name-groups.json' with { type: 'json' }
import type { GraphBuilder, GraphNode } from '../graph.ts'
import { derive } from './derive.ts'

type GroupRule = {
  readonly group: string
  readonly name: RegExp
  readonly not?: RegExp
  /** Transport classes (main or subsidiary) of which the substance must carry one. */
  readonly needs?: readonly string[]
}

/** Any of the expressions, in any case. */
const anyOf = (parts: readonly string[]): RegExp => new RegExp(parts.join('|'), 'i')

const rules: readonly GroupRule[] = nameGroups.rules.map((rule) => ({
  group: rule.group,
  name: anyOf(rule.name),
  ...(rule.not === undefined ? {} : { not: anyOf(rule.not) }),
  ...(rule.needs === undefined ? {} : { needs: rule.needs }),
}))

function classesOf(graph: GraphBuilder): Map<string, string[]> {
  const all = new Map<string, string[]>()
  for (const e of graph.edges()) {
    if (e.kind !== 'transport-class' && e.kind !== 'subsidiary-risk') continue
    if (!e.from.startsWith('hmt:')) continue
    all.set(e.from, [...(all.get(e.from) ?? []), e.to.slice('dot:'.length)])
  }
  return all
}

/** `chemical-group` (curated list) and `name-group` (name and class) rules. */
export function linkReactivity(graph: GraphBuilder): void {
  const curated = new Set<string>()
  for (const fact of chemicals) {
    curated.add(fact.id)
    for (const g of fact.g) derive(graph, 'chemical-group', fact.id, 'in-group', `rg:${g}`)
  }
  const classes = classesOf(graph)
  for (const node of graph.nodeList()) {
    if (node.kind !== 'chemical' || curated.has(node.id)) continue
    for (const rule of rules) {
      if (matches(rule, node, classes.get(node.id) ?? [])) {
        derive(graph, 'name-group', node.id, 'in-group', `rg:${rule.group}`)
      }
    }
  }
}

function matches(rule: GroupRule, node: GraphNode, classes: readonly string[]): boolean {
  if (!rule.name.test(node.name) || rule.not?.test(node.name)) return false
  return rule.needs === undefined || rule.needs.some((c) => classes.includes(c))
}

/** Transport class and packing group → the GHS statement with the same criterion. */
const statements: Readonly<Record<string, string>> = {
  '3/I': 'H224',
  '3/II': 'H225',
  '3/III': 'H226',
  '2.1/': 'H220',
  '2.2/': 'H280',
  '4.1/II': 'H228',
  '4.1/III': 'H228',
  '4.2/I': 'H250',
  '4.2/II': 'H251',
  '4.2/III': 'H252',
  '4.3/I': 'H260',
  '4.3/II': 'H261',
  '4.3/III': 'H261',
  '5.1/I': 'H271',
  '5.1/II': 'H272',
  '5.1/III': 'H272',
  '8/I': 'H314',
  '8/II': 'H314',
  '8/III': 'H314',
}

/** `class-hazard`: only for substances without curated hazard statements. */
export function linkHazards(graph: GraphBuilder): void {
  const curated = new Set(chemicals.map((c) => c.id))
  const groups = new Map<string, string[]>()
  const main = new Map<string, string>()
  for (const e of graph.edges()) {
    if (e.kind === 'packing-group') {
      groups.set(e.from, [...(groups.get(e.from) ?? []), e.to.slice('dot-pg:'.length)])
    }
    if (e.kind === 'transport-class' && e.from.startsWith('hmt:')) main.set(e.from, e.to.slice(4))
  }
  for (const node of graph.nodeList()) {
    const division = main.get(node.id)
    if (node.kind !== 'chemical' || curated.has(node.id) || division === undefined) continue
    for (const group of groups.get(node.id) ?? ['']) {
      const h = statements[`${division}/${group}`]
      if (h) derive(graph, 'class-hazard', node.id, 'has-hazard', `ghs:${h}`)
    }
  }
}
