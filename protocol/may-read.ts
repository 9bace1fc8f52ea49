// Which labels of results a planner may read, as the approved registry says: one question for whoever
// hands out what a device answered, and for the floor where a plan would learn it another way.
import type { FlowLabel, Registry } from './registry.ts'

type Planners = Pick<Registry, 'planners'>

/** Of some labels those that a planner may not read; an unknown planner may read none. */
export function withheldFrom(
  { planners }: Planners,
  planner: string,
  labels: readonly FlowLabel[],
): readonly FlowLabel[] {
  const { reads = [] } = Object.hasOwn(planners, planner) ? (planners[planner] ?? {}) : {}
  return labels.filter((label) => !reads.includes(label))
}

/** Whether a planner may read a result of a tool; of a tool that is not in the registry it may not. */
export function mayReadTool(
  registry: Planners & { readonly tools: Registry['tools'] },
  planner: string,
  tool: string,
): boolean {
  const row = registry.tools.find(({ name }) => name === tool)
  return row !== undefined && withheldFrom(registry, planner, row.emits).length === 0
}
