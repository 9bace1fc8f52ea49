// How many sign-ins a site has refused in this hour: strangers must not fill its trail, nor take the lines of
// refusals that need a credential.

const hourMs = 3_600_000

/** Counts one; which of the hour it is, or null for a site that there is not. */
export async function countRefused(
  db: D1Database,
  site: string,
  { who, now_ms }: { readonly who: 'stranger' | 'known'; readonly now_ms: number },
): Promise<number | null> {
  const hour = Math.floor(now_ms / hourMs)
  const n = await db
    .prepare(
      `INSERT INTO refused_sign_ins (site, hour, who, n) SELECT site, ?2, ?3, 1 FROM sites WHERE site = ?1
       ON CONFLICT (site, hour, who) DO UPDATE SET n = n + 1 RETURNING n`,
    )
    .bind(site, hour, who)
    .first<number>('n')
  if (n === 1) {
    await db
      .prepare('DELETE FROM refused_sign_ins WHERE site = ? AND hour < ?')
      .bind(site, hour)
      .run()
  }
  return n
}
