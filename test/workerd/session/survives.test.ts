// What must outlive a cut, a reset, an upgrade, a restore: the grace of a lost agent, the latch, the way
// out of a session whose rows are older, newer, damaged or gone.
import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../protocol/limits.ts'
import { features, offer } from '../../../protocol/features.ts'
import { objectName } from '../../../protocol/ids.ts'
import { Peer, rig, testEnv, type Rig } from './agent.ts'
import { hush } from '../../shared/hush.ts'

hush(
  /^session: (the stored state|what is due next) cannot be read: /,
  /^outbox hub: Error: deaf$/,
  /^authority(, asked once more)?: Error: Durable Object reset/,
)

const sql = <T extends Record<string, SqlStorageValue>>(of: Rig, query: string) =>
  patient(() =>
    runInDurableObject(of.stub, (_, state) => state.storage.sql.exec<T>(query).toArray()),
  )

/** Stub calls fail once after a crash; a new call finds the new instance. */
async function patient<T>(call: () => Promise<T>): Promise<T> {
  for (let i = 0; ; i++) {
    try {
      return await call()
    } catch (cause) {
      if (i > 5) throw cause
      await scheduler.wait(20)
    }
  }
}

async function graceOf(of: Rig): Promise<number | null> {
  const [row] = await sql<{ grace_until: number | null }>(of, 'SELECT grace_until FROM session')
  return row?.grace_until ?? null
}

async function until<T>(what: string, read: () => Promise<T | null | undefined>): Promise<T> {
  for (let i = 0; i < 200; i++) {
    const value = await read()
    if (value !== null && value !== undefined) return value
    await scheduler.wait(25)
  }
  throw new Error(`never: ${what}`)
}

const heardEnd = (of: Rig, at = 0) => until('an end', async () => (await of.hub.ended()).at(at))

/** A session with its first (physical) node executing. */
async function executing(of: Rig, who: Parameters<typeof Peer.hello>[1] = {}) {
  const peer = await Peer.hello(of, who)
  const node = await peer.token()
  expect(await peer.start(node)).toMatchObject({ type: 'go' })
  return { peer, node }
}

/** The grace runs from now, to the length that the limits state. */
async function expectGrace(of: Rig, sinceMs: number): Promise<void> {
  const grace = await until('a grace', () => graceOf(of))
  expect(grace).toBeGreaterThanOrEqual(sinceMs + limits.reportGraceMs)
  expect(grace).toBeLessThanOrEqual(Date.now() + limits.reportGraceMs)
}

describe('the grace of a lost agent', () => {
  test('starts when its only connection closes, and ends when it is back', async () => {
    const of = await rig()
    const { peer } = await executing(of)
    expect(await graceOf(of)).toBe(null)
    const sinceMs = Date.now()
    peer.close()
    await expectGrace(of, sinceMs)
    await Peer.hello(of)
    expect(await graceOf(of)).toBe(null)
  })

  test('does not start while another of its connections is open', async () => {
    const of = await rig()
    const { peer } = await executing(of)
    await Peer.hello(of)
    peer.close()
    await scheduler.wait(300)
    expect(await graceOf(of)).toBe(null)
  })

  test('starts after a reset that cut every connection', async () => {
    const of = await rig()
    await executing(of)
    const sinceMs = Date.now()
    await abortAllDurableObjects()
    await patient(() => of.stub.status())
    await expectGrace(of, sinceMs)
  })

  test('starts when a connected agent falls silent, between nodes too', async () => {
    const of = await rig()
    const peer = await Peer.hello(of, { features: offer })
    await until('an alarm', () => runInDurableObject(of.stub, (_, s) => s.storage.getAlarm()))
    // It never pings: its socket stays open, and its hello lies further and further back.
    const sinceMs = Date.now()
    const grace = await until('a grace', async () => {
      await scheduler.wait(400)
      return graceOf(of)
    })
    expect(grace).toBeLessThanOrEqual(Date.now() + limits.reportGraceMs)
    expect(Date.now() - sinceMs).toBeLessThan(20_000)
    expect(await peer.whenClosed()).toMatchObject({ code: 1001 })
  }, 40_000)

  test('does not start while the agent pings', async () => {
    const of = await rig()
    const peer = await Peer.hello(of, { features: offer })
    for (let i = 0; i < 14; i++) {
      peer.raw('ping')
      await scheduler.wait(1_000)
    }
    expect(await graceOf(of)).toBe(null)
    expect(peer.closed).toBe(null)
  }, 40_000)
})

