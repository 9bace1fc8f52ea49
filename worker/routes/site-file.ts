// Site files that are not in force. What is in force is put with PUT /v1/tools.
import { limits } from '../../protocol/limits.ts'
import { capViolations } from '../../protocol/violations.ts'
import { approveInPieces } from '../../verify/screen/approve.ts'
import { siteHub } from '../objects.ts'
import { urlViolations } from '../policy-urls.ts'
import { preview } from '../preview.ts'
import { problem } from '../problems.ts'
import { route, type App } from '../routing.ts'
import { answerDraft, dropDraft, putDraft, seeDraft, takeLists } from '../site-draft.ts'
import type { Ctx } from '../context.ts'

const draft = '/v1/site-file/draft'
const shown = {
  200: { description: 'The draft, with its questions.', schema: 'SiteDraft' },
} as const

function draftRoutes(app: App): void {
  const administrator = { tag: 'tools', roles: ['administrator'] } as const
  const told = (c: Ctx, made: Awaited<ReturnType<typeof takeLists>>): Response =>
    made.ok ? c.json(made.value) : problem(made.error, c.var.requestId)
  const summary =
    "Draft a site file from the tools that the site's agents report: adds to the draft, or to the file in force."
  route(
    app,
    {
      ...administrator,
      method: 'post',
      path: draft,
      summary,
      heavy: true,
      answers: shown,
      refusals: ['body_too_large'],
    },
    async (c, { principal }) => told(c, await takeLists(c.env, principal)),
  )
  route(
    app,
    {
      ...administrator,
      method: 'get',
      path: draft,
      summary: 'The draft of the site file: open questions, most dangerous first, and its trials.',
      heavy: true,
      answers: shown,
      refusals: ['not_found'],
    },
    async (c, { principal }) => {
      const view = await seeDraft(c.env, principal.site)
      return view === null ? problem({ code: 'not_found' }, c.var.requestId) : c.json(view)
    },
  )
  route(
    app,
    {
      ...administrator,
      method: 'put',
      path: draft,
      summary: 'Put the draft by hand. It is not in force.',
      heavy: true,
      body: { schema: 'RegistryInput', bytesMax: limits.registryBytesMax },
      answers: shown,
    },
    async (c, { principal, body }) => told(c, await putDraft(c.env, principal, { registry: body })),
  )
  route(
    app,
    {
      ...administrator,
      method: 'delete',
      path: draft,
      summary: 'Drop the draft.',
      answers: { 200: { description: 'It is gone.', schema: 'SiteDraftDropped' } },
      refusals: ['not_found'],
    },
    async (c, { principal }) =>
      (await dropDraft(c.env, principal.site))
        ? c.json({ dropped: true })
        : problem({ code: 'not_found' }, c.var.requestId),
  )
  route(
    app,
    {
      ...administrator,
      method: 'post',
      path: `${draft}/answers`,
      summary: 'Answer questions about the draft, in their order; each is kept at once.',
      heavy: true,
      body: { schema: 'SiteAnswersInput', bytesMax: limits.smallBodyBytesMax },
      answers: shown,
      refusals: ['not_found'],
    },
    async (c, { principal, body }) => told(c, await answerDraft(c.env, principal, body.answers)),
  )
  route(
    app,
    {
      ...administrator,
      method: 'put',
      path: `${draft}/examples`,
      summary: 'Put the example plans that the draft is tried on after every answer.',
      heavy: true,
      body: { schema: 'SiteExamplesInput', bytesMax: limits.draftExamplesBytesMax },
      answers: shown,
    },
    async (c, { principal, body }) => told(c, await putDraft(c.env, principal, body)),
  )
}

export function siteFileRoutes(app: App): void {
  draftRoutes(app)
  route(
    app,
    {
      method: 'post',
      path: '/v1/site-file/preview',
      tag: 'tools',
      summary:
        'What a site file or policy would change: the last 200 plans run again by rules alone. Nothing is put in force, and no judge is asked.',
      roles: ['administrator'],
      heavy: true,
      body: { schema: 'SitePreviewInput', bytesMax: limits.registryBytesMax },
      answers: { 200: { description: 'What would change.', schema: 'SitePreview' } },
      refusals: ['violations', 'site_not_ready'],
    },
    async (c, { principal, body }) => {
      const { site } = principal
      const violations = [
        ...(body.registry === undefined
          ? []
          : (await approveInPieces(body.registry, () => scheduler.wait(0))).violations.map(
              (one) => ({ ...one, at: `/registry${one.at}` }),
            )),
        ...(body.policy === undefined
          ? []
          : urlViolations(body.policy, c.env.PRIVATE_HOSTS).map((one) => ({
              ...one,
              at: `/policy${one.at}`,
            }))),
      ]
      if (violations.length > 0) {
        const refusal = { code: 'violations', violations: capViolations(violations) } as const
        return problem(refusal, c.var.requestId)
      }
      const settings = await siteHub(c.env, site).settings()
      const registry = body.registry ?? settings?.registry ?? null
      if (settings === null || registry === null) {
        return problem({ code: 'site_not_ready' }, c.var.requestId)
      }
      const policy = body.policy ?? settings.policy
      return c.json(await preview(c.env, { site, registry, policy, after: body.after }))
    },
  )
}
