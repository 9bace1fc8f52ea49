// A thing that two cells share is used by one session at a time: the other plan waits, says for what and
// for whom, and runs when everything that the first moved is at rest or a person has cleared its cell.
import { env, evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { SessionEnd } from '../../durable-objects/contracts.ts'
import { objectName } from '../../protocol/ids.ts'
import { agentJwk, strangerJwk } from '../shared/session-fixture.ts'
import { call, freshSite, type TestSite } from './support/door.ts'
import { ended, freshSession } from './support/hub.ts'
import {
  accepted,
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

let site: TestSite
let agents: Presence[]

beforeAll(loadTinyGraph)

beforeEach(async () => {
  site = await freshSite()
  const shared = { shared_by: ['cell-1', 'cell-2'] }
  const devices = env.TEST_REGISTRY.devices.map((one) =>
    one.id === 'bal_1' ? { ...one, ...shared } : one,
  )
  const body = { ...env.TEST_REGISTRY, devices }
  const put = await call('PUT', '/v1/tools', { token: site.admin, body })
  expect(put.status, put.text).toBe(200)
  agents = [
    await enrolAgent(site, { agent: 'robot-1', cell: 'cell-1', jwk: agentJwk }),
    await enrolAgent(site, { agent: 'robot-2', cell: 'cell-2', jwk: strangerJwk }),
  ]
  for (const agent of agents) agent.health()
  await until('health', async () =>
    (await hubOf(site.site).agents()).every(({ health }) => health !== null),
  )
  return () => {
    for (const agent of agents) agent.close()
  }
})

/** A reading of a balance in one of the cells. */
const weigh = async (cell: 1 | 2, round: number, balance = 'bal_1'): Promise<string> =>
  idOf(
    await accepted(site, {
      goal: `Read the balance, round ${round}`,
      instructions: [`Read balance ${balance}.`],
      planner: { id: site.plannerId },
      agent: `robot-${cell}`,
      nodes: [node('n1', 'balance.read', { balance_id: balance })],
    }),
  )

const bound = async (plan: string): Promise<string> => {
  await reaches(site, plan, ['bound'])
  return (await reviewOf(site.site, plan).status())?.session ?? ''
}

async function end(plan: string, cell: 1 | 2, more: Partial<SessionEnd>): Promise<SessionEnd> {
  const session = (await reviewOf(site.site, plan).status())?.session ?? ''
  const said = { ...ended(session, plan, more), cell: `cell-${cell}` }
  await hubOf(site.site).sessionEnded(said)
  await reviewOf(site.site, plan).sessionEnded(said)
  return said
}

const completed = { status: 'completed', reason: null } as const
const stateOf = async (plan: string) => (await reviewOf(site.site, plan).status())?.state
const waitOf = async (plan: string) =>
  (await call('GET', `/v1/plans/${plan}`, { token: site.planner })).body['waiting_for']

it('waits for what another cell uses, and says which plan holds it', async () => {
  const first = await weigh(1, 1)
  await bound(first)
  const second = await weigh(2, 2)
  const free = await weigh(2, 3, 'bal_2')
  // What needs something else passes by.
  await bound(free)
  expect(await stateOf(second)).toBe('queued')
  await end(free, 2, completed)
  expect(await waitOf(second)).toEqual({
    what: 'shared_thing',
    says: `Plan ${first} holds bal_1 that it needs.`,
    person: false,
  })
  // The hold is no memory of a process.
  await evictDurableObject(env.SITE_HUB.getByName(site.site))
  for (const agent of agents) agent.health()
  await scheduler.wait(300)
  expect(await stateOf(second)).toBe('queued')
  await end(first, 1, completed)
  await bound(second)
})

it('is given to one of two plans that become free together', async () => {
  const first = await weigh(1, 1)
  await bound(first)
  const here = await weigh(1, 2)
  const there = await weigh(2, 3)
  await reaches(site, here, ['queued'])
  await reaches(site, there, ['queued'])
  await end(first, 1, completed)
  await reaches(site, here, ['bound'])
  await scheduler.wait(200)
  expect(await stateOf(there)).toBe('queued')
  await end(here, 1, completed)
  await bound(there)
})

it('is held beyond an end until the devices are reported at rest', async () => {
  const first = await weigh(1, 1)
  await bound(first)
  const second = await weigh(2, 2)
  const moving = { devices: [{ server: 'scales', state: 'pending' as const, detail: null }] }
  const said = await end(first, 1, { latch: true, rest: moving })
  await scheduler.wait(200)
  expect(await stateOf(second)).toBe('queued')
  const rested = { devices: [{ server: 'scales', state: 'at_rest' as const, detail: null }] }
  await hubOf(site.site).sessionEnded({ ...said, rest: rested })
  await bound(second)
})

it('is held beyond a latched end that names no device, however often it is told', async () => {
  const first = await weigh(1, 1)
  const session = await bound(first)
  const second = await weigh(2, 2)
  // Somebody wants it stopped; the session itself says nothing more of it here.
  await runInDurableObject(hubOf(site.site), (_, { storage: { sql } }) => {
    sql.exec(
      `INSERT INTO stops (session, cell, reason, by, at_ms, state, next_ms)
         VALUES (?, 'cell-1', 'stopped_by_person', 'otto', ?, 'wanted', NULL)`,
      session,
      Date.now(),
    )
  })
  const nothing = { latch: true, reason: 'state_unreadable' as const, rest: { devices: [] } }
  for (let i = 0; i < 2; i++) await end(first, 1, nothing)
  await scheduler.wait(200)
  expect(await stateOf(second)).toBe('queued')
  const rows = await runInDurableObject(hubOf(site.site), (_, { storage: { sql } }) =>
    sql.exec('SELECT state FROM stops WHERE session = ?', session).toArray(),
  )
  expect(rows).toEqual([{ state: 'ended' }])
})

it('is free again when a person clears the cell in which nobody says that it rests', async () => {
  const first = await weigh(1, 1)
  await bound(first)
  const second = await weigh(2, 2)
  await end(first, 1, { latch: true })
  await scheduler.wait(200)
  expect(await stateOf(second)).toBe('queued')
  const cells = await hubOf(site.site).cells()
  const seen = cells.find(({ cell }) => cell === 'cell-1')?.change
  const cleared = await call('POST', '/v1/cells/cell-1/clear', {
    token: site.operator,
    body: { note: 'Looked at it.', seen },
  })
  expect(cleared.status, cleared.text).toBe(200)
  await bound(second)
})

it('stays unknown in a cleared cell while a session of another cell uses it', async () => {
  const running = await bound(await weigh(1, 1))
  const gone = freshSession()
  const state = env.CELL_STATE.getByName(objectName(site.site, 'cell-2'))
  const fact = { thing: 'bal_1', fact: 'energised', value: true } as const
  for (const session of [running, gone]) {
    await state.hold({ session, facts: [fact], at_ms: Date.now() })
  }
  const stopped = await call('POST', '/v1/cells/cell-2/stop', { token: site.operator })
  expect(stopped.status, stopped.text).toBe(200)
  const cells = await hubOf(site.site).cells()
  const seen = cells.find(({ cell }) => cell === 'cell-2')?.change
  const body = { note: 'Looked at it.', seen }
  const cleared = await call('POST', '/v1/cells/cell-2/clear', { token: site.operator, body })
  expect(cleared.status, cleared.text).toBe(200)
  const held = await state.holding()
  expect(held).toContain(running)
  expect(held).not.toContain(gone)
})

it('is waited for by a plan of the release before, which does not say what it needs', async () => {
  const first = await weigh(1, 1)
  const session = await bound(first)
  const second = await weigh(2, 2)
  await reaches(site, second, ['queued'])
  const hub = hubOf(site.site)
  await runInDurableObject(hub, (_, { storage: { sql } }) => {
    sql.exec(`UPDATE queue SET entry = json_remove(entry, '$.shared') WHERE plan = ?`, second)
  })
  agents[1]?.health()
  await scheduler.wait(500)
  expect(await waitOf(second)).toMatchObject({ what: 'shared_thing' })
  expect(await stateOf(second)).toBe('queued')
  // A hold of a session that has ended, in a cell that nobody has to look at, keeps nobody waiting.
  await runInDurableObject(hub, (_, { storage: { sql } }) => {
    sql.exec(
      `UPDATE bindings SET state = 'ended', outcome = 'completed' WHERE session = ?`,
      session,
    )
    sql.exec(`UPDATE cells SET session = NULL WHERE session = ?`, session)
  })
  expect(await waitOf(second)).not.toMatchObject({ what: 'shared_thing' })
})

it('is recorded in every cell that shares it', async () => {
  const put = await call('PUT', '/v1/cells/cell-1/record', {
    token: site.operator,
    body: { facts: [{ thing: 'bal_1', fact: 'energised', value: false }] },
  })
  expect(put.status, put.text).toBe(200)
  const state = await call('GET', '/v1/cells/cell-2/state', { token: site.operator })
  expect(state.body['facts']).toContainEqual(
    expect.objectContaining({ thing: 'bal_1', fact: 'energised', value: false }),
  )
})

it('is a device server that the agents of two cells reach at one address, declared or not', async () => {
  const at = (letter: string) => `device:${letter.repeat(43)}`
  for (const [i, agent] of agents.entries()) {
    agent.address = at('AB'[i] ?? 'A')
    agent.health()
  }
  const told = (letter: string, i: number) => async () => {
    const { health } = (await hubOf(site.site).agents())[i] ?? {}
    return Object.values(health?.servers ?? {}).every(({ address }) => address === at(letter))
  }
  await until('two addresses', told('B', 1))
  const one = await weigh(1, 1, 'bal_2')
  const other = await weigh(2, 2, 'bal_2')
  await bound(one)
  await bound(other)
  await end(one, 1, completed)
  await end(other, 2, completed)
  if (agents[1] !== undefined) agents[1].address = at('A')
  agents[1]?.health()
  await until('one address', told('A', 1))
  const first = await weigh(1, 3, 'bal_2')
  await bound(first)
  const second = await weigh(2, 4, 'bal_2')
  await reaches(site, second, ['queued'])
  await scheduler.wait(200)
  expect(await stateOf(second)).toBe('queued')
  expect(await waitOf(second)).toMatchObject({
    what: 'shared_thing',
    says: expect.stringMatching(`^Plan ${first} holds .+ that it needs.$`) as string,
  })
  await end(first, 1, completed)
  await bound(second)
})
