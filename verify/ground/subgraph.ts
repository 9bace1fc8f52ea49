// The part of the graph that goes into a judge's prompt: what the findings cite first, then limits
// and hazards, then the rest by rank, until the token budget is used. Derived edges stay marked.
import type { Finding } from '../../protocol/finding.ts'
import type { GroundedEdge, GroundedNode, NodeRow } from './port.ts'
import { rankFor } from './rank.ts'
import type { Retrieved } from './retrieve.ts'
import type { Step } from './steps.ts'

/** About 1 500 tokens at four characters each: room for limits and hazards, not for a book. */
export const subgraphCharsMax = 6_000
/** Characters of one node's text in a prompt. */
const nodeTextCharsMax = 240
/** Nodes per step that compete for the budget. */
const perStepMax = 6

const urgent = new Set(['incompatibility', 'limit', 'joint-limit', 'hazard-statement'])

/** Candidates whose texts are fetched: more than the budget can ever hold. */
export const candidatesMax = 80

/** Nodes in order of importance: cited, then limits and hazards, then the rest round by round. */
export function candidates(
  steps: readonly Step[],
  got: Retrieved,
  findings: readonly Finding[],
): NodeRow[] {
  const byId = new Map([...got.nodes.values()].map((n) => [n.id, n]))
  const cited = findings.flatMap((f) => f.kg).flatMap((id) => byId.get(id) ?? [])
  const ranks = steps.map((step, i) => rankFor(step.text, i, got).slice(0, perStepMax))
  // Round by round, so that each step has its best node in before any has its second.
  const rounds: NodeRow[] = []
  for (let r = 0; r < perStepMax; r++) {
    for (const list of ranks) {
      const row = got.nodes.get(list[r] ?? -1)
      if (row) rounds.push(row)
    }
  }
  const ordered = [...cited, ...rounds.filter((n) => urgent.has(n.kind)), ...rounds]
  return [...new Map(ordered.map((n) => [n.rid, n])).values()].slice(0, candidatesMax)
}

/** The candidates that fit the budget, with their texts, and the edges among them. */
export function subgraph(
  ordered: readonly NodeRow[],
  texts: ReadonlyMap<number, string>,
  got: Retrieved,
): { nodes: GroundedNode[]; edges: GroundedEdge[] } {
  const kept = new Map<number, GroundedNode>()
  let chars = 0
  for (const row of ordered) {
    const text = (texts.get(row.rid) ?? '').slice(0, nodeTextCharsMax).toWellFormed()
    const size = row.id.length + row.name.length + text.length
    if (chars + size > subgraphCharsMax) continue
    chars += size
    const { id, category, kind, name } = row
    kept.set(row.rid, { id, category, kind, name, text })
  }
  const edges: GroundedEdge[] = []
  const seen = new Set<string>()
  for (const e of got.edges) {
    const [from, to] = [kept.get(e.from), kept.get(e.to)]
    const key = `${e.from}\n${e.to}\n${e.kind}`
    if (!from || !to || seen.has(key)) continue
    seen.add(key)
    edges.push({ from: from.id, to: to.id, kind: e.kind, derived: e.derived })
  }
  return { nodes: [...kept.values()], edges }
}
