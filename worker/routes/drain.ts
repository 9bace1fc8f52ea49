// No new runs: for one site by its people, for the whole deployment by whoever operates it.
import { deploymentOperator } from '../../adapters/credentials.ts'
import { limits } from '../../protocol/limits.ts'
import { drainAll, drainSite, movingNow } from '../drain.ts'
import { siteParams } from '../params.ts'
import { problem } from '../problems.ts'
import { openRoute, route, type App } from '../routing.ts'

const bytesMax = limits.smallBodyBytesMax

export function drainRoutes(app: App): void {
  route(
    app,
    {
      method: 'post',
      path: '/v1/sites/{site}/drain',
      tag: 'sites',
      summary:
        'Bind no plan of the site from now on, or bind them again. Runs go on to their end; plans are taken and queued.',
      roles: ['operator', 'administrator'],
      params: siteParams,
      body: { schema: 'DrainInput', bytesMax },
      answers: { 200: { description: 'As it is now.', schema: 'Drained' } },
    },
    async (c, { principal, params, body }) => {
      const { site, owner: by } = principal
      if (params.site !== site) return problem({ code: 'not_found' }, c.var.requestId)
      const drain = body.on ? { reason: body.reason, by, since_ms: Date.now() } : null
      const draining = await drainSite(c.env, site, { drain, by, whose: 'site' })
      return c.json({ site, draining })
    },
  )
  openRoute(
    app,
    {
      method: 'post',
      path: '/v1/drain',
      tag: 'sites',
      summary: 'Bind no plan of any site from now on, or bind them again; says what still runs.',
      security: 'deployment',
      body: { schema: 'DrainInput', bytesMax },
      answers: { 200: { description: 'What still runs.', schema: 'Moving' } },
    },
    async (c, { body }) => {
      const by = deploymentOperator
      const drain = body.on ? { reason: body.reason, by, since_ms: Date.now() } : null
      return c.json(await drainAll(c.env, { drain, by }))
    },
  )
  openRoute(
    app,
    {
      method: 'get',
      path: '/v1/drain',
      tag: 'sites',
      summary: 'What runs in the deployment now, before something is done to it.',
      security: 'deployment',
      answers: { 200: { description: 'What runs.', schema: 'Moving' } },
    },
    async (c) => c.json(await movingNow(c.env)),
  )
}
