// ExecutionSession in the real runtime: the whole life, strangers, misspoken frames, and every way out.
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { brokenAt } from '../../../protocol/audit.ts'
import { limits } from '../../../protocol/limits.ts'
import { chainPlan, signingKey, strangerJwk } from '../../shared/session-fixture.ts'
import { Peer, rig, testEnv, type Rig } from './agent.ts'
import { hush } from '../../shared/hush.ts'

hush(/^outbox hub: Error: deaf$/)

async function eventually<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (let i = 0; ; i++) {
    const value = await read()
    if (holds(value)) return value
    if (i > 100) throw new Error(`never: ${JSON.stringify(value)}`)
    await scheduler.wait(50)
  }
}

const events = async (of: Rig): Promise<string[]> => {
  const entries = await of.stub.audit(-1)
  return entries.map((entry) => entry.event)
}

describe('a session from start to end', () => {
  test('runs every node in the order, once, and completes', async () => {
    const of = await rig()
    const peer = await Peer.hello(of)
    const welcome = await peer.next('welcome')
    expect(welcome.ctx).toBe(of.ctx)
    const ran = [await peer.run(), await peer.run(), await peer.run()]
    expect(ran).toEqual(of.context.order)
    expect(await peer.pull()).toMatchObject({ type: 'done', status: 'completed' })
    const status = await of.stub.status()
    expect(status).toMatchObject({ status: 'completed', reason: null })
    expect(status?.nodes.map((node) => node.state)).toEqual(['succeeded', 'succeeded', 'succeeded'])
  })

  test('asks the site before each go, and tells hub and review of the end', async () => {
    const of = await rig(chainPlan(2))
    const peer = await Peer.hello(of)
    await peer.run()
    await peer.run()
    const { agent_jkt, cell } = of.context
    const question = {
      session: of.session,
      cell,
      agent_jkt,
      planner: 'planner-1',
      epoch: 7,
      told_ms: 0,
    }
    expect(await of.hub.asked()).toEqual([
      { ...question, tool: 'arm.move' },
      { ...question, tool: 'camera.read' },
    ])
    const end = { session: of.session, plan: of.spec.plan_id, cell, status: 'completed' }
    const ended = await eventually(
      () => of.hub.ended(),
      (list) => list.length > 0,
    )
    expect(ended).toMatchObject([{ ...end, reason: null, latch: false, node: null }])
    await eventually(
      () => of.review.ended(),
      (list) => list.length === 1,
    )
  })

  test('tells of the end again until both have heard it, once each', async () => {
    const of = await rig(chainPlan(1))
    await of.hub.set({ deaf: 2 })
    const peer = await Peer.hello(of)
    await peer.run()
    await eventually(
      () => of.hub.ended(),
      (list) => list.length > 0,
    )
    await scheduler.wait(300)
    expect(await of.hub.ended()).toHaveLength(1)
    expect(await of.review.ended()).toHaveLength(1)
  })

  test('keeps a trail whose entries follow from one another', async () => {
    const of = await rig(chainPlan(2))
    const peer = await Peer.hello(of)
    await peer.run()
    await peer.run()
    const entries = await of.stub.audit(-1)
    expect(entries.map((entry) => entry.event)).toEqual([
      'opened',
      'hello',
      'released',
      'go',
      'report',
      'released',
      'go',
      'report',
      'completed',
    ])
    expect(await brokenAt(entries)).toBeNull()
    const changed = entries.map((entry, i) => (i === 3 ? { ...entry, actor: 'nobody' } : entry))
    expect(await brokenAt(changed)).toBe(3)
    expect(await brokenAt(entries.toSpliced(4, 1))).toBe(4)
    expect(await of.stub.audit(3)).toEqual(entries.slice(4))
  })
})

