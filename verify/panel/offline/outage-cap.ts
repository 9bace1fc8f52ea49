// In an outage of the models the offline panel may accept only plans that read: nothing that
// moves, heats, runs code, writes or leaves the network (invariant 4).
import type { Plan } from '../../../protocol/plan.ts'
import type { Registry } from '../../../protocol/registry.ts'
import type { Verdict } from '../../../protocol/verdict.ts'

/**
 * The best verdict that rules alone may give to the plan: `accept` only when every node's tool is
 * registered in class `read` and has no sink. Join it with the panel's verdict (`worse`).
 */
export function outageCap(plan: Plan, registry: Registry): Verdict {
  const tools = new Map(registry.tools.map((tool) => [tool.name, tool]))
  const reads = plan.nodes.every((node) => {
    const tool = tools.get(node.tool)
    return tool !== undefined && tool.risk_class === 'read' && tool.sink === null
  })
  return reads ? 'accept' : 'escalate'
}
