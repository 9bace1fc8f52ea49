// The registry and the policy of a site: what may be called, and how strictly plans are judged.
// Both are named by digest in every decision; a change stops what rests on the old one.
import type { SiteSettings } from '../../durable-objects/contracts.ts'
import { limits } from '../../protocol/limits.ts'
import { toPointer } from '../../protocol/pointer.ts'
import { provenDigests, stillProven } from '../../protocol/proven.ts'
import type { Registry } from '../../protocol/registry.ts'
import { digest } from '../../protocol/digest.ts'
import { capViolations } from '../../protocol/violations.ts'
import { approveInPieces } from '../../verify/screen/approve.ts'
import { siteHub } from '../objects.ts'
import { toolParams } from '../params.ts'
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

/** Each row's digest as it is now, and who or what has shown that it is right. */
async function rowViews({ registry, proven }: SiteSettings) {
  const digests = Object.entries(await provenDigests(registry?.tools ?? []))
  return digests.map(([tool, row]) => {
    const word = proven.find((one) => one.tool === tool && one.row === row)
    if (word === undefined) return { tool, row, proven: null }
    const { by, session, at_ms } = word
    return { tool, row, proven: { by, session, at_ms } }
  })
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
        rows: person && settings !== null ? await rowViews(settings) : [],
      })
    },
  )
  route(
    app,
    {
      method: 'put',
      path: '/v1/tools/proven',
      tag: 'tools',
      summary:
        'State of rows of the registry, by digest, that they have run in this lab as they say.',
      roles: ['administrator'],
      body: { schema: 'RowsProvenInput', bytesMax: limits.registryBytesMax },
      answers: { 200: { description: 'Proven from now on.', schema: 'RowsProven' } },
      refusals: ['violations'],
    },
    async (c, { principal, body }) => {
      const hub = siteHub(c.env, principal.site)
      const tools = (await hub.settings())?.registry?.tools ?? []
      const now = await stillProven(tools, body.rows)
      const strange = Object.keys(body.rows).filter((tool) => !Object.hasOwn(now, tool))
      if (strange.length > 0) {
        const violations = strange.map((tool) => ({
          code: 'row_not_current' as const,
          at: toPointer(['rows', tool]),
          message: `the registry has no row of ${tool} with this digest`,
        }))
        return problem(
          { code: 'violations', violations: capViolations(violations) },
          c.var.requestId,
        )
      }
      const { owner: by } = principal
      await hub.proven({ rows: body.rows, by, session: null, at_ms: Date.now() })
      return c.json({ tools: Object.keys(now).toSorted() })
    },
  )
  route(
    app,
    {
      method: 'delete',
      path: '/v1/tools/{tool}/proven',
      tag: 'tools',
      summary: 'Take back that a row is proven: the device did not do what it says.',
      roles: ['operator', 'administrator'],
      params: toolParams,
      answers: { 200: { description: 'Its next use waits for a person.', schema: 'RowTakenBack' } },
    },
    async (c, { principal, params }) => {
      const taken = await siteHub(c.env, principal.site).proven({
        taken_back: params.tool,
        by: principal.owner,
      })
      return taken
        ? c.json({ tool: params.tool, proven: false })
        : problem({ code: 'not_found' }, c.var.requestId)
    },
  )
}
