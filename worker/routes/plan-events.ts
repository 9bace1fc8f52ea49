// What becomes of one plan, as server-sent events. The stream is made in the Worker; a comment every 15 s
// keeps proxies from cutting it.
import { streamSSE } from 'hono/streaming'
import { limits } from '../../protocol/limits.ts'
import { principalOf, tooMany } from '../auth.ts'
import { follow } from '../follow.ts'
import { seldom, takeFollow } from '../follow-slots.ts'
import { planParams } from '../params.ts'
import { problem } from '../problems.ts'
import { route, type App } from '../routing.ts'
import { visibleRecord } from './plans.ts'

const commentEveryMs = 15_000

export function planEventRoutes(app: App): void {
  route(
    app,
    {
      method: 'get',
      path: '/v1/plans/{plan}/events',
      tag: 'plans',
      summary:
        'What becomes of one plan as server-sent events. `node`: a step started, succeeded, failed, ' +
        'was skipped or is unknown, when, and whether its result is readable. `status`: the whole plan, ' +
        'at once and after each change. A new stream tells first what has happened so far.',
      roles: ['planner', 'reviewer', 'administrator'],
      params: planParams,
      answers: {
        200: {
          description: 'The stream: `NodeEvent` and `Plan` are the data of its events.',
          type: 'text/event-stream',
          example:
            'event: node\ndata: {"id":"weigh","tool":"scale.read","what":"started","at_ms":1764000009000,' +
            '"reason":null,"result":null}\n\nevent: status\ndata: {"plan":"plan_…","state":"bound", …}\n\n',
        },
      },
    },
    async (c, { principal, params }) => {
      const first = await visibleRecord(c, principal, params.plan)
      if (first === null) return problem({ code: 'not_found' }, c.var.requestId)
      const place = takeFollow(principal, Date.now())
      if (place === null) return problem(tooMany(5), c.var.requestId)
      return streamSSE(c, async (stream) => {
        const valid = seldom(async () => (await principalOf(c)).ok, Date.now)
        const clock = { now: () => Date.now(), wait: (ms: number) => stream.sleep(ms) }
        const happenings = follow(c.env, {
          principal,
          plan: params.plan,
          still: async () => {
            place.keep(Date.now())
            return !stream.aborted && (await valid())
          },
          until_ms: Date.now() + limits.followSecondsMax * 1_000,
          clock,
        })
        let lastWriteMs = Date.now()
        try {
          for await (const one of happenings) {
            if (stream.aborted) break
            if (one.event === 'nothing') {
              if (Date.now() - lastWriteMs < commentEveryMs) continue
              await stream.write(': still here\n\n')
            } else {
              const told = one.event === 'node' ? one.node : one.plan
              await stream.writeSSE({ event: one.event, data: JSON.stringify(told) })
            }
            lastWriteMs = Date.now()
          }
        } finally {
          place.leave()
        }
      })
    },
  )
}
