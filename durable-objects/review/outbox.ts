// Telling others what was decided: at least once, in any order, to receivers that are idempotent.
// A receiver that is down delays its own message only.
import { upsertPlan, type PlanIndexRow } from '../../adapters/plan-index.ts'
import { writeResolution, type ResolutionNote } from '../../adapters/judge-skill-d1.ts'
import { writeMemory, type MemoryNote } from '../../adapters/memory-d1.ts'
import { parseHosts } from '../../adapters/models/endpoints.ts'
import { refuseUrl } from '../../adapters/models/hosts.ts'
import { objectName } from '../../protocol/ids.ts'
import { windowEntrySchema } from '../../protocol/snapshot.ts'
import type { QueueEntry } from '../contracts.ts'
import type { Env } from '../env.ts'
import { refuseBinding } from './decided.ts'
import type { OutboxKind, OutboxRow, ReviewStore } from './store.ts'

const webhookTimeoutMs = 5_000
/** A reviewer's page that is down for a day is not reminded by more of the same. */
const webhookAttemptsMax = 8
/** How long a change of state waits for those who must know first. */
const firstTimeoutMs = 2_000

/** Told before anybody sees the change: what the next request must know. */
export const toldFirst: readonly OutboxKind[] = ['memory', 'window']

/** Delivers every message that is due, side by side. Returns after each was tried once. */
export async function flushOutbox(
  store: ReviewStore,
  env: Env,
  at: { site: string; now_ms: number; only: readonly OutboxKind[] | null },
): Promise<void> {
  const { only } = at
  const rows = store.due(at.now_ms).filter(({ kind }) => only === null || only.includes(kind))
  const tell = async (row: OutboxRow): Promise<void> => {
    try {
      await (only === null ? deliver(row, store, { env, site: at.site }) : inTime(row))
      store.sent(row)
    } catch (cause) {
      console.error(`outbox ${row.kind}: ${String(cause)}`)
      if (row.kind === 'webhook' && row.attempts + 1 >= webhookAttemptsMax) store.sent(row)
      else store.retry(row, at.now_ms)
    }
  }
  const inTime = async (row: OutboxRow): Promise<void> => {
    let timer: ReturnType<typeof setTimeout> | null = null
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('no answer in time')), firstTimeoutMs)
    })
    await Promise.race([deliver(row, store, { env, site: at.site }), late]).finally(() =>
      clearTimeout(timer),
    )
  }
  await Promise.all(rows.map(tell))
}

async function deliver(
  row: OutboxRow,
  store: ReviewStore,
  { env, site }: { env: Env; site: string },
): Promise<void> {
  const hub = () => env.SITE_HUB.getByName(site)
  const body: unknown = JSON.parse(row.body)
  switch (row.kind) {
    case 'index':
      return upsertPlan(env.DB, body as PlanIndexRow)
    case 'window':
      return hub().remember(windowEntrySchema.parse(body))
    case 'enqueue': {
      const answer = await hub().enqueue(body as QueueEntry)
      if (answer.ok) return
      // A full queue is asked again until the decision runs out; the others are final.
      if (answer.error.reason === 'queue_full') throw new Error('queue_full')
      if (store.state() === 'queued') await refuseBinding(store, answer.error.reason, Date.now())
      return
    }
    case 'dequeue':
      return hub().dequeue((body as { plan: string }).plan)
    case 'withdraw_ancestor': {
      const { plan, by } = body as { plan: string; by: string }
      await env.PLAN_REVIEW.getByName(objectName(site, plan)).withdraw(by)
      return
    }
    case 'skill':
      return writeResolution(env.DB, body as ResolutionNote)
    case 'memory':
      return writeMemory(env.DB, body as MemoryNote)
    case 'webhook': {
      const { url, payload } = body as { url: string; payload: unknown }
      const refused = refuseUrl(url, parseHosts(env.PRIVATE_HOSTS))
      if (refused !== null) throw new Error(refused)
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payload),
        redirect: 'manual',
        signal: AbortSignal.timeout(webhookTimeoutMs),
      })
      await answer.body?.cancel()
      if (!answer.ok) throw new Error(`webhook answered ${answer.status}`)
      return
    }
  }
}
