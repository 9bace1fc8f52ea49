// The first use of a row waits for a person; the run that they let happen proves it, for that digest alone.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { agentJwk } from '../shared/session-fixture.ts'
import { call, codeOf, codesOf, freshSite, type TestSite } from './support/door.ts'
import { arm, ended } from './support/hub.ts'
import {
  decided,
  enrolAgent,
  fetchPlan,
  hubOf,
  idOf,
  loadTinyGraph,
  reaches,
  reviewOf,
  until,
} from './support/site.ts'
import { hush } from '../shared/hush.ts'

hush(/^outbox totals: Error: session \S+ has not ended yet$/)

let site: TestSite
let plan: string

/** A site none of whose rows is proven, with an agent. */
async function untried(): Promise<TestSite> {
  const made = await freshSite({ proven: false })
  const presence = await enrolAgent(made, { agent: 'robot', cell: 'cell-1', jwk: agentJwk })
  presence.health()
  await until('health', async () => (await hubOf(made.site).agents())[0]?.health !== null)
  return made
}

beforeAll(async () => {
  await loadTinyGraph()
  site = await untried()
})

type RowView = { tool: string; row: string; proven: { by: string; session: string | null } | null }

async function rowOf(tool: string): Promise<RowView> {
  const { body } = await call('GET', '/v1/tools', { token: site.operator })
  const row = (body['rows'] as RowView[]).find((one) => one.tool === tool)
  if (row === undefined) throw new Error(`${tool} has no row`)
  return row
}

const [tool = ''] = fetchPlan('p').nodes.map((node) => node.tool)
const unproven = (answer: { text: string }) => answer.text.includes('ROW_UNPROVEN')

describe('a row of the registry', () => {
  it('waits for a person at its first use, who sees which row it is', async () => {
    expect(await rowOf(tool)).toMatchObject({ proven: null })
    const answer = await decided(site, fetchPlan(site.plannerId))
    expect([answer.body['state'], unproven(answer)]).toEqual(['escalated', true])
    plan = idOf(answer)
    const record = await reviewOf(site.site, plan).record()
    expect(record?.packet?.floor.findings).toContainEqual(
      expect.objectContaining({
        code: 'ROW_UNPROVEN',
        facts: expect.objectContaining({ tool, row: (await rowOf(tool)).row }) as unknown,
      }),
    )
  })

  it('is proven by the completed run of a plan that a person approved', async () => {
    const packet_digest = (await reviewOf(site.site, plan).status())?.packet_digest
    const body = { verdict: 'accept', rationale: 'I stand beside it.', packet_digest }
    const said = await call('POST', `/v1/reviews/${plan}`, { token: site.reviewer, body })
    expect(said.status, said.text).toBe(200)
    await arm(site)
    await reaches(site, plan, ['bound'])
    expect((await rowOf(tool)).proven).toBeNull()
    const session = (await reviewOf(site.site, plan).status())?.session ?? ''
    await reviewOf(site.site, plan).sessionEnded(
      ended(session, plan, { status: 'completed', reason: null }),
    )
    await until('proven', async () => (await rowOf(tool)).proven !== null)
    expect((await rowOf(tool)).proven).toMatchObject({ by: 'rosa', session })
    const next = await decided(site, fetchPlan(site.plannerId, { goal: 'Fetch it once more' }))
    expect(unproven(next)).toBe(false)
  })

  it('falls when it changes, and a word of an administrator is for the row as it is', async () => {
    const { row: old } = await rowOf(tool)
    const tools = env.TEST_REGISTRY.tools.map((one) =>
      one.name === tool && one.meaning !== undefined
        ? { ...one, meaning: { ...one.meaning, done: { after: '2 min' } } }
        : one,
    )
    const put = await call('PUT', '/v1/tools', {
      token: site.admin,
      body: { ...env.TEST_REGISTRY, tools },
    })
    expect(put.status, put.text).toBe(200)
    const { row, proven } = await rowOf(tool)
    expect([row === old, proven]).toEqual([false, null])
    const say = (rows: Record<string, string>, token = site.admin) =>
      call('PUT', '/v1/tools/proven', { token, body: { rows } })
    const stale = await say({ [tool]: old })
    expect([stale.status, codesOf(stale)]).toEqual([422, [['row_not_current', `/rows/${tool}`]]])
    expect((await say({ [tool]: row }, site.reviewer)).status).toBe(403)
    expect((await say({ [tool]: row })).status).toBe(200)
    expect((await rowOf(tool)).proven).toMatchObject({ by: 'ada', session: null })
  })

  it('is taken back by a person, once, and its next plan waits again', async () => {
    const path = `/v1/tools/${tool}/proven`
    expect((await call('DELETE', path, { token: site.planner })).status).toBe(403)
    expect((await call('DELETE', path, { token: site.operator })).status).toBe(200)
    const again = await call('DELETE', path, { token: site.operator })
    expect([again.status, codeOf(again)]).toEqual([404, 'not_found'])
    const answer = await decided(site, fetchPlan(site.plannerId, { goal: 'Fetch it again' }))
    expect([answer.body['state'], unproven(answer)]).toEqual(['escalated', true])
  })

  it('stays taken back when a run that was let happen before comes to its end', async () => {
    site = await untried()
    const going = idOf(await decided(site, fetchPlan(site.plannerId)))
    const packet_digest = (await reviewOf(site.site, going).status())?.packet_digest
    const body = { verdict: 'accept', rationale: 'I stand beside it.', packet_digest }
    await call('POST', `/v1/reviews/${going}`, { token: site.reviewer, body })
    await arm(site)
    await reaches(site, going, ['bound'])
    // The person beside the device sees that it does something else; the row is not proven yet.
    const path = `/v1/tools/${tool}/proven`
    expect((await call('DELETE', path, { token: site.operator })).status).toBe(404)
    const session = (await reviewOf(site.site, going).status())?.session ?? ''
    await reviewOf(site.site, going).sessionEnded(
      ended(session, going, { status: 'completed', reason: null }),
    )
    // The other row of the plan is proven by the run: its word has come.
    const other = fetchPlan('p').nodes.map((node) => node.tool)[1] ?? ''
    await until('proven', async () => (await rowOf(other)).proven !== null)
    expect((await rowOf(tool)).proven).toBeNull()
  })
})
