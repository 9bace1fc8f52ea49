// A site that is drained binds no plan, lets runs go on, and says so; the deployment's operator drains all.
import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { versions } from '../../protocol/versions.ts'
import { call, codeOf, freshSite, type TestSite } from './support/door.ts'
import { arm, bound, queuedPlan, ready } from './support/hub.ts'
import { hubOf, loadTinyGraph, reaches, reviewOf, until } from './support/site.ts'

beforeAll(loadTinyGraph)

const drain = (site: TestSite, on: boolean, token = site.operator) =>
  call('POST', `/v1/sites/${site.site}/drain`, { token, body: { on, reason: 'A release.' } })

const all = (method: 'GET' | 'POST', on?: boolean) =>
  call(method, '/v1/drain', {
    token: env.TEST_OPERATOR_TOKEN,
    ...(on === undefined ? {} : { body: { on, reason: 'A release.' } }),
  })

describe('a drained site', () => {
  it('queues plans and binds none until it is let go', async () => {
    const { site } = await ready()
    expect((await drain(site, true)).body).toMatchObject({
      draining: { reason: 'A release.', by: 'olga' },
    })
    const plan = await queuedPlan(site)
    await arm(site)
    const line = await call('GET', '/v1/cells/cell-1/queue', { token: site.operator })
    expect(line.body).toMatchObject({ items: [{ plan, not_now: 'draining' }] })
    expect((await reviewOf(site.site, plan).status())?.state).toBe('queued')
    const shown = await call('GET', '/v1/sites', { token: site.admin })
    expect(shown.body).toMatchObject({ draining: { by: 'olga' } })
    expect((await drain(site, false)).body).toMatchObject({ draining: null })
    await reaches(site, plan, ['bound'])
    const events = (await hubOf(site.site).audit(-1)).map(({ event }) => event)
    expect(events).toEqual(expect.arrayContaining(['drain_begun', 'drain_ended']))
  })

  it('lets a run go on', async () => {
    const { site } = await ready()
    const { ask, hub } = await bound(site)
    await drain(site, true)
    expect(await hub.mayActuate(ask)).toMatchObject({ ok: true })
  })

  it('is not drained by planners, reviewers or strangers', async () => {
    const site = await freshSite()
    for (const token of [site.planner, site.reviewer]) {
      expect(codeOf(await drain(site, true, token))).toBe('role_forbidden')
    }
    const other = await freshSite()
    expect((await drain(site, true, other.operator)).status).toBe(404)
    expect(codeOf(await call('GET', '/v1/drain', { token: site.admin }))).toBe('credential_invalid')
  })

  it('is one of all that the operator of the deployment drains, and health says so', async () => {
    const { site } = await ready()
    const { session } = await bound(site)
    const told = await all('POST', true)
    expect(told.body['draining']).toBe(told.body['sites'])
    expect(told.body['running']).toContainEqual({ site: site.site, cell: 'cell-1', session })
    await evictDurableObject(hubOf(site.site))
    expect((await hubOf(site.site).settings())?.draining?.by).toBe('deployment-operator')
    // What health says may be a few seconds old.
    await until('health says so', async () => {
      const health = await call('GET', '/healthz')
      expect(health.body).toMatchObject({ status: 'ok', versions })
      return /sites?$/.test((health.body['checks'] as Record<string, string>)['draining'] ?? '')
    })
    await all('POST', false)
    expect((await hubOf(site.site).settings())?.draining).toBeNull()
    expect((await all('GET')).body['running']).toContainEqual(
      expect.objectContaining({ site: site.site }),
    )
  })

  it('stays drained when only one of the two who drain it lets go', async () => {
    const { site } = await ready()
    await drain(site, true)
    await all('POST', true)
    await all('POST', false)
    expect((await hubOf(site.site).settings())?.draining?.by).toBe('olga')
    await all('POST', true)
    // Its people cannot let it bind in the middle of a deployment either.
    expect((await drain(site, false)).body).toMatchObject({
      draining: { by: 'deployment-operator' },
    })
    await all('POST', false)
    expect((await hubOf(site.site).settings())?.draining).toBeNull()
  })
})
