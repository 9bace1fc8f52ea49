// Sessions: progress, trail, stop. A stop is for any person who watches; it is idempotent and final.
import { auditPage, auditQuery } from '../audit-pages.ts'
import { executionSession, siteHub } from '../objects.ts'
import { nodeParams, partParams, sessionParams } from '../params.ts'
import { isMedia, partHeaders, partStream } from '../part-stream.ts'
import { problem, type ProblemCode } from '../problems.ts'
import { resultView } from '../result-view.ts'
import { runOf } from '../run-view.ts'
import { route, type App } from '../routing.ts'
import { siteNow } from '../site-snapshot.ts'
import { toldResult } from '../told-result.ts'
import { visibleRecord } from './plans.ts'

const watchers = ['reviewer', 'operator', 'administrator'] as const

export function sessionRoutes(app: App): void {
  route(
    app,
    {
      method: 'get',
      path: '/v1/sessions/{session}',
      tag: 'sessions',
      summary: 'Progress of one session, node by node.',
      roles: watchers,
      params: sessionParams,
      answers: { 200: { description: 'The session.', schema: 'Session' } },
    },
    async (c, { principal, params }) => {
      const status = await executionSession(c.env, principal.site, params.session).status()
      return status === null ? problem({ code: 'not_found' }, c.var.requestId) : c.json(status)
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/sessions/{session}/run',
      tag: 'sessions',
      summary:
        'One session in words: each step with its sentence and times, and after its end what is known of its devices.',
      roles: watchers,
      params: sessionParams,
      answers: { 200: { description: 'The run, as of now.', schema: 'Run' } },
    },
    async (c, { principal, params }) => {
      const run = await runOf(c.env, principal.site, params.session)
      return run === null ? problem({ code: 'not_found' }, c.var.requestId) : c.json(run)
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/sessions/{session}/audit',
      tag: 'sessions',
      summary: 'The chained trail of one session; `after` is the last `seq` that was read.',
      roles: watchers,
      params: sessionParams,
      query: auditQuery,
      answers: { 200: { description: 'One page, oldest first.', schema: 'AuditPage' } },
    },
    async (c, { principal, params, query }) => {
      const session = executionSession(c.env, principal.site, params.session)
      if ((await session.status()) === null) {
        return problem({ code: 'not_found' }, c.var.requestId)
      }
      return c.json(auditPage(await session.audit(query.after ?? -1)))
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/sessions/{session}/nodes/{node}/result',
      tag: 'sessions',
      summary:
        'What a device answered to one step, screened: data, never instructions. A planner reads its own ' +
        'runs, and only labels that its row in the registry names in `reads`.',
      roles: ['planner', ...watchers],
      params: nodeParams,
      answers: { 200: { description: 'The result.', schema: 'NodeResult' } },
      refusals: ['site_not_ready'],
    },
    async (c, { principal, params }) => {
      const { session, node } = params
      const status = await executionSession(c.env, principal.site, session).status()
      const seen = status !== null && (await visibleRecord(c, principal, status.plan)) !== null
      if (!seen) return problem({ code: 'not_found' }, c.var.requestId)
      const read = await toldResult(c.env, principal, { session, node })
      return read.ok ? c.json(read.value) : problem(read.error, c.var.requestId)
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/sessions/{session}/nodes/{node}/parts/{digest}',
      tag: 'sessions',
      summary:
        'A picture, file or large answer of one step, from the disk of the agent that keeps it. Who may read ' +
        'the result may read it; a planner only what is no text. A stream that breaks off is not the part.',
      roles: ['planner', ...watchers],
      params: partParams,
      answers: {
        200: {
          description: 'The part.',
          type: 'application/octet-stream',
          example: 'The bytes of the part.',
        },
      },
      refusals: [
        'site_not_ready',
        'part_expired',
        'part_withheld',
        'part_changed',
        'part_unreachable',
        'too_many_parts',
      ],
    },
    async (c, { principal, params }) => {
      const refuse = (code: ProblemCode) => problem({ code }, c.var.requestId)
      const session = executionSession(c.env, principal.site, params.session)
      const status = await session.status()
      const seen = status !== null && (await visibleRecord(c, principal, status.plan)) !== null
      const stored = seen ? await session.result(params.node) : null
      if (!seen || stored === null) return refuse('not_found')
      const site = await siteNow(c.env, principal.site)
      if (site === null) return refuse('site_not_ready')
      const planner = principal.role === 'planner' ? principal.subject : null
      const view = await resultView(stored, planner, site.snapshot)
      const part = view?.kept.find(({ digest }) => digest === params.digest)
      if (part === undefined) return refuse('not_found')
      if (planner !== null && !isMedia(part)) return refuse('part_withheld')
      const hub = siteHub(c.env, principal.site)
      const stream = await partStream((ask) => hub.part(ask), {
        agent: status.agent,
        part,
        mediaOnly: planner !== null,
        background: (work) => c.executionCtx.waitUntil(work),
      })
      return stream.ok
        ? new Response(stream.value, { headers: partHeaders(part) })
        : refuse(stream.error)
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/sessions/{session}/stop',
      tag: 'sessions',
      summary:
        'End a session: no node follows, devices go to their declared safe state. A stop by a person disarms the cell; a planner ends its own run.',
      roles: ['planner', ...watchers],
      params: sessionParams,
      answers: {
        200: {
          description: 'The session has ended; `stop` tells of its devices.',
          schema: 'SessionStopped',
        },
        202: {
          description: 'Not reached yet: the wish is kept and repeated.',
          schema: 'SessionStopped',
        },
      },
    },
    async (c, { principal, params }) => {
      const hub = siteHub(c.env, principal.site)
      const planner = principal.role === 'planner' ? principal.subject : null
      const stopped = await hub.stopSession(params.session, principal.owner, planner)
      if (stopped === null) return problem({ code: 'not_found' }, c.var.requestId)
      const { stop, status } = stopped
      return c.json({ ...status, ...stop }, stop.stop === 'not_reached_yet' ? 202 : 200)
    },
  )
}
