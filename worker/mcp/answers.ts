// How the tools of the MCP intake answer: what the planner's HTTP view carries, no more.
import type { Env } from '../../durable-objects/env.ts'
import type { Principal } from '../context.ts'
import { planReview } from '../objects.ts'
import { planIdSchema } from '../ids.ts'
import { problems, withRemedies, type Refusal } from '../problems.ts'
import { toldPlan } from '../told.ts'
import type { PlanView } from '../views.ts'

/** Who asks, and when it was let in: before its message was read. */
export type Caller = {
  readonly principal: Principal
  readonly asked_ms: number
  /** False once the credential is over. */
  readonly still: () => Promise<boolean>
}

export type Answer = {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
}

/** The same value twice: structured, and as text for clients that read no other. */
export function say(value: object): Answer {
  const text = JSON.stringify(value)
  return {
    content: [{ type: 'text', text }],
    structuredContent: JSON.parse(text) as Record<string, unknown>,
  }
}

export function refuse(refusal: Refusal): Answer {
  const { title } = problems[refusal.code]
  const { code, detail, violations } = refusal
  const told = violations === undefined ? undefined : withRemedies(violations)
  const { content } = say({ code, title, detail, violations: told })
  return { content, isError: true }
}

export const sayPlan = (plan: PlanView | null): Answer =>
  plan === null ? refuse({ code: 'not_found' }) : say(plan)

/** A plan of this planner; null for any other, and for what is no id of a plan. */
export async function ownPlan(
  env: Env,
  principal: Principal,
  plan: string,
): Promise<PlanView | null> {
  if (!planIdSchema.safeParse(plan).success) return null
  const record = await planReview(env, principal.site, plan).record()
  if (record === null || record.status.planner !== principal.subject) return null
  return toldPlan(env, record, principal.subject)
}
