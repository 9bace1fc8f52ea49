// Counts for /metrics, by site: few rows whatever the number of plans, since D1 keeps them as plans change.

export type PlanCount = { site: string; state: string; verdict: string; n: number }

/** How many plans there are now, by state and verdict; `''` for no verdict yet. */
export async function countPlans(db: D1Database): Promise<PlanCount[]> {
  const { results } = await db
    .prepare('SELECT site, state, verdict, n FROM plan_counts WHERE n > 0 ORDER BY 1, 2, 3')
    .all<PlanCount>()
  return results
}

/** One bucket of a histogram: those of at most `le` seconds that are in no lower one; -1 for no bound. */
export type SecondsBucket = { site: string; stage: string; le: number; n: number; seconds: number }

/** How long verdicts and runs took, from the first plan on, with the bounds of all buckets. */
export async function planSeconds(
  db: D1Database,
): Promise<{ buckets: SecondsBucket[]; bounds: number[] }> {
  const [buckets, bounds] = await db.batch<SecondsBucket>([
    db.prepare('SELECT site, stage, le, n, seconds FROM plan_seconds ORDER BY 1, 2, 3'),
    db.prepare('SELECT le FROM plan_second_bounds ORDER BY le'),
  ])
  return {
    buckets: buckets?.results ?? [],
    bounds: (bounds?.results ?? []).map(({ le }) => le),
  }
}

export type ReasonCount = { site: string; of: 'decision' | 'run'; reason: string; n: number }

/** Why plans were decided as they were and runs ended, from the first plan on. */
export async function countReasons(db: D1Database): Promise<ReasonCount[]> {
  const { results } = await db
    .prepare('SELECT site, of, reason, n FROM plan_reasons ORDER BY 1, 2, 3')
    .all<ReasonCount>()
  return results
}

export type OpenReviews = { site: string; n: number; oldest_ms: number; expires_ms: number | null }

/** Plans that wait for a person, by site: how many, since when, and when the first review ends. */
export async function openReviews(db: D1Database): Promise<OpenReviews[]> {
  const { results } = await db
    .prepare(
      `SELECT site, COUNT(*) AS n, MIN(received_ms) AS oldest_ms, MIN(review_expires_ms) AS expires_ms
       FROM plans WHERE state = 'escalated' GROUP BY site ORDER BY site`,
    )
    .all<OpenReviews>()
  return results
}

/** What was set aside for judges on a day (UTC, `2026-01-31`), by site, in dollars. */
export async function spentOn(
  db: D1Database,
  day: string,
): Promise<{ site: string; usd: number }[]> {
  const { results } = await db
    .prepare('SELECT site, usd FROM judge_spend WHERE day = ? ORDER BY site')
    .bind(day)
    .all<{ site: string; usd: number }>()
  return results
}

/** Credentials that are not revoked, by role. */
export async function countCredentials(
  db: D1Database,
): Promise<{ site: string; role: string; n: number }[]> {
  const { results } = await db
    .prepare(
      `SELECT site, role, COUNT(*) AS n FROM credentials WHERE revoked_ms IS NULL
       GROUP BY site, role ORDER BY 1, 2`,
    )
    .all<{ site: string; role: string; n: number }>()
  return results
}

/** Names of the sites, at most `max`. */
export async function siteNames(db: D1Database, max: number): Promise<string[]> {
  const { results } = await db
    .prepare('SELECT site FROM sites ORDER BY site LIMIT ?')
    .bind(max)
    .all<{ site: string }>()
  return results.map(({ site }) => site)
}

/** Notes that a site binds no plan, or that it does again. */
export async function noteDrain(
  db: D1Database,
  site: string,
  drain: { since_ms: number } | null,
): Promise<void> {
  await (
    drain === null
      ? db.prepare('DELETE FROM drains WHERE site = ?').bind(site)
      : db
          .prepare('INSERT OR REPLACE INTO drains (site, since_ms) VALUES (?, ?)')
          .bind(site, drain.since_ms)
  ).run()
}

/** How many sites bind no plan. */
export async function drainingSites(db: D1Database): Promise<number> {
  return (await db.prepare('SELECT COUNT(*) AS n FROM drains').first<number>('n')) ?? 0
}
