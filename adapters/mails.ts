// Who gets mail about a plan, and that nobody gets too much of it.
import { limits } from '../protocol/limits.ts'

const hourMs = 3_600_000
const keptMs = 24 * hourMs

/** A reviewer who can be written to. */
export type Recipient = { readonly owner: string; readonly email: string }

/** Reviewers of the site whose credential is in force and carries an address, each address once. */
export async function reviewersWithMail(
  db: D1Database,
  at: { readonly site: string; readonly now_ms: number },
): Promise<Recipient[]> {
  const { results } = await db
    .withSession('first-primary')
    .prepare(
      `SELECT DISTINCT owner, email FROM credentials
       WHERE site = ?1 AND role = 'reviewer' AND email IS NOT NULL AND revoked_ms IS NULL
         AND (expires_ms IS NULL OR expires_ms > ?2)
       ORDER BY owner, email LIMIT ?3`,
    )
    .bind(at.site, at.now_ms, limits.listPageMax)
    .all<Recipient>()
  return results
}

type Mail = { readonly site: string; readonly message: string; readonly email: string }

/**
 * Notes that a message goes to a person. False when it went before, or when the person has had as many in
 * the last hour as anybody gets. One statement decides.
 */
export async function mayMail(db: D1Database, mail: Mail, now_ms: number): Promise<boolean> {
  const [, noted] = await db.batch([
    db.prepare('DELETE FROM mails WHERE site = ? AND at_ms < ?').bind(mail.site, now_ms - keptMs),
    db
      .prepare(
        `INSERT OR IGNORE INTO mails (site, message, email, at_ms) SELECT ?1, ?2, ?3, ?4
         WHERE (SELECT COUNT(*) FROM mails WHERE site = ?1 AND email = ?3 AND at_ms > ?5) < ?6`,
      )
      .bind(
        mail.site,
        mail.message,
        mail.email,
        now_ms,
        now_ms - hourMs,
        limits.mailsPerPersonPerHour,
      ),
  ])
  return (noted?.meta.changes ?? 0) > 0
}

/** It was not handed over after all: the next attempt may. */
export async function forgetMail(db: D1Database, { site, message, email }: Mail): Promise<void> {
  await db
    .prepare('DELETE FROM mails WHERE site = ? AND message = ? AND email = ?')
    .bind(site, message, email)
    .run()
}
