// Telling others what was decided: at least once, in any order, to receivers that are idempotent.
// A receiver that is down delays its own message only.
import { upsertPlan, type PlanIndexRow } from '../../adapters/plan-index.ts'
import { writeMemory, type MemoryNote } from '../../adapters/memory-d1.ts'
import { objectName } from '../../protocol/ids.ts'
import { windowEntrySchema } from '../../protocol/snapshot.ts'
import type { QueueEntry } from '../contracts.ts'
import type { Env } from '../env.ts'
import type { OutboxRow, ReviewStore } from './store.ts'

const webhookTimeoutMs = 5_000

/** Delivers every message that is due. Returns after each was tried once. */
export async function flushOutbox(
  store: ReviewStore,
  env: Env,
  at: { site: string; now_ms: number },
): Promise<void> {
  for (const row of store.due(at.now_ms)) {
    try {
      await deliver(row, env, at.site)
      store.sent(row)
    } catch (cause) {
      console.error(`outbox ${row.kind}: ${String(cause)}`)
      store.retry(row, at.now_ms)
    }
  }
}

async function deliver(row: OutboxRow, env: Env, site: string): Promise<void> {
  const hub = () => env.SITE_HUB.get(env.SITE_HUB.idFromName(site))
  const body: unknown = JSON.parse(row.body)
  switch (row.kind) {
    case 'index':
      return upsertPlan(env.DB, body as PlanIndexRow)
    case 'window':
      return hub().remember(windowEntrySchema.parse(body))
    case 'enqueue': {
      const answer = await hub().enqueue(body as QueueEntry)
      // A full queue is asked again until the decision runs out; shadow mode never dispatches.
      if (!answer.ok && answer.error.reason === 'queue_full') throw new Error('queue_full')
      return
    }
    case 'dequeue':
      return hub().dequeue((body as { plan: string }).plan)
    case 'withdraw_ancestor': {
      const { plan, by } = body as { plan: string; by: string }
      const stub = env.PLAN_REVIEW.get(env.PLAN_REVIEW.idFromName(objectName(site, plan)))
      await stub.withdraw(by)
      return
    }
    case 'memory':
      return writeMemory(env.DB, body as MemoryNote)
    case 'webhook': {
      const { url, payload } = body as { url: string; payload: unknown }
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
