// Credentials and sites in D1. The site comes from the credential, never from a path; each has a
// human owner. Reads go to the primary, so that a revocation holds at the next request.
import { makeId } from '../protocol/ids.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { formatToken, parseToken, sameDigest, sha256Hex } from './secret.ts'

export const roles = ['planner', 'reviewer', 'operator', 'administrator'] as const
export type Role = (typeof roles)[number]

/** A credential without its secret. */
export type Credential = {
  id: string
  site: string
  role: Role
  subject: string
  owner: string
  created_ms: number
  expires_ms: number | null
  revoked_ms: number | null
  last_used_ms: number | null
  /** Whose doing it was: an administrator's owner, or `deployment-operator`; null when not known. */
  created_by: string | null
  revoked_by: string | null
  /** Under which the identity provider knows the person; only an administrator writes it. */
  email: string | null
}

export type NewCredential = {
  site: string
  role: Role
  subject: string
  owner: string
  expires_ms: number | null
  created_by: string
}

export type Site = {
  site: string
  created_ms: number
  jurisdiction: string | null
  location_hint: string | null
}

type Row = Credential & { secret_sha256: string }

/** What is read of a credential: everything but the secret's digest. */
export const credentialColumns =
  'id, site, role, subject, owner, created_ms, expires_ms, revoked_ms, last_used_ms, created_by, revoked_by, email' as const

/** In `created_by` and in trails: whoever holds the token of the deployment's operator. */
export const deploymentOperator = 'deployment-operator'

/** Neither revoked nor over. */
export const isInForce = (credential: Credential, now_ms: number): boolean =>
  credential.revoked_ms === null &&
  (credential.expires_ms === null || credential.expires_ms > now_ms)

/** True when all of these credentials of the site are good; none of them: true. Read where writes go first. */
export async function credentialsInForce(
  db: D1Database,
  of: { readonly site: string; readonly credentials: readonly string[]; readonly now_ms: number },
): Promise<boolean> {
  const wanted = [...new Set(of.credentials)]
  if (wanted.length === 0) return true
  const row = await db
    .withSession('first-primary')
    .prepare(
      `SELECT COUNT(*) AS n FROM credentials WHERE site = ?1 AND revoked_ms IS NULL
         AND (expires_ms IS NULL OR expires_ms > ?2) AND id IN (SELECT value FROM json_each(?3))`,
    )
    .bind(of.site, of.now_ms, JSON.stringify(wanted))
    .first<{ n: number }>()
  return row?.n === wanted.length
}

/** The people who answer for these planners of the site, whatever has become of the credentials. */
export async function ownersOfPlanners(
  db: D1Database,
  of: { readonly site: string; readonly planners: readonly string[] },
): Promise<{ readonly subject: string; readonly owner: string }[]> {
  const { results } = await db
    .withSession('first-primary')
    .prepare(
      `SELECT DISTINCT subject, owner FROM credentials WHERE site = ?1 AND role = 'planner'
         AND subject IN (SELECT value FROM json_each(?2)) ORDER BY subject, owner`,
    )
    .bind(of.site, JSON.stringify(of.planners))
    .all<{ subject: string; owner: string }>()
  return results
}

/** A digest that no secret has, so that an unknown id costs the same comparison. */
const noDigest = '0'.repeat(64)

/** How often `last_used_ms` is written: a busy planner must not cost one write per request. */
const lastUsedStepMs = 60_000

/**
 * Who presents this token, or null when it is malformed, unknown, wrong, expired or revoked: the
 * caller cannot tell which. Throws when D1 is down.
 */
export async function authenticate(
  db: D1Database,
  token: string,
  now_ms: number,
): Promise<Credential | null> {
  const parsed = parseToken(token)
  if (parsed === null) return null
  const row = await db
    .withSession('first-primary')
    .prepare(`SELECT ${credentialColumns}, secret_sha256 FROM credentials WHERE id = ?`)
    .bind(parsed.id)
    .first<Row>()
  const matches = sameDigest(await sha256Hex(parsed.secret), row?.secret_sha256 ?? noDigest)
  if (row === null || !matches) return null
  const { secret_sha256: _, ...credential } = row
  return isInForce(credential, now_ms) ? credential : null
}

/** Notes the use of a credential, at most once a minute. */
export async function touchCredential(
  db: D1Database,
  credential: Credential,
  now_ms: number,
): Promise<void> {
  if (credential.last_used_ms !== null && now_ms - credential.last_used_ms < lastUsedStepMs) return
  await db
    .prepare('UPDATE credentials SET last_used_ms = ? WHERE id = ?')
    .bind(now_ms, credential.id)
    .run()
}

type Prepared = { statement: D1PreparedStatement; credential: Credential; token: string }

