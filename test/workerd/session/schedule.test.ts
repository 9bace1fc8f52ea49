// Random schedules through real sockets and storage: duplicates, reconnections, evictions, crashes, a
// second connection, a stop. The seed is in the name of each test; PORTCULLIS_SEED repeats one.
import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { brokenAt } from '../../../protocol/audit.ts'
import { chainPlan } from '../../shared/session-fixture.ts'
import { Peer, rig, type Draft, type Rig } from './agent.ts'

/** xorshift32: small, seeded, good enough to shuffle with. */
function random(seed: number): (below: number) => number {
  let x = seed | 1
  return (below) => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return (x >>> 0) % below
  }
}

class Play {
  readonly #of: Rig
  readonly #next: (below: number) => number
  readonly peers: Peer[] = []
  #sent: Draft[] = []
  #boot = 1

  constructor(of: Rig, next: (below: number) => number) {
    this.#of = of
    this.#next = next
  }

  async #peer(): Promise<Peer> {
    const last = this.peers.at(-1)
    if (last !== undefined && last.closed === null) return last
    return this.connect()
  }

  /** A new connection of the same process; the hello may meet a session that is over. */
  async connect(): Promise<Peer> {
    const peer = await this.#retry(() => Peer.connect(this.#of, { boot: `boot-${this.#boot}` }))
    this.peers.push(peer)
    if (peer.nonce !== '') await this.#settled(peer, await peer.helloFrame())
    return peer
  }

  async #retry<T>(call: () => Promise<T>): Promise<T> {
    for (let i = 0; ; i++) {
      try {
        return await call()
      } catch (cause) {
        if (i > 5) throw cause
        await scheduler.wait(10)
      }
    }
  }

  /** Sends, and waits for the answer or the end of the connection. */
  async #settled(peer: Peer, frame: Draft): Promise<void> {
    this.#sent.push(frame)
    let fid: string
    try {
      fid = peer.send(frame)
    } catch {
      // The connection went down between the look and the send: that happens to agents, too.
      peer.closed ??= { code: 1006 }
      return
    }
    const answered = peer.answer(fid)
    await Promise.race([answered, peer.whenClosed(), peer.next('halt')]).catch(() => null)
  }

  /** What a correct agent does next. */
  async forward(): Promise<void> {
    const peer = await this.#peer()
    if (peer.closed !== null) return
    const status = await this.#retry(() => this.#of.stub.status())
    const node = status?.nodes.find(({ state }) => state === 'executing' || state === 'released')
    if (node === undefined) return this.#settled(peer, { type: 'pull' })
    const token = this.#token(node.nid)
    if (token === null) return this.#settled(peer, { type: 'pull' })
    const frame =
      node.state === 'executing'
        ? { ...(await peer.reportFrame(token)), fid: `report-${node.nid}` }
        : await peer.startFrame(token)
    return this.#settled(peer, frame)
  }

  #token(nid: string): { nid: string; token: string } | null {
    for (const frame of this.peers.flatMap((peer) => peer.frames)) {
      if (frame.type === 'token' && frame.nid === nid) return frame
    }
    return null
  }

  async act(): Promise<void> {
    const dice = this.#next(24)
    if (dice < 15) return this.forward()
    if (dice < 18) {
      // An old frame comes again, on whatever connection there is now.
      const old = this.#sent[this.#next(Math.max(1, this.#sent.length))]
      const peer = await this.#peer()
      if (old !== undefined && peer.closed === null) await this.#settled(peer, old)
      return
    }
    if (dice === 18) this.peers.at(-1)?.close()
    if (dice === 19) await this.connect()
    if (dice === 20) await evictDurableObject(this.#of.stub).catch(() => null)
    if (dice === 21)
      await evictDurableObject(this.#of.stub, { webSockets: 'close' }).catch(() => null)
    if (dice === 22) await abortAllDurableObjects()
    if (dice === 23 && this.#next(3) === 0) this.#boot++
    await scheduler.wait(5)
  }
}

async function holds(of: Rig, peers: readonly Peer[]) {
  await scheduler.wait(50)
  const gos = peers.flatMap((peer) => peer.frames).filter((frame) => frame.type === 'go')
  const heard = gos.map((go) => go.nid)
  const rows = await runInDurableObject(of.stub, (_, state) =>
    state.storage.sql.exec<{ nid: string }>('SELECT nid FROM executed ORDER BY at_ms').toArray(),
  )
  const executed = rows.map(({ nid }) => nid).toSorted()
  expect(executed, 'in the order').toEqual(of.context.order.slice(0, executed.length))
  expect(new Set(heard).size, 'each go at most once').toBe(heard.length)
  for (const nid of heard) expect(executed, 'no go without its row').toContain(nid)
  const entries = await of.stub.audit(-1)
  expect(await brokenAt(entries), 'the trail follows').toBeNull()
  const went = entries.filter(({ event }) => event === 'go').map(({ facts }) => facts['node'])
  expect(went, 'the trail has every go').toEqual(executed)
  const ends = entries.findIndex(({ event }) => event === 'terminated' || event === 'completed')
  if (ends >= 0) {
    const after = entries.slice(ends + 1).map(({ event }) => event)
    expect(after.filter((event) => event !== 'late_report' && event !== 'refused')).toEqual([])
  }
  const status = (await of.stub.status())?.status ?? 'none'
  return { status, went: executed.length }
}

describe('a session under a random schedule', () => {
  const first = Number(env('PORTCULLIS_SEED') ?? Date.now() % 2 ** 31)
  const seeds = Array.from({ length: 15 }, (_, i) => first + i * 7_919)
  const total = { went: 0, statuses: [] as string[] }
  test.each(seeds)('holds invariants 1 and 2 (seed %i)', async (seed) => {
    const of = await rig(chainPlan(4))
    const next = random(seed)
    const play = new Play(of, next)
    for (let i = 0; i < 24; i++) await play.act()
    const { status, went } = await holds(of, play.peers)
    total.went += went
    total.statuses.push(status)
  })

  test('has let nodes go and has ended sessions, or the schedules show nothing', () => {
    console.log(`${total.went} nodes went; ${total.statuses.join(' ')}`)
    expect(total.went).toBeGreaterThan(seeds.length)
    expect(total.statuses).toContain('terminated')
  })
})

/** Node's environment, where the runtime shows it. */
function env(name: string): string | undefined {
  const shown = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process
  return shown?.env?.[name]
}
