// Sums that a rule of the site limits: over plans and planners, from binding on, in every cell of the site.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Total } from '../../protocol/totals.ts'
import { agentJwk } from '../shared/session-fixture.ts'
import { call, credential, freshSite, type TestSite } from './support/door.ts'
import { clear, ended, request, seenOf } from './support/hub.ts'
import {
  decided,
  enrolAgent,
  hubOf,
  idOf,
  loadTinyGraph,
  node,
  reaches,
  reviewOf,
  until,
  type Presence,
} from './support/site.ts'
import { hush } from '../shared/hush.ts'

hush(/^outbox totals: Error: session \S+ has not ended yet$/)

const limit = {
  id: 'R-1',
  text: 'At most 70 µL of anything are moved in a day.',
  if: { act: 'transfer' },
  needs: { is: { total: 'volume', over: 'day' }, le: '70 uL' },
  remedy: 'Ask the person who answers for the budget.',
}

const robot = { agent: 'robot', cell: 'cell-1', jwk: agentJwk }

/** Each from a well of its own, so that no plan changes what another was judged over. */
const pour = (planner: string, column: number) => ({
  goal: `Fill well A${column} of the assay plate`,
  instructions: [`Dispense 20 µL of the serum dilution from C${column} into well A${column}.`],
  planner: { id: planner },
  nodes: [
    node('n1', 'liquid_handler.transfer', {
      pipette: 'p20',
      volume_ul: 20,
      source: { labware: 'sample_plate', well: `C${column}` },
      destination: { labware: 'assay_plate_9', well: `A${column}` },
      liquid: 'serum dilution 1:100',
      new_tip: 'once',
    }),
  ],
})

const standing = {
  inventory: [
    {
      thing: 'sample_plate',
      kind: 'plate_96',
      at: 'deck_12',
      contents: Array.from({ length: 12 }, (_, i) => ({
        part: `C${i + 1}`,
        substance: 'serum dilution 1:100',
        volume: '30 uL',
      })),
      human: true,
      consent: 'active',
    },
    { thing: 'assay_plate_9', kind: 'plate_96', at: 'deck_11' },
  ],
  facts: [{ thing: 'assay_plate_9', fact: 'contents', value: [] }],
}

let site: TestSite
let presence: Presence
let second: string
const [first = '', other = ''] = Object.keys(env.TEST_REGISTRY.planners)

beforeAll(async () => {
  await loadTinyGraph()
  site = await freshSite()
  second = await credential(site.admin, 'planner', other, 'otto')
  const { planners, rules } = env.TEST_REGISTRY
  const same = { ...planners, [other]: planners[first] }
  const body = { ...env.TEST_REGISTRY, planners: same, rules: [...rules, limit] }
  const put = await call('PUT', '/v1/tools', { token: site.admin, body })
  expect(put.status, put.text).toBe(200)
  presence = await enrolAgent(site, robot)
  presence.health()
  await until('health', async () => (await hubOf(site.site).agents())[0]?.health !== null)
  await stand()
})

/** The operator looks at the cell and records what stands there. */
async function stand(): Promise<void> {
  const put = await call('PUT', '/v1/cells/cell-1/record', {
    token: site.operator,
    body: standing,
  })
  expect(put.status, put.text).toBe(200)
}

const arm = async () =>
  call('POST', '/v1/cells/cell-1/arm', {
    token: site.operator,
    body: { until_ms: Date.now() + 600_000, seen: await seenOf(site) },
  })

const kept = async (): Promise<Total | undefined> => {
  const text = await env.SITE_TOTALS.getByName(site.site).sums('pia', Date.now())
  const all = JSON.parse(text ?? '[]') as Total[]
  return all.find((one) => one.rule === 'R-1' && one.over === 'day' && one.whose === 'site')
}

const stateOf = async (plan: string) => (await reviewOf(site.site, plan).status())?.state ?? ''

/** Submits one plan, as the one planner or the other; a person who has to decide accepts it. */
async function submitted(column: number, mine: boolean): Promise<string> {
  const id = mine ? site.plannerId : other
  const answer = await decided(site, pour(id, column), mine ? site.planner : second)
  const plan = idOf(answer)
  if (answer.body['state'] !== 'escalated') return plan
  const packet_digest = (await reviewOf(site.site, plan).status())?.packet_digest
  const body = { verdict: 'accept', rationale: 'Looked at it.', packet_digest }
  const said = await call('POST', `/v1/reviews/${plan}`, { token: site.reviewer, body })
  expect(said.status, said.text).toBe(200)
  return plan
}

/** Its run is over as far as hub and plan know; the session itself still holds what it reserved. */
async function endRun(plan: string): Promise<void> {
  const session = (await reviewOf(site.site, plan).status())?.session ?? ''
  const end = ended(session, plan, { status: 'completed', reason: null })
  await hubOf(site.site).sessionEnded(end)
  await reviewOf(site.site, plan).sessionEnded(end)
}

describe('sums over plans', () => {
  it('refuse a session that is settled already, and the plan does not ask for ever', async () => {
    const plan = await submitted(11, true)
    const ask = await request(site)
    await env.SITE_TOTALS.getByName(site.site).settle(ask.session, 'none', Date.now())
    const answer = await reviewOf(site.site, plan).bind(ask)
    expect(answer).toEqual({ ok: false, error: { code: 'not_accepted' } })
    expect(await stateOf(plan)).toBe('expired')
    expect(await kept()).toBeUndefined()
  })

  it('let go of a run in which nothing happened', async () => {
    const plan = await submitted(12, true)
    expect(await kept()).toBeUndefined()
    await arm()
    await reaches(site, plan, ['bound'])
    expect(await kept()).toMatchObject({ lo: 0, hi: 20 })
    const session = (await reviewOf(site.site, plan).status())?.session ?? ''
    await call('POST', `/v1/sessions/${session}/stop`, { token: site.operator })
    await reaches(site, plan, ['terminated'])
    await until('let go', async () => (await kept()) === undefined)
  })

  it('hold up an amount that is divided over ten plans of two planners', async () => {
    const cleared = await clear(site)
    expect(cleared.status, cleared.text).toBe(200)
    await stand()
    // All are accepted before any of them runs: alone each is small.
    const plans: string[] = []
    for (let i = 1; i <= 10; i++) plans.push(await submitted(i, i % 2 === 0))
    await arm()
    const ran: string[] = []
    for (const plan of plans) {
      await reaches(site, plan, ['bound', 'escalated'])
      if ((await stateOf(plan)) !== 'bound') continue
      ran.push(plan)
      await endRun(plan)
    }
    expect(ran).toHaveLength(3)
    expect(await kept()).toMatchObject({ hi: 60 })
    const [held] = plans.filter((plan) => !ran.includes(plan))
    const record = await reviewOf(site.site, held ?? '').record()
    expect(record?.packet?.trace?.changed).toContainEqual(
      expect.objectContaining({ at: '/nodes/0', code: 'SITE_RULE_OPEN' }),
    )
    expect(record?.status.reasons).toContain('state_changed')
  })

  it('are judged when a plan comes in, and count what a person could not be told of', async () => {
    const late = await decided(site, pour(site.plannerId, 11))
    expect(late.body['state']).toBe('escalated')
    expect(JSON.stringify(late.body['findings'])).toContain('SITE_RULE_OPEN')
    // The end of the three runs is never told: a person looks at the cell, and all of it counts.
    await clear(site)
    expect(await kept()).toMatchObject({ lo: 0, hi: 60 })
    const known = await call('GET', '/v1/cells/cell-1/state', { token: site.operator })
    expect(known.status).toBe(200)
  })
})