async function prepareCredential(
  db: D1Database,
  wanted: NewCredential,
  now_ms: number,
): Promise<Prepared> {
  const id = makeId('cred', crypto.getRandomValues(new Uint8Array(26)))
  const secret = crypto.getRandomValues(new Uint8Array(32))
  const statement = db
    .prepare(
      `INSERT INTO credentials
         (id, site, role, subject, owner, secret_sha256, created_ms, expires_ms, created_by)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .bind(
      id,
      wanted.site,
      wanted.role,
      wanted.subject,
      wanted.owner,
      await sha256Hex(secret),
      now_ms,
      wanted.expires_ms,
      wanted.created_by,
    )
  return {
    statement,
    credential: {
      id,
      ...wanted,
      created_ms: now_ms,
      revoked_ms: null,
      last_used_ms: null,
      revoked_by: null,
      email: null,
    },
    token: formatToken(id, secret),
  }
}

/** Creates a credential, unless the site has `max` that are not revoked. The token is shown once. */
export async function createCredential(
  db: D1Database,
  wanted: NewCredential,
  at: { now_ms: number; max: number },
): Promise<Result<{ credential: Credential; token: string }, 'too_many_credentials'>> {
  const count = await db
    .prepare('SELECT COUNT(*) AS n FROM credentials WHERE site = ? AND revoked_ms IS NULL')
    .bind(wanted.site)
    .first<number>('n')
  if ((count ?? 0) >= at.max) return err('too_many_credentials')
  const { statement, credential, token } = await prepareCredential(db, wanted, at.now_ms)
  await statement.run()
  return ok({ credential, token })
}

/** Creates a site and its first administrator in one transaction. */
export async function createSite(
  db: D1Database,
  site: Site,
  administrator: { subject: string; owner: string },
): Promise<Result<{ credential: Credential; token: string }, 'site_exists'>> {
  if ((await getSite(db, site.site)) !== null) return err('site_exists')
  const { statement, credential, token } = await prepareCredential(
    db,
    {
      site: site.site,
      role: 'administrator',
      ...administrator,
      expires_ms: null,
      created_by: deploymentOperator,
    },
    site.created_ms,
  )
  const insertSite = db
    .prepare(
      'INSERT INTO sites (site, created_ms, jurisdiction, location_hint) VALUES (?, ?, ?, ?)',
    )
    .bind(site.site, site.created_ms, site.jurisdiction, site.location_hint)
  try {
    await db.batch([insertSite, statement])
  } catch (cause) {
    // Two creations at once: the second one meets the primary key.
    if ((await getSite(db, site.site)) !== null) return err('site_exists')
    throw cause
  }
  return ok({ credential, token })
}

/** Takes back a credential whose token nobody got to see. */
export async function withdrawCredential(
  db: D1Database,
  { site, id }: { site: string; id: string },
): Promise<void> {
  await db.prepare('DELETE FROM credentials WHERE site = ? AND id = ?').bind(site, id).run()
}

export async function getSite(db: D1Database, site: string): Promise<Site | null> {
  return db
    .withSession('first-primary')
    .prepare('SELECT site, created_ms, jurisdiction, location_hint FROM sites WHERE site = ?')
    .bind(site)
    .first<Site>()
}

/** Credentials of one site, oldest first, after the given id. */
export async function listCredentials(
  db: D1Database,
  site: string,
  page: { after: { created_ms: number; id: string } | null; limit: number },
): Promise<Credential[]> {
  const after = page.after === null ? '' : 'AND (created_ms, id) > (?, ?)'
  const values = page.after === null ? [] : [page.after.created_ms, page.after.id]
  const { results } = await db
    .prepare(
      `SELECT ${credentialColumns} FROM credentials WHERE site = ? ${after} ORDER BY created_ms, id LIMIT ?`,
    )
    .bind(site, ...values, page.limit)
    .all<Credential>()
  return results
}

/** All credentials of one person at the site, revoked ones too: what a failed call left undone is done again. */
export async function credentialsOfOwner(
  db: D1Database,
  at: { readonly site: string; readonly owner: string },
): Promise<Credential[]> {
  const { results } = await db
    .withSession('first-primary')
    .prepare(
      `SELECT ${credentialColumns} FROM credentials
       WHERE site = ? AND owner = ? ORDER BY created_ms, id`,
    )
    .bind(at.site, at.owner)
    .all<Credential>()
  return results
}

/** Administrators of the site, other than `id`, whose credential is good at `now_ms`. */
const otherAdministrators = `SELECT COUNT(*) FROM credentials WHERE site = ?1 AND id <> ?2
  AND role = 'administrator' AND revoked_ms IS NULL AND (expires_ms IS NULL OR expires_ms > ?3)`

/**
 * Revokes a credential of this site; again is a no-op. The last administrator stays: without one
 * nobody at the site could revoke anything any more. One statement decides, so that two
 * administrators cannot revoke one another at the same time.
 */
export async function revokeCredential(
  db: D1Database,
  at: { site: string; id: string; by: string; now_ms: number },
): Promise<Result<Credential, 'not_found' | 'last_administrator'>> {
  const [, read] = await db.batch<Credential>([
    db
      .prepare(
        `UPDATE credentials SET revoked_ms = ?3, revoked_by = ?4
         WHERE site = ?1 AND id = ?2 AND revoked_ms IS NULL
           AND (role <> 'administrator' OR (${otherAdministrators}) > 0)`,
      )
      .bind(at.site, at.id, at.now_ms, at.by),
    db
      .prepare(`SELECT ${credentialColumns} FROM credentials WHERE site = ? AND id = ?`)
      .bind(at.site, at.id),
  ])
  const row = read?.results[0]
  if (row === undefined) return err('not_found')
  return row.revoked_ms === null ? err('last_administrator') : ok(row)
}
