// One-time codes with which an agent enrols the key that it made itself. A code is taken by one row
// update, so that of two that bring it only one is let in.
import { encodeBase64url } from '../protocol/base64url.ts'
import { limits } from '../protocol/limits.ts'
import { err, ok, type Result } from '../protocol/result.ts'

export type EnrolmentCode = {
  readonly site: string
  readonly agent: string
  readonly cell: string
  /** Id of the administrator's credential that made it, and whose that is. */
  readonly credential: string
  readonly created_by: string
  readonly expires_ms: number
}

/** Why a code was not taken: for the site's trail; outside every one looks the same. */
export type CodeFailure = 'wrong' | 'used' | 'expired' | 'maker_revoked'

async function digestOf(code: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code))
  return encodeBase64url(new Uint8Array(bytes))
}

/** Keeps a fresh code, whose text is returned here and nowhere else. Forgets those long over. */
export async function createCode(
  db: D1Database,
  code: EnrolmentCode,
  now_ms: number,
): Promise<string> {
  const text = encodeBase64url(crypto.getRandomValues(new Uint8Array(limits.enrolmentCodeBytes)))
  await db.batch([
    db
      .prepare('DELETE FROM enrolment_codes WHERE expires_ms < ?')
      .bind(now_ms - limits.enrolmentCodeKeptMs),
    db
      .prepare(
        `INSERT INTO enrolment_codes
           (site, digest, agent, cell, created_ms, credential, created_by, expires_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .bind(
        code.site,
        await digestOf(text),
        code.agent,
        code.cell,
        now_ms,
        code.credential,
        code.created_by,
        code.expires_ms,
      ),
  ])
  return text
}

/** Takes a code, once; or says why not, with the agent that it was made for where that is known. */
export async function takeCode(
  db: D1Database,
  given: { readonly site: string; readonly code: string },
  now_ms: number,
): Promise<Result<EnrolmentCode, { why: CodeFailure; agent: string | null }>> {
  const primary = db.withSession('first-primary')
  const digest = await digestOf(given.code)
  const taken = await primary
    .prepare(
      `UPDATE enrolment_codes SET used_ms = ?1
       WHERE site = ?2 AND digest = ?3 AND used_ms IS NULL AND expires_ms > ?1
         AND EXISTS (SELECT 1 FROM credentials c WHERE c.id = enrolment_codes.credential
           AND c.site = ?2 AND c.revoked_ms IS NULL
           AND (c.expires_ms IS NULL OR c.expires_ms > ?1))
       RETURNING site, agent, cell, credential, created_by, expires_ms`,
    )
    .bind(now_ms, given.site, digest)
    .first<EnrolmentCode>()
  if (taken !== null) return ok(taken)
  const row = await primary
    .prepare('SELECT agent, used_ms, expires_ms FROM enrolment_codes WHERE site = ? AND digest = ?')
    .bind(given.site, digest)
    .first<{ agent: string; used_ms: number | null; expires_ms: number }>()
  if (row === null) return err({ why: 'wrong', agent: null })
  if (row.used_ms !== null) return err({ why: 'used', agent: row.agent })
  return err({ why: row.expires_ms <= now_ms ? 'expired' : 'maker_revoked', agent: row.agent })
}
