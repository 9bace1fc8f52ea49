// What a plan takes from its own run: which nodes something later refers to, and whether only a side that
// carries out references and conditions can run it.
import type { Feature } from './features.ts'
import type { Plan, PlanNode } from './plan.ts'
import type { ToolEntry } from './registry.ts'
import { referencesIn, type Reference } from './reference.ts'
import { comparisonsIn, type PlacedComparison } from './run-comparisons.ts'

type Nodes = readonly PlanNode[]

/** Every node that `id` depends on, directly or not. */
export function ancestorsOf(nodes: Nodes, id: string): ReadonlySet<string> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const found = new Set<string>()
  const open = [...(byId.get(id)?.depends_on ?? [])]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (found.has(at)) continue
    found.add(at)
    open.push(...(byId.get(at)?.depends_on ?? []))
  }
  return found
}

/** The comparisons of `when` and `require`, with their places inside the node. */
export function comparisonsOf({ when, require }: PlanNode): readonly PlacedComparison[] {
  return [
    ...(when === undefined ? [] : comparisonsIn(when, '/when')),
    ...(require === undefined ? [] : comparisonsIn(require, '/require')),
  ]
}

/** The references in a node's arguments, with their places inside the node. */
export function referencesOfNode({
  args,
}: PlanNode): readonly { readonly at: string; readonly from: Reference['$from'] }[] {
  return referencesIn(args).found.map(({ at, reference }) => ({
    at: `/args${at}`,
    from: reference,
  }))
}

/** Nodes whose results something later refers to. */
export function referredNodes({ nodes }: Plan): ReadonlySet<string> {
  const out = new Set<string>()
  for (const node of nodes) {
    for (const { from } of referencesOfNode(node)) out.add(from.node)
    for (const { comparison } of comparisonsOf(node)) out.add(comparison.result.node)
  }
  return out
}

/** True when only a side with the feature `references` can carry the plan out. */
export function needsReferences({ nodes }: Plan): boolean {
  return nodes.some(
    (node) =>
      node.when !== undefined ||
      node.require !== undefined ||
      node.always !== undefined ||
      referencesIn(node.args).found.length > 0,
  )
}

/** What an agent must be able to do for a plan, beyond the first version of the wire. `tools`: those it uses. */
export function featuresNeeded(plan: Plan, tools: readonly ToolEntry[]): Feature[] {
  const reads = tools.some(({ meaning }) => (meaning?.preconditions ?? []).length > 0)
  return [
    ...(reads ? ['preconditions' as const] : []),
    ...(needsReferences(plan) ? ['references' as const] : []),
  ]
}
