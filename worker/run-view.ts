// One session as the people at the cell see it: its status, the sentences of the dry run that was decided
// on, and the times and devices of its trail.
import type { z } from 'zod'
import type { Env } from '../durable-objects/env.ts'
import type { AuditEntry } from '../protocol/audit.ts'
import { limits } from '../protocol/limits.ts'
import { deviceRestSchema, type DeviceRest } from '../protocol/tokens.ts'
import { executionSession, planReview } from './objects.ts'
import type { schemas } from './schemas.ts'

export type RunView = z.input<typeof schemas.Run>

/** Pages of a trail that are read for one view: enough for every step of the longest plan. */
const pagesMax = 20

async function trailOf(env: Env, site: string, session: string): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  for (let page = 0; page < pagesMax; page += 1) {
    const more = await executionSession(env, site, session).audit(entries.at(-1)?.seq ?? -1)
    entries.push(...more)
    if (more.length < limits.auditEntriesPerPage) break
  }
  return entries
}

/** When the event of a node was written; null when it was not. */
const timeOf = (trail: readonly AuditEntry[], event: string, nid: string): number | null =>
  trail.find((entry) => entry.event === event && entry.facts['node'] === nid)?.at_ms ?? null

/** Devices as they were last reported. */
function devicesOf(trail: readonly AuditEntry[]): DeviceRest[] {
  const last = trail.findLast(({ event }) => event === 'rest')?.facts['devices']
  const read = deviceRestSchema.array().safeParse(last ?? [])
  return read.success ? read.data : []
}

/** The view of one session; null when the site has no such session. */
export async function runOf(env: Env, site: string, session: string): Promise<RunView | null> {
  const status = await executionSession(env, site, session).status()
  if (status === null) return null
  const [trail, record] = await Promise.all([
    trailOf(env, site, session),
    planReview(env, site, status.plan).record(),
  ])
  const sentences = new Map(
    (record?.packet?.trace?.steps ?? []).map(({ node, sentence }) => [node, sentence]),
  )
  const byId = new Map(status.nodes.map((node) => [node.nid, node]))
  const end = trail.findLast(({ event }) => event === 'terminated')
  const moving = end?.facts['node']
  const { plan, cell, agent, reason, opened_ms, ended_ms, deadline_ms } = status
  return {
    session,
    plan,
    cell,
    agent,
    reason,
    opened_ms,
    ended_ms,
    deadline_ms,
    status: status.status,
    planner: record?.status.planner ?? null,
    goal: record?.plan.goal ?? null,
    stopped_by: reason === 'stopped_by_person' ? (end?.actor ?? null) : null,
    as_of_ms: Date.now(),
    moving_at_end: typeof moving === 'string' ? moving : null,
    steps: status.order.flatMap((nid) => {
      const node = byId.get(nid)
      if (node === undefined) return []
      return [
        {
          ...node,
          sentence: sentences.get(nid) ?? null,
          started_ms: timeOf(trail, 'go', nid),
          ended_ms: timeOf(trail, 'report', nid),
        },
      ]
    }),
    devices: devicesOf(trail),
  }
}
