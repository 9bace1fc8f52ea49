// The index of a site's standing approvals: which there are. Nothing here says what they cover.
import { limits } from '../protocol/limits.ts'

export type TemplateRow = { readonly template: string; readonly created_ms: number }

/** Files one more; false when the site has as many as it may. One statement decides. */
export async function putTemplate(
  db: D1Database,
  { site, template, created_ms }: TemplateRow & { readonly site: string },
): Promise<boolean> {
  const done = await db
    .prepare(
      `INSERT INTO templates (site, template, created_ms) SELECT ?1, ?2, ?3
       WHERE (SELECT COUNT(*) FROM templates WHERE site = ?1) < ?4`,
    )
    .bind(site, template, created_ms, limits.templatesMax)
    .run()
  return done.meta.changes > 0
}

/** Newest first. */
export async function listTemplates(
  db: D1Database,
  site: string,
  page: { readonly after: { created_ms: number; id: string } | null; readonly limit: number },
): Promise<TemplateRow[]> {
  const after = page.after === null ? '' : 'AND (created_ms, template) < (?, ?)'
  const values = page.after === null ? [] : [page.after.created_ms, page.after.id]
  const { results } = await db
    .prepare(
      `SELECT template, created_ms FROM templates WHERE site = ? ${after}
       ORDER BY created_ms DESC, template DESC LIMIT ?`,
    )
    .bind(site, ...values, page.limit)
    .all<TemplateRow>()
  return results
}
