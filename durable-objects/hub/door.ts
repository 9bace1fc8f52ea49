// What the door asks of a site's hub: idempotency keys, the site as a plan is judged by it, settings.
import { unknownState } from '../../protocol/state.ts'
import { limits } from '../../protocol/limits.ts'
import type { AgentHealth } from '../../protocol/snapshot.ts'
import type {
  IdempotencyAnswer,
  IdempotencyClaim,
  SiteHead,
  SiteSettings,
  SnapshotAnswer,
} from '../contracts.ts'
import { drainOf } from './drain.ts'
import { provenNow, provenRows } from './proven.ts'
import { queuedByPlanner, queuedPlans } from './queue.ts'
import type { HubStore } from './store.ts'

/** First claim of a key wins; the same body gets the first plan, another body a conflict. */
export function claimKey(store: HubStore, claim: IdempotencyClaim): IdempotencyAnswer {
  store.sql.exec('DELETE FROM keys WHERE at_ms < ?', claim.now_ms - limits.idempotencyTtlMs)
  if (claim.plan !== null) {
    const known = store.sql
      .exec('SELECT 1 FROM keys WHERE credential = ? AND key = ?', claim.credential, claim.key)
      .toArray()
    const { n } = store.sql
      .exec<{ n: number }>('SELECT COUNT(*) AS n FROM keys WHERE credential = ?', claim.credential)
      .one()
    if (known.length === 0 && n >= limits.idempotencyKeysPerCredentialMax) {
      return { status: 'full' }
    }
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

/** The site without registry and window; null while it has no registry. */
export function siteHead(store: HubStore, now_ms: number): SiteHead | null {
  const current = store.registry()
  const policy = store.policy()
  const site = store.get('site')
  if (current === null || policy === null || site === null) return null
  return {
    site,
    taken_at_ms: now_ms,
    registry_digest: current.digest,
    policy: policy.policy,
    policy_version: policy.version,
    epoch: store.epoch(),
    quarantined: store.quarantined(),
    proven: provenNow(store),
    agents: store
      .agents()
      .flatMap((row) => (row.health === null || row.revoked ? [] : [judgedHealth(row.health)])),
    // Each cell keeps its own state; who judges or binds for one asks it.
    cell_state: unknownState,
  }
}

/** What a judgement looks at; which tools a server lists beyond its pins is for whoever drafts a site file. */
function judgedHealth(health: AgentHealth): AgentHealth {
  const servers: AgentHealth['servers'] = {}
  for (const [name, { list: _, ...server }] of Object.entries(health.servers))
    servers[name] = server
  return { ...health, servers }
}

/** The site with what the door itself has to know; null while the site has no registry. */
export function answerSnapshot(
  store: HubStore,
  have: { registry_digest: string } | null,
  now_ms: number,
): SnapshotAnswer | null {
  const head = siteHead(store, now_ms)
  const current = store.registry()
  if (head === null || current === null) return null
  const known = have?.registry_digest === current.digest
  const enrolled = store.agentKeys().flatMap(({ agent, revoked }) => (revoked ? [] : [agent]))
  return {
    snapshot: { ...head, registry: known ? null : current.registry },
    queued: queuedPlans(store),
    queued_by: queuedByPlanner(store),
    enrolled,
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
    proven: provenRows(store),
    policy: policy.policy,
    policy_version: policy.version,
    epoch: store.epoch(),
    draining: drainOf(store),
  }
}
