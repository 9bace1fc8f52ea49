// Every way in which a session ends early, what it says then, and whether the cell is latched.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, test, vi } from 'vitest'
import type { ExecutionSession } from '../../../durable-objects/execution-session.ts'
import { SessionStore } from '../../../durable-objects/session/store.ts'
import type { TerminationReason } from '../../../protocol/reasons.ts'
import { chainPlan } from '../../shared/session-fixture.ts'
import { Peer, rig, type Rig } from './agent.ts'
import { hush } from '../../shared/hush.ts'

hush(/^authority(, asked once more)?: Error: hub is down$/)

/** The end as the hub hears it. */
async function end(of: Rig) {
  for (let i = 0; i < 100; i++) {
    const [heard] = await of.hub.ended()
    if (heard !== undefined) return heard
    await scheduler.wait(50)
  }
  throw new Error('the hub never heard of an end')
}

const states = async (of: Rig) => (await of.stub.status())?.nodes.map((node) => node.state)

/** A session with its first (physical) node executing. */
async function executing(of: Rig) {
  const peer = await Peer.hello(of)
  const node = await peer.token()
  expect(await peer.start(node)).toMatchObject({ type: 'go' })
  return { peer, node }
}

/** Moves the session's clock by moving what it has written down. */
async function age(of: Rig, sql: string): Promise<void> {
  await runInDurableObject(of.stub, (_, state) => {
    state.storage.sql.exec(sql)
  })
}

describe('a report', () => {
  test.each([
    ['failed', true, 'node_failed', true],
    ['failed', false, 'node_failed', false],
    ['unknown', true, 'node_unknown', true],
    ['unknown', false, 'node_unknown', true],
  ] as const)(
    'of %s (actuated %s) ends with %s and latch %s',
    async (outcome, actuated, reason, latch) => {
      const of = await rig()
      const { peer, node } = await executing(of)
      expect(await peer.report(node, { outcome, actuated, reason: 'tool_error' })).toMatchObject({
        type: 'ack',
      })
      expect(await peer.next('halt')).toMatchObject({ reason })
      expect(await end(of)).toMatchObject({
        status: 'terminated',
        reason,
        latch,
        node: actuated ? 'n000' : null,
      })
      expect(await states(of)).toEqual([outcome, 'pending', 'pending'])
      expect(await peer.pull()).toMatchObject({ type: 'done', status: 'terminated' })
    },
  )

  test('for a node that did not go, or with a bad signature, is a violation', async () => {
    const of = await rig()
    const peer = await Peer.hello(of)
    const node = await peer.token()
    peer.send(await peer.reportFrame(node))
    expect(await peer.next('halt')).toMatchObject({ reason: 'frame_violation' })

    const other = await rig()
    const run = await executing(other)
    const frame = await run.peer.reportFrame(run.node, { nid: 'n001' })
    run.peer.send(frame)
    expect(await run.peer.next('halt')).toMatchObject({ reason: 'frame_violation' })
    expect(await end(other)).toMatchObject({ latch: true, node: null })
  })

  test('that gives up a node before its go ends without a latch', async () => {
    const of = await rig()
    const peer = await Peer.hello(of)
    const node = await peer.token()
    await peer.report(node, { outcome: 'failed', actuated: false, reason: 'no_go' })
    expect(await end(of)).toMatchObject({ reason: 'node_failed', latch: false })
  })

  test('after the end is written down and acknowledged, and changes nothing', async () => {
    const of = await rig()
    const { peer, node } = await executing(of)
    await of.stub.stop('stopped_by_person', 'person-1')
    expect(await peer.report(node)).toMatchObject({ type: 'ack' })
    expect(await states(of)).toEqual(['unknown', 'pending', 'pending'])
    const entries = await of.stub.audit(-1)
    expect(entries.at(-1)).toMatchObject({ event: 'late_report', facts: { outcome: 'succeeded' } })
  })
})

