// What the door asks of a site's hub: idempotency keys, the sliding window, settings.
import { limits } from '../../protocol/limits.ts'
import { windowEntrySchema, type WindowEntry } from '../../protocol/snapshot.ts'
import type {
  IdempotencyAnswer,
  IdempotencyClaim,
  SiteSettings,
  SnapshotAnswer,
} from '../contracts.ts'
import type { HubStore } from './store.ts'

/** How long a plan counts for the long-window monitor. */
export const windowMs = 7 * 86_400_000
const windowEntriesMax = 2_000

/** First claim of a key wins; the same body gets the first plan, another body a conflict. */
export function claimKey(store: HubStore, claim: IdempotencyClaim): IdempotencyAnswer {
  store.sql.exec('DELETE FROM keys WHERE at_ms < ?', claim.now_ms - limits.idempotencyTtlMs)
  const written = store.sql.exec(
    'INSERT OR IGNORE INTO keys (credential, key, body_digest, plan, at_ms) VALUES (?,?,?,?,?)',
    claim.credential,
    claim.key,
    claim.body_digest,
    claim.plan,
    claim.now_ms,
  ).rowsWritten
  if (written > 0) return { status: 'new' }
  const row = store.sql
    .exec<{ body_digest: string; plan: string }>(
      'SELECT body_digest, plan FROM keys WHERE credential = ? AND key = ?',
      claim.credential,
      claim.key,
    )
    .one()
  return row.body_digest === claim.body_digest
    ? { status: 'same', plan: row.plan }
    : { status: 'conflict' }
}

/** Keeps one plan's sketch; a later call for the same plan (its verdict) replaces the first. */
export function rememberWindow(store: HubStore, entry: WindowEntry, now_ms: number): void {
  store.sql.exec(
    'INSERT OR REPLACE INTO recent (plan, at_ms, entry) VALUES (?, ?, ?)',
    entry.plan,
    entry.at_ms,
    JSON.stringify(entry),
  )
  store.sql.exec('DELETE FROM recent WHERE at_ms < ?', now_ms - windowMs)
  store.sql.exec(
    `DELETE FROM recent WHERE plan IN
       (SELECT plan FROM recent ORDER BY at_ms DESC LIMIT -1 OFFSET ?)`,
    windowEntriesMax,
  )
}

/** The window, oldest first. */
export function readWindow(store: HubStore, now_ms: number): WindowEntry[] {
  return store.sql
    .exec<{ entry: string }>(
      'SELECT entry FROM recent WHERE at_ms >= ? ORDER BY at_ms DESC LIMIT ?',
      now_ms - windowMs,
      windowEntriesMax,
    )
    .toArray()
    .map((row) => windowEntrySchema.parse(JSON.parse(row.entry)))
    .reverse()
}

/** The one value that V_det sees; null while the site has no registry. */
export function takeSnapshot(
  store: HubStore,
  have: { registry_digest: string } | null,
  now_ms: number,
): SnapshotAnswer['snapshot'] | null {
  const current = store.registry()
  const policy = store.policy()
  const site = store.get('site')
  if (current === null || policy === null || site === null) return null
  return {
    site,
    taken_at_ms: now_ms,
    registry: have?.registry_digest === current.digest ? null : current.registry,
    registry_digest: current.digest,
    policy: policy.policy,
    policy_version: policy.version,
    epoch: store.epoch(),
    quarantined: store.quarantined(),
    agents: store
      .agents()
      .flatMap((row) => (row.health === null || row.revoked ? [] : [row.health])),
    window: readWindow(store, now_ms),
  }
}

/** What an administrator sees of the site. */
export function readSettings(store: HubStore): SiteSettings | null {
  const policy = store.policy()
  const site = store.get('site')
  if (policy === null || site === null) return null
  const current = store.registry()
  return {
    site,
    registry: current?.registry ?? null,
    registry_digest: current?.digest ?? null,
    quarantined: store.quarantined(),
    policy: policy.policy,
    policy_version: policy.version,
    epoch: store.epoch(),
  }
}
