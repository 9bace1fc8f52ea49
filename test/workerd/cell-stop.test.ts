// The stop of a whole cell (invariants 12 and 13): where nothing runs it reaches the agent all the same, is kept
// until every device has confirmed, says honestly how far it has come; and its drills.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { importSigningKey } from '../../contain/keys.ts'
import { objectName } from '../../protocol/ids.ts'
import { stopAnswerClaimsSchema, type StopOrderClaims } from '../../protocol/stop-order.ts'
import { strangerJwk } from '../shared/session-fixture.ts'
import { HubStore } from '../../durable-objects/hub/store.ts'
import { wantCellStop } from '../../durable-objects/hub/cell-stops.ts'
import { call, freshSite, type TestSite } from './support/door.ts'
import { arm, bound, cellOf, clear, robot } from './support/hub.ts'
import { enrolAgent, hubOf, loadTinyGraph, Presence, until } from './support/site.ts'

beforeAll(loadTinyGraph)

const reads = { ...robot, features: 'stop-order' }
const stop = (site: TestSite) => call('POST', '/v1/cells/cell-1/stop', { token: site.operator })
const drill = (site: TestSite, token = site.operator) =>
  call('POST', '/v1/cells/cell-1/drill', { token })
const all =
  (state: 'at_rest' | 'refused' | 'pending') =>
  (order: StopOrderClaims): ('at_rest' | 'refused' | 'pending')[] =>
    order.calls.map(() => state)

/** One statement in the hub's own tables. */
const sql = (site: TestSite, text: string, ...values: string[]): Promise<void> =>
  runInDurableObject(hubOf(site.site), (_, { storage }) => {
    storage.sql.exec(text, ...values)
  })

/** What is open is due now. */
async function due(site: TestSite): Promise<void> {
  await sql(site, 'UPDATE cell_stops SET next_ms = 1 WHERE ended_ms IS NULL')
  await runInDurableObject(hubOf(site.site), (_, { storage }) =>
    storage.setAlarm(Date.now() + 60_000),
  )
  await runDurableObjectAlarm(hubOf(site.site))
}

/** A cell in which nothing runs, with an agent that reads orders. */
async function idle() {
  const site = await freshSite()
  const presence = await enrolAgent(site, reads)
  presence.health()
  await until('health', async () => (await hubOf(site.site).agents())[0]?.health !== null)
  return { site, presence, hub: hubOf(site.site) }
}

const events = async (site: TestSite): Promise<string[]> =>
  (await hubOf(site.site).audit(-1)).map(({ event }) => event)

