// What D1 knows of one site that may be an incident: reviews that run out, money, how the last plans went.
import { dayOf } from './judge-spend-d1.ts'

export type RecentPlan = {
  planner: string
  verdict: string | null
  /** JSON array of reasons. */
  reasons: string
  decided_ms: number
}

export type SiteFacts = {
  /** When the first open review ends; null when none is open. */
  review_expires_ms: number | null
  /** Dollars that are set aside for judges today. */
  spent_usd: number
  /** Plans that came lately and are decided, the newest first. */
  recent: readonly RecentPlan[]
}

/** Few rows, each found by an index. Throws when D1 is down. */
export async function siteFacts(
  db: D1Database,
  look: { site: string; since_ms: number; plansMax: number; now_ms: number },
): Promise<SiteFacts> {
  const [reviews, spend, recent] = await db.batch([
    db
      .prepare(
        `SELECT MIN(review_expires_ms) AS at FROM plans WHERE site = ? AND state = 'escalated'`,
      )
      .bind(look.site),
    db
      .prepare('SELECT usd FROM judge_spend WHERE site = ? AND day = ?')
      .bind(look.site, dayOf(look.now_ms)),
    db
      .prepare(
        `SELECT planner, verdict, reasons, decided_ms FROM plans
           WHERE site = ? AND received_ms > ? AND decided_ms IS NOT NULL
           ORDER BY received_ms DESC LIMIT ?`,
      )
      .bind(look.site, look.since_ms, look.plansMax),
  ])
  const [review] = (reviews?.results ?? []) as { at: number | null }[]
  const [spent] = (spend?.results ?? []) as { usd: number }[]
  return {
    review_expires_ms: review?.at ?? null,
    spent_usd: spent?.usd ?? 0,
    recent: (recent?.results ?? []) as RecentPlan[],
  }
}
