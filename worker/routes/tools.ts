// The registry and the policy of a site: what may be called, and how strictly plans are judged.
// Both are named by digest in every decision; a change stops what rests on the old one.
import { limits } from '../../protocol/limits.ts'
import type { Registry } from '../../protocol/registry.ts'
import { digest } from '../../protocol/digest.ts'
import { capViolations } from '../../protocol/violations.ts'
import { approveInPieces } from '../../verify/screen/approve.ts'
import { siteHub } from '../objects.ts'
import { problem } from '../problems.ts'
import { route, type App } from '../routing.ts'

/** What a planner needs to call a tool, and nothing about where it runs. */
export function toolViews(registry: Registry) {
  return registry.tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    risk_class: tool.risk_class,
    capability: tool.capability,
    args_schema: tool.args_schema,
    sandbox_required: tool.sandbox_required,
  }))
}

export function toolRoutes(app: App): void {
  route(
    app,
    {
      method: 'put',
      path: '/v1/tools',
      tag: 'tools',
      summary: 'Approve the registry of the site: tools, planners, reference tables, rules.',
      roles: ['administrator'],
      heavy: true,
      body: { schema: 'RegistryInput', bytesMax: limits.registryBytesMax },
      answers: { 200: { description: 'Approved.', schema: 'RegistryApproved' } },
    },
    async (c, { principal, body }) => {
      // Here and not in the hub, which other people's runs ask before every step; and in pieces, since a
      // question before a `go` may wait for the same thread.
      const { violations, quarantined } = await approveInPieces(body, () => scheduler.wait(0))
      if (violations.length > 0) {
        const refusal = { code: 'violations', violations: capViolations(violations) } as const
        return problem(refusal, c.var.requestId)
      }
      const registry_digest = await digest('registry', body)
      const approved = { text: JSON.stringify(body), registry_digest, quarantined }
      await siteHub(c.env, principal.site).putRegistry(approved, principal.owner)
      return c.json({ registry_digest, quarantined })
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/tools',
      tag: 'tools',
      summary: 'What may be called; people also see the whole registry.',
      roles: ['planner', 'reviewer', 'operator', 'administrator'],
      answers: { 200: { description: 'The tools.', schema: 'Tools' } },
    },
    async (c, { principal }) => {
      const settings = await siteHub(c.env, principal.site).settings()
      const registry = settings?.registry ?? null
      const person = principal.role !== 'planner'
      return c.json({
        registry_digest: settings?.registry_digest ?? null,
        tools: registry === null ? [] : toolViews(registry),
        registry: person ? registry : null,
        quarantined: person ? (settings?.quarantined ?? []) : [],
      })
    },
  )
}
