// The other direction of a restore: D1 was set back, and the hub remembers more than it. The hub's number there is
// lower than the one that D1 once took. What was withdrawn or used up since then would be good again, so the hub
// writes it down anew: revoked credentials, the agents and their keys, legal holds. What only D1 knew – sign-ins,
// one-time codes, passkeys and addresses of people – ends for everybody; people ask for a new link.
import type { Env } from '../env.ts'
import type { HubStore } from './store.ts'

/** What D1 takes from a hub that it has forgotten. Idempotent. */
export async function repairDatabase(
  env: Pick<Env, 'DB'>,
  store: HubStore,
  site: string,
  now_ms: number,
): Promise<void> {
  const { DB } = env
  const revoked = store.sql
    .exec<{ credential: string; by: string; at_ms: number }>(
      'SELECT credential, by, at_ms FROM revoked_credentials',
    )
    .toArray()
    .map(({ credential, by, at_ms }) =>
      DB.prepare(
        `UPDATE credentials SET revoked_ms = ?, revoked_by = ?
           WHERE site = ? AND id = ? AND revoked_ms IS NULL`,
      ).bind(Math.round(at_ms), by, site, credential),
    )
  const agents = store.agents().map(({ agent, cell, jkt, jwk, revoked: gone }) =>
    DB.prepare(
      `INSERT INTO agents (site, agent, cell, jkt, jwk, created_ms, revoked_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (site, agent) DO UPDATE SET cell = ?3, jkt = ?4, jwk = ?5, revoked_ms = ?7`,
    ).bind(site, agent, cell, jkt, JSON.stringify(jwk), now_ms, gone ? now_ms : null),
  )
  const ended = [
    `UPDATE sign_ins SET ended_ms = ?2, ended_by = 'gateway' WHERE site = ?1 AND ended_ms IS NULL`,
    'UPDATE sign_in_codes SET used_ms = ?2 WHERE site = ?1 AND used_ms IS NULL',
    'UPDATE enrolment_codes SET used_ms = ?2 WHERE site = ?1 AND used_ms IS NULL',
    `UPDATE passkeys SET ended_ms = ?2, ended_by = 'gateway' WHERE site = ?1 AND ended_ms IS NULL`,
    `UPDATE passkey_challenges SET used_ms = ?2 WHERE used_ms IS NULL
       AND credential IN (SELECT id FROM credentials WHERE site = ?1)`,
  ].map((sql) => DB.prepare(sql).bind(site, now_ms))
  const strangers = DB.prepare('UPDATE credentials SET email = NULL WHERE site = ?').bind(site)
  await DB.batch([...revoked, ...agents, ...ended, strangers, ...holds(DB, store, site)])
}

/** Legal holds as the trail tells them: each that was set and not let go since. */
function holds(DB: Env['DB'], store: HubStore, site: string): D1PreparedStatement[] {
  const open = new Map<string, { reason: string; by: string; at_ms: number }>()
  for (const row of store.sql.exec<{ event: string; facts: string; actor: string; at_ms: number }>(
    `SELECT event, facts, actor, at_ms FROM audit
       WHERE event IN ('hold_set', 'hold_released') ORDER BY seq`,
  )) {
    const { plan, reason } = JSON.parse(row.facts) as { plan: string | null; reason: string }
    if (row.event === 'hold_set') {
      open.set(plan ?? '', { reason, by: row.actor, at_ms: row.at_ms })
    } else open.delete(plan ?? '')
  }
  return [...open].map(([plan, { reason, by, at_ms }]) =>
    DB.prepare(
      `INSERT OR IGNORE INTO legal_holds (site, plan, reason, set_ms, set_by) VALUES (?, ?, ?, ?, ?)`,
    ).bind(site, plan, reason, Math.round(at_ms), by),
  )
}
