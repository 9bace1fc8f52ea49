// Counts over the whole deployment for /metrics. No name of a site leaves these queries.

/** Enrolled agents that are not revoked. */
export async function countAgents(db: D1Database): Promise<number> {
  const n = await db
    .prepare('SELECT COUNT(*) AS n FROM agents WHERE revoked_ms IS NULL')
    .first<number>('n')
  return n ?? 0
}

/** Credentials that are not revoked, by role. */
export async function countCredentials(db: D1Database): Promise<{ role: string; n: number }[]> {
  const { results } = await db
    .prepare(
      'SELECT role, COUNT(*) AS n FROM credentials WHERE revoked_ms IS NULL GROUP BY role ORDER BY role',
    )
    .all<{ role: string; n: number }>()
  return results
}
