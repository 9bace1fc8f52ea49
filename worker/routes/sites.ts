// Sites: created by the operator of the deployment, who gets the first administrator's credential.
// Everything else about a site comes from the credential, so a foreign site's id is answered 404.
import { createSite, deploymentOperator, getSite } from '../../adapters/credentials.ts'
import { limits } from '../../protocol/limits.ts'
import { auditPage, auditQuery } from '../audit-pages.ts'
import { grant } from '../grant.ts'
import { siteHub } from '../objects.ts'
import { siteParams } from '../params.ts'
import { problem } from '../problems.ts'
import { openRoute, route, type App } from '../routing.ts'

const people = ['reviewer', 'operator', 'administrator'] as const

export function siteRoutes(app: App): void {
  openRoute(
    app,
    {
      method: 'post',
      path: '/v1/sites',
      tag: 'sites',
      summary: 'Create a site and its first administrator; the token is shown once.',
      security: 'deployment',
      body: { schema: 'SiteInput', bytesMax: limits.smallBodyBytesMax },
      answers: {
        201: { description: 'Created.', schema: 'SiteCreated', headers: ['location'] },
      },
      refusals: ['site_exists'],
    },
    async (c, { body }) => {
      if ((await getSite(c.env.DB, body.site)) !== null) {
        return problem({ code: 'site_exists' }, c.var.requestId)
      }
      // The hub first: an administrator must never hold a credential of a site without state.
      await siteHub(c.env, body.site, body.location_hint ?? null).init(body.site)
      const created = await createSite(
        c.env.DB,
        {
          site: body.site,
          created_ms: Date.now(),
          jurisdiction: null,
          location_hint: body.location_hint ?? null,
        },
        body.administrator,
      )
      if (!created.ok) return problem({ code: created.error }, c.var.requestId)
      const { id, subject, owner } = created.value.credential
      const facts = { credential: id, role: 'administrator', subject, owner, expires_ms: null }
      await siteHub(c.env, body.site).note(deploymentOperator, 'credential_created', facts)
      return c.json({ site: body.site, administrator: created.value }, 201, {
        location: '/v1/sites',
      })
    },
  )
  openRoute(
    app,
    {
      method: 'post',
      path: '/v1/sites/{site}/administrators',
      tag: 'sites',
      summary:
        'Give a site another administrator, when it has lost its own; the token is shown once.',
      security: 'deployment',
      params: siteParams,
      body: { schema: 'AdministratorInput', bytesMax: limits.smallBodyBytesMax },
      answers: { 201: { description: 'Created.', schema: 'CredentialCreated' } },
      refusals: ['too_many_credentials'],
    },
    async (c, { params, body }) => {
      if ((await getSite(c.env.DB, params.site)) === null) {
        return problem({ code: 'not_found' }, c.var.requestId)
      }
      const created = await grant(c.env, {
        site: params.site,
        role: 'administrator',
        ...body,
        expires_ms: null,
        created_by: deploymentOperator,
      })
      return created.ok ? c.json(created.value, 201) : problem(created.error, c.var.requestId)
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/sites',
      tag: 'sites',
      summary: 'The site of this credential.',
      roles: people,
      answers: { 200: { description: 'The site.', schema: 'Site' } },
    },
    async (c, { principal }) => {
      const site = await getSite(c.env.DB, principal.site)
      const settings = await siteHub(c.env, principal.site).settings()
      if (site === null || settings === null) {
        return problem({ code: 'not_found' }, c.var.requestId)
      }
      const { registry_digest, policy_version, epoch, quarantined, draining } = settings
      return c.json({ ...site, registry_digest, policy_version, epoch, quarantined, draining })
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/sites/{site}/audit',
      tag: 'sites',
      summary: 'The chained trail of the site: who armed, stopped, approved, revoked.',
      roles: people,
      params: siteParams,
      query: auditQuery,
      answers: { 200: { description: 'One page, oldest first.', schema: 'AuditPage' } },
    },
    async (c, { principal, params, query }) => {
      if (params.site !== principal.site) return problem({ code: 'not_found' }, c.var.requestId)
      return c.json(auditPage(await siteHub(c.env, principal.site).audit(query.after ?? -1)))
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/sites/{site}/incidents',
      tag: 'sites',
      summary: 'What is wrong at the site now, since when, and what to do about it.',
      roles: people,
      params: siteParams,
      answers: { 200: { description: 'The longest standing first.', schema: 'Incidents' } },
    },
    async (c, { principal, params }) => {
      if (params.site !== principal.site) return problem({ code: 'not_found' }, c.var.requestId)
      return c.json({ incidents: await siteHub(c.env, principal.site).openIncidents() })
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/sites/{site}/stop',
      tag: 'sites',
      summary:
        'End every session of the site and disarm its cells; says for each how far the stop has come.',
      roles: people,
      params: siteParams,
      answers: {
        200: { description: 'The wish is kept until each is reached.', schema: 'SiteStopped' },
      },
    },
    async (c, { principal, params }) => {
      if (params.site !== principal.site) return problem({ code: 'not_found' }, c.var.requestId)
      return c.json(await siteHub(c.env, principal.site).stopSite(principal.owner))
    },
  )
}
