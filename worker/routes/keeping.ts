// What a site keeps and for how long: periods, legal holds, deletion of one plan, export of everything. For
// administrators, and each act is in the trail of the site.
import {
  dropHold,
  listHolds,
  putHold,
  readKeeping,
  writeKeeping,
} from '../../adapters/keeping-d1.ts'
import { misfit } from '../../protocol/keeping.ts'
import { limits } from '../../protocol/limits.ts'
import { exportPage } from '../export.ts'
import { siteHub, siteKeeper } from '../objects.ts'
import { pageQuery } from '../paging.ts'
import { planParams, siteParams } from '../params.ts'
import { problem } from '../problems.ts'
import { route, type App } from '../routing.ts'
import type { Env } from '../../durable-objects/env.ts'

const administrators = ['administrator'] as const

const view = async (env: Env, site: string) => ({
  periods: await readKeeping(env.DB, site),
  holds: await listHolds(env.DB, site),
})

const small = limits.smallBodyBytesMax
const inForce = { 200: { description: 'What is in force now.', schema: 'Keeping' } } as const

const exampleLine = JSON.stringify({
  kind: 'head',
  id: 'site-1',
  digest: 'export:…',
  chain: 'export:…',
  value: {
    format: 'portcullis-export',
    v: 1,
    site: 'site-1',
    exported_ms: 1_767_225_600_000,
    after: null,
  },
})

export function keepingRoutes(app: App): void {
  route(
    app,
    {
      method: 'get',
      path: '/v1/keeping',
      tag: 'keeping',
      summary: 'How long the site keeps what, and what legal holds keep beyond that.',
      roles: ['administrator', 'reviewer', 'operator'],
      answers: { 200: { description: 'Periods and holds.', schema: 'Keeping' } },
    },
    async (c, { principal }) => c.json(await view(c.env, principal.site)),
  )
  route(
    app,
    {
      method: 'put',
      path: '/v1/keeping',
      tag: 'keeping',
      summary:
        'Set how long the site keeps what; what is left out takes its default. What is over now goes within minutes.',
      roles: administrators,
      body: { schema: 'KeepingInput', bytesMax: small },
      answers: inForce,
    },
    async (c, { principal, body }) => {
      const { site, owner } = principal
      const wrong = misfit(body)
      if (wrong !== null) {
        const violations = [{ code: 'period_misfit' as const, ...wrong }]
        return problem({ code: 'violations', violations }, c.var.requestId)
      }
      await siteHub(c.env, site).note(owner, 'keeping_set', { ...body })
      await writeKeeping(c.env.DB, site, { keeping: body, by: owner, now_ms: Date.now() })
      await siteKeeper(c.env, site).wake(site, true)
      return c.json(await view(c.env, site))
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/keeping/holds',
      tag: 'keeping',
      summary: 'Put a plan, or the whole site, under a legal hold: nothing of it is deleted.',
      roles: administrators,
      body: { schema: 'HoldInput', bytesMax: small },
      answers: inForce,
      refusals: ['too_many_holds'],
    },
    async (c, { principal, body }) => {
      const { site, owner } = principal
      const hold = { ...body, set_ms: Date.now(), set_by: owner }
      // First the hold, then the line about it: what is to be kept must not wait.
      const put = await putHold(c.env.DB, site, { hold, max: limits.legalHoldsMax })
      if (!put) return problem({ code: 'too_many_holds' }, c.var.requestId)
      await siteHub(c.env, site).note(owner, 'hold_set', { ...body })
      return c.json(await view(c.env, site))
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/keeping/release',
      tag: 'keeping',
      summary: 'Let go of a legal hold: the periods of the site count again.',
      roles: administrators,
      body: { schema: 'HoldRelease', bytesMax: small },
      answers: inForce,
      refusals: ['not_found'],
    },
    async (c, { principal, body }) => {
      const { site, owner } = principal
      await siteHub(c.env, site).note(owner, 'hold_released', { ...body })
      const there = await dropHold(c.env.DB, site, body.plan)
      if (!there) return problem({ code: 'not_found' }, c.var.requestId)
      return c.json(await view(c.env, site))
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/plans/{plan}/delete',
      tag: 'keeping',
      summary:
        'Delete a plan that is over with all that belongs to it; its digests stay in the trail of the site.',
      roles: administrators,
      params: planParams,
      body: { schema: 'PlanDeletion', bytesMax: small },
      answers: { 200: { description: 'Deleted.', schema: 'PlanDeleted' } },
      refusals: ['not_over', 'template_standing', 'on_hold'],
    },
    async (c, { principal, params, body }) => {
      const { site, owner } = principal
      const act = { by: owner, reason: body.reason }
      const done = await siteKeeper(c.env, site).deletePlan(site, params.plan, act)
      if (!done.ok) return problem({ code: done.error.reason }, c.var.requestId)
      return c.json({ plan: params.plan, deleted: true })
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/sites/{site}/export',
      tag: 'keeping',
      summary:
        'Everything that is kept of the site, as lines of JSON with chained digests; the last line of a page names the next.',
      roles: administrators,
      params: siteParams,
      query: pageQuery.pick({ after: true }),
      answers: {
        200: {
          description: 'One page; `npm run -s export` reads them all and checks them.',
          type: 'application/x-ndjson',
          example: exampleLine,
        },
      },
    },
    async (c, { principal, params, query }) => {
      if (params.site !== principal.site) return problem({ code: 'not_found' }, c.var.requestId)
      const { site, owner } = principal
      const after = query.after ?? null
      if (after === null) await siteHub(c.env, site).note(owner, 'site_exported', {})
      const lines = exportPage(c.env, site, { after, now_ms: Date.now() })
      return new Response(streamOf(lines), {
        headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
      })
    },
  )
}

/** Made as fast as it is taken; one that breaks off has no last line, and whoever checks it sees that. */
function streamOf(lines: AsyncGenerator<string, void, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await lines.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await lines.return()
    },
  })
}
