// What becomes of a node whose turn it is: it runs with these arguments, it is skipped, or the session
// ends. Computed on both sides from the same stored, signed results; neither takes the other's word.
import type { Miss } from '../protocol/misses.ts'
import type { PlanNode } from '../protocol/plan.ts'
import { evaluate, type Compared } from './run-condition.ts'
import { resolveArgs, type Resolved } from './resolve.ts'
import type { Known } from './result-value.ts'

export type NodeEnding =
  | { readonly reason: 'reference_missed'; readonly miss: Miss }
  | { readonly reason: 'require_not_met'; readonly values: readonly Compared[] }

export type NodeDecision =
  | ({ readonly do: 'run' } & Resolved)
  /** `values`: what its `when` compared; none when a node that it depends on was skipped. */
  | { readonly do: 'skip'; readonly values: readonly Compared[] }
  | { readonly do: 'end'; readonly ending: NodeEnding }

const end = (ending: NodeEnding): NodeDecision => ({ do: 'end', ending })

/** Decides one node whose dependencies have all succeeded or were skipped. */
export function decideNode(known: Known, node: PlanNode): NodeDecision {
  if (node.depends_on.some((id) => known.progress.get(id) === 'skipped')) {
    return { do: 'skip', values: [] }
  }
  const { id: by } = node
  if (node.when !== undefined) {
    const when = evaluate(known, node.when, { by, at: '/when' })
    if (!when.ok) return end({ reason: 'reference_missed', miss: when.error })
    if (!when.value.holds) return { do: 'skip', values: when.value.values }
  }
  if (node.require !== undefined) {
    const must = evaluate(known, node.require, { by, at: '/require' })
    if (!must.ok) return end({ reason: 'reference_missed', miss: must.error })
    if (!must.value.holds) return end({ reason: 'require_not_met', values: must.value.values })
  }
  const resolved = resolveArgs(known, node)
  if (!resolved.ok) return end({ reason: 'reference_missed', miss: resolved.error })
  return { do: 'run', ...resolved.value }
}

/** In words for the trail: where it missed, and of which node. */
export function endingDetail(nid: string, ending: NodeEnding): string {
  if (ending.reason === 'require_not_met') return `${nid}: ${JSON.stringify(ending.values)}`
  const { code, at, source } = ending.miss
  return `${nid}${at}: ${code} of ${source}`
}
