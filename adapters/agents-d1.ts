// Enrolled agents in D1: the door verifies an agent's token against this key before any object is
// touched, so that a stranger's upgrade neither wakes nor bills one.
import { z } from 'zod'

export const agentJwkSchema = z.strictObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'x is 32 bytes in base64url'),
})
export type AgentJwk = z.infer<typeof agentJwkSchema>

export type AgentRow = {
  site: string
  agent: string
  cell: string
  jkt: string
  jwk: AgentJwk
  created_ms: number
  revoked_ms: number | null
}

type Raw = Omit<AgentRow, 'jwk'> & { jwk: string }

const columns = 'site, agent, cell, jkt, jwk, created_ms, revoked_ms'

function fromRaw(raw: Raw): AgentRow {
  return { ...raw, jwk: agentJwkSchema.parse(JSON.parse(raw.jwk)) }
}

/** Enrols an agent, or gives it a new key; a revoked one comes back only by enrolling again. */
export async function putAgentRow(
  db: D1Database,
  row: Omit<AgentRow, 'revoked_ms'>,
): Promise<void> {
  await db
    .prepare(
      `INSERT INTO agents (site, agent, cell, jkt, jwk, created_ms) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (site, agent) DO UPDATE SET cell = excluded.cell, jkt = excluded.jkt,
         jwk = excluded.jwk, created_ms = excluded.created_ms, revoked_ms = NULL`,
    )
    .bind(row.site, row.agent, row.cell, row.jkt, JSON.stringify(row.jwk), row.created_ms)
    .run()
}

/** The agent of this site, revoked or not; read from the primary. */
export async function getAgentRow(
  db: D1Database,
  site: string,
  agent: string,
): Promise<AgentRow | null> {
  const raw = await db
    .withSession('first-primary')
    .prepare(`SELECT ${columns} FROM agents WHERE site = ? AND agent = ?`)
    .bind(site, agent)
    .first<Raw>()
  return raw === null ? null : fromRaw(raw)
}

/** Revokes an agent's key; again is a no-op. False when the site has no such agent. */
export async function revokeAgentRow(
  db: D1Database,
  at: { site: string; agent: string; now_ms: number },
): Promise<boolean> {
  const { meta } = await db
    .prepare(`UPDATE agents SET revoked_ms = COALESCE(revoked_ms, ?) WHERE site = ? AND agent = ?`)
    .bind(at.now_ms, at.site, at.agent)
    .run()
  return meta.changes > 0
}

/** Takes a token id once: false when it was used before. Forgets ids that have expired. */
export async function claimJti(
  db: D1Database,
  jti: { site: string; agent: string; jti: string; expires_ms: number },
  now_ms: number,
): Promise<boolean> {
  const [, inserted] = await db.batch([
    db.prepare('DELETE FROM agent_jtis WHERE expires_ms < ?').bind(now_ms),
    db
      .prepare(
        'INSERT OR IGNORE INTO agent_jtis (site, agent, jti, expires_ms) VALUES (?, ?, ?, ?)',
      )
      .bind(jti.site, jti.agent, jti.jti, jti.expires_ms),
  ])
  return (inserted?.meta.changes ?? 0) > 0
}
