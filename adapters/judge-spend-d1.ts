// What the judges of a site may cost in one day. Set aside before anybody is asked, at the most that it
// can cost, in one statement: plans that come at the same time cannot spend the same money twice.

/** The day (UTC) that a time falls into, as `YYYY-MM-DD`. */
export const dayOf = (now_ms: number): string => new Date(now_ms).toISOString().slice(0, 10)

/**
 * Sets `cost_usd` aside from what `site` may spend on the day of `now_ms`; false when that would be
 * beyond `max_usd`, and then nothing is set aside. A cost that is not known never fits.
 */
export async function reserveSpend(
  db: D1Database,
  spend: {
    readonly site: string
    readonly cost_usd: number | null
    readonly max_usd: number
    readonly now_ms: number
  },
): Promise<boolean> {
  const { site, cost_usd, max_usd, now_ms } = spend
  if (cost_usd === null || cost_usd > max_usd) return false
  const kept = await db
    .prepare(
      `INSERT INTO judge_spend (site, day, usd) VALUES (?1, ?2, ?3)
         ON CONFLICT (site, day) DO UPDATE SET usd = usd + ?3 WHERE usd + ?3 <= ?4
       RETURNING usd`,
    )
    .bind(site, dayOf(now_ms), cost_usd, max_usd)
    .first<{ usd: number }>()
  return kept !== null
}
