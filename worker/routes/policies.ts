// The policy of a site: which panel judges, thresholds, budgets, expiries. Each version is named by
// its digest, and a decision made under another version is not bound.
import { keyParams } from '../params.ts'
import { limits } from '../../protocol/limits.ts'
import { siteHub } from '../objects.ts'
import { patternViolations } from '../policy-patterns.ts'
import { urlViolations } from '../policy-urls.ts'
import { problem } from '../problems.ts'
import { route, type App } from '../routing.ts'

export function policyRoutes(app: App): void {
  route(
    app,
    {
      method: 'put',
      path: '/v1/policies',
      tag: 'policies',
      summary: 'Set the policy; what is left out takes its default.',
      roles: ['administrator'],
      body: { schema: 'PolicyInput', bytesMax: limits.smallBodyBytesMax },
      answers: { 200: { description: 'Set.', schema: 'PolicySet' } },
    },
    async (c, { principal, body }) => {
      const violations = [...urlViolations(body, c.env.PRIVATE_HOSTS), ...patternViolations(body)]
      if (violations.length > 0) return problem({ code: 'violations', violations }, c.var.requestId)
      return c.json(await siteHub(c.env, principal.site).putPolicy(body, principal.owner))
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/policies',
      tag: 'policies',
      summary: 'The policy that is in force.',
      roles: ['administrator', 'reviewer', 'operator'],
      answers: { 200: { description: 'The policy.', schema: 'Policy' } },
    },
    async (c, { principal }) => {
      const settings = await siteHub(c.env, principal.site).settings()
      if (settings === null) return problem({ code: 'not_found' }, c.var.requestId)
      return c.json({ policy_version: settings.policy_version, policy: settings.policy })
    },
  )
  route(
    app,
    {
      method: 'put',
      path: '/v1/policies/keys/{key}',
      tag: 'policies',
      summary: 'Keep a model key of the site, sealed; the policy names it, nobody reads it back.',
      roles: ['administrator'],
      params: keyParams,
      body: { schema: 'SiteKeyInput', bytesMax: limits.smallBodyBytesMax },
      answers: { 200: { description: 'Kept.', schema: 'SiteKeySet' } },
      refusals: ['not_configured'],
    },
    async (c, { principal, params, body }) => {
      const hub = siteHub(c.env, principal.site)
      const kept = await hub.putSiteKey(params.key, body.key, principal.owner)
      if (kept) return c.json({ name: params.key })
      const detail = 'SITE_KEY_SECRET is not set.'
      return problem({ code: 'not_configured', detail }, c.var.requestId)
    },
  )
}
