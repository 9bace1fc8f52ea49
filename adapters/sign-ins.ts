// Sign-ins of people in D1: a one-time code opens one, a cookie carries it. A sign-in has no authority of its
// own: every use asks for the credential behind it, so that revoking that one ends them all.
import { encodeBase64url } from '../protocol/base64url.ts'
import { makeId } from '../protocol/ids.ts'
import { limits } from '../protocol/limits.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { credentialColumns, isInForce, type Credential } from './credentials.ts'
import { parseSecret, sameDigest, sha256Hex } from './secret.ts'

/** By what it was opened. */
export const signInWays = ['code', 'access', 'passkey'] as const
export type SignInWay = (typeof signInWays)[number]

/** One sign-in, without its secret. */
export type SignIn = {
  readonly id: string
  readonly way: SignInWay
  readonly credential: string
  readonly owner: string
  readonly created_ms: number
  readonly expires_ms: number
  readonly last_used_ms: number | null
  readonly ended_ms: number | null
  readonly ended_by: string | null
}

/** A sign-in that was just opened; `value` is the cookie's and is kept nowhere else. */
export type OpenedSignIn = {
  readonly id: string
  readonly value: string
  readonly expires_ms: number
  readonly holder: Credential
}

const lastUsedStepMs = 60_000
/** A digest that no secret has, so that an unknown id costs the same comparison. */
const noDigest = '0'.repeat(64)

const digestOf = (text: string): Promise<string> => sha256Hex(new TextEncoder().encode(text))

/** A credential of the site that is in force, or null. */
export async function credentialInForce(
  db: D1Database,
  at: { readonly site: string; readonly id: string; readonly now_ms: number },
): Promise<Credential | null> {
  const row = await db
    .withSession('first-primary')
    .prepare(`SELECT ${credentialColumns} FROM credentials WHERE site = ? AND id = ?`)
    .bind(at.site, at.id)
    .first<Credential>()
  return row !== null && isInForce(row, at.now_ms) ? row : null
}

