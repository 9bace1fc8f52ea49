// C and H: what one session is bound to. Both sides build H from the same bytes; the agent trusts no H
// that it has not computed itself.
import { digest } from '../protocol/digest.ts'
import { topologicalOrder, validateGraph } from '../protocol/graph.ts'
import type { Plan } from '../protocol/plan.ts'
import type { Context } from '../protocol/records.ts'
import { err, ok, type Result } from '../protocol/result.ts'

/** H = digest of C (RFC 8785, SHA-256). The same graph in another session has another H. */
export function contextHash(context: Context): Promise<string> {
  return digest('context', context)
}

/** C from its parts; the order is computed here and nowhere taken from outside. */
export function buildContext(parts: Omit<Context, 'order'>): Context {
  return { ...parts, order: topologicalOrder(parts.plan.nodes) }
}

/** Digest of the arguments of every node: `nid → args digest`. */
export async function argsDigests(plan: Plan): Promise<Map<string, string>> {
  const out = new Map<string, string>()
  for (const node of plan.nodes) out.set(node.id, await digest('args', node.args))
  return out
}

export type ContextFailure = 'graph_invalid' | 'order_mismatch' | 'hash_mismatch'

/** Recomputes order and H of a context that came from elsewhere. */
export async function verifyContext(
  context: Context,
  claimed: string,
): Promise<Result<string, ContextFailure>> {
  if (validateGraph(context.plan.nodes).length > 0) return err('graph_invalid')
  const order = topologicalOrder(context.plan.nodes)
  const same =
    order.length === context.order.length && order.every((id, i) => id === context.order[i])
  if (!same) return err('order_mismatch')
  const ctx = await contextHash(context)
  return ctx === claimed ? ok(ctx) : err('hash_mismatch')
}
