// Races, crashes and altered bytes: at most one `go` for a node, whatever happens at the same time.
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { chainPlan } from '../../shared/session-fixture.ts'
import { Peer, rig, type Draft, type Rig } from './agent.ts'

const goCount = (peers: readonly Peer[]) =>
  peers.flatMap((peer) => peer.frames).filter((frame) => frame.type === 'go').length

async function executedRows(of: Rig): Promise<number> {
  return runInDurableObject(
    of.stub,
    (_, state) =>
      state.storage.sql.exec<{ n: number }>('SELECT COUNT(*) AS n FROM executed').one().n,
  )
}

async function crowd(of: Rig, count: number): Promise<Peer[]> {
  const peers: Peer[] = []
  for (let i = 0; i < count; i++) peers.push(await Peer.hello(of))
  return peers
}

describe('1,000 starts of one node over 50 connections', () => {
  test.each([
    ['and nothing else', null, 1],
    ['and a stop before them', 0, 0],
    ['and a stop in the middle of them', 500, 1],
    ['and a stop as soon as a go is heard', 'go', 1],
  ] as const)('%s give at most one go', async (_, stopAt, goMax) => {
    const of = await rig(chainPlan(3))
    await of.hub.set({ delay_ms: 5 })
    const peers = await crowd(of, 50)
    const node = await (peers[0] as Peer).token()
    const frames: string[][] = []
    for (const peer of peers) {
      const own: string[] = []
      for (let i = 0; i < 20; i++) {
        const frame = await peer.startFrame(node)
        own.push(JSON.stringify({ v: 1, nonce: peer.nonce, fid: `${peer.nonce}-${i}`, ...frame }))
      }
      frames.push(own)
    }
    let stopping: Promise<unknown> = Promise.resolve()
    for (let i = 0; i < 1_000; i++) {
      if (i === stopAt) stopping = of.stub.stop('stopped_by_person', 'person-1')
      peers[i % 50]?.raw(frames[i % 50]?.[Math.floor(i / 50)] ?? '')
    }
    if (stopAt === 'go') {
      await Promise.any(peers.map((peer) => peer.next('go'))).catch(() => null)
      stopping = of.stub.stop('stopped_by_person', 'person-1')
    }
    await stopping
    for (let i = 0; i < 100 && (await of.stub.status())?.status === 'active'; i++) {
      await scheduler.wait(50)
    }
    await scheduler.wait(300)
    const gos = goCount(peers)
    expect(gos).toBeLessThanOrEqual(goMax)
    const rows = await executedRows(of)
    // A go never leaves without its row; the row may exist without its go having been heard.
    expect(gos).toBeLessThanOrEqual(rows)
    expect(rows).toBeLessThanOrEqual(1)
    // Two different starts of one node are a violation by the bound key: the session is over. On a
    // machine that is too busy to answer in time it is over before the first go, which is no less safe.
    const status = await of.stub.status()
    expect(status).toMatchObject({ status: 'terminated' })
    if (status?.reason === 'already_executed') expect(gos).toBe(1)
    if (stopAt === null)
      expect(['already_executed', 'authority_unreachable']).toContain(status?.reason)
    const entries = await of.stub.audit(-1)
    expect(entries.filter((entry) => entry.event === 'go').length).toBe(rows)
    expect(entries.filter((entry) => entry.event === 'terminated').length).toBe(1)
  })

  test('that are one and the same frame give one go, and the session goes on', async () => {
    const of = await rig()
    await of.hub.set({ delay_ms: 20 })
    const peer = await Peer.hello(of)
    const node = await peer.token()
    const frame = { ...(await peer.startFrame(node)), fid: 'same' }
    for (let i = 0; i < 200; i++) peer.send(frame)
    await peer.next('go')
    await peer.report(node)
    await peer.next('go_spent')
    expect(goCount([peer])).toBe(1)
    expect(await of.stub.status()).toMatchObject({ status: 'active' })
  })
})