describe('the site', () => {
  test.each<[TerminationReason]>([
    ['cell_not_armed'],
    ['epoch_revoked'],
    ['registry_changed'],
    ['capability_revoked'],
    ['agent_revoked'],
  ])('can refuse a node with %s: no go, no latch', async (reason) => {
    const of = await rig()
    await of.hub.set({ answer: reason })
    const peer = await Peer.hello(of)
    const node = await peer.token()
    peer.send(await peer.startFrame(node))
    expect(await peer.next('halt')).toMatchObject({ reason })
    expect(peer.frames.some((frame) => frame.type === 'go')).toBe(false)
    expect(await end(of)).toMatchObject({ reason, latch: false })
  })

  test.each(['throw', 'hang'] as const)('that does not answer (%s) gives no go', async (answer) => {
    const of = await rig()
    await of.hub.set({ answer })
    const peer = await Peer.hello(of)
    const node = await peer.token()
    peer.send(await peer.startFrame(node))
    expect(await peer.next('halt')).toMatchObject({ reason: 'authority_unreachable' })
    expect(peer.frames.some((frame) => frame.type === 'go')).toBe(false)
  })

  test('that answers after a stop gives no go', async () => {
    const of = await rig()
    await of.hub.set({ delay_ms: 300 })
    const peer = await Peer.hello(of)
    const node = await peer.token()
    const fid = peer.send(await peer.startFrame(node))
    await scheduler.wait(50)
    await of.stub.stop('stopped_by_person', 'person-1')
    expect(await peer.answer(fid)).toMatchObject({ type: 'done', status: 'terminated' })
    expect(peer.frames.some((frame) => frame.type === 'go')).toBe(false)
    expect(await end(of)).toMatchObject({ reason: 'stopped_by_person', latch: false })
  })

  test('that answers after the connection closed starts nothing; the next connection can', async () => {
    const of = await rig()
    await of.hub.set({ delay_ms: 300 })
    const peer = await Peer.hello(of)
    const node = await peer.token()
    peer.send(await peer.startFrame(node))
    await scheduler.wait(50)
    peer.close()
    await scheduler.wait(600)
    expect(await states(of)).toEqual(['released', 'pending', 'pending'])
    const next = await Peer.hello(of)
    const again = await next.token()
    expect(again.token).toBe(node.token)
    expect(await next.start(again)).toMatchObject({ type: 'go' })
  })
})

describe('a person', () => {
  test('stops it once: absorbing, told to every connection, latched when metal moved', async () => {
    const of = await rig()
    const { peer } = await executing(of)
    const second = await Peer.hello(of)
    const status = await of.stub.stop('stopped_by_person', 'person-1')
    expect(status).toMatchObject({ status: 'terminated', reason: 'stopped_by_person' })
    expect(await of.stub.stop('agent_revoked', 'person-2')).toEqual(status)
    expect(await peer.next('halt')).toMatchObject({ reason: 'stopped_by_person' })
    expect(await second.next('halt')).toMatchObject({ reason: 'stopped_by_person' })
    expect(await end(of)).toMatchObject({ latch: true, node: null })
  })

  test('halts the agent also where the stop cannot be written down', async () => {
    const of = await rig()
    const { peer } = await executing(of)
    const full = vi.spyOn(SessionStore.prototype, 'save').mockImplementation(() => {
      throw new Error('database or disk is full')
    })
    await runInDurableObject(of.stub, async (object: ExecutionSession) => {
      await expect(object.stop('stopped_by_person', 'person-1')).rejects.toThrow('full')
    })
    full.mockRestore()
    expect(await peer.next('halt')).toMatchObject({ reason: 'stopped_by_person' })
  })

  test('stops it between physical nodes: latched, since something has moved', async () => {
    const of = await rig()
    const peer = await Peer.hello(of)
    await peer.run()
    await of.stub.stop('stopped_by_person', 'person-1')
    expect(await end(of)).toMatchObject({ latch: true, node: null })
  })

  test('stops it while only reading tools ran: no latch', async () => {
    const plan = chainPlan(2)
    const reading = { ...plan, nodes: plan.nodes.map((node) => ({ ...node, tool: 'camera.read' })) }
    const of = await rig(reading)
    await executing(of)
    await of.stub.stop('stopped_by_person', 'person-1')
    expect(await end(of)).toMatchObject({ latch: false, node: null })
  })
})