describe('opening', () => {
  test('is done once: again is a no-op, with another context it is refused', async () => {
    const of = await rig()
    expect(await of.stub.open(of.spec)).toEqual({ ok: true, value: { ctx: of.ctx } })
    const context = { ...of.context, deadline: of.context.deadline + 1 }
    expect(await of.stub.open({ ...of.spec, context })).toEqual({
      ok: false,
      error: { reason: 'other_context' },
    })
    expect(await events(of)).toEqual(['opened'])
  })

  test.each<[string, (of: Rig) => Partial<Rig['spec']>]>([
    ['another plan digest', () => ({ plan_digest: `plan:${'B'.repeat(43)}` })],
    [
      'a decision that is not in the context',
      (of) => ({ decision: { ...of.decision, valid_until: 1 } }),
    ],
    ['a reject', (of) => ({ decision: { ...of.decision, verdict: 'reject' as const } })],
    [
      'another order',
      (of) => ({ context: { ...of.context, order: of.context.order.toReversed() } }),
    ],
    [
      'a plan without nodes',
      (of) => ({
        context: { ...of.context, order: [], plan: { ...of.context.plan, nodes: [] } },
      }),
    ],
  ])('is refused with %s', async (_, change) => {
    const of = await rig()
    const stub = testEnv.EXECUTION_SESSION.getByName(crypto.randomUUID())
    expect(await stub.open({ ...of.spec, ...change(of) })).toEqual({
      ok: false,
      error: { reason: 'context_invalid' },
    })
    expect(await stub.status()).toBeNull()
  })

  test('is refused when the deadline has passed', async () => {
    const of = await rig()
    const stub = testEnv.EXECUTION_SESSION.getByName(crypto.randomUUID())
    const late = { ...of.spec, now_ms: of.context.deadline }
    expect(await stub.open(late)).toEqual({ ok: false, error: { reason: 'deadline_passed' } })
  })

  test('leaves nothing behind where only somebody asked', async () => {
    const stub = testEnv.EXECUTION_SESSION.getByName(crypto.randomUUID())
    expect(await stub.status()).toBeNull()
    expect(await stub.audit(-1)).toEqual([])
    expect(await stub.stop('stopped_by_person', 'p')).toBeNull()
    const tables = await runInDurableObject(stub, (_, state) =>
      state.storage.sql
        .exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_%' ESCAPE '\\'")
        .toArray(),
    )
    expect(tables).toEqual([])
  })
})

test('the largest plan is opened, welcomed within the frame limit, and starts', async () => {
  const plan = chainPlan(limits.nodesMax)
  const room = Math.floor(limits.planBytesMax / limits.nodesMax) - 120
  const nodes = plan.nodes.map((node) => ({ ...node, args: { note: 'x'.repeat(room) } }))
  const largest = { ...plan, nodes }
  const bytes = JSON.stringify(largest).length
  expect(bytes).toBeLessThanOrEqual(limits.planBytesMax)
  expect(bytes).toBeGreaterThan(limits.planBytesMax * 0.9)
  const of = await rig(largest)
  const peer = await Peer.hello(of)
  const welcome = await peer.next('welcome')
  expect(JSON.stringify(welcome).length).toBeLessThanOrEqual(limits.gatewayFrameBytesMax)
  expect(welcome.progress).toHaveLength(limits.nodesMax)
  expect(await peer.run()).toBe('n000')
})