describe('a token with altered bytes', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  /** Another character with the same bits where a loose decoder looks: only the unused ones differ. */
  const sameForLooseDecoders = (c: string, bits: number) =>
    alphabet[alphabet.indexOf(c) ^ ((1 << bits) - 1)] ?? 'A'

  test.each<[string, (segments: string[]) => string[]]>([
    [
      'in the header',
      ([h = '', p = '', s = '']) => [`${h.slice(0, -1)}${h.endsWith('A') ? 'B' : 'A'}`, p, s],
    ],
    [
      'in the claims',
      ([h = '', p = '', s = '']) => [
        h,
        `${p.slice(0, 20)}${p[20] === 'A' ? 'B' : 'A'}${p.slice(21)}`,
        s,
      ],
    ],
    [
      'in the signature',
      ([h = '', p = '', s = '']) => [h, p, `${s[0] === 'A' ? 'B' : 'A'}${s.slice(1)}`],
    ],
    [
      'in the unused bits of the last character',
      ([h = '', p = '', s = '']) => [
        h,
        p,
        s.slice(0, -1) + sameForLooseDecoders(s.at(-1) ?? '', 4),
      ],
    ],
    ['by padding', ([h = '', p = '', s = '']) => [h, p, `${s}==`]],
    ['by a fourth segment', ([h = '', p = '', s = '']) => [h, p, s, s]],
    ['by white space', ([h = '', p = '', s = '']) => [h, p, `${s} `]],
    ['by an empty signature', ([h = '', p = '']) => [h, p, '']],
    [
      'by alg none',
      ([, p = '']) => [
        btoa('{"alg":"none","typ":"portcullis-node+jwt"}').replaceAll('=', ''),
        p,
        '',
      ],
    ],
  ])('%s starts nothing and ends the session', async (_, alter) => {
    const of = await rig()
    const peer = await Peer.hello(of)
    const node = await peer.token()
    const frame = await peer.startFrame(node)
    const token = alter(node.token.split('.')).join('.')
    expect(token).not.toBe(node.token)
    peer.send({ ...frame, token })
    expect(await peer.next('halt')).toMatchObject({ reason: 'signature_invalid' })
    expect(await executedRows(of)).toBe(0)
    expect((await of.hub.asked()).length).toBe(0)
  })
})

describe('a start that is not due', () => {
  test.each<[string, (peer: Peer, other: Rig) => Promise<Draft>, string]>([
    [
      "with another node's token",
      async (peer) => {
        const first = await peer.token()
        await peer.start(first)
        await peer.report(first)
        const second = await peer.token()
        return { ...(await peer.startFrame(second)), token: first.token }
      },
      'token_not_of_node',
    ],
    [
      'of a node that the plan does not have',
      async (peer) => ({ ...(await peer.startFrame({ ...(await peer.token()), nid: 'x' })) }),
      'token_not_of_node',
    ],
    [
      'of a node that ran',
      async (peer) => {
        const node = await peer.token()
        await peer.start(node)
        await peer.report(node)
        return peer.startFrame(node)
      },
      'already_executed',
    ],
    [
      'with a token of another session',
      async (peer, other) => {
        const node = await peer.token()
        const theirs = await (await Peer.hello(other)).token()
        return { ...(await peer.startFrame(node)), token: theirs.token }
      },
      'token_not_of_node',
    ],
    [
      'signed for another node',
      async (peer) => {
        const node = await peer.token()
        const { start } = await peer.startFrame({ ...node, nid: 'n001' })
        return { ...(await peer.startFrame(node)), start }
      },
      'holder_mismatch',
    ],
  ])('%s ends the session', async (_, make, reason) => {
    const of = await rig()
    const other = await rig()
    const peer = await Peer.hello(of)
    peer.send(await make(peer, other))
    expect(await peer.next('halt')).toMatchObject({ reason })
    expect((await other.stub.status())?.status).not.toBe('terminated')
  })

  test('of a later node, whose token only a stolen store could give, ends the session', async () => {
    const of = await rig()
    const peer = await Peer.hello(of)
    await peer.token()
    const token = await runInDurableObject(of.stub, (_, state) =>
      state.storage.sql
        .exec<{ token: string }>("SELECT token FROM tokens WHERE nid = 'n001'")
        .one(),
    )
    peer.send(await peer.startFrame({ nid: 'n001', ...token }))
    expect(await peer.next('halt')).toMatchObject({ reason: 'dependency_open' })
  })

  test('of a node whose token was never handed out ends the session', async () => {
    const of = await rig()
    const peer = await Peer.hello(of)
    const token = await runInDurableObject(of.stub, (_, state) =>
      state.storage.sql
        .exec<{ token: string }>("SELECT token FROM tokens WHERE nid = 'n000'")
        .one(),
    )
    peer.send(await peer.startFrame({ nid: 'n000', ...token }))
    expect(await peer.next('halt')).toMatchObject({ reason: 'node_out_of_turn' })
  })
})

