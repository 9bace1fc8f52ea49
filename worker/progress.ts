// How far a plan is: what it waits for, and its steps with their times. Asks only the objects that the
// plan's state concerns. Times come from the session's own trail, so that they are those of the record.
import type { Env } from '../durable-objects/env.ts'
import type { NotNow } from '../contain/dispatch.ts'
import type { AuditEntry } from '../protocol/audit.ts'
import { limits } from '../protocol/limits.ts'
import { mayReadTool } from '../protocol/may-read.ts'
import type { Plan } from '../protocol/plan.ts'
import type { PlanStatus, SessionStatus } from '../protocol/status.ts'
import { executionSession, siteHub } from './objects.ts'
import type { NodeView, Progress } from './plan-schemas.ts'
import { nothingKnown, waitingFor, type Standing } from './waiting.ts'

/** Released, go and report of every node, and as much again for what else a trail holds. */
const trailPagesMax = Math.ceil((limits.nodesMax * 6) / limits.auditEntriesPerPage) + 1

/** What of the site decides on the plan now; asks the hub while the plan waits. */
export async function standingOf(env: Env, status: PlanStatus): Promise<Standing> {
  if (status.state !== 'accepted' && status.state !== 'queued') return nothingKnown
  const hub = siteHub(env, status.site)
  if (status.state === 'accepted') {
    const settings = await hub.settings()
    return { ...nothingKnown, mode: settings?.policy.mode ?? null }
  }
  const [waits, cells] = await Promise.all([hub.waitsOf(status.plan), hub.cells()])
  const queues = await Promise.all(cells.map(({ cell }) => hub.queueOf(cell)))
  const lines = queues.flatMap((lines_) => lines_?.filter((one) => one.plan === status.plan) ?? [])
  const not_now = lines.map((line) => line.not_now as NotNow | 'no_agent' | null)
  return { ...nothingKnown, waits, not_now }
}

type Times = Map<string, { started_ms: number | null; ended_ms: number | null }>

function noteTimes(times: Times, { event, facts, at_ms }: AuditEntry): void {
  const nid = facts['node']
  if (typeof nid !== 'string') return
  const known = times.get(nid) ?? { started_ms: null, ended_ms: null }
  if (event === 'go') times.set(nid, { ...known, started_ms: known.started_ms ?? at_ms })
  // A session that ends while a step is under way ends that step too: no report, and nobody knows.
  if (event === 'report' || (event === 'terminated' && known.started_ms !== null)) {
    times.set(nid, { ...known, ended_ms: known.ended_ms ?? at_ms })
  }
}

async function timesOf(env: Env, site: string, session: string): Promise<Times> {
  const times: Times = new Map()
  let after = -1
  for (let page = 0; page < trailPagesMax; page++) {
    const entries = await executionSession(env, site, session).audit(after)
    for (const entry of entries) noteTimes(times, entry)
    const last = entries.at(-1)
    if (last === undefined || entries.length < limits.auditEntriesPerPage) break
    after = last.seq
  }
  return times
}

/** A reason is a code; what an agent wrote otherwise is not passed on to a planner. */
const codeOnly = (reason: string | null): string | null =>
  reason === null || /^[a-z_]{1,60}$/.test(reason) ? reason : 'other'

/** The session of a plan as it is now; null without one. */
export function sessionNow(env: Env, { site, session }: PlanStatus): Promise<SessionStatus | null> {
  return session === null ? Promise.resolve(null) : executionSession(env, site, session).status()
}

/** The plan that is told of, and the planner that it is told to; null: a person. */
type Told = { readonly plan: Plan; readonly planner: string | null }

/** Whether the numbers of a tool may be told. Asks the hub only when a planner is to hear some. */
async function numbersFor(
  env: Env,
  { site, nodes }: { readonly site: string; readonly nodes: SessionStatus['nodes'] },
  planner: string | null,
): Promise<(tool: string) => boolean> {
  if (planner === null || nodes.every((node) => node.progress === undefined)) {
    return () => true
  }
  const registry = (await siteHub(env, site).settings())?.registry ?? null
  return (tool) => registry !== null && mayReadTool(registry, planner, tool)
}

async function nodesOf(env: Env, status: PlanStatus, { plan, planner }: Told): Promise<NodeView[]> {
  const session = await sessionNow(env, status)
  const untimed = { started_ms: null, ended_ms: null }
  if (session === null) {
    return plan.nodes.map(({ id, tool }) => ({
      id,
      tool,
      state: 'pending',
      reason: null,
      ...untimed,
    }))
  }
  const [times, tells] = await Promise.all([
    timesOf(env, status.site, session.session),
    numbersFor(env, { site: status.site, nodes: session.nodes }, planner),
  ])
  const known = new Map(session.nodes.map((node) => [node.nid, node]))
  return session.order.flatMap((nid) => {
    const node = known.get(nid)
    if (node === undefined) return []
    const { tool, state, reason, progress, stuck_since_ms, late_since_ms } = node
    const at = times.get(nid) ?? untimed
    // Numbers alone, where the labels allow the result: what a device counts is what it will answer.
    const done = progress &&
      tells(tool) && { done: progress.progress, of: progress.total, at_ms: progress.at_ms }
    return [
      {
        id: nid,
        tool,
        state,
        reason: codeOnly(reason),
        ...at,
        ...(done === undefined || done === false ? {} : { progress: done }),
        ...(stuck_since_ms === undefined ? {} : { stuck_since_ms }),
        ...(late_since_ms === undefined ? {} : { late_since_ms }),
      },
    ]
  })
}

/** What the plan waits for now, and every step of it. */
export async function progressOf(env: Env, status: PlanStatus, told: Told): Promise<Progress> {
  const [standing, nodes] = await Promise.all([standingOf(env, status), nodesOf(env, status, told)])
  return { waiting_for: waitingFor(status, standing), nodes }
}

/** What shows that a plan has moved on, without reading its trail or asking the hub. */
export async function progressMark(
  env: Env,
  status: PlanStatus,
  standing: Standing,
): Promise<string> {
  const session = await sessionNow(env, status)
  const { state, verdict, session: id } = status
  const steps = session?.nodes.map((node) => [
    node.state,
    node.progress?.progress ?? null,
    node.stuck_since_ms ?? null,
    node.late_since_ms ?? null,
  ])
  return JSON.stringify([state, verdict, id, waitingFor(status, standing)?.what ?? null, steps])
}
