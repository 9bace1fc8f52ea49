// Pages of a chained trail: `after` is the last `seq` that was read, so nothing is skipped or repeated
// while the trail grows.
import { z } from 'zod'
import type { AuditEntry } from '../protocol/audit.ts'
import { limits } from '../protocol/limits.ts'

/** Asks an object for its trail after a place; -1 is the beginning. */
export type Trailed = { audit(after: number): Promise<AuditEntry[]> }

export const auditQuery = z.strictObject({
  after: z
    .string()
    .regex(/^-?[0-9]{1,15}$/)
    .transform(Number)
    .pipe(z.int().min(-1))
    .optional()
    .describe('The last `seq` that was read; left out: from the beginning.'),
})

/** One page with the place where the next one starts; null at the end of the trail. */
export function auditPage(items: AuditEntry[]): { items: AuditEntry[]; next: number | null } {
  const more = items.length >= limits.auditEntriesPerPage
  return { items, next: more ? (items.at(-1)?.seq ?? null) : null }
}
