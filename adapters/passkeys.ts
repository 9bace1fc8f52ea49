// Passkeys of people in D1, and what an authenticator is asked to sign. A passkey has no authority of its own:
// every use asks for the credential behind it. A challenge is taken by the first answer, right or wrong.
import { limits } from '../protocol/limits.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { credentialColumns, isInForce, type Credential } from './credentials.ts'
import { sha256Hex } from './secret.ts'

/** One passkey as lists show it. */
export type Passkey = {
  readonly id: string
  readonly credential: string
  readonly owner: string
  readonly name: string
  readonly rp_id: string
  readonly created_ms: number
  readonly expires_ms: number
  readonly last_used_ms: number | null
  readonly ended_ms: number | null
  readonly ended_by: string | null
}

/** With what a signature is checked by. */
export type KnownPasskey = Passkey & {
  readonly site: string
  /** COSE key, base64url. */
  readonly public_key: string
  readonly counter: number
}

export type Purpose = 'register' | 'sign_in' | 'touch'

const listed = `SELECT p.id, p.credential, c.owner, p.name, p.rp_id, p.created_ms, p.expires_ms, p.last_used_ms,
  p.ended_ms, p.ended_by`
const joined = 'FROM passkeys p JOIN credentials c ON c.id = p.credential AND c.site = p.site'

const digestOf = (challenge: string): Promise<string> =>
  sha256Hex(new TextEncoder().encode(challenge))