describe('a stranger', () => {
  test('with another key gets an error and a close, and the run goes on', async () => {
    const of = await rig()
    const peer = await Peer.hello(of)
    await peer.run()
    const stranger = await Peer.connect(of, { key: await signingKey(strangerJwk) })
    expect(await stranger.any()).toMatchObject({ type: 'error', code: 'key_not_bound' })
    expect((await stranger.whenClosed()).code).toBe(1008)
    await peer.run()
    await peer.run()
    expect(await of.stub.status()).toMatchObject({ status: 'completed' })
    expect(await events(of)).toContain('refused')
  })

  test("with the bound agent's name and another key is no less a stranger", async () => {
    const of = await rig()
    const other = await Peer.connect(of, { agent: 'agent-2' })
    expect(await other.any()).toMatchObject({ type: 'error', code: 'key_not_bound' })
    expect(await of.stub.status()).toMatchObject({ status: 'bound' })
  })

  test('cannot prove the bound key by another signature, nonce, session or process', async () => {
    const of = await rig()
    const strangerKey = await signingKey(strangerJwk)
    const peer = await Peer.connect(of)
    const forged = new Proxy(peer, {
      get: (target, name) =>
        name === 'key' ? strangerKey : (Reflect.get(target, name, target) as unknown),
    })
    const hello = await Peer.prototype.helloFrame.call(forged)
    expect(await peer.answer(peer.send(hello))).toMatchObject({ code: 'proof_invalid' })
    await peer.whenClosed()

    const replayed = await Peer.connect(of)
    const earlier = await (await Peer.connect(of)).helloFrame()
    expect(await replayed.answer(replayed.send(earlier))).toMatchObject({ code: 'proof_invalid' })

    const third = await Peer.connect(of)
    expect(await third.sendHello({ session: 'sess_other' })).toMatchObject({
      code: 'session_unknown',
    })
    const fourth = await Peer.connect(of)
    expect(await fourth.sendHello({ boot_id: 'boot-other' })).toMatchObject({
      code: 'proof_invalid',
    })
    expect(await of.stub.status()).toMatchObject({ status: 'bound' })
  })

  test('gets no socket of a session that does not exist', async () => {
    const of = await rig()
    const stub = testEnv.EXECUTION_SESSION.getByName(crypto.randomUUID())
    const peer = await Peer.connect({ ...of, stub })
    expect(await peer.any()).toMatchObject({ type: 'error', code: 'session_unknown' })
  })
})

const big = (bytes: number) => JSON.stringify({ v: 1, pad: 'x'.repeat(bytes - 16) })

describe('a frame that is not taken', () => {
  test.each<[string, string, string]>([
    ['no JSON', '{', 'frame_not_json'],
    ['a repeated key', '{"v":1,"v":1}', 'frame_not_json'],
    ['an unknown field', '{"v":1,"type":"pull","fid":"f","nonce":"n","x":1}', 'frame_schema'],
    ['an unknown type', '{"v":1,"type":"push","fid":"f","nonce":"n"}', 'frame_schema'],
    ['another version', '{"v":2,"type":"pull","fid":"f","nonce":"n"}', 'frame_schema'],
    ["another connection's nonce", '{"v":1,"type":"pull","fid":"f","nonce":"n"}', 'nonce_mismatch'],
    ['the most bytes and no schema', big(limits.agentFrameBytesMax), 'frame_schema'],
    ['one byte too many', big(limits.agentFrameBytesMax + 1), 'frame_too_large'],
  ])('with %s closes the socket and not the session', async (_, text, code) => {
    const of = await rig()
    const peer = await Peer.hello(of)
    peer.raw(text)
    expect(await peer.next('error')).toMatchObject({ code })
    expect((await peer.whenClosed()).code).toBe(1008)
    expect(await of.stub.status()).toMatchObject({ status: 'active' })
    const again = await Peer.hello(of)
    expect(await again.pull()).toMatchObject({ type: 'token' })
  })

  test('before hello, or as a second hello, closes the socket', async () => {
    const of = await rig()
    const early = await Peer.connect(of)
    expect(await early.pull()).toMatchObject({ type: 'error', code: 'hello_expected' })
    const peer = await Peer.hello(of)
    expect(await peer.sendHello()).toMatchObject({ type: 'error', code: 'hello_repeated' })
    expect(await of.stub.status()).toMatchObject({ status: 'active' })
  })

  test('as binary is refused', async () => {
    const of = await rig()
    const peer = await Peer.hello(of)
    peer.bytes(new Uint8Array([1, 2, 3]))
    expect(await peer.next('error')).toMatchObject({ code: 'frame_not_json' })
  })

  test('takes as many connections as the limit says, and not one more', async () => {
    const of = await rig()
    const peers: Peer[] = []
    for (let i = 0; i < limits.socketsPerSessionMax; i++) peers.push(await Peer.hello(of))
    expect(peers.every((peer) => peer.frames[0]?.type === 'challenge')).toBe(true)
    const over = await Peer.connect(of)
    expect(await over.any()).toMatchObject({ type: 'error', code: 'too_many_sockets' })
    peers[0]?.close()
    await eventually(
      async () => (await Peer.connect(of)).frames[0]?.type,
      (type) => type === 'challenge',
    )
  })
})

