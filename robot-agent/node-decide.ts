// What this agent itself knows of the nodes behind it: its own answers, from its own ledger, by which it
// decides what the next node gets and whether it runs at all.
import { nodeResultSchema, resultInvalid, type NodeResult } from '../protocol/node-result.ts'
import type { Plan } from '../protocol/plan.ts'
import { referredNodes } from '../protocol/plan-needs.ts'
import type { NodeEnd } from './machine-types.ts'
import type { SessionRows } from './session-rows.ts'

/** The answers that something in the plan refers to, as they were signed. */
export function storedResults(rows: SessionRows, plan: Plan): Map<string, NodeResult> {
  const out = new Map<string, NodeResult>()
  for (const nid of referredNodes(plan)) {
    const row = rows.node(nid)
    const text = row?.reason === resultInvalid ? null : (row?.result ?? null)
    if (text !== null) out.set(nid, nodeResultSchema.parse(JSON.parse(text)))
  }
  return out
}

/** The end of a node that is never called. */
export function skippedEnd(nid: string, values: NonNullable<NodeEnd['values']>): NodeEnd {
  const nothing = { result_digest: null, reason: null, actuated: false } as const
  return { nid, outcome: 'skipped', ...nothing, values }
}