/** Keeps a fresh code, whose text is returned here and nowhere else. Forgets what is long over. */
export async function createSignInCode(
  db: D1Database,
  code: {
    readonly site: string
    readonly credential: string
    readonly made_with: string
    /** The sign-in that asks, or null for a token. */
    readonly parent: string | null
  },
  now_ms: number,
): Promise<Result<{ code: string; expires_ms: number }, 'too_many_codes'>> {
  const open = await db
    .prepare(
      'SELECT COUNT(*) AS n FROM sign_in_codes WHERE made_with = ? AND expires_ms > ? AND used_ms IS NULL',
    )
    .bind(code.made_with, now_ms)
    .first<number>('n')
  if ((open ?? 0) >= limits.signInCodesOpenMax) return err('too_many_codes')
  const text = encodeBase64url(crypto.getRandomValues(new Uint8Array(32)))
  const expires_ms = now_ms + limits.signInCodeMs
  const over = now_ms - limits.signInsKeptMs
  await db.batch([
    db.prepare('DELETE FROM sign_in_codes WHERE expires_ms < ?').bind(over),
    db.prepare('DELETE FROM sign_ins WHERE expires_ms < ?').bind(over),
    db
      .prepare(
        `INSERT INTO sign_in_codes
           (digest, site, credential, made_with, parent, created_ms, expires_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      )
      .bind(
        await digestOf(text),
        code.site,
        code.credential,
        code.made_with,
        code.parent,
        now_ms,
        expires_ms,
      ),
  ])
  return ok({ code: text, expires_ms })
}

type Taken = {
  site: string
  credential: string
  made_with: string
  parent: string | null
  until_ms: number | null
}

/**
 * Takes a code, once, and opens a sign-in; or null: the caller cannot tell whether it was wrong, used, over,
 * or of a credential that is no longer in force. Of two that bring the same code one is let in.
 */
export async function openSignIn(
  db: D1Database,
  code: string,
  now_ms: number,
): Promise<OpenedSignIn | null> {
  const primary = db.withSession('first-primary')
  const taken = await primary
    .prepare(
      `UPDATE sign_in_codes SET used_ms = ?1
       WHERE digest = ?2 AND used_ms IS NULL AND expires_ms > ?1
         AND EXISTS (SELECT 1 FROM credentials m WHERE m.id = sign_in_codes.made_with
           AND m.site = sign_in_codes.site AND m.revoked_ms IS NULL
           AND (m.expires_ms IS NULL OR m.expires_ms > ?1))
         AND (parent IS NULL OR EXISTS (SELECT 1 FROM sign_ins p WHERE p.id = sign_in_codes.parent
           AND p.ended_ms IS NULL AND p.expires_ms > ?1))
       RETURNING site, credential, made_with, parent,
         (SELECT p.expires_ms FROM sign_ins p WHERE p.id = sign_in_codes.parent) AS until_ms`,
    )
    .bind(now_ms, await digestOf(code))
    .first<Taken>()
  if (taken === null) return null
  const { site, credential, made_with, parent, until_ms } = taken
  const holder = await credentialInForce(db, { site, id: credential, now_ms })
  if (holder === null) return null
  return openFor(db, { holder, made_with, parent, until_ms, way: 'code' }, now_ms)
}

/**
 * Opens a sign-in for whoever has shown to be the holder. It lasts a working day, and never longer than the
 * credential or `until_ms`.
 */
export async function openFor(
  db: D1Database,
  opening: {
    readonly holder: Credential
    /** The credential that has to be in force all the while; the holder's own, unless another let them in. */
    readonly made_with: string
    readonly parent: string | null
    readonly until_ms: number | null
    readonly way: SignInWay
  },
  now_ms: number,
): Promise<OpenedSignIn> {
  const { holder, made_with, parent, until_ms, way } = opening
  const { site, id: credential } = holder
  const id = makeId('sign', crypto.getRandomValues(new Uint8Array(26)))
  const secret = crypto.getRandomValues(new Uint8Array(32))
  const bounds = [holder.expires_ms, until_ms].filter((at) => at !== null)
  const expires_ms = Math.min(now_ms + limits.signInMs, ...bounds)
  const kept = await sha256Hex(secret)
  await db.batch([
    db
      .prepare(
        `INSERT INTO sign_ins
           (id, site, credential, made_with, parent, secret_sha256, created_ms, expires_ms, way)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .bind(id, site, credential, made_with, parent, kept, now_ms, expires_ms, way),
    // More of them than anybody has browsers: the oldest go.
    db
      .prepare(
        `UPDATE sign_ins SET ended_ms = ?1, ended_by = 'gateway'
         WHERE site = ?2 AND credential = ?3 AND ended_ms IS NULL AND id NOT IN (
           SELECT id FROM sign_ins WHERE site = ?2 AND credential = ?3 AND ended_ms IS NULL
           ORDER BY created_ms DESC, id DESC LIMIT ?4)`,
      )
      .bind(now_ms, site, credential, limits.signInsPerCredentialMax),
  ])
  return { id, value: `${id}.${encodeBase64url(secret)}`, expires_ms, holder }
}

type Found = Credential & {
  secret_sha256: string
  sign_in_expires_ms: number
  sign_in_used_ms: number | null
  ended_ms: number | null
}

const holderColumns = credentialColumns
  .split(', ')
  .map((name) => `c.${name} AS ${name}`)
  .join(', ')

/**
 * The credential behind a cookie's value, with the id of the sign-in, or null when the value is malformed,
 * unknown, wrong, ended or over, or its credential or that of whoever let it in is not in force. Throws
 * when D1 is down.
 */
export async function signedIn(
  db: D1Database,
  value: string,
  now_ms: number,
): Promise<{ holder: Credential; sign_in: string; last_used_ms: number | null } | null> {
  const [id = '', text = '', ...more] = value.split('.')
  const secret = parseSecret(text)
  if (secret === null || more.length > 0 || !/^sign_[0-9a-hjkmnp-tv-z]{26}$/.test(id)) return null
  const row = await db
    .withSession('first-primary')
    .prepare(
      `SELECT ${holderColumns}, s.secret_sha256, s.ended_ms, s.expires_ms AS sign_in_expires_ms,
         s.last_used_ms AS sign_in_used_ms
       FROM sign_ins s JOIN credentials c ON c.id = s.credential AND c.site = s.site
       JOIN credentials m ON m.id = s.made_with AND m.site = s.site AND m.revoked_ms IS NULL
         AND (m.expires_ms IS NULL OR m.expires_ms > ?2)
       WHERE s.id = ?1`,
    )
    .bind(id, now_ms)
    .first<Found>()
  const matches = sameDigest(await sha256Hex(secret), row?.secret_sha256 ?? noDigest)
  if (row === null || !matches) return null
  const { secret_sha256: _, sign_in_expires_ms, sign_in_used_ms, ended_ms, ...holder } = row
  if (ended_ms !== null || sign_in_expires_ms <= now_ms || !isInForce(holder, now_ms)) return null
  return { holder, sign_in: id, last_used_ms: sign_in_used_ms }
}

/** Notes the use of a sign-in, at most once a minute. */
export async function touchSignIn(
  db: D1Database,
  used: { readonly sign_in: string; readonly last_used_ms: number | null },
  now_ms: number,
): Promise<void> {
  if (used.last_used_ms !== null && now_ms - used.last_used_ms < lastUsedStepMs) return
  await db
    .prepare('UPDATE sign_ins SET last_used_ms = ? WHERE id = ?')
    .bind(now_ms, used.sign_in)
    .run()
}

const listed = `SELECT s.id, s.way, s.credential, c.owner, s.created_ms, s.expires_ms, s.last_used_ms, s.ended_ms, s.ended_by
  FROM sign_ins s JOIN credentials c ON c.id = s.credential AND c.site = s.site`

/** Sign-ins that are open, newest first: of one credential, or of the whole site. */
export async function listSignIns(
  db: D1Database,
  at: { readonly site: string; readonly credential: string | null; readonly now_ms: number },
): Promise<SignIn[]> {
  const { results } = await db
    .withSession('first-primary')
    .prepare(
      `${listed} WHERE s.site = ?1 AND (?2 IS NULL OR s.credential = ?2) AND s.ended_ms IS NULL
         AND s.expires_ms > ?3 AND c.revoked_ms IS NULL AND (c.expires_ms IS NULL OR c.expires_ms > ?3)
       ORDER BY s.created_ms DESC, s.id DESC LIMIT ?4`,
    )
    .bind(at.site, at.credential, at.now_ms, limits.listPageMax)
    .all<SignIn>()
  return results
}

/** Ends a sign-in of the site, and all that were opened from it; of one credential or of any. Again is a no-op. */
export async function endSignIn(
  db: D1Database,
  at: {
    readonly site: string
    readonly id: string
    readonly credential: string | null
    readonly by: string
    readonly now_ms: number
  },
): Promise<Result<SignIn, 'not_found'>> {
  const mine = 'site = ?1 AND id = ?2 AND (?3 IS NULL OR credential = ?3)'
  const [, read] = await db.batch<SignIn>([
    db
      .prepare(
        `WITH RECURSIVE opened (id) AS (
           SELECT id FROM sign_ins WHERE ${mine}
           UNION SELECT s.id FROM sign_ins s JOIN opened o ON s.parent = o.id)
         UPDATE sign_ins SET ended_ms = ?4, ended_by = ?5
         WHERE id IN (SELECT id FROM opened) AND ended_ms IS NULL`,
      )
      .bind(at.site, at.id, at.credential, at.now_ms, at.by),
    db
      .prepare(`${listed} WHERE s.site = ?1 AND s.id = ?2 AND (?3 IS NULL OR s.credential = ?3)`)
      .bind(at.site, at.id, at.credential),
  ])
  const row = read?.results[0]
  return row === undefined ? err('not_found') : ok(row)
}
