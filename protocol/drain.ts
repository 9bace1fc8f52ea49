// A site that takes no new runs.
import { z } from 'zod'

export const drainSchema = z.strictObject({
  reason: z.string().min(1).max(500).describe('Why, in words.'),
  by: z
    .string()
    .max(200)
    .describe('Who began it: the owner of a credential, or the operator of the deployment.'),
  since_ms: z.number().min(0).describe('Since when (milliseconds since the epoch).'),
})
export type Drain = z.infer<typeof drainSchema>
