// What the door asks of a site's hub: idempotency keys, the sliding window, settings.
import { unknownState } from '../../protocol/state.ts'
import { limits } from '../../protocol/limits.ts'
import { windowEntrySchema, type WindowEntry } from '../../protocol/snapshot.ts'
import { carryOver, prune, windowRules } from '../../verify/screen/window/index.ts'
import type {
  IdempotencyAnswer,
  IdempotencyClaim,
  SiteSettings,
  SnapshotAnswer,
} from '../contracts.ts'
import { queuedByPlanner, queuedPlans } from './queue.ts'
import type { HubStore } from './store.ts'

/** First claim of a key wins; the same body gets the first plan, another body a conflict. */
export function claimKey(store: HubStore, claim: IdempotencyClaim): IdempotencyAnswer {
  store.sql.exec('DELETE FROM keys WHERE at_ms < ?', claim.now_ms - limits.idempotencyTtlMs)
  if (claim.plan !== null) {
    const written = store.sql.exec(
      'INSERT OR IGNORE INTO keys (credential, key, body_digest, plan, at_ms) VALUES (?,?,?,?,?)',
      claim.credential,
      claim.key,
      claim.body_digest,
      claim.plan,
      claim.now_ms,
    ).rowsWritten
    if (written > 0) return { status: 'new' }
  }
  const [row] = store.sql
    .exec<{ body_digest: string; plan: string }>(
      'SELECT body_digest, plan FROM keys WHERE credential = ? AND key = ?',
      claim.credential,
      claim.key,
    )
    .toArray()
  if (row === undefined) return { status: 'new' }
  return row.body_digest === claim.body_digest
    ? { status: 'same', plan: row.plan }
    : { status: 'conflict' }
}

/** Entries over the bound that may gather before the window is trimmed: trimming reads all of it. */
const windowSlack = 64

const entriesOf = (rows: readonly { entry: string }[]): WindowEntry[] =>
  rows.map((row) => windowEntrySchema.parse(JSON.parse(row.entry)))

/**
 * Keeps one plan's sketch; a later call for the same plan (its verdict) replaces the first. Past the
 * bounds the monitor's own rule says what goes, so that nobody's flood drives out what is known of
 * another.
 */
export function rememberWindow(store: HubStore, entry: WindowEntry, now_ms: number): void {
  const before = store.sql
    .exec<{ entry: string }>('SELECT entry FROM recent WHERE plan = ?', entry.plan)
    .toArray()
  const [known] = entriesOf(before)
  store.sql.exec(
    'INSERT OR REPLACE INTO recent (plan, at_ms, entry) VALUES (?, ?, ?)',
    entry.plan,
    entry.at_ms,
    JSON.stringify(known === undefined ? entry : carryOver(known, entry)),
  )
  store.sql.exec('DELETE FROM recent WHERE at_ms < ?', now_ms - windowRules.keptMs)
  const count = (where: string, ...values: string[]) =>
    store.sql.exec<{ n: number }>(`SELECT COUNT(*) AS n FROM recent ${where}`, ...values).one().n
  const ofPlanner = count(`WHERE json_extract(entry, '$.planner') = ?`, entry.planner)
  const over =
    count('') > windowRules.entriesPerSiteMax + windowSlack ||
    ofPlanner > windowRules.entriesPerPlannerMax + windowSlack
  if (!over) return
  const rows = store.sql.exec<{ entry: string }>('SELECT entry FROM recent').toArray()
  const entries = entriesOf(rows)
  const unchanged = new Set(entries)
  const kept = prune(entries, now_ms)
  store.sql.exec(
    'DELETE FROM recent WHERE plan NOT IN (SELECT value FROM json_each(?))',
    JSON.stringify(kept.map(({ plan }) => plan)),
  )
  // What had to go may be half of a risk; that is said on one that stays.
  for (const said of kept.filter((one) => !unchanged.has(one))) {
    store.sql.exec('UPDATE recent SET entry = ? WHERE plan = ?', JSON.stringify(said), said.plan)
  }
}

/** The window, oldest first. */
export function readWindow(store: HubStore, now_ms: number): WindowEntry[] {
  const rows = store.sql.exec<{ entry: string }>(
    'SELECT entry FROM recent WHERE at_ms >= ? ORDER BY at_ms, plan',
    now_ms - windowRules.keptMs,
  )
  return entriesOf(rows.toArray())
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
    // Each cell keeps its own state; who judges or binds for one asks it.
    cell_state: unknownState,
  }
}

/** The snapshot with what the door itself has to know; null while the site has no registry. */
export function answerSnapshot(
  store: HubStore,
  have: { registry_digest: string } | null,
  now_ms: number,
): SnapshotAnswer | null {
  const snapshot = takeSnapshot(store, have, now_ms)
  if (snapshot === null) return null
  const enrolled = store.agents().flatMap(({ agent, revoked }) => (revoked ? [] : [agent]))
  return { snapshot, queued: queuedPlans(store), queued_by: queuedByPlanner(store), enrolled }
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
