// The index of a site's standing approvals: which there are. Nothing here says what they cover.
import { limits } from '../protocol/limits.ts'

export type TemplateRow = { readonly template: string; readonly created_ms: number }

/** Files one more; false when the site has as many as it may. One statement decides. */
export async function putTemplate(
  db: D1Database,
  {
    site,
    template,
    created_ms,
    base,
  }: TemplateRow & {
    readonly site: string
    /** The plan that it is made from. */ readonly base: string
  },
): Promise<boolean> {
  const done = await db
    .prepare(
      `INSERT INTO templates (site, template, created_ms, base) SELECT ?1, ?2, ?3, ?5
       WHERE (SELECT COUNT(*) FROM templates WHERE site = ?1) < ?4`,
    )
    .bind(site, template, created_ms, limits.templatesMax, base)
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

/**
 * Those that were made from a plan, and those of which the index does not say from which (`sure` is false): they
 * are asked.
 */
export async function templatesMadeFrom(
  db: D1Database,
  site: string,
  plan: string,
): Promise<{ template: string; sure: boolean }[]> {
  const { results } = await db
    .withSession('first-primary')
    .prepare('SELECT template, base FROM templates WHERE site = ?1 AND (base = ?2 OR base IS NULL)')
    .bind(site, plan)
    .all<{ template: string; base: string | null }>()
  return results.map(({ template, base }) => ({ template, sure: base !== null }))
}

/** Takes one out of the index. */
export async function dropTemplate(db: D1Database, site: string, template: string): Promise<void> {
  await db
    .prepare('DELETE FROM templates WHERE site = ? AND template = ?')
    .bind(site, template)
    .run()
}

/** All of a site, oldest last, a page at a time. */
export async function* allTemplates(
  db: D1Database,
  site: string,
): AsyncGenerator<string, void, undefined> {
  const limit = 100
  let after: { created_ms: number; id: string } | null = null
  for (;;) {
    const rows: TemplateRow[] = await listTemplates(db, site, { after, limit })
    for (const { template } of rows) yield template
    const last = rows.at(-1)
    if (last === undefined || rows.length < limit) return
    after = { created_ms: last.created_ms, id: last.template }
  }
}
