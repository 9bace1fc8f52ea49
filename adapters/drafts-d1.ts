// The draft of a site file, one for each site. A change names the version that it was made from, so that two
// administrators do not overwrite each other. Every statement binds the site (invariant 6).
import { z } from 'zod'
import { readStored } from '../protocol/lenient.ts'
import { registrySchema } from '../protocol/registry.ts'
import { exampleSchema } from '../verify/onboard/example.ts'

export const draftAnswerSchema = z.strictObject({
  id: z.string(),
  answer: z.string(),
  by: z.string(),
  at_ms: z.number(),
  held: z.int().min(0),
  of: z.int().min(0),
})

const draftSchema = z.strictObject({
  registry: registrySchema,
  /** What was answered, oldest first, with how many example plans were then held. */
  answers: z.array(draftAnswerSchema),
  examples: z.array(exampleSchema),
})
export type SiteDraft = z.infer<typeof draftSchema>

export type StoredDraft = SiteDraft & { readonly version: number }

/** The draft as it is at the primary; null when there is none. */
export async function readDraft(db: D1Database, site: string): Promise<StoredDraft | null> {
  const row = await db
    .withSession('first-primary')
    .prepare('SELECT version, registry, answers, examples FROM site_drafts WHERE site = ?')
    .bind(site)
    .first<{ version: number; registry: string; answers: string; examples: string }>()
  if (row === null) return null
  const read = readStored('draft', draftSchema, {
    registry: JSON.parse(row.registry) as unknown,
    answers: JSON.parse(row.answers) as unknown,
    examples: JSON.parse(row.examples) as unknown,
  })
  if (!read.ok) throw new Error(`the draft of the site cannot be read: ${read.error.detail}`)
  return { ...read.value, version: row.version }
}

/** Writes a draft made from `version` (0: there was none); false when another one stands by now. */
export async function writeDraft(
  db: D1Database,
  site: string,
  { registry, answers, examples, version }: StoredDraft,
  { by, now_ms }: { readonly by: string; readonly now_ms: number },
): Promise<boolean> {
  const texts = [registry, answers, examples].map((one) => JSON.stringify(one))
  const { meta } = await db
    .prepare(
      `INSERT INTO site_drafts (site, version, registry, answers, examples, changed_ms, changed_by)
       VALUES (?1, ?2 + 1, ?3, ?4, ?5, ?6, ?7)
       ON CONFLICT (site) DO UPDATE SET version = excluded.version, registry = ?3, answers = ?4,
         examples = ?5, changed_ms = ?6, changed_by = ?7
       WHERE site_drafts.version = ?2`,
    )
    .bind(site, version, ...texts, now_ms, by)
    .run()
  return meta.changes > 0
}

/** False when there was none. */
export async function deleteDraft(db: D1Database, site: string): Promise<boolean> {
  const { meta } = await db.prepare('DELETE FROM site_drafts WHERE site = ?').bind(site).run()
  return meta.changes > 0
}
