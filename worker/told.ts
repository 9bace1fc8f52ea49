// A plan as the door tells it, whoever asks and however: HTTP, events and MCP build it here.
import type { Env } from '../durable-objects/env.ts'
import type { ReviewRecord } from '../durable-objects/contracts.ts'
import { progressOf } from './progress.ts'
import { planView, type PlanView } from './views.ts'

/** The view of one plan with what it waits for and its steps, for a planner by its name or a person (null). */
export async function toldPlan(
  env: Env,
  { status, packet, plan }: Pick<ReviewRecord, 'status' | 'packet' | 'plan'>,
  planner: string | null,
): Promise<PlanView> {
  return planView(status, packet, await progressOf(env, status, { plan, planner }))
}
