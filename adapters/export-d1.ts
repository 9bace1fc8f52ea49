// Rows of one site for its export, a page of each table at a time. No secret is in them: credentials are read
// by their public columns, sign-ins and codes not at all.
import { credentialColumns } from './credentials.ts'

const pageMax = 500

/** Tables in their order, with the column that names a row and the columns that leave. */
const tables = [
  ['sites', 'site', 'site, created_ms, jurisdiction, location_hint'],
  ['credentials', 'id', credentialColumns],
  ['agents', 'agent', 'agent, cell, jkt, jwk, created_ms, revoked_ms'],
  ['memory', 'id', '*'],
  ['judge_resolutions', 'plan', '*'],
  ['site_drafts', 'site', 'site, version, registry, answers, examples, changed_ms, changed_by'],
] as const

export type ExportedRow = { table: string; id: string; row: Record<string, unknown> }

/** Every row of the tables that belong to a site beside its plans. */
export async function* exportRows(
  db: D1Database,
  site: string,
): AsyncGenerator<ExportedRow, void, undefined> {
  for (const [table, key, columns] of tables) {
    for (let after = ''; ;) {
      const { results } = await db
        .prepare(
          `SELECT ${key} AS row_key, ${columns} FROM ${table} WHERE site = ? AND ${key} > ?
           ORDER BY ${key} LIMIT ?`,
        )
        .bind(site, after, pageMax)
        .all<Record<string, unknown> & { row_key: string }>()
      for (const { row_key: id, ...row } of results) yield { table, id, row }
      const last = results.at(-1)
      if (last === undefined || results.length < pageMax) break
      after = last.row_key
    }
  }
}

export type ExportedPlan = { plan: string; received_ms: number; row: Record<string, unknown> }

/** Plans after a place, oldest first. */
export async function plansFrom(
  db: D1Database,
  site: string,
  { after, limit }: { after: { plan: string; received_ms: number } | null; limit: number },
): Promise<ExportedPlan[]> {
  const { results } = await db
    .prepare(
      `SELECT * FROM plans WHERE site = ? AND (received_ms, plan) > (?, ?)
       ORDER BY received_ms, plan LIMIT ?`,
    )
    .bind(site, after?.received_ms ?? -1, after?.plan ?? '', limit)
    .all<Record<string, unknown> & { plan: string; received_ms: number }>()
  return results.map((row) => ({ plan: row.plan, received_ms: row.received_ms, row }))
}