test('a latch outlives the object that decided it, until the hub has heard', async () => {
  const of = await rig()
  await executing(of)
  await of.hub.set({ deaf: 2 })
  await of.stub.stop('stopped_by_person', 'person-1')
  await abortAllDurableObjects()
  await patient(() => of.stub.status())
  expect(await heardEnd(of)).toMatchObject({ reason: 'stopped_by_person', latch: true })
})

describe('one question to the site that fails on its way', () => {
  test('is asked once more, and the node goes', async () => {
    const of = await rig()
    await of.hub.set({ resets: 1 })
    const peer = await Peer.hello(of)
    expect(await peer.start(await peer.token())).toMatchObject({ type: 'go' })
    expect(await of.hub.asked()).toHaveLength(2)
  })

  test('ends the run when it fails again', async () => {
    const of = await rig()
    await of.hub.set({ resets: 2 })
    const peer = await Peer.hello(of)
    peer.send(await peer.startFrame(await peer.token()))
    expect(await peer.next('halt')).toMatchObject({ reason: 'authority_unreachable' })
  })
})

describe('stored rows', () => {
  test('with a member that this release does not know are read, kept and go on', async () => {
    const of = await rig()
    const { peer, node } = await executing(of)
    await sql(
      of,
      `UPDATE binding SET json = json_set(json, '$.newer', 'x', '$.tools."arm.move".v', 2)`,
    )
    await sql(of, 'ALTER TABLE session ADD COLUMN newer TEXT')
    await sql(of, 'ALTER TABLE nodes ADD COLUMN newer TEXT')
    await evictDurableObject(of.stub)
    expect(await of.stub.status()).toMatchObject({ status: 'active' })
    expect(await peer.report(node)).toMatchObject({ type: 'ack' })
    expect(await of.stub.stop('stopped_by_person', 'p')).toMatchObject({ status: 'terminated' })
    const [row] = await sql<{ json: string }>(of, 'SELECT json FROM binding')
    expect(row?.json).toContain('"newer":"x"')
  })

  test('of the release before are read, and get what this one adds', async () => {
    const of = await rig()
    const { peer, node } = await executing(of)
    await sql(of, 'DROP TABLE more')
    await sql(of, `UPDATE binding SET json = json_remove(json, '$.rows')`)
    await sql(of, `UPDATE binding SET json = json_remove(json, '$.tools."arm.move".server')`)
    await evictDurableObject(of.stub)
    expect(await peer.report(node, { outcome: 'failed' })).toMatchObject({ type: 'ack' })
    expect(await heardEnd(of)).toMatchObject({ latch: true, reason: 'node_failed' })
  })

  test.each([
    ['a status of a newer release', `UPDATE session SET status = 'paused'`],
    ['a node state of a newer release', `UPDATE nodes SET state = 'paused'`],
    ['a damaged binding', `UPDATE binding SET json = json_remove(json, '$.tools')`],
  ])('with %s: no go, an end with latch, and a stop that answers', async (_what, change) => {
    const of = await rig()
    const { peer } = await executing(of)
    await sql(of, change)
    await evictDurableObject(of.stub)
    const unread = { status: 'terminated', reason: 'state_unreadable' }
    expect(await of.stub.status()).toMatchObject(unread)
    expect(await of.stub.stop('stopped_by_person', 'p')).toMatchObject(unread)
    expect(await heardEnd(of)).toMatchObject({ ...unread, latch: true, session: of.session })
    expect(await peer.next('halt')).toMatchObject({ reason: 'authority_unreachable' })
    await peer.whenClosed()
    const late = await Peer.connect(of)
    expect(late.frames[0]).toMatchObject({ type: 'error', code: 'session_unknown' })
  })

  test('that are gone: a stop says that there is no such session', async () => {
    const of = await rig()
    await runInDurableObject(of.stub, (_, state) => state.storage.deleteAll())
    await evictDurableObject(of.stub)
    expect(await of.stub.stop('stopped_by_person', 'p')).toBe(null)
    expect(await of.stub.end()).toBe(null)
    const never = testEnv.EXECUTION_SESSION.getByName(objectName('site-x', 'sess_never'))
    expect(await never.stop('stopped_by_person', 'p')).toBe(null)
  })

  test('an alarm in which everything fails is followed by another', async () => {
    const of = await rig()
    await executing(of)
    await runInDurableObject(of.stub, async (instance, state) => {
      await state.storage.deleteAlarm()
      state.storage.sql.exec('DROP TABLE outbox')
      await (instance as unknown as { alarm(): Promise<void> }).alarm()
      expect(await state.storage.getAlarm()).toBeGreaterThan(Date.now())
    })
  })
})