describe('the agent', () => {
  test('ends it itself', async () => {
    const of = await rig()
    const { peer } = await executing(of)
    peer.send({ type: 'abort', reason: 'local_stop', detail: 'door opened' })
    expect(await peer.next('halt')).toMatchObject({ reason: 'agent_aborted' })
    expect(await end(of)).toMatchObject({ reason: 'agent_aborted', latch: true })
  })

  test('that restarted while a node was executing ends it: unknown, latched', async () => {
    const of = await rig()
    await executing(of)
    const restarted = await Peer.connect(of, { boot: 'boot-2' })
    restarted.send(await restarted.helloFrame())
    expect(await restarted.next('halt')).toMatchObject({ reason: 'agent_restarted' })
    expect(await end(of)).toMatchObject({ reason: 'agent_restarted', latch: true, node: null })
    expect(await states(of)).toEqual(['unknown', 'pending', 'pending'])
  })

  test('that restarted between nodes goes on; the older process is cut off', async () => {
    const of = await rig()
    const old = await Peer.hello(of)
    await old.run()
    const restarted = await Peer.hello(of, { boot: 'boot-2' })
    expect(await restarted.next('welcome')).toMatchObject({
      progress: [
        { nid: 'n000', state: 'succeeded' },
        { nid: 'n001', state: 'pending' },
        { nid: 'n002', state: 'pending' },
      ],
    })
    expect((await old.whenClosed()).code).toBe(1008)
    await restarted.run()
    await restarted.run()
    expect(await end(of)).toMatchObject({ status: 'completed' })
  })

  test('whose ledger says that it actuated what never went is not believed again', async () => {
    const of = await rig()
    const peer = await Peer.connect(of)
    peer.send(await peer.helloFrame({ ledger_head: [{ nid: 'n000', state: 'actuated' }] }))
    expect(await peer.next('halt')).toMatchObject({ reason: 'frame_violation' })
    expect(await end(of)).toMatchObject({ latch: true })
  })

  test('may report on a later connection of the same process', async () => {
    const of = await rig()
    const { peer, node } = await executing(of)
    const frame = { ...(await peer.reportFrame(node)), fid: 'report-1' }
    peer.close()
    await scheduler.wait(100)
    const next = await Peer.hello(of)
    next.send(frame)
    expect(await next.answer('report-1')).toMatchObject({ type: 'ack' })
    // And once more, as if the ack had been lost: the same frame, another connection.
    const third = await Peer.hello(of)
    third.send(frame)
    expect(await third.answer('report-1')).toMatchObject({ type: 'ack' })
    expect(await states(of)).toEqual(['succeeded', 'pending', 'pending'])
  })
})

describe('time', () => {
  test('ends a session whose agent stays away longer than the grace', async () => {
    const of = await rig()
    const { peer } = await executing(of)
    peer.close()
    await scheduler.wait(100)
    expect(await of.stub.status()).toMatchObject({ status: 'active' })
    await runInDurableObject(of.stub, async (_, state) => {
      const due = await state.storage.getAlarm()
      expect(due).toBeGreaterThan(Date.now() + 50_000)
      expect(due).toBeLessThanOrEqual(Date.now() + 60_000)
    })
    await age(of, 'UPDATE session SET grace_until = 1')
    await reload(of)
    await runDurableObjectAlarm(of.stub)
    expect(await end(of)).toMatchObject({ reason: 'agent_lost', latch: true, node: null })
  })

  test('ends a session whose agent never came, without a latch', async () => {
    const of = await rig()
    await age(of, 'UPDATE session SET grace_until = 1')
    await reload(of)
    await runDurableObjectAlarm(of.stub)
    expect(await end(of)).toMatchObject({ reason: 'agent_lost', latch: false })
  })

  test('ends a session at its deadline, by its alarm', async () => {
    const of = await rig(chainPlan(3), 2_500)
    const { peer } = await executing(of)
    expect(await peer.next('halt')).toMatchObject({ reason: 'deadline_passed' })
    expect(await end(of)).toMatchObject({ reason: 'deadline_passed', latch: true, node: null })
  })

  test('ends a session whose tool took longer than its own time and the grace', async () => {
    const of = await rig()
    await executing(of)
    await age(of, 'UPDATE nodes SET started_ms = 1 WHERE started_ms IS NOT NULL')
    await reload(of)
    await runDurableObjectAlarm(of.stub)
    expect(await end(of)).toMatchObject({ reason: 'node_unknown', latch: true, node: null })
  })
})

/** A new instance of the object, with the sockets kept. */
async function reload(of: Rig): Promise<void> {
  const { evictDurableObject } = await import('cloudflare:test')
  await evictDurableObject(of.stub)
}

test('a halt comes in the words that each peer reads', async () => {
  const of = await rig()
  const first = await Peer.hello(of)
  const later = await Peer.hello(of, { features: 'signed-rows reasons' })
  await of.stub.stop('server_restarted', 'gateway')
  expect(await first.next('halt')).toMatchObject({ reason: 'node_unknown' })
  expect(await later.next('halt')).toMatchObject({ reason: 'server_restarted' })
})
