// The order of what was retrieved for one text: known hazards and limits of what it names first,
// then what it names, then what search found. The same order fills the prompt's token budget.
import type { NodeRow, PairRow } from './port.ts'
import { fuse, type Ranked } from './fuse.ts'
import { quantitiesIn } from './quantity.ts'
import type { Retrieved } from './retrieve.ts'

/** Groups and substances that a named substance stands for: itself and its reactivity groups. */
export function groupsOf(rid: number, got: Retrieved): number[] {
  const groups = got.edges
    .filter((e) => e.from === rid && e.kind === 'in-group')
    .map((e) => e.to)
    .filter((to) => got.nodes.get(to)?.kind === 'reactive-group')
  return [rid, ...groups]
}

/** Pairs that two named things fall under. */
export function pairsBetween(a: number, b: number, got: Retrieved): PairRow[] {
  const [left, right] = [new Set(groupsOf(a, got)), new Set(groupsOf(b, got))]
  return got.lookup.pairs.filter(
    (p) => (left.has(p.a) && right.has(p.b)) || (left.has(p.b) && right.has(p.a)),
  )
}

const isMaterial = (n: NodeRow | undefined): boolean =>
  n?.kind === 'chemical' || n?.kind === 'reactive-group'

/** Incompatible pairs among the materials one text names, most specific first. */
export function pairsWithin(linked: readonly number[], got: Retrieved): number[] {
  const materials = linked.filter((rid) => isMaterial(got.nodes.get(rid)))
  const found: number[] = []
  for (const [i, a] of materials.entries()) {
    for (const b of materials.slice(i + 1)) {
      for (const p of pairsBetween(a, b, got)) if (!found.includes(p.pair)) found.push(p.pair)
    }
  }
  return found
}

/** Limits of the named devices for a quantity that the text states; exceeded ones first. */
export function limitsFor(text: string, linked: readonly number[], got: Retrieved): number[] {
  const quantities = quantitiesIn(text)
  if (quantities.length === 0) return []
  const scored: { rid: number; exceeded: boolean }[] = []
  for (const e of got.edges) {
    if (e.kind !== 'limits' || !linked.includes(e.to)) continue
    const limit = got.nodes.get(e.from)?.limit
    if (!limit) continue
    const fits = quantities.filter((q) => q.quantity === limit.quantity)
    if (fits.length === 0) continue
    const exceeded = fits.some(
      (q) =>
        (limit.max !== null && q.value > limit.max) || (limit.min !== null && q.value < limit.min),
    )
    if (!scored.some((s) => s.rid === e.from)) scored.push({ rid: e.from, exceeded })
  }
  return scored
    .toSorted((a, b) => Number(b.exceeded) - Number(a.exceeded))
    .filter((s) => s.exceeded || scored.length <= 2)
    .map((s) => s.rid)
}

/** The hazard statement listed first for each named substance, and those of the pairs. */
export function hazardsOf(rids: readonly number[], got: Retrieved, perNode: number): number[] {
  const out: number[] = []
  for (const rid of rids) {
    const own = got.edges.filter((e) => e.from === rid && e.kind === 'has-hazard').map((e) => e.to)
    out.push(...own.slice(0, perNode))
  }
  return [...new Set(out)]
}

/**
 * How much a kind of node helps a judge, against 1 for a weakness, technique, limit or hazard. An
 * example of a weakness, or a part of a deck, should not push the weakness itself out of the list.
 */
const kindWeight: Readonly<Record<string, number>> = {
  cve: 0.4,
  'ai-vuln-report': 0.4,
  'affected-artifact': 0.2,
  organization: 0.2,
  vendor: 0.2,
  platform: 0.3,
  'ai-risk-class': 0.3,
  'deck-area': 0.3,
  'deck-fixture': 0.3,
  'deck-cutout': 0.3,
  'weakness-view': 0.4,
  'attack-data-component': 0.4,
  'attack-analytic': 0.5,
  'attack-detection': 0.5,
  'argument-limit': 0.5,
  'standard-requirement': 0.5,
  mitigation: 0.6,
  'precautionary-statement': 0.6,
  'weakness-category': 0.6,
  labware: 0.6,
  'lab-device': 0.6,
  'attack-pattern': 0.7,
  manual: 0.7,
  'api-method': 0.7,
  'hazard-class': 0.7,
  'robot-attack-instance': 0.7,
  'lab-scenario': 0.8,
}

/** The lists that are joined, by what made them; an evaluation leaves out one at a time. */
export const rankedLists = ['facts', 'names', 'words', 'vectors'] as const
export type RankedList = (typeof rankedLists)[number]

/**
 * All rids for one text, best first: from known limits, pairs and hazards of what it names (`facts`), from the names
 * themselves, from full text (`words`) and from vectors. `without` leaves out one of the lists.
 */
export function rankFor(
  text: string,
  index: number,
  got: Retrieved,
  without: RankedList | null = null,
): number[] {
  const linked = got.linked[index] ?? []
  const pairs = pairsWithin(linked, got)
  const limits = limitsFor(text, linked, got)
  const things = linked.filter((rid) => isMaterial(got.nodes.get(rid)))
  const hazards = hazardsOf(things, got, 1)
  const weight = (rid: number): number => kindWeight[got.nodes.get(rid)?.kind ?? ''] ?? 1
  const lists: Readonly<Record<RankedList, Ranked>> = {
    facts: {
      weight: 1,
      rids: [...limits, ...pairs.slice(0, 3), ...things, ...hazards],
      sure: true,
    },
    names: { weight: 0.3, rids: linked, sure: true },
    words: { weight: 1, rids: got.found[index] ?? [] },
    vectors: { weight: 0.3, rids: got.similar },
  }
  const joined = rankedLists.filter((name) => name !== without).map((name) => lists[name])
  return fuse(joined, weight)
}
