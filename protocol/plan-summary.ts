// The shape of a plan's summary (plan-words.ts), as the index of plans holds it.
import { z } from 'zod'
import { goalMax, sentenceMax } from './plan-words.ts'

export const planSummarySchema = z.strictObject({
  goal: z.string().max(goalMax),
  what: z.string().max(sentenceMax).describe('What would happen if it were accepted.'),
  why: z.string().max(sentenceMax).describe('Why it waits or was decided as it was.'),
  /** 0: reads or text; 1: something moves; 2: something is not known or doubted; 3: a rule is broken. */
  risk: z.int().min(0).max(3),
  /** Ids of the steps that something was found at. */
  concerned: z.array(z.string()).max(50),
  approvals: z.int().min(0).describe('Acceptances so far.'),
  approvals_required: z.int().min(1),
})
export type PlanSummary = z.infer<typeof planSummarySchema>
