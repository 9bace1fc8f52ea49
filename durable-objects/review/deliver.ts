// One message of a plan to its receiver. Every receiver takes the same message twice. What a receiver
// answers with consequences for the plan comes back as an event, which the object plays like any other.
import { writeResolution, type ResolutionNote } from '../../adapters/judge-skill-d1.ts'
import { writeMemory, type MemoryNote } from '../../adapters/memory-d1.ts'
import { upsertPlan } from '../../adapters/plan-index.ts'
import { unreachable } from '../../protocol/result.ts'
import { windowEntrySchema, type WindowEntry } from '../../protocol/snapshot.ts'
import type { Suspension } from '../../protocol/standing.ts'
import type { PlanIndexRow } from '../../protocol/status.ts'
import type { ReviewEvent } from '../../verify/review/state.ts'
import type { ProvenWord } from '../../protocol/proven.ts'
import type { QueueEntry } from '../contracts.ts'
import type { Env } from '../env.ts'
import type { Message } from '../outbox.ts'
import { siteWindowOf } from '../window/reader.ts'
import { sendMail } from './mail.ts'
import type { LeftNote, MessageKind } from './messages.ts'
import { cellOf, hubOf, reviewOf } from './neighbours.ts'
import { standingOf } from '../standing/api.ts'
import { settleTotals, type Settling } from './totals.ts'
import { postWebhook } from './webhook.ts'

type Suspending = {
  template: string
  plan: string
  why: Suspension
}

/** A reviewer's page that is down for a day is not reminded by more of the same. */
const outsideAttemptsMax = 8

/** Only webhook and mail are ever given up: everybody else is a part of the gateway and comes back. */
export const attemptsMax = (kind: MessageKind): number | null =>
  kind === 'webhook' || kind === 'mail' ? outsideAttemptsMax : null

/** Both take it twice: the window what the plan is like, the hub that it is no longer being judged. */
async function tellWindow(env: Env, site: string, entry: WindowEntry): Promise<null> {
  await siteWindowOf(env, site).remember(site, entry)
  if (entry.verdict !== null) await hubOf(env, site).judged(entry.plan)
  return null
}

/** Tells it, or throws. Answers with what follows for the plan, if anything does. */
export async function deliver(
  { env, site }: { env: Env; site: string },
  { kind, body }: Message<MessageKind>,
): Promise<ReviewEvent | null> {
  const hub = () => hubOf(env, site)
  switch (kind) {
    case 'index':
      await upsertPlan(env.DB, body as PlanIndexRow)
      return null
    case 'window':
      return tellWindow(env, site, windowEntrySchema.parse(body))
    case 'enqueue': {
      const answer = await hub().enqueue(body as QueueEntry)
      if (answer.ok) return null
      // A full queue is asked again until the decision runs out; the others are final.
      if (answer.error.reason === 'queue_full') throw new Error('queue_full')
      return { type: 'not_queued', code: answer.error.reason }
    }
    case 'dequeue':
      await hub().dequeue((body as { plan: string }).plan)
      return null
    case 'withdraw_ancestor': {
      const { plan, by } = body as { plan: string; by: string }
      await reviewOf(env, site, plan).withdraw(by)
      return null
    }
    case 'skill':
      await writeResolution(env.DB, body as ResolutionNote)
      return null
    case 'left': {
      const { cell, others = [], ...left } = body as LeftNote
      for (const to of [{ cell, facts: left.facts }, ...others]) {
        const told = { ...left, facts: to.facts }
        await cellOf(env, site, to.cell).sessionLeft(told)
      }
      return null
    }
    case 'proven':
      await hub().proven(body as ProvenWord)
      return null
    case 'totals':
      await settleTotals(env, site, body as Settling)
      return null
    case 'suspend': {
      const { template, plan, why } = body as Suspending
      await standingOf(env, site, template).suspend({ plan, why, now_ms: Date.now() })
      return null
    }
    case 'memory':
      await writeMemory(env.DB, body as MemoryNote)
      return null
    case 'webhook':
      await postWebhook(env, body)
      return null
    case 'mail':
      await sendMail(env, site, body)
      return null
    default:
      return unreachable(kind)
  }
}
