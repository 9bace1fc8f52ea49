// A site that takes no new runs.
import { z } from 'zod'

export const drainSchema = z.strictObject({
  reason: z.string().min(1).max(500),
  /** Who began it: the owner of a credential, or the operator of the deployment. */
  by: z.string().max(200),
  since_ms: z.number().min(0),
})
export type Drain = z.infer<typeof drainSchema>
