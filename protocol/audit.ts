// One line of an append-only trail. Each entry's digest covers the one before it, so a changed or
// missing entry is detected (invariant 8).
import { z } from 'zod'
import { jsonObjectSchema } from './json.ts'

export const auditEntrySchema = z.strictObject({
  seq: z.int().min(0),
  at_ms: z.number(),
  /** Who or what: a credential's subject, an agent, or the gateway itself. */
  actor: z.string().max(200),
  event: z.string().max(60),
  facts: jsonObjectSchema,
  /** Digest of the entry before it, or '' for the first. */
  prev: z.string().max(60),
  digest: z.string().max(60),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>
