// The plan on the wire: a closed schema, so that an unknown field is refused and never ignored.
import { z } from 'zod'
import { jsonObjectSchema } from './json.ts'
import { limits } from './limits.ts'
import { runConditionSchema } from './condition.ts'

/** Node ids are plain ASCII (hence NFC): no two ids can look alike. */
export const nodeIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, 'an id is 1 to 64 of A-Z a-z 0-9 _ . -')

export const toolNameSchema = z.string().min(1).max(limits.toolNameCharsMax)

export const planNodeSchema = z.strictObject({
  id: nodeIdSchema,
  tool: toolNameSchema,
  args: jsonObjectSchema,
  depends_on: z.array(nodeIdSchema).max(limits.nodesMax).default([]),
  sandbox: z.string().min(1).max(limits.idCharsMax).nullable().default(null),
  /** Runs only if this holds of earlier results; else it and all that depends on it is skipped. */
  when: runConditionSchema.optional(),
  /** Must hold of earlier results just before the node; else the session ends. */
  require: runConditionSchema.optional(),
  /** Closes, cools or stops: may not depend on a node that can be skipped. */
  always: z.literal(true).optional(),
})

export const planSchema = z.strictObject({
  goal: z.string().min(1).max(limits.goalCharsMax),
  instructions: z
    .array(z.string().min(1).max(limits.instructionCharsMax))
    .min(1)
    .max(limits.instructionsMax),
  planner: z.strictObject({
    id: z.string().min(1).max(limits.idCharsMax),
    model: z.string().min(1).max(limits.idCharsMax).optional(),
  }),
  nodes: z.array(planNodeSchema).max(limits.nodesMax),
  agent: z.string().min(1).max(limits.idCharsMax).optional(),
  supersedes: z.string().min(1).max(limits.idCharsMax).optional(),
  /** Another plan that must have completed before this one is bound. */
  follows: z.string().min(1).max(limits.idCharsMax).optional(),
})

/** One tool call of a plan. `args` is validated against the tool's own schema on admission. */
export type PlanNode = z.infer<typeof planNodeSchema>

/** T = (t1..tn) as `instructions`, and the graph G of tool calls that carries it out. */
export type Plan = z.infer<typeof planSchema>
