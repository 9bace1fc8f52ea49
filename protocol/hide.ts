// What a site hides from the vendors of models: a person's name, a patient's number, the name of a thing.
// Each rule says of which kind it is; the kind is all that a judge is told.
import { z } from 'zod'
import { limits } from './limits.ts'

export const hideRuleSchema = z.strictObject({
  /** What judges read instead, with a number: `[hidden patient 1]`. */
  kind: z.string().regex(/^[a-z][a-z-]{0,29}$/),
  /** Names of arguments whose values are hidden, at any depth. */
  fields: z.array(z.string().min(1).max(limits.idCharsMax)).max(50).default([]),
  /** Only of this tool; left out: of every tool. */
  tool: z.string().min(1).max(limits.idCharsMax).optional(),
  /** Words and names, whatever their case. */
  words: z.array(z.string().trim().min(2).max(200)).max(200).default([]),
  /** Regular expressions that match in linear time. */
  patterns: z.array(z.string().min(1).max(limits.patternCharsMax)).max(10).default([]),
})
export type HideRule = z.infer<typeof hideRuleSchema>
