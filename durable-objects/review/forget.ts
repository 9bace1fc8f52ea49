// A plan that is over is forgotten: first what models were asked, then its text, at last its trail. Nothing
// goes while the plan may still move, or while somebody has not been told how it ended.
import { nextAuditEntry } from '../../protocol/audit.ts'
import type { Forgetting, Forgotten } from '../../protocol/keeping.ts'
import type { ReviewStore } from './store.ts'

/** In the trail: only digests are left of the plan. */
export const textDeleted = 'text_deleted'

const over: ReadonlySet<string> = new Set([
  'rejected',
  'accepted',
  'completed',
  'terminated',
  'withdrawn',
  'expired',
])

const trailOf = (store: ReviewStore) => store.auditPage(-1, Number.MAX_SAFE_INTEGER)

/** Every session that it was ever bound to: one that was given back ran in more than one. */
export function sessionsOf(store: ReviewStore): string[] {
  const bound = trailOf(store).filter(({ event }) => event === 'bound')
  const ids = bound.map(({ facts }) => facts['session'])
  return [...new Set(ids.filter((one) => typeof one === 'string'))]
}

/** What stays of it in a trail. A plan whose text is gone says what it said then. */
function leftOf(store: ReviewStore): Extract<Forgotten, { state: 'done' }> {
  const trail = trailOf(store)
  const sessions = sessionsOf(store)
  const status = store.status()
  const said = trailOf(store).findLast(({ event }) => event === textDeleted)?.facts ?? {}
  const { packet_digest, decision_digest } = status ?? {
    packet_digest: said['packet_digest'],
    decision_digest: said['decision_digest'],
  }
  const plan_digest = store.head()?.plan_digest ?? said['plan_digest']
  const digests = { plan_digest, packet_digest, decision_digest, trail: trail.at(-1)?.digest }
  const known = Object.entries(digests).map(([k, v]) => [k, typeof v === 'string' ? v : null])
  return { state: 'done', digests: Object.fromEntries(known) as Digests, sessions }
}
type Digests = Readonly<Record<string, string | null>>

function busy(store: ReviewStore): boolean {
  const state = store.state()
  // The text is gone already: nothing moves any more.
  if (state === null) return false
  if (!over.has(state.state)) return true
  return (
    store.hasTable('outbox') && store.sql.exec('SELECT 1 FROM outbox LIMIT 1').toArray().length > 0
  )
}

/** What would be left, without doing it. */
export function lookForgetting(store: ReviewStore): Forgotten {
  if (!store.exists()) return { state: 'absent' }
  return busy(store) ? { state: 'busy' } : leftOf(store)
}

/** Forgets what is due of the plan; again changes nothing. */
export async function forgetReview(
  storage: DurableObjectStorage,
  store: ReviewStore,
  { what, now_ms }: { what: Forgetting; now_ms: number },
): Promise<Forgotten> {
  const seen = lookForgetting(store)
  if (seen.state !== 'done') return seen
  if (what === 'all') {
    await storage.deleteAlarm()
    await storage.deleteAll()
    store.reset()
    return seen
  }
  const calls = store.hasTable('calls')
    ? store.sql.exec<{ n: number }>('SELECT COUNT(*) AS n FROM calls').one().n
    : 0
  const done = what === 'plan' ? store.status() !== null : calls > 0
  if (!done) return seen
  const event =
    what === 'plan'
      ? { event: textDeleted, facts: { ...seen.digests } }
      : { event: 'calls_deleted', facts: { calls } }
  const entry = await nextAuditEntry(store.auditHead(), {
    at_ms: now_ms,
    actor: 'gateway',
    ...event,
  })
  storage.transactionSync(() => {
    if (what === 'plan') dropText(store)
    else dropCalls(store)
    store.appendAudit(entry)
  })
  return seen
}

function dropCalls({ sql }: ReviewStore): void {
  sql.exec(`DELETE FROM parts WHERE key GLOB 'call/*'`)
  sql.exec('DELETE FROM calls')
}

/** Every table but the trail, also those of earlier versions; empty ones say that there was a plan. */
function dropText(store: ReviewStore): void {
  const tables = store.sql
    .exec<{ name: string }>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'audit'
         AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'`,
    )
    .toArray()
  for (const { name } of tables) store.sql.exec(`DROP TABLE "${name}"`)
  store.create()
  store.reset()
}
