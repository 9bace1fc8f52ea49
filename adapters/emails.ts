// The address under which an identity provider knows a person. An administrator puts it on a credential;
// without that line it opens nothing. Compared in lower case, as every provider does.
import { limits } from '../protocol/limits.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { credentialColumns, type Credential } from './credentials.ts'

const spelled = (email: string): string => email.trim().toLowerCase()

/**
 * Puts an address on a person's credential, or takes it away (null). One address is one person of a site: on
 * credentials of another owner it is refused. Sign-ins that rested on the address before end.
 */
export async function setCredentialEmail(
  db: D1Database,
  at: {
    readonly site: string
    readonly id: string
    readonly email: string | null
    readonly by: string
    readonly now_ms: number
  },
): Promise<Result<Credential, 'not_found' | 'email_taken'>> {
  const email = at.email === null ? null : spelled(at.email)
  const [, , read] = await db.batch<Credential>([
    db
      .prepare(
        `UPDATE credentials SET email = ?3
         WHERE site = ?1 AND id = ?2 AND role <> 'planner' AND email IS NOT ?3
           AND NOT EXISTS (SELECT 1 FROM credentials o WHERE o.site = ?1 AND o.email = ?3
             AND o.revoked_ms IS NULL AND o.owner <> credentials.owner)`,
      )
      .bind(at.site, at.id, email),
    // In the same transaction: no sign-in outlives the address that it rests on, nor what was opened from it.
    db
      .prepare(
        `WITH RECURSIVE opened (id) AS (
           SELECT id FROM sign_ins WHERE site = ?3 AND credential = ?4 AND way = 'access'
           UNION SELECT s.id FROM sign_ins s JOIN opened o ON s.parent = o.id)
         UPDATE sign_ins SET ended_ms = ?1, ended_by = ?2
         WHERE changes() > 0 AND id IN (SELECT id FROM opened) AND ended_ms IS NULL`,
      )
      .bind(at.now_ms, at.by, at.site, at.id),
    db
      .prepare(
        `SELECT ${credentialColumns} FROM credentials WHERE site = ? AND id = ? AND role <> 'planner'`,
      )
      .bind(at.site, at.id),
  ])
  const row = read?.results[0]
  if (row === undefined) return err('not_found')
  return row.email === email ? ok(row) : err('email_taken')
}

/** Credentials of people, at every site, that carry this address and are in force. */
export async function credentialsByEmail(
  db: D1Database,
  email: string,
  now_ms: number,
): Promise<Credential[]> {
  const { results } = await db
    .withSession('first-primary')
    .prepare(
      `SELECT ${credentialColumns} FROM credentials WHERE email = ?1 AND revoked_ms IS NULL
         AND (expires_ms IS NULL OR expires_ms > ?2) AND role <> 'planner'
       ORDER BY site, role, id LIMIT ?3`,
    )
    .bind(spelled(email), now_ms, limits.listPageMax)
    .all<Credential>()
  return results
}

/** One credential of a site that carries this address, in force or not, or null. */
export async function credentialWithEmail(
  db: D1Database,
  at: { readonly site: string; readonly id: string; readonly email: string },
): Promise<Credential | null> {
  return db
    .withSession('first-primary')
    .prepare(
      `SELECT ${credentialColumns} FROM credentials
       WHERE site = ? AND id = ? AND email = ? AND role <> 'planner'`,
    )
    .bind(at.site, at.id, spelled(at.email))
    .first<Credential>()
}
