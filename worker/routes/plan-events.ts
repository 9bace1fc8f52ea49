// What becomes of one plan, as server-sent events. The stream is made in the Worker and polls, so
// that it never pins an object in memory; a comment every 15 s keeps proxies from cutting it.
import { streamSSE } from 'hono/streaming'
import type { PlanState } from '../../durable-objects/contracts.ts'
import { principalOf } from '../auth.ts'
import { planReview } from '../objects.ts'
import { planParams } from '../params.ts'
import { problem } from '../problems.ts'
import { route, type App } from '../routing.ts'
import { progressMark } from '../progress.ts'
import { toldPlan } from '../told.ts'
import { visibleRecord } from './plans.ts'

const pollMs = 500
const commentEveryMs = 15_000
/** After this the stream ends and the client connects again. */
const streamMsMax = 300_000

const lastStates: ReadonlySet<PlanState> = new Set<PlanState>([
  'rejected',
  'completed',
  'terminated',
  'withdrawn',
  'expired',
])

export function planEventRoutes(app: App): void {
  route(
    app,
    {
      method: 'get',
      path: '/v1/plans/{plan}/events',
      tag: 'plans',
      summary:
        'Changes of one plan as server-sent events: its state, what it waits for, each step. Every `status` event holds the whole plan.',
      roles: ['planner', 'reviewer', 'administrator'],
      params: planParams,
      answers: { 200: { description: 'The stream.', type: 'text/event-stream' } },
    },
    async (c, { principal, params }) => {
      const first = await visibleRecord(c, principal, params.plan)
      if (first === null) return problem({ code: 'not_found' }, c.var.requestId)
      return streamSSE(c, async (stream) => {
        const startedMs = Date.now()
        let told = ''
        let lastWriteMs = startedMs
        while (!stream.aborted && Date.now() - startedMs < streamMsMax) {
          // A stream outlives the moment in which it was let in: a revoked credential sees no more.
          if (!(await principalOf(c)).ok) break
          const review = planReview(c.env, principal.site, params.plan)
          const status = await review.status()
          if (status === null) break
          const mark = await progressMark(c.env, status)
          if (mark !== told) {
            const record = await review.record()
            if (record === null) break
            const view = await toldPlan(c.env, record)
            await stream.writeSSE({ event: 'status', data: JSON.stringify(view) })
            told = mark
            lastWriteMs = Date.now()
          } else if (Date.now() - lastWriteMs >= commentEveryMs) {
            await stream.write(': still here\n\n')
            lastWriteMs = Date.now()
          }
          if (lastStates.has(status.state)) break
          await stream.sleep(pollMs)
        }
      })
    },
  )
}