describe('peers of other releases', () => {
  test('a peer that offers nothing is spoken to in the first version', async () => {
    const of = await rig()
    const peer = await Peer.connect(of)
    expect(peer.frames[0]).not.toHaveProperty('features')
    expect(await peer.sendHello()).toMatchObject({ type: 'welcome' })
  })

  test('a peer that offers more gets what both know, and the rows', async () => {
    const of = await rig()
    const peer = await Peer.connect(of, { features: `${offer} telepathy` })
    expect(peer.frames[0]).toMatchObject({ features: [...features] })
    const welcome = await peer.sendHello()
    expect(welcome).toMatchObject({ type: 'welcome', rows: of.rows })
  })

  test('a proof for another gateway is refused, and nothing ends by it', async () => {
    const of = await rig()
    const peer = await Peer.connect(of, { features: offer })
    peer.addressed = 'gateway.elsewhere'
    peer.send(await peer.helloFrame())
    expect(await peer.next('error')).toMatchObject({ code: 'proof_invalid' })
    expect(await of.stub.status()).toMatchObject({ status: 'bound' })
  })

  test('a second live process of the key is refused, told, and the cell is latched', async () => {
    const of = await rig()
    const first = await Peer.hello(of, { features: offer })
    first.raw('ping')
    const twin = await Peer.connect(of, { features: offer, boot: 'boot-2' })
    twin.send(await twin.helloFrame())
    expect(await twin.next('error')).toMatchObject({ code: 'agent_duplicate' })
    expect(await first.next('halt')).toMatchObject({ reason: 'agent_duplicate' })
    expect(await heardEnd(of)).toMatchObject({ reason: 'agent_duplicate', latch: true })
  })
})

describe('rest', () => {
  const arm = (state: 'at_rest' | 'pending' | 'refused', detail: string | null = null) =>
    ({ server: 's', state, detail }) as const

  test('an end says which devices are not at rest, and is told again when they are', async () => {
    const of = await rig()
    const { peer } = await executing(of, { features: offer })
    await of.stub.stop('stopped_by_person', 'person-1')
    expect(await heardEnd(of)).toMatchObject({
      rest: { devices: [{ server: 's', state: 'pending' }] },
    })
    const refused = arm('refused', 'servo drive does not answer')
    expect(await peer.answer(peer.send(await peer.restFrame([refused], 0)))).toMatchObject({
      type: 'ack',
    })
    expect(await heardEnd(of, 1)).toMatchObject({ rest: { devices: [refused] } })
    peer.send(await peer.restFrame([arm('at_rest')], 1))
    expect(await heardEnd(of, 2)).toMatchObject({ rest: { devices: [arm('at_rest')] } })
    // The same again, and an older word, are acknowledged and change nothing.
    for (const seq of [1, 0]) {
      expect(await peer.answer(peer.send(await peer.restFrame([refused], seq)))).toMatchObject({
        type: 'ack',
      })
    }
    await scheduler.wait(300)
    expect(await of.hub.ended()).toHaveLength(3)
    const events = (await of.stub.audit(-1)).map((entry) => entry.event)
    expect(events.filter((event) => event === 'rest')).toHaveLength(2)
    await evictDurableObject(of.stub)
    expect(await of.stub.end()).toMatchObject({ rest: { devices: [arm('at_rest')] } })
  })

  test('a word that another key signed is a violation', async () => {
    const of = await rig()
    const { peer } = await executing(of, { features: offer })
    peer.send(await peer.restFrame([arm('at_rest')], 0, of.gateway))
    expect(await peer.next('halt')).toMatchObject({ reason: 'frame_violation' })
  })

  test('a run that completed has its devices at rest', async () => {
    const of = await rig()
    const peer = await Peer.hello(of, { features: offer })
    for (let i = 0; i < 3; i++) await peer.run()
    expect(await heardEnd(of)).toMatchObject({
      status: 'completed',
      rest: { devices: [arm('at_rest')] },
    })
  })
})
