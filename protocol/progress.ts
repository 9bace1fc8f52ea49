// What a call says of itself while it runs. For people and planners to see, and never for a decision: it is
// a stranger's word, unsigned, and may be lost.
import { z } from 'zod'
import { limits } from './limits.ts'

/** How far a running call is, in its own words and numbers; `declined`: it asked us something. */
export const toldSchema = z.strictObject({
  progress: z.number().nullable().describe('How far, in its own numbers.'),
  total: z.number().nullable().describe('Of how much, where it says so.'),
  message: z.string().max(limits.progressCharsMax).nullable(),
  /** The method of a question that its server asked and that was declined at once. */
  declined: z.string().max(60).nullable(),
})
export type Told = z.infer<typeof toldSchema>

/** The newest word of a step, as it is shown. */
export const stepProgressSchema = toldSchema
  .omit({ declined: true })
  .extend({ at_ms: z.number().min(0) })
export type StepProgress = z.infer<typeof stepProgressSchema>
