// MCP tools for plans before they run: check, submit, look at, withdraw.
import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Env } from '../../durable-objects/env.ts'
import { canonicalForm } from '../../protocol/digest.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { limits } from '../../protocol/limits.ts'
import { planSchema } from '../../protocol/plan.ts'
import { checkOnly } from '../check.ts'
import { idempotencyKey } from '../headers.ts'
import { jsonSchemaOf } from '../json-schema.ts'
import { planReview } from '../objects.ts'
import { schemas } from '../schemas.ts'
import { submitPlan, waitForDecision } from '../submit.ts'
import { ownPlan, refuse, say, sayPlan, type Caller } from './answers.ts'

/**
 * Admission gives its own violations, with pointers; the schema is shown, not enforced, here. The body was parsed
 * without loss, so whatever is an object is one of JSON. (A schema that contains itself would put `$defs` into
 * the tool, which some clients cannot read.)
 */
const planArgument = (z.looseObject({}) as unknown as z.ZodType<JsonObject>).meta({
  ...jsonSchemaOf(planSchema, 'input'),
  description: 'The plan.',
})

export const planId = z
  .string()
  .max(limits.idCharsMax)
  .describe('Id of one of your plans, as submit_plan gave it.')

// The message was parsed without loss, so the canonical form says exactly what was sent.
const bytesOf = (plan: JsonObject) => new TextEncoder().encode(canonicalForm(plan))

const submission = z.strictObject({
  plan: planArgument,
  idempotency_key: z
    .string()
    .max(limits.idempotencyKeyCharsMax)
    .optional()
    .describe('The same key with the same plan answers with the first one, for a day.'),
  wait_s: z
    .int()
    .min(0)
    .max(limits.waitSecondsMax)
    .optional()
    .describe('Seconds to wait for the decision; left out: none.'),
})

export function addPlanTools(server: McpServer, env: Env, { principal, asked_ms }: Caller): void {
  server.registerTool(
    'submit_plan',
    {
      title: 'Submit a plan',
      outputSchema: schemas.Plan,
      description:
        'Submit a plan for a decision. Answers with its state; what becomes of it says follow_plan.',
      inputSchema: submission,
    },
    async ({ plan, idempotency_key, wait_s }, { mcpReq: { _meta: meta } }) => {
      const key = idempotencyKey(idempotency_key)
      if (!key.ok) return refuse({ code: 'header_invalid', detail: key.error })
      const taken = await submitPlan(env, {
        principal,
        bytes: bytesOf(plan),
        idempotencyKey: key.value,
        now_ms: asked_ms,
        traceparent: z.string().optional().catch(undefined).parse(meta?.['traceparent']),
      })
      if (!taken.ok) return refuse(taken.error)
      const status = await waitForDecision(env, taken.value, wait_s ?? 0)
      return sayPlan(await ownPlan(env, principal, status.plan))
    },
  )
  server.registerTool(
    'check_plan',
    {
      title: 'Check a plan',
      description: 'What the rules alone would say of a plan. Nothing is stored or judged.',
      inputSchema: z.strictObject({ plan: planArgument }),
      outputSchema: schemas.PlanCheck,
      annotations: { readOnlyHint: true },
    },
    async ({ plan }) => {
      const done = await checkOnly(env, { principal, bytes: bytesOf(plan), now_ms: asked_ms })
      return done.ok ? say(done.value) : refuse(done.error)
    },
  )
  server.registerTool(
    'get_plan',
    {
      title: 'Look at a plan',
      outputSchema: schemas.Plan,
      description:
        'State, verdict, reasons, what to change, what it waits for and each step of one of your plans.',
      inputSchema: z.strictObject({ plan: planId }),
      annotations: { readOnlyHint: true },
    },
    async ({ plan }) => sayPlan(await ownPlan(env, principal, plan)),
  )
  server.registerTool(
    'withdraw_plan',
    {
      title: 'Withdraw a plan',
      outputSchema: schemas.Plan,
      description: 'Withdraw one of your plans that no session runs yet.',
      inputSchema: z.strictObject({ plan: planId }),
    },
    async ({ plan }) => {
      if ((await ownPlan(env, principal, plan)) === null) return refuse({ code: 'not_found' })
      const done = await planReview(env, principal.site, plan).withdraw(principal.owner)
      return done.ok ? sayPlan(await ownPlan(env, principal, plan)) : refuse(done.error)
    },
  )
}