describe('a stop of a cell in which nothing runs', () => {
  it('calls every safe-stop of the site by a signed order, and is confirmed by the signed answer', async () => {
    const { site, presence } = await idle()
    presence.rests = all('at_rest')
    const answer = await stop(site)
    expect(answer.status).toBe(200)
    expect(answer.body['cell_stop']).toMatchObject({ kind: 'stop', by: 'olga', state: 'stopped' })
    const [order] = presence.orders
    expect(order).toMatchObject({ aud: site.site, sub: 'robot', cell: 'cell-1', kind: 'stop' })
    expect(order?.calls.map(({ mcp_tool }) => mcp_tool)).toContain('arm.safe_stop')
    expect(await events(site)).toContain('cell_stop_confirmed')
    expect(await cellOf(site)).toMatchObject({ needs_clearance: false, not_at_rest: [] })
  })

  it('says that the agent is not reached, keeps the wish over an eviction, and orders it when it comes', async () => {
    const { site, presence, hub } = await idle()
    presence.close()
    await until('gone', async () => (await hub.agents())[0]?.online === false)
    expect((await stop(site)).body['cell_stop']).toMatchObject({ state: 'not_reached_yet' })
    await evictDurableObject(hub)
    const back = await Presence.connect(site, reads)
    back.rests = all('at_rest')
    await until('ordered', async () => (await cellOf(site))?.cell_stop?.state === 'stopped')
    expect(back.orders).toHaveLength(1)
  })

  it('is ordered again, as the same stop, until the agent answers', async () => {
    const { site, presence, hub } = await idle()
    await stop(site)
    presence.rests = all('at_rest')
    await until('again', async () => {
      await runDurableObjectAlarm(hub)
      return (await cellOf(site))?.cell_stop?.state === 'stopped'
    })
    expect(new Set(presence.orders.map((order) => order.stop)).size).toBe(1)
    expect(presence.orders.length).toBeGreaterThan(1)
  })

  it('latches the cell for a device that refuses, by name, until it rests and a person has looked', async () => {
    const { site, presence } = await idle()
    presence.rests = all('refused')
    const answer = await stop(site)
    expect(answer.body).toMatchObject({
      needs_clearance: true,
      latch_reason: 'device_not_at_rest',
      cell_stop: { state: 'unconfirmed_at_device' },
    })
    const { not_at_rest } = (await cellOf(site)) ?? { not_at_rest: [] }
    expect(not_at_rest.length).toBeGreaterThan(0)
    expect((await clear(site)).body['code']).toBe('not_at_rest')
    const [order] = presence.orders
    if (order === undefined) throw new TypeError('ordered')
    await presence.answer(order, all('at_rest')(order), robot)
    await until('rest', async () => (await cellOf(site))?.not_at_rest.length === 0)
    expect((await cellOf(site))?.needs_clearance).toBe(true)
    expect((await clear(site)).status).toBe(200)
  })

  it('is not believed to be done by the word of another key, of another length, or of another cell', async () => {
    const { site, presence } = await idle()
    await stop(site)
    const [order] = presence.orders
    if (order === undefined) throw new TypeError('ordered')
    const stranger = await importSigningKey(strangerJwk)
    if (!stranger.ok) throw new TypeError(stranger.error)
    await presence.answer(order, all('at_rest')(order), robot, stranger.value)
    await presence.answer(order, ['at_rest'], robot)
    await presence.answer(order, all('at_rest')(order), { ...robot, cell: 'cell-2' })
    await presence.answer(order, all('pending')(order), robot)
    await until('told', async () => (await cellOf(site))?.cell_stop?.state !== 'not_reached_yet')
    expect((await cellOf(site))?.cell_stop).toMatchObject({ state: 'unconfirmed_at_device' })
  })

  it('makes what was known of its devices unknown', async () => {
    const { site, presence } = await idle()
    const record = { inventory: [], facts: [{ thing: 'hs_1', fact: 'energised', value: true }] }
    const path = '/v1/cells/cell-1/record'
    await call('PUT', path, { token: site.operator, body: { ...record, approvals: [] } })
    presence.rests = all('at_rest')
    await stop(site)
    const state = env.CELL_STATE.getByName(objectName(site.site, 'cell-1'))
    await until('unknown', async () => {
      const { facts } = JSON.parse(await state.state('cell-1')) as {
        facts: { thing: string; fact: string; value: unknown }[]
      }
      return facts.some((one) => one.thing === 'hs_1' && one.value === null)
    })
  })

  it('that can call nothing says so in place of the stop before it, and in the trail', async () => {
    const { site, presence } = await idle()
    presence.rests = all('at_rest')
    await stop(site)
    presence.close()
    await call('POST', '/v1/agents/robot/revoke', { token: site.admin })
    const pressed = await stop(site)
    expect(pressed.body['cell_stop']).toMatchObject({
      state: 'unconfirmed_at_device',
      why: 'no_agent',
      calls: [],
    })
    const older = await freshSite()
    const agent = await enrolAgent(older, robot)
    agent.health()
    expect((await stop(older)).body).toMatchObject({
      cell_stop: { state: 'unconfirmed_at_device', why: 'agent_outdated' },
      needs_clearance: false,
    })
    expect(agent.orders).toEqual([])
    for (const one of [site, older]) expect(await events(one)).toContain('cell_stop_not_possible')
  })

  it('pressed again is a fresh stop with fresh calls', async () => {
    const { site, presence } = await idle()
    presence.rests = all('refused')
    await stop(site)
    const [first] = presence.orders
    presence.rests = all('at_rest')
    expect((await stop(site)).body['cell_stop']).toMatchObject({ state: 'stopped' })
    const second = presence.orders.at(-1)
    expect(second?.stop).not.toBe(first?.stop)
    expect(second?.calls).toEqual(first?.calls)
  })

  it('is not confirmed by a server that a group names and the agent does not have', async () => {
    const { site, presence } = await idle()
    await stop(site)
    // As a site file whose sequence names it would have it.
    const place = `json('{"group":0,"within_ms":0}')`
    await sql(site, `UPDATE cell_stops SET calls = json_set(calls, '$[0].call.place', ${place})`)
    const [order] = presence.orders
    if (order === undefined) throw new TypeError('ordered')
    const states = order.calls.map((_call, i) => (i === 0 ? ('absent' as const) : 'at_rest'))
    await presence.answer(order, states, robot)
    await until('latched', async () => (await cellOf(site))?.needs_clearance === true)
    expect(await cellOf(site)).toMatchObject({
      latch_reason: 'device_not_at_rest',
      cell_stop: { state: 'unconfirmed_at_device', ended_ms: null },
    })
    expect((await cellOf(site))?.not_at_rest.length).toBeGreaterThan(0)
  })

  it('is not confirmed where nothing rests, by a row that cannot be read, or when it was cut', async () => {
    const { site, presence } = await idle()
    presence.rests = ({ calls }) => calls.map(() => 'absent')
    expect((await stop(site)).body['cell_stop']).toMatchObject({
      state: 'unconfirmed_at_device',
      why: 'nothing_to_call',
    })
    presence.rests = null
    await stop(site)
    await sql(site, `UPDATE cell_stops SET why = 'too_many_calls' WHERE ended_ms IS NULL`)
    const cut = presence.orders.at(-1)
    if (cut === undefined) throw new TypeError('ordered')
    await presence.answer(cut, all('at_rest')(cut), robot)
    await until('over', async () => (await cellOf(site))?.cell_stop?.ended_ms !== null)
    expect((await cellOf(site))?.cell_stop).toMatchObject({ state: 'unconfirmed_at_device' })
    await stop(site)
    await sql(site, `UPDATE cell_stops SET calls = 'no list' WHERE ended_ms IS NULL`)
    const unread = presence.orders.at(-1)
    if (unread === undefined) throw new TypeError('ordered')
    await presence.answer(unread, [], robot)
    await due(site)
    await until('given up', async () => (await cellOf(site))?.cell_stop?.why === 'unreadable')
    expect(await events(site)).not.toContain('cell_stop_confirmed')
  })

  it('takes no word of another process, and no older word after a newer one', async () => {
    const { site, presence } = await idle()
    await stop(site)
    const [order] = presence.orders
    if (order === undefined) throw new TypeError('ordered')
    const rests = all('at_rest')(order)
    await presence.answer(order, all('pending')(order), robot, undefined, { seq: 5 })
    await until('told', async () => (await cellOf(site))?.cell_stop?.state !== 'not_reached_yet')
    await presence.answer(order, rests, robot, undefined, { seq: 5 })
    await presence.answer(order, rests, robot, undefined, { seq: 9, boot_id: 'before' })
    await presence.answer(order, all('refused')(order), robot, undefined, { seq: 6 })
    await until('latched', async () => (await cellOf(site))?.needs_clearance === true)
    expect((await cellOf(site))?.cell_stop?.state).toBe('unconfirmed_at_device')
    await presence.answer(order, rests, robot, undefined, { seq: 7 })
    await until('rests', async () => (await cellOf(site))?.cell_stop?.state === 'stopped')
  })

  it('leaves out what a run of another cell holds meanwhile, under another name', async () => {
    const { site, presence } = await idle()
    await stop(site)
    const [order] = presence.orders
    const calls = (await cellOf(site))?.cell_stop?.calls ?? []
    const held = calls.find(({ devices }) => devices.length > 0)
    await sql(
      site,
      `INSERT INTO shared_holds VALUES (?, 'sess_other', 'plan_other', 'cell-2', 0)`,
      held?.devices[0] ?? '',
    )
    presence.rests = all('at_rest')
    await due(site)
    await until('again', async () => (await cellOf(site))?.cell_stop?.state === 'stopped')
    const next = presence.orders.at(-1)
    expect(next?.stop).not.toBe(order?.stop)
    expect(next?.calls.map(({ mcp_tool }) => mcp_tool)).not.toContain(held?.tool)
    expect(next?.calls.length).toBeGreaterThan(0)
  })

  it('that nobody answered ends when a person clears the cell, and when the agent is revoked', async () => {
    const { site, presence, hub } = await idle()
    presence.close()
    await until('gone', async () => (await hub.agents())[0]?.online === false)
    await stop(site)
    expect((await clear(site)).status).toBe(200)
    expect((await cellOf(site))?.cell_stop?.ended_ms).not.toBeNull()
    await stop(site)
    await call('POST', '/v1/agents/robot/revoke', { token: site.admin })
    expect((await cellOf(site))?.cell_stop).toMatchObject({ why: 'agent_revoked' })
  })

  it('is given up at the next telling when the agent that is there reads no orders', async () => {
    const { site, presence, hub } = await idle()
    presence.close()
    await until('gone', async () => (await hub.agents())[0]?.online === false)
    await stop(site)
    const row = `SELECT * FROM cell_stops WHERE ended_ms IS NULL`
    const kept = await runInDurableObject(hub, (_, { storage }) => storage.sql.exec(row).one())
    const older = await Presence.connect(site, robot)
    older.health()
    await until('dropped', async () => (await cellOf(site))?.cell_stop?.ended_ms !== null)
    // As if it had been written while that agent was there.
    await sql(
      site,
      'UPDATE cell_stops SET ended_ms = NULL, why = NULL, state = ? WHERE stop = ?',
      'wanted',
      String(kept['stop']),
    )
    await due(site)
    await until('again', async () => (await cellOf(site))?.cell_stop?.why === 'agent_outdated')
  })
})

