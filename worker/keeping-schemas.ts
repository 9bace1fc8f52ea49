// Bodies about what a site keeps: periods, legal holds, deletion.
import { z } from 'zod'
import { keepingSchema } from '../protocol/keeping.ts'
import { planIdSchema } from './ids.ts'

const why = z.string().min(1).max(500)

const hold = z.strictObject({
  plan: z.string().nullable().describe('The plan that is held; null: the whole site.'),
  reason: why.describe('Why it is held.'),
  set_ms: z.number().min(0).describe('When it was set (milliseconds since the epoch).'),
  set_by: z.string().describe('Who set it.'),
})

export const keepingSchemas = {
  KeepingInput: keepingSchema,
  Keeping: z.strictObject({ periods: keepingSchema, holds: z.array(hold) }),
  HoldInput: z.strictObject({
    plan: planIdSchema.nullable().describe('The plan to hold; null: the whole site.'),
    reason: why.describe('Why it is held.'),
  }),
  HoldRelease: z.strictObject({
    plan: planIdSchema.nullable().describe('The plan that is let go; null: the hold of the site.'),
    reason: why.describe('Why it is let go.'),
  }),
  PlanDeletion: z.strictObject({ reason: why.describe('Why it is deleted.') }),
  PlanDeleted: z.strictObject({ plan: z.string(), deleted: z.literal(true) }),
} as const
