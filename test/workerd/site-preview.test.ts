// What a proposed site file would change: told before it is in force, as it then turns out, for this site alone.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../protocol/limits.ts'
import type { Registry } from '../../protocol/registry.ts'
import { agentJwk } from '../shared/session-fixture.ts'
import { call, codeOf, codesOf, freshSite, submitReading, type TestSite } from './support/door.ts'
import {
  decided,
  enrolAgent,
  fetchPlan,
  hubOf,
  idOf,
  loadTinyGraph,
  readPlan,
  until,
} from './support/site.ts'

let site: TestSite
let fetched: string

type Preview = {
  tried: number
  unreadable: string[]
  changed: { plan: string; before: string; after: string; gained: { code: string }[] }[]
  to_judge_again: string[]
  next: string | null
}

/** The demo's file without a word on what fetching does. */
const undescribed = (): Registry => {
  const tools = env.TEST_REGISTRY.tools.map(({ meaning, ...row }) =>
    row.name === 'storage.fetch' || meaning === undefined ? row : { ...row, meaning },
  )
  return { ...env.TEST_REGISTRY, tools }
}

async function preview(body: object, token = site.admin): Promise<Preview> {
  const answer = await call('POST', '/v1/site-file/preview', { token, body })
  if (answer.status !== 200) throw new Error(`preview: ${answer.status} ${answer.text}`)
  return answer.body as unknown as Preview
}

beforeAll(async () => {
  await loadTinyGraph()
  site = await freshSite()
  const presence = await enrolAgent(site, { agent: 'robot', cell: 'cell-1', jwk: agentJwk })
  presence.health()
  await until('health', async () => (await hubOf(site.site).agents())[0]?.health !== null)
  await decided(site, readPlan(site.plannerId))
  const answer = await decided(site, fetchPlan(site.plannerId))
  expect(answer.body['verdict'], answer.text).toBe('accept')
  fetched = idOf(answer)
})

describe('a proposed site file', () => {
  it('changes nothing where it says the same', async () => {
    const same = await preview({ registry: env.TEST_REGISTRY })
    expect(same).toMatchObject({ tried: 2, unreadable: [], changed: [], next: null })
  })

  it('names the plan whose verdict it changes and why, and it comes out so once it is in force', async () => {
    const told = await preview({ registry: undescribed() })
    expect(told.tried).toBe(2)
    expect(told.changed).toMatchObject([
      { plan: fetched, before: 'accept', after: 'escalate', stands: 'accept', lost: [] },
    ])
    const codes = told.changed[0]?.gained.map(({ code }) => code) ?? []
    expect(codes.length).toBeGreaterThan(0)

    // Nothing was put in force by asking.
    const again = await decided(site, fetchPlan(site.plannerId, { goal: 'Fetch it once more.' }))
    expect(again.body['verdict']).toBe('accept')
    const put = await call('PUT', '/v1/tools', { token: site.admin, body: undescribed() })
    expect(put.status, put.text).toBe(200)
    const after = await decided(site, fetchPlan(site.plannerId, { goal: 'Fetch it a third time.' }))
    expect(after.body['verdict']).toBe('escalate')
    for (const code of codes) expect(after.text).toContain(code)
    // And the way back is told as well.
    const back = await preview({ registry: env.TEST_REGISTRY })
    expect(back.changed.map(({ plan }) => plan)).toEqual([idOf(after)])
  })

  it('that would be refused is refused, with its places', async () => {
    const [tool] = env.TEST_REGISTRY.tools
    const twice = { ...env.TEST_REGISTRY, tools: [...env.TEST_REGISTRY.tools, tool] }
    const answer = await call('POST', '/v1/site-file/preview', {
      token: site.admin,
      body: { registry: twice },
    })
    expect(answer.status).toBe(422)
    expect(codesOf(answer).every(([, at]) => at.startsWith('/registry/'))).toBe(true)
  })

  it('is tried by administrators only, and over the plans of their own site', async () => {
    for (const token of [site.planner, site.reviewer, site.operator]) {
      const answer = await call('POST', '/v1/site-file/preview', {
        token,
        body: { registry: env.TEST_REGISTRY },
      })
      expect([answer.status, codeOf(answer)]).toEqual([403, 'role_forbidden'])
    }
    const other = await freshSite()
    expect(await preview({ registry: undescribed() }, other.admin)).toMatchObject({
      tried: 0,
      unreadable: [],
      changed: [],
      next: null,
    })
  })

  it('is tried in pieces, each plan once', async () => {
    const busy = await freshSite()
    const plans = limits.previewPlansPerCall + 2
    for (let i = 0; i < plans; i++) {
      const goal = `Read the temperature of incubator ${i} for the daily log.`
      const taken = await submitReading(busy, { goal }, { prefer: 'wait=20' })
      expect(taken.status, taken.text).toBe(200)
    }
    const first = await preview({ policy: { panel: 'offline' } }, busy.admin)
    expect(first.tried).toBe(limits.previewPlansPerCall)
    const rest = await preview({ policy: { panel: 'offline' }, after: first.next }, busy.admin)
    expect([rest.tried, rest.next]).toEqual([2, null])
  })

  it('or a policy is needed', async () => {
    const answer = await call('POST', '/v1/site-file/preview', { token: site.admin, body: {} })
    expect(answer.status).toBe(422)
  })
})