describe('frames that come twice', () => {
  test('are answered from the record; a go never', async () => {
    const of = await rig()
    const peer = await Peer.hello(of)
    const node = await peer.token()
    const pull = peer.send({ type: 'pull', fid: 'pull-1' })
    await peer.answer(pull)
    peer.frames.length = 0
    peer.send({ type: 'pull', fid: 'pull-1' })
    expect(await peer.answer('pull-1')).toMatchObject({ type: 'token', token: node.token })

    const start = { ...(await peer.startFrame(node)), fid: 'start-1' }
    peer.send(start)
    expect(await peer.answer('start-1')).toMatchObject({ type: 'go' })
    peer.frames.length = 0
    peer.send(start)
    expect(await peer.answer('start-1')).toMatchObject({ type: 'go_spent' })

    const report = { ...(await peer.reportFrame(node)), fid: 'report-1' }
    peer.send(report)
    expect(await peer.answer('report-1')).toMatchObject({ type: 'ack' })
    peer.frames.length = 0
    peer.send(report)
    expect(await peer.answer('report-1')).toMatchObject({ type: 'ack' })
    // The same signed report under a new frame id: an ack was lost.
    const again = peer.send({ ...report, fid: 'report-2' })
    expect(await peer.answer(again)).toMatchObject({ type: 'ack' })
    expect((await of.hub.asked()).length).toBe(1)
    expect(await of.stub.status()).toMatchObject({ status: 'active' })
  })

  test('with another content under the same id end the session', async () => {
    const of = await rig()
    const peer = await Peer.hello(of)
    const node = await peer.token()
    peer.send({ ...(await peer.startFrame(node)), fid: 'one' })
    await peer.next('go')
    peer.send({ type: 'pull', fid: 'one' })
    expect(await peer.next('halt')).toMatchObject({ reason: 'frame_violation' })
    expect(await of.stub.status()).toMatchObject({
      status: 'terminated',
      reason: 'frame_violation',
    })
  })

  test('of an earlier connection are refused, whatever they are', async () => {
    const of = await rig()
    const first = await Peer.hello(of)
    const node = await first.token()
    const delayed = await first.startFrame(node)
    const second = await Peer.hello(of)
    // The frame as it was: the nonce of the first connection.
    second.raw(JSON.stringify({ v: 1, nonce: first.nonce, fid: 'late', ...delayed }))
    expect(await second.next('error')).toMatchObject({ code: 'nonce_mismatch' })
    expect(await of.stub.status()).toMatchObject({ status: 'active' })
    // Wrapped in a frame of the second connection: a replay by the bound key ends the session.
    const third = await Peer.hello(of)
    third.send(delayed)
    expect(await third.next('halt')).toMatchObject({ reason: 'holder_mismatch' })
  })
})

describe('the trail', () => {
  test('is not filled by what a peer can repeat for ever', async () => {
    const of = await rig()
    const peer = await Peer.hello(of)
    const limit = limits.repeatedEventsAuditedMax
    // As if it had happened that often: the rows, not the sockets, are what is bounded.
    await runInDurableObject(of.stub, (_, state) => {
      for (let i = 0; i < limit - 2; i++) {
        state.storage.sql.exec(
          "INSERT INTO audit SELECT seq + 1, at_ms, actor, 'hello', '{}', digest, 'd' || (seq + 1) FROM audit ORDER BY seq DESC LIMIT 1",
        )
      }
    })
    const hellos = () =>
      runInDurableObject(
        of.stub,
        (_, state) =>
          state.storage.sql.exec("SELECT 1 FROM audit WHERE event = 'hello'").toArray().length,
      )
    expect(await hellos()).toBe(limit - 1)
    await Peer.hello(of)
    expect(await hellos()).toBe(limit)
    const last = await Peer.hello(of)
    expect(await hellos()).toBe(limit)
    // Only the line is left out: the connection works.
    expect(await last.pull()).toMatchObject({ type: 'token' })
    peer.close()
  })
})
