// A standing approval holds the words of the plan that it was made from: it goes with that plan, and while it may
// still cover runs the plan stays.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { standingOf } from '../../durable-objects/standing/api.ts'
import { call, codeOf, type TestSite } from './support/door.ts'
import { ready } from './support/hub.ts'
import { placesOf } from './support/kept-text.ts'
import { accepted, fetchPlan, hubOf, idOf, loadTinyGraph, reviewOf, until } from './support/site.ts'

beforeAll(loadTinyGraph)

/** A template of a plan with a word of its own; the plan is over, and the template signed by nobody. */
async function proposedFrom(word: string) {
  const { site } = await ready()
  const goal = `List the plates of the wet-lab queue and fetch the first one, ${word}.`
  const plan = idOf(await accepted(site, fetchPlan(site.plannerId, { goal })))
  const body = {
    plan,
    holes: [],
    planners: [site.plannerId],
    runs: 9,
    until_ms: Date.now() + 3_600_000,
  }
  const made = await call('POST', '/v1/templates', { token: site.reviewer, body })
  expect(made.status).toBe(201)
  await call('POST', `/v1/plans/${plan}/withdraw`, { token: site.planner })
  const told = async () => (await reviewOf(site.site, plan).lookForgetting()).state === 'done'
  await until('told', told)
  const { template, digest } = made.body as { template: string; digest: string }
  return { site, plan, template, digest }
}

const remove = (site: TestSite, plan: string) =>
  call('POST', `/v1/plans/${plan}/delete`, {
    token: site.admin,
    body: { reason: 'It was asked for.' },
  })

const revoke = (site: TestSite, template: string) =>
  call('POST', `/v1/templates/${template}/revoke`, { token: site.operator })

describe('a plan that a standing approval was made from', () => {
  it.each(['with', 'without'])(
    'stays while that may cover runs, and takes it along when it is over (index %s the plan)',
    async (how) => {
      const word = `zzquokka${how}`
      const { site, plan, template, digest } = await proposedFrom(word)
      if (how === 'without') {
        await env.DB.prepare('UPDATE templates SET base = NULL WHERE template = ?')
          .bind(template)
          .run()
      }
      expect(codeOf(await remove(site, plan))).toBe('template_standing')
      expect(await placesOf(word)).toEqual(
        expect.arrayContaining(['PLAN_REVIEW', 'STANDING_APPROVAL']),
      )
      expect((await revoke(site, template)).status).toBe(200)
      const trail = (await standingOf(env, site.site, template).audit(-1)).at(-1)?.digest
      expect((await remove(site, plan)).status).toBe(200)
      expect(await placesOf(word)).toEqual([])
      const line = (await hubOf(site.site).audit(-1)).find(({ event }) => event === 'plan_deleted')
      expect(line?.facts['templates']).toEqual([{ template, template_digest: digest, trail }])
      const listed = await call('GET', '/v1/templates', { token: site.reviewer })
      expect(listed.text).not.toContain(template)
    },
  )

  it('leaves one that was made from another plan alone', async () => {
    const { site, plan, template } = await proposedFrom('zzkowari')
    await env.DB.prepare('UPDATE templates SET base = NULL WHERE template = ?').bind(template).run()
    const other = { plan: 'plan_other', now_ms: Date.now() + 86_400_000 }
    expect(await standingOf(env, site.site, template).forget('all', other)).toEqual({
      state: 'absent',
    })
    expect(codeOf(await remove(site, plan))).toBe('template_standing')
  })

  it('whose text alone goes leaves the trail of the approval, and nothing that anybody could sign', async () => {
    const { site, plan, template, digest } = await proposedFrom('zzpotoroo')
    await revoke(site, template)
    const of = { plan, now_ms: Date.now() }
    const object = standingOf(env, site.site, template)
    for (const what of ['plan', 'plan', 'look'] as const) {
      expect(await object.forget(what, of)).toMatchObject({
        state: 'done',
        digests: { template_digest: digest },
      })
    }
    expect(await object.view()).toBeNull()
    expect((await object.audit(-1)).map(({ event }) => event)).toEqual([
      'template_proposed',
      'template_revoked',
      'text_deleted',
    ])
    expect(await placesOf('zzpotoroo')).not.toContain('STANDING_APPROVAL')
    const sign = await call('POST', `/v1/templates/${template}/approve`, {
      token: site.reviewer,
      body: { digest, rationale: 'The same each time.' },
    })
    expect(sign.status).toBe(404)
  })
})

describe('an export', () => {
  it('holds the standing approvals of the site and their trails', async () => {
    const { site, template } = await proposedFrom('zzbettong')
    const page = await call('GET', `/v1/sites/${site.site}/export`, { token: site.admin })
    const lines = page.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; id: string })
    expect(lines).toContainEqual(expect.objectContaining({ kind: 'template', id: template }))
    const trail = { kind: 'template_trail', id: `${template}/0` }
    expect(lines).toContainEqual(expect.objectContaining(trail))
  })
})
