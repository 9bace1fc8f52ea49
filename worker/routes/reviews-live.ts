// What a page of a reviewer needs beside the record: that the list has changed, the dry run step by step, and
// the texts behind the ids that a packet cites.
import { streamSSE } from 'hono/streaming'
import { reviewsMark } from '../../adapters/plan-index.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { citedTexts } from '../../adapters/knowledge-texts.ts'
import { principalOf } from '../auth.ts'
import type { StoredRecord } from '../../verify/rederive.ts'
import { traceDecided } from '../../verify/review/left.ts'
import { planReview } from '../objects.ts'
import { planParams } from '../params.ts'
import { problem } from '../problems.ts'
import { route, type App } from '../routing.ts'

const pollMs = 1_000
const commentEveryMs = 15_000
/** After this the stream ends and the page connects again. */
const streamMsMax = 300_000

export function reviewLiveRoutes(app: App): void {
  route(
    app,
    {
      method: 'get',
      path: '/v1/review-events',
      tag: 'reviews',
      summary:
        'Server-sent events: `reviews` with how many plans wait, at once and whenever the list changes.',
      roles: ['reviewer'],
      answers: {
        200: {
          description: 'The stream.',
          type: 'text/event-stream',
          example: 'event: reviews\ndata: {"open":2,"mark":"7"}\n\n',
        },
      },
    },
    async (c, { principal }) =>
      Promise.resolve(
        streamSSE(c, async (stream) => {
          const startedMs = Date.now()
          let told = ''
          let lastWriteMs = startedMs
          while (!stream.aborted && Date.now() - startedMs < streamMsMax) {
            // A stream outlives the moment in which it was let in: a revoked credential sees no more.
            if (!(await principalOf(c)).ok) break
            const { open, mark } = await reviewsMark(c.env.DB, principal.site)
            if (mark !== told) {
              await stream.writeSSE({ event: 'reviews', data: JSON.stringify({ open, mark }) })
              told = mark
              lastWriteMs = Date.now()
            } else if (Date.now() - lastWriteMs >= commentEveryMs) {
              await stream.write(': still here\n\n')
              lastWriteMs = Date.now()
            }
            await stream.sleep(pollMs)
          }
        }),
      ),
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/reviews/{plan}/trace',
      tag: 'reviews',
      summary:
        'The dry run that a plan was judged over, derived again from its record: what each step changes. The packet names its digest.',
      roles: ['reviewer'],
      params: planParams,
      answers: { 200: { description: 'The whole dry run.', schema: 'PlanTrace' } },
    },
    async (c, { principal, params }) => {
      const text = await planReview(c.env, principal.site, params.plan).evidence()
      if (text === null) return problem({ code: 'not_found' }, c.var.requestId)
      const trace = traceDecided(JSON.parse(text) as StoredRecord)
      // An end that is not known has no form in JSON: it is null, as in what the digest was made of.
      return c.json({ trace: JSON.parse(JSON.stringify(trace)) as JsonObject })
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/reviews/{plan}/citations',
      tag: 'reviews',
      summary:
        'The entries of the knowledge graph that a packet cites, as text. Not part of what the digest names.',
      roles: ['reviewer'],
      params: planParams,
      answers: { 200: { description: 'One entry for each id.', schema: 'Citations' } },
    },
    async (c, { principal, params }) => {
      const record = await planReview(c.env, principal.site, params.plan).record()
      if (record === null) return problem({ code: 'not_found' }, c.var.requestId)
      const { packet } = record
      const found = [
        ...(packet?.floor.findings ?? []),
        ...(packet?.grounding?.findings ?? []),
      ].flatMap(({ kg }) => kg)
      const ids = [...new Set([...(packet?.citations ?? []), ...found])]
      return c.json(await citedTexts(c.env.DB, principal.site, ids))
    },
  )
}
