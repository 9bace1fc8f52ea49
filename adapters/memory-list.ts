// Failure memory as reviewers see it: what the site remembers, why, until when, and who settled it.

export type MemoryRow = {
  id: string
  kind: 'failure' | 'precedent'
  event: string
  plan: string
  planner: string
  basis: string
  codes: string[]
  at_ms: number
  expires_ms: number
  resolved_ms: number | null
  resolved_by: string | null
  resolved_reason: string | null
}

type Raw = Omit<MemoryRow, 'codes'> & { codes: string }

/** One page of a site's memory, newest first; expired rows are not shown. */
export async function listMemories(
  db: D1Database,
  site: string,
  page: { after: { at_ms: number; id: string } | null; limit: number; now_ms: number },
): Promise<MemoryRow[]> {
  const after = page.after === null ? '' : 'AND (at_ms, id) < (?, ?)'
  const values = page.after === null ? [] : [page.after.at_ms, page.after.id]
  const { results } = await db
    .prepare(
      `SELECT id, kind, event, plan, planner, basis, codes, at_ms, expires_ms, resolved_ms,
         resolved_by, resolved_reason
       FROM memory WHERE site = ? AND expires_ms >= ? ${after} ORDER BY at_ms DESC, id DESC LIMIT ?`,
    )
    .bind(site, page.now_ms, ...values, page.limit)
    .all<Raw>()
  return results.map((row) => ({ ...row, codes: JSON.parse(row.codes) as string[] }))
}
