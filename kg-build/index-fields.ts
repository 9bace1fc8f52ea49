// What is indexed of each node: its name, other words, names of its neighbours, text and concepts,
// already in search tokens, and the gazetteer of phrases that name a node outright.
import { concepts, stems, tokens } from '../verify/ground/text.ts'
import type { GraphEdge, GraphNode } from './graph.ts'

export type Fields = {
  readonly id: string
  readonly name: string
  readonly alias: string
  readonly near: string
  readonly text: string
  readonly concept: string
}

/** Neighbour names indexed per node; hubs have thousands and would drown everything else. */
const nearMax = 12

/** Kinds whose names say little about a neighbour (groupings, not things). */
const hubs = new Set([
  'packing-group',
  'technical-impact',
  'weakness-view',
  'hazard-category',
  'organization',
  'ai-risk-class',
  'vendor',
  'platform',
  'site',
])

/** Search fields of every node, in node order. */
export function searchFields(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Fields[] {
  const byId = new Map(nodes.map((n) => [n.id, n]))
  const near = new Map<string, string[]>()
  const add = (to: string, other: string): void => {
    const node = byId.get(other)
    if (!node || hubs.has(node.kind)) return
    // What a site calls its things is not searched by others: it stays out of public nodes.
    if (node.site !== undefined && node.site !== byId.get(to)?.site) return
    const list = near.get(to) ?? []
    if (list.length < nearMax) list.push(bareName(node.name))
    near.set(to, list)
  }
  for (const e of edges) {
    add(e.from, e.to)
    add(e.to, e.from)
  }
  return nodes.map((n) => {
    const own = `${n.name}. ${n.aliases.join('. ')}`
    return {
      id: n.id,
      name: tokens(n.name).join(' '),
      alias: tokens(n.aliases.join(' ; ')).join(' '),
      near: tokens((near.get(n.id) ?? []).join(' ; ')).join(' '),
      text: tokens(n.text).join(' '),
      concept: concepts(`${own} ${n.kind === 'lab-scenario' ? '' : n.text}`).join(' '),
    }
  })
}

/** `CWE-306: Missing Authentication` → `Missing Authentication`. */
function bareName(name: string): string {
  return name.replace(/^(?:CWE-\d+|CAPEC-\d+|ATT&CK \S+|ATLAS \S+|RVD#\d+|[A-Z0-9-]+): /, '')
}

export type Gazette = { readonly term: string; readonly id: string; readonly rank: number }

/** Kinds that a plan names outright. Rank 0 is the curated name, 1 any other name. */
const named = new Set([
  'chemical',
  'module',
  'pipette',
  'robot-or-component',
  'robot',
  'tool',
  'waste-stream',
  'store',
  'equipment-kind',
  'limit',
  'site-device',
  'reactive-group',
  'gripper',
])

/** Phrases (as stems) → node. A curated substance keeps its plain name for itself. */
export function gazetteer(nodes: readonly GraphNode[], preferred: ReadonlySet<string>): Gazette[] {
  const out = new Map<string, Gazette>()
  const put = (phrase: string, id: string, rank: number): void => {
    const list = stems(phrase)
    if (list.length === 0 || list.length > 6) return
    const term = list.join(' ')
    if (term.length < 2 || /^\d+$/.test(term)) return
    const key = `${term}\n${id}`
    const old = out.get(key)
    if (!old || old.rank > rank) out.set(key, { term, id, rank })
  }
  for (const n of nodes) {
    if (!named.has(n.kind)) continue
    if (n.kind === 'limit' && !n.id.startsWith('rotor:')) continue
    const first = preferred.has(n.id) ? 0 : n.kind === 'chemical' ? 2 : 1
    put(n.name.replace(/^(?:Equipment|Tool|Device|Waste stream|Store|Rotor): ?/, ''), n.id, first)
    for (const alias of n.aliases) put(alias, n.id, first)
  }
  return [...out.values()].sort((a, b) =>
    a.term < b.term ? -1 : a.term > b.term ? 1 : a.rank - b.rank || (a.id < b.id ? -1 : 1),
  )
}