/** Keeps a challenge for one answer. Those that are over are forgotten; of one credential the newest stay. */
export async function keepChallenge(
  db: D1Database,
  challenge: {
    readonly text: string
    readonly purpose: Purpose
    readonly credential: string | null
    /** What is signed, as it was hashed into the challenge. */
    readonly about: string | null
  },
  now_ms: number,
): Promise<void> {
  const { text, purpose, credential, about } = challenge
  await db.batch([
    // One that was used or is over is still told from one that never was, for as long again.
    db
      .prepare('DELETE FROM passkey_challenges WHERE expires_ms < ?')
      .bind(now_ms - limits.passkeyChallengeMs),
    db
      .prepare(
        `INSERT INTO passkey_challenges (digest, purpose, credential, about, created_ms, expires_ms)
         VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .bind(
        await digestOf(text),
        purpose,
        credential,
        about,
        now_ms,
        now_ms + limits.passkeyChallengeMs,
      ),
    db
      .prepare(
        `DELETE FROM passkey_challenges WHERE credential = ?1 AND digest NOT IN (
           SELECT digest FROM passkey_challenges WHERE credential = ?1
           ORDER BY created_ms DESC, digest LIMIT ?2)`,
      )
      .bind(credential, limits.passkeyChallengesMax),
  ])
}

export type ChallengeRefusal =
  | 'challenge_unknown'
  | 'challenge_replayed'
  | 'challenge_expired'
  | 'challenge_of_another'

type ChallengeRow = {
  purpose: string
  credential: string | null
  about: string | null
  expires_ms: number
  used_ms: number | null
}

/** Takes a challenge, once. Of two answers to the same one is heard. */
export async function takeChallenge(
  db: D1Database,
  of: { readonly text: string; readonly purpose: Purpose; readonly credential: string | null },
  now_ms: number,
): Promise<Result<{ about: string | null }, ChallengeRefusal>> {
  const digest = await digestOf(of.text)
  const primary = db.withSession('first-primary')
  const taken = await primary
    .prepare(
      `UPDATE passkey_challenges SET used_ms = ?1 WHERE digest = ?2 AND used_ms IS NULL
       RETURNING purpose, credential, about, expires_ms, NULL AS used_ms`,
    )
    .bind(now_ms, digest)
    .first<ChallengeRow>()
  if (taken === null) {
    const there = await primary
      .prepare('SELECT 1 FROM passkey_challenges WHERE digest = ?')
      .bind(digest)
      .first()
    return err(there === null ? 'challenge_unknown' : 'challenge_replayed')
  }
  if (taken.expires_ms <= now_ms) return err('challenge_expired')
  const same = taken.purpose === of.purpose && taken.credential === of.credential
  return same ? ok({ about: taken.about }) : err('challenge_of_another')
}

/** A passkey by its own id with the credential behind it, in force or not; null when it is not known. */
export async function passkeyById(
  db: D1Database,
  id: string,
): Promise<{ passkey: KnownPasskey; holder: Credential } | null> {
  const primary = db.withSession('first-primary')
  const passkey = await primary
    .prepare(`${listed}, p.site, p.public_key, p.counter ${joined} WHERE p.id = ?`)
    .bind(id)
    .first<KnownPasskey>()
  if (passkey === null) return null
  const holder = await primary
    .prepare(`SELECT ${credentialColumns} FROM credentials WHERE site = ? AND id = ?`)
    .bind(passkey.site, passkey.credential)
    .first<Credential>()
  return holder === null ? null : { passkey, holder }
}

/** Passkeys that are neither ended nor over, newest first: of one credential, or of the whole site. */
export async function listPasskeys(
  db: D1Database,
  at: { readonly site: string; readonly credential: string | null; readonly now_ms: number },
): Promise<Passkey[]> {
  const { results } = await db
    .withSession('first-primary')
    .prepare(
      `${listed} ${joined} WHERE p.site = ?1 AND (?2 IS NULL OR p.credential = ?2)
         AND p.ended_ms IS NULL AND p.expires_ms > ?3 AND c.revoked_ms IS NULL
       ORDER BY p.created_ms DESC, p.id LIMIT ?4`,
    )
    .bind(at.site, at.credential, at.now_ms, limits.listPageMax)
    .all<Passkey>()
  return results
}

/** Keeps a new passkey. The id is the authenticator's, and nobody's else: one that is there is refused. */
export async function createPasskey(
  db: D1Database,
  made: {
    readonly id: string
    readonly holder: Credential
    readonly name: string
    readonly public_key: string
    readonly counter: number
    readonly rp_id: string
  },
  now_ms: number,
): Promise<Result<Passkey, 'passkey_exists' | 'too_many_passkeys'>> {
  const { id, holder, name, public_key, counter, rp_id } = made
  const { site, id: credential, owner } = holder
  const before = await listPasskeys(db, { site, credential, now_ms })
  if (before.length >= limits.passkeysPerCredentialMax) return err('too_many_passkeys')
  const expires_ms = now_ms + limits.passkeyMs
  const kept = await db
    .prepare(
      `INSERT OR IGNORE INTO passkeys
         (id, site, credential, name, public_key, counter, rp_id, created_ms, expires_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .bind(id, site, credential, name, public_key, counter, rp_id, now_ms, expires_ms)
    .run()
  if (kept.meta.changes === 0) return err('passkey_exists')
  const unused = { last_used_ms: null, ended_ms: null, ended_by: null }
  return ok({ id, credential, owner, name, rp_id, created_ms: now_ms, expires_ms, ...unused })
}

/** Takes back a passkey that left no line in the trail. */
export async function withdrawPasskey(db: D1Database, id: string): Promise<void> {
  await db.prepare('DELETE FROM passkeys WHERE id = ?').bind(id).run()
}

/**
 * Notes a use with the count that was signed. False when the count has not gone on since: of two answers with
 * the same count, one comes from a copy of the key.
 */
export async function countUse(
  db: D1Database,
  use: { readonly id: string; readonly counter: number; readonly now_ms: number },
): Promise<boolean> {
  const done = await db
    .prepare(
      `UPDATE passkeys SET counter = ?2, last_used_ms = ?3
       WHERE id = ?1 AND ended_ms IS NULL AND (counter < ?2 OR (counter = 0 AND ?2 = 0))`,
    )
    .bind(use.id, use.counter, use.now_ms)
    .run()
  return done.meta.changes > 0
}

/** Ends a passkey, with the sign-ins that its credential opened by one; of one credential or of any of the site. */
export async function endPasskey(
  db: D1Database,
  at: {
    readonly site: string
    readonly id: string
    readonly credential: string | null
    readonly by: string
    readonly now_ms: number
  },
): Promise<Result<Passkey, 'not_found'>> {
  const mine = 'site = ?1 AND id = ?2 AND (?3 IS NULL OR credential = ?3)'
  const [, , read] = await db.batch<Passkey>([
    db
      .prepare(
        `UPDATE passkeys SET ended_ms = ?4, ended_by = ?5 WHERE ${mine} AND ended_ms IS NULL`,
      )
      .bind(at.site, at.id, at.credential, at.now_ms, at.by),
    db
      .prepare(
        `WITH RECURSIVE opened (id) AS (
           SELECT id FROM sign_ins WHERE way = 'passkey'
             AND credential = (SELECT credential FROM passkeys WHERE ${mine})
           UNION SELECT s.id FROM sign_ins s JOIN opened o ON s.parent = o.id)
         UPDATE sign_ins SET ended_ms = ?4, ended_by = ?5
         WHERE id IN (SELECT id FROM opened) AND ended_ms IS NULL`,
      )
      .bind(at.site, at.id, at.credential, at.now_ms, at.by),
    db
      .prepare(
        `${listed} ${joined} WHERE p.site = ?1 AND p.id = ?2 AND (?3 IS NULL OR p.credential = ?3)`,
      )
      .bind(at.site, at.id, at.credential),
  ])
  const row = read?.results[0]
  return row === undefined ? err('not_found') : ok(row)
}

/** Why a passkey is no longer good; null while it is. */
export function passkeyOver(
  { passkey, holder }: { passkey: KnownPasskey; holder: Credential },
  now_ms: number,
): 'passkey_ended' | 'passkey_expired' | 'credential_not_in_force' | null {
  if (passkey.ended_ms !== null) return 'passkey_ended'
  if (passkey.expires_ms <= now_ms) return 'passkey_expired'
  return isInForce(holder, now_ms) ? null : 'credential_not_in_force'
}
