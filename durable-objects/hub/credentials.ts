// Withdrawn credentials, each as it stood when it first was. What one of them submitted, approved or
// armed falls with it; what another credential of the same person did stays (invariant 14).
import type { QueueEntry, RevokedCredential } from '../contracts.ts'
import { setDisarmed } from './cells.ts'
import type { HubStore } from './store.ts'
import { restsOn } from './submissions.ts'

/** Writes it down; false when it was known. A repetition changes neither its time nor its reach. */
export function noteRevoked(store: HubStore, revoked: RevokedCredential, by: string): boolean {
  return (
    store.write(
      `INSERT OR IGNORE INTO revoked_credentials (credential, role, subject, owner, by, at_ms)
         VALUES (?, ?, ?, ?, ?, ?)`,
      revoked.credential,
      revoked.role,
      revoked.subject,
      revoked.owner,
      by,
      revoked.revoked_ms,
    ) > 0
  )
}

export const isRevoked = (store: HubStore, credential: string): boolean =>
  store.sql.exec('SELECT 1 FROM revoked_credentials WHERE credential = ?', credential).toArray()
    .length > 0

/**
 * True when a plan rests on a credential that was withdrawn. A plan that was taken in before plans
 * named their credential falls with any of its planner's that was withdrawn after it came.
 */
export function revokedUnder(store: HubStore, entry: QueueEntry): boolean {
  const rests_on = restsOn(store, entry.plan)
  if (rests_on.some((credential) => isRevoked(store, credential))) return true
  if (rests_on.length > 0) return false
  const rows = store.sql.exec(
    `SELECT 1 FROM revoked_credentials WHERE role = 'planner' AND subject = ? AND at_ms >= ?`,
    entry.planner,
    entry.received_ms,
  )
  return rows.toArray().length > 0
}

/** Takes back every arming by the credential. Returns the cells that it disarmed. */
export function disarmArmedBy(
  store: HubStore,
  credential: string,
  doing: { by: string; now_ms: number },
): string[] {
  const cells = store.sql
    .exec<{ cell: string }>('SELECT cell FROM cells WHERE armed_credential = ?', credential)
    .toArray()
    .map(({ cell }) => cell)
  for (const cell of cells) setDisarmed(store, cell, 'credential_revoked', doing)
  return cells
}
