// Which substance belongs to which incompatibility group, and which hazard statements its transport
// class implies. Rules of ours: they need a chemist's eye, so each edge is marked derived.
import chemicals from '../facts/chemicals.json' with { type: 'json' }
import type { GraphBuilder, GraphNode } from '../graph.ts'
import { derive } from './derive.ts'

type GroupRule = {
  readonly group: string
  readonly name: RegExp
  readonly not?: RegExp
  /** Transport classes (main or subsidiary) of which the substance must carry one. */
  readonly needs?: readonly string[]
}

/** Name and class rules for groups of 40 CFR 264 Appendix V. */
const rules: readonly GroupRule[] = [
  {
    group: '1-A',
    name: /hydroxide|caustic|\bammonia\b|potash|\blime\b|monoxide$|amines?\b/i,
    not: /acid|carbon monoxide|nitr/i,
    needs: ['8'],
  },
  {
    group: '1-B',
    name: /\bacids?\b|hydrogen (chloride|fluoride|bromide)/i,
    not: /salt|ester|anhydride|amide|chloride,|phosphate/i,
    needs: ['8'],
  },
  {
    group: '2-A',
    name: /^(aluminum powder|beryllium|calcium|lithium|magnesium|potassium|sodium|zinc powder|barium|cesium|rubidium|zirconium)[^a-z]*$|hydride|^(magnesium|aluminum|zinc|zirconium) powder/i,
    not: /anhydride|batter/i,
  },
  { group: '3-A', name: /methanol|ethanol|propanol|butanol|pentanol|\balcohols?\b/i, needs: ['3'] },
  { group: '3-B', name: /./, needs: ['4.3'] },
  {
    group: '3-B',
    name: /(acetyl|benzoyl|thionyl|sulfuryl|phosphorus (tri|penta|oxy))[ -]?(chlor|brom)|chlorosilane|oleum|sulfuric acid, fuming|tetrachloride$|pentoxide/i,
    not: /carbon tetrachloride|vanadium/i,
    needs: ['8', '6.1', '3'],
  },
  {
    group: '4-A',
    name: /aldehyde|chloroform\b|chloromethane|chloroeth|chlorobenz|nitrobenz|nitrometh|nitroeth|acrylo|acrylate|styrene|alcohol|methanol|ethanol|propanol|butanol|ketone|acetone|acetate|ether\b|nitrile|furan|dioxane|toluene|xylene|benzene/i,
    not: /hydride|explos|solid/i,
    needs: ['3', '6.1'],
  },
  { group: '5-A', name: /cyanide|sulphide|sulfide/i, not: /dimethyl|diethyl|carbon|selenium/i },
  {
    group: '6-A',
    name: /chlorate|hypochlorite|chlorite|permanganate|peroxide|chromium trioxide|chromic acid|^nitric acid|^chlorine$|bromate|^bromine|perchlor|persulfate|nitrate/i,
    not: /perchloroethylene|perchloromethyl|amyl|ethyl nitr|propyl|cellulose|urea nitrate/i,
    needs: ['5.1', '5.2', '2.3', '8'],
  },
  { group: '6-B', name: /./, needs: ['3', '4.1', '2.1'] },
  { group: '6-B', name: /(acetic|formic|propionic|sulfuric|hydrochloric|phosphoric) acid/i },
]

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
