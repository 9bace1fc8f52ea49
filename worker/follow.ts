// What becomes of one plan, as it happens: for the stream of events and for MCP alike. It polls, so that
// it never pins an object in memory; the plan's own objects soon, the hub of the site, which all plans
// share, only after a change and then seldomer and seldomer.
import type { Env } from '../durable-objects/env.ts'
import type { PlanState, PlanStatus } from '../durable-objects/contracts.ts'
import { plannerOf, type Principal } from './context.ts'
import { newEvents, type NodeEvent } from './node-events.ts'
import { planReview } from './objects.ts'
import { Pace } from './pace.ts'
import { progressMark, standingOf } from './progress.ts'
import { toldPlan } from './told.ts'
import { toldResult } from './told-result.ts'
import type { PlanView } from './views.ts'

const ownPace = { firstMs: 500, lastMs: 2_000 }
const hubPace = { firstMs: 1_000, lastMs: 30_000 }

const lastStates: ReadonlySet<PlanState> = new Set<PlanState>([
  'rejected',
  'completed',
  'terminated',
  'withdrawn',
  'expired',
])

export type Happening =
  | { readonly event: 'status'; readonly plan: PlanView }
  | { readonly event: 'node'; readonly node: NodeEvent }
  /** Nothing has happened; so that whoever follows can say that it is still there. */
  | { readonly event: 'nothing' }

export type Following = {
  readonly principal: Pick<Principal, 'site' | 'role' | 'subject'>
  /** A plan that the principal may see: the caller has looked. */
  readonly plan: string
  /** False once the credential is over: what outlives the moment in which it was let in sees no more. */
  readonly still: () => Promise<boolean>
  readonly until_ms: number
  readonly clock: { now(): number; wait(ms: number): Promise<unknown> }
}

async function withResult(
  env: Env,
  { principal }: Following,
  { bare, session }: { bare: Omit<NodeEvent, 'result'>; session: string | null },
): Promise<NodeEvent> {
  if (session === null || bare.what === 'started') return { ...bare, result: null }
  const read = await toldResult(env, principal, { session, node: bare.id })
  if (!read.ok) return { ...bare, result: null }
  const href = `/v1/sessions/${session}/nodes/${encodeURIComponent(bare.id)}/result`
  return { ...bare, result: { href, withheld: read.value.withheld ?? null } }
}

/**
 * The plan as it is, and what has happened to its steps; then every change, until its state is final, the
 * time is up or the credential is over.
 */
export async function* follow(env: Env, following: Following): AsyncGenerator<Happening> {
  const { principal, plan, still, until_ms, clock } = following
  const review = planReview(env, principal.site, plan)
  const own = new Pace(ownPace)
  const hub = new Pace(hubPace)
  const told = new Set<string>()
  let mark = ''
  let state: PlanStatus['state'] | null = null
  let standing: Awaited<ReturnType<typeof standingOf>> | null = null
  let standingText = ''
  while (clock.now() < until_ms && (await still())) {
    const status = await review.status()
    if (status === null) return
    if (standing === null || status.state !== state || hub.due(clock.now())) {
      standing = await standingOf(env, status)
      const text = JSON.stringify(standing)
      hub.looked(clock.now(), status.state !== state || text !== standingText)
      standingText = text
      state = status.state
    }
    const seen = await progressMark(env, status, standing)
    const changed = seen !== mark
    if (changed) {
      const record = await review.record()
      if (record === null) return
      const view = await toldPlan(env, record, plannerOf(principal))
      mark = seen
      for (const bare of newEvents(view.nodes, told)) {
        yield {
          event: 'node',
          node: await withResult(env, following, { bare, session: view.session }),
        }
      }
      yield { event: 'status', plan: view }
    } else {
      yield { event: 'nothing' }
    }
    if (lastStates.has(status.state)) return
    own.looked(clock.now(), changed)
    await clock.wait(Math.min(own.restMs(clock.now()), Math.max(0, until_ms - clock.now())))
  }
}
