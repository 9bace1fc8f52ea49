// A session that has ended is forgotten with its plan: its text first, at last its trail. Results have a time
// of their own. Nothing goes before hub and review know the end and every device has been seen at rest.
import { nextAuditEntry } from '../../protocol/audit.ts'
import type { Forgetting, Forgotten } from '../../protocol/keeping.ts'
import type { Env } from '../env.ts'
import type { SiteKeeperApi } from '../keeper/api.ts'
import { limited } from '../limited.ts'
import { endOf } from './views.ts'
import { forgetAt, heldKey } from './results.ts'
import type { Live, SessionStore } from './store.ts'

/** A hold is asked for again after this. */
const askAgainMs = 86_400_000

/** The same where nobody answered. */
const unansweredMs = 60_000

/** Forgets results whose time has come, unless a legal hold keeps them. */
export async function forgetResults(
  env: Pick<Env, 'SITE_KEEPER'>,
  store: SessionStore,
  live: Live,
  nowMs: number,
): Promise<void> {
  const at = forgetAt(store.sql, live)
  if (at === null || at > nowMs) return
  const { plan_id, context } = live.binding
  const stub = env.SITE_KEEPER.getByName(context.site)
  const keeper = limited(stub, 'session: hold') as SiteKeeperApi
  try {
    if (await keeper.isHeld(context.site, plan_id)) {
      store.putMore(heldKey, nowMs + askAgainMs)
      return
    }
  } catch (cause) {
    // Nothing is forgotten on a guess, and the alarm does not ring for it without a pause.
    console.error(`hold of ${plan_id}: ${String(cause)}`)
    store.putMore(heldKey, nowMs + unansweredMs)
    return
  }
  store.sql.exec('DELETE FROM results')
}

function look(store: SessionStore, live: Live | null): Forgotten {
  const head = store.auditHead()
  if (head === null) return { state: 'absent' }
  const digests = { trail: head.digest, ctx: live?.binding.ctx ?? null }
  if (live === null) {
    // Something is stored that this release cannot read, or only the trail is left.
    return store.rawBinding() === null
      ? { state: 'done', digests, sessions: [] }
      : { state: 'busy' }
  }
  const end = endOf(live.binding, live.state)
  const resting = end?.rest?.devices.every((device) => device.state === 'at_rest') ?? false
  if (end === null || store.outbox().length > 0 || !resting) return { state: 'busy' }
  return { state: 'done', digests, sessions: [] }
}

type Forgettable = {
  readonly storage: DurableObjectStorage
  readonly store: SessionStore
  readonly live: Live | null
  /** Called once nothing in memory may be answered from any more. */
  readonly gone: () => void
}

/** Forgets what is due; `look` only says what would be left. Again changes nothing. */
export async function forgetSession(
  { storage, store, live, gone }: Forgettable,
  what: Exclude<Forgetting, 'calls'> | 'look',
): Promise<Forgotten> {
  const seen = look(store, live)
  if (seen.state !== 'done' || what === 'look') return seen
  if (what === 'all') {
    await storage.deleteAlarm()
    await storage.deleteAll()
    gone()
    return seen
  }
  if (store.rawBinding() === null) return seen
  const facts = { ...seen.digests }
  const event = { at_ms: Date.now(), actor: 'gateway', event: 'text_deleted', facts }
  const entry = await nextAuditEntry(store.auditHead(), event)
  storage.transactionSync(() => {
    store.dropText()
    store.appendAudit(entry)
  })
  gone()
  return seen
}