describe.each(['hibernate', 'close'] as const)('an eviction (%s the sockets)', (webSockets) => {
  /** The connection after the eviction: the same one, or a new one of the same process. */
  async function evict(of: Rig, peer: Peer): Promise<Peer> {
    await evictDurableObject(of.stub, { webSockets })
    return webSockets === 'hibernate' ? peer : Peer.hello(of)
  }

  test('before hello keeps the session open', async () => {
    const of = await rig()
    await evict(of, await Peer.connect(of))
    const peer = await Peer.hello(of)
    await peer.run()
    expect(await of.stub.status()).toMatchObject({ status: 'active' })
  })

  test('at each step of a node loses nothing and repeats nothing', async () => {
    const of = await rig(chainPlan(2))
    let peer = await Peer.hello(of)
    peer = await evict(of, peer)
    const node = await peer.token()
    peer = await evict(of, peer)
    const again = await peer.token()
    expect(again.token).toBe(node.token)
    peer = await evict(of, peer)
    const start = { ...(await peer.startFrame(node)), fid: 'start-1' }
    peer.send(start)
    expect(await peer.answer('start-1')).toMatchObject({ type: 'go' })
    peer.frames.length = 0
    peer = await evict(of, peer)
    if (webSockets === 'hibernate') {
      peer.send(start)
      expect(await peer.answer('start-1')).toMatchObject({ type: 'go_spent' })
    } else {
      expect(peer.frames.find((frame) => frame.type === 'welcome')).toMatchObject({
        progress: [
          { nid: 'n000', state: 'executing' },
          { nid: 'n001', state: 'pending' },
        ],
      })
    }
    expect(await peer.pull()).toMatchObject({ type: 'wait' })
    const report = { ...(await peer.reportFrame(node)), fid: 'report-1' }
    peer.send(report)
    expect(await peer.answer('report-1')).toMatchObject({ type: 'ack' })
    peer.frames.length = 0
    peer = await evict(of, peer)
    peer.send(report)
    expect(await peer.answer('report-1')).toMatchObject({ type: 'ack' })
    await peer.run()
    expect(await of.stub.status()).toMatchObject({ status: 'completed' })
    expect(await executedRows(of)).toBe(2)
  })

  test('in the middle of a node, and then another process of the agent, ends it', async () => {
    const of = await rig()
    const peer = await Peer.hello(of)
    await peer.start(await peer.token())
    await evictDurableObject(of.stub, { webSockets })
    const restarted = await Peer.connect(of, { boot: 'boot-2' })
    restarted.send(await restarted.helloFrame())
    expect(await restarted.next('halt')).toMatchObject({ reason: 'agent_restarted' })
  })

  test('after the end changes nothing', async () => {
    const of = await rig()
    const peer = await Peer.hello(of)
    await peer.start(await peer.token())
    const before = await of.stub.stop('stopped_by_person', 'person-1')
    await evictDurableObject(of.stub, { webSockets })
    expect(await of.stub.status()).toEqual(before)
    const late = await Peer.connect(of)
    expect(await late.sendHello()).toMatchObject({ type: 'done', status: 'terminated' })
  })
})