describe('a stop of a session by a person', () => {
  it('stops the rest of the cell too; one by its planner does not', async () => {
    const { site, presence } = await idle()
    presence.rests = all('at_rest')
    const { session } = await bound(site)
    await call('POST', `/v1/sessions/${session}/stop`, { token: site.planner })
    expect(presence.orders).toEqual([])
    const next = await idle()
    next.presence.rests = all('at_rest')
    const run = await bound(next.site)
    await call('POST', `/v1/sessions/${run.session}/stop`, { token: next.site.operator })
    expect(next.presence.orders).toHaveLength(1)
  })
})

describe('a drill', () => {
  it('runs the stop, is told with the time of every device, and leaves the arming alone', async () => {
    const { site, presence } = await idle()
    await arm(site)
    presence.rests = all('at_rest')
    const answer = await drill(site)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body['drill']).toMatchObject({ kind: 'drill', state: 'stopped' })
    const calls = (answer.body['drill'] as { calls: object[] }).calls
    expect(calls[0]).toMatchObject({ state: 'at_rest', after_ms: 0, took_ms: 50 })
    expect(Date.parse(String(answer.body['last_drill']))).toBeGreaterThan(Date.now() - 60_000)
    expect(answer.body['armed_by']).toBe('olga')
    const passed = (await hubOf(site.site).audit(-1)).find(({ event }) => event === 'drill_passed')
    expect(passed?.facts['devices']).toContainEqual(
      expect.objectContaining({ tool: 'arm.safe_stop', state: 'at_rest', ms: 50 }),
    )
  })

  it('is for operators and administrators, and for a cell in which nothing runs and an agent is there', async () => {
    const { site, presence, hub } = await idle()
    expect((await drill(site, site.reviewer)).status).toBe(403)
    presence.rests = all('at_rest')
    expect((await drill(site, site.admin)).status).toBe(200)
    await bound(site)
    expect((await drill(site)).body['code']).toBe('session_running')
    const other = await idle()
    other.presence.close()
    await until('gone', async () => (await other.hub.agents())[0]?.online === false)
    expect((await drill(other.site)).body['code']).toBe('cannot_drill')
    expect((await hub.audit(-1)).filter(({ event }) => event === 'drill_begun')).toHaveLength(1)
  })

  it('in which a device refuses latches the cell, and is no drill that passed', async () => {
    const { site, presence } = await idle()
    presence.rests = all('refused')
    const answer = await drill(site)
    expect(answer.body).toMatchObject({ needs_clearance: true, last_drill: null })
    expect(await events(site)).not.toContain('drill_passed')
  })

  it('that is over in time latches the cell for what was asked and has not confirmed', async () => {
    const { site, presence } = await idle()
    await drill(site)
    const [order] = presence.orders
    if (order === undefined) throw new TypeError('ordered')
    await presence.answer(order, all('pending')(order), robot)
    await until('told', async () => (await cellOf(site))?.drill?.state === 'unconfirmed_at_device')
    expect((await cellOf(site))?.needs_clearance).toBe(false)
    await sql(site, 'UPDATE cell_stops SET until_ms = 1')
    await due(site)
    await until('latched', async () => (await cellOf(site))?.needs_clearance === true)
    expect(await cellOf(site)).toMatchObject({ latch_reason: 'device_not_at_rest' })
    expect((await cellOf(site))?.not_at_rest.length).toBeGreaterThan(0)
    expect(await events(site)).toContain('drill_failed')
  })

  it('never takes the place of a stop that came between the question and the row', async () => {
    const { site, presence } = await idle()
    const [, pressed] = await Promise.all([drill(site), stop(site), drill(site), stop(site)])
    expect(pressed.status).toBe(200)
    await until('ordered', async () => presence.orders.some(({ kind }) => kind === 'stop'))
    const kinds = presence.orders.map(({ kind }) => kind)
    expect(kinds.lastIndexOf('drill')).toBeLessThan(kinds.indexOf('stop'))
    await runInDurableObject(hubOf(site.site), (_, { storage }) => {
      const store = new HubStore(storage.sql)
      const wish = { cell: 'cell-1', kind: 'drill', by: 'olga', now_ms: Date.now() } as const
      expect(wantCellStop(store, wish)).toBeNull()
    })
  })

  it('gives way to a stop', async () => {
    const { site, presence } = await idle()
    await drill(site)
    await stop(site)
    expect(presence.orders.map(({ kind }) => kind)).toEqual(['drill', 'stop'])
    expect((await drill(site)).body['code']).toBe('not_at_rest')
  })
})

it('an answer to an order fits the frame that carries it', () => {
  const one = { state: 'refused', detail: '\u{1f6d1}'.repeat(40), asked_ms: 1e12, rested_ms: null }
  const calls = Array.from({ length: 96 }, () => one)
  const head = { sub: 'a'.repeat(60), cell: 'c', stop: 's', boot_id: 'b', seq: 1, at_ms: 1e12 }
  const claims = stopAnswerClaimsSchema.parse({ ...head, calls })
  const bytes = new TextEncoder().encode(JSON.stringify(claims)).length
  expect((bytes * 4) / 3).toBeLessThan(65_536 - 1_000)
})
