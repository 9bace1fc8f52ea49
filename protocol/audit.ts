// One line of an append-only trail. Each entry's digest covers the one before it, so a changed or
// missing entry is detected (invariant 8).
import { z } from 'zod'
import { digest } from './digest.ts'
import { jsonObjectSchema, type JsonObject } from './json.ts'

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

/** What happened, before it has its place in the trail. */
export type AuditEvent = {
  readonly at_ms: number
  readonly actor: string
  readonly event: string
  readonly facts: JsonObject
}

/** The end of a trail: all that the next entry needs; null for an empty one. */
export type AuditHead = Pick<AuditEntry, 'seq' | 'digest'> | null

/** The next entry of a trail. Its digest covers every other field, `prev` among them. */
export async function nextAuditEntry(head: AuditHead, event: AuditEvent): Promise<AuditEntry> {
  const body = { seq: (head?.seq ?? -1) + 1, ...event, prev: head?.digest ?? '' }
  return { ...body, digest: await digest('audit', body) }
}

/** Where a complete trail was changed: the first `seq` that does not follow, or null when it holds. */
export async function brokenAt(entries: readonly AuditEntry[]): Promise<number | null> {
  let head: AuditHead = null
  for (const [i, entry] of entries.entries()) {
    const { at_ms, actor, event, facts } = entry
    const expected: AuditEntry = await nextAuditEntry(head, { at_ms, actor, event, facts })
    if (expected.digest !== entry.digest || entry.prev !== expected.prev || entry.seq !== i)
      return i
    head = entry
  }
  return null
}
