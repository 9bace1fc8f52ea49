// A session whose stored state this release cannot read: written by a newer one, or damaged. It says so,
// gives no `go`, counts as ended with doubt, and can be stopped like any other (invariant 13).
import { z } from 'zod'
import type { SessionEnd, SessionStatus } from '../contracts.ts'
import type { Env } from '../env.ts'
import { tellEnd } from './outbox.ts'
import type { SessionSockets } from './sockets.ts'

/** What is needed to be found by hub and review; nothing else is looked at. */
const identitySchema = z.looseObject({
  context: z.looseObject({
    session: z.string(),
    site: z.string(),
    cell: z.string(),
    agent: z.string().catch(''),
  }),
  plan_id: z.string().catch(''),
  ctx: z.string().catch(''),
  opened_ms: z.number().catch(0),
})
export type Unreadable = z.infer<typeof identitySchema> & { readonly since_ms: number }

/** From the stored text of a binding; null when not even the names in it can be read. */
function unreadableFrom(json: string | null, nowMs: number): Unreadable | null {
  try {
    const read = identitySchema.safeParse(JSON.parse(json ?? ''))
    return read.success ? { ...read.data, since_ms: nowMs } : null
  } catch {
    return null
  }
}

function unreadableStatus(of: Unreadable): SessionStatus {
  const { session, site, cell, agent } = of.context
  return {
    session,
    plan: of.plan_id,
    site,
    cell,
    agent,
    status: 'terminated',
    reason: 'state_unreadable',
    ctx: of.ctx,
    order: [],
    nodes: [],
    opened_ms: of.opened_ms,
    ended_ms: of.since_ms,
    deadline_ms: of.since_ms,
  }
}

/** Nobody can say what moved: latched, and nothing is said of any device. An empty list would say too much. */
function unreadableEnd(of: Unreadable): SessionEnd {
  return {
    session: of.context.session,
    plan: of.plan_id,
    cell: of.context.cell,
    status: 'terminated',
    reason: 'state_unreadable',
    latch: true,
    node: null,
    ended_ms: of.since_ms,
  }
}

/** Whoever is still connected to a session that cannot be read brings its devices to rest. */
function haltUnread(sockets: SessionSockets): void {
  for (const socket of sockets.open()) {
    const reason = 'authority_unreachable'
    sockets.send(socket, { v: 1, re: null, type: 'halt', reason })
    sockets.close(socket, 1008, 'state_unreadable')
  }
}

/** Tells hub and review; told again after every wake, and whoever has heard it takes it twice. */
async function tellUnread(env: Env, unreadable: Unreadable): Promise<void> {
  const { context, plan_id } = unreadable
  const end = unreadableEnd(unreadable)
  await tellEnd(env, { context, plan_id }, { target: 'hub', end })
  await tellEnd(env, { context, plan_id }, { target: 'review', end })
}

/** What a session that cannot be read still does. */
export const unread = {
  from: unreadableFrom,
  status: unreadableStatus,
  end: unreadableEnd,
  halt: haltUnread,
  tell: tellUnread,
} as const
