// One session under attack, played from a seed: frames of strangers, of other sessions, of an older epoch,
// forged, bent, replayed and out of order, between the steps of the agent that it is bound to. What comes
// of it is held against what was decided.
import { runInDurableObject } from 'cloudflare:test'
import { expect } from 'vitest'
import { verifySigned } from '../../../contain/verify.ts'
import { importSigningKey, type SigningKey } from '../../../contain/keys.ts'
import { signClaims } from '../../../contain/sign.ts'
import { chainPlan, strangerJwk } from '../../shared/session-fixture.ts'
import { Peer, rig, type Draft, type Rig } from './agent.ts'

/** xorshift32: small, seeded, good enough to choose with. */
export function random(seed: number): (below: number) => number {
  let x = (seed * 2_654_435_761) | 1
  return (below) => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return (x >>> 0) % below
  }
}

type Token = { nid: string; token: string }

/** What sessions of earlier seeds left: their tokens, starts and reports are real, and not of this one. */
export type Loot = { tokens: Token[]; frames: Draft[] }
const lootMax = 40

const acts = 14
/** So long a frame may go without an answer. */
const standMs = 1_000

async function strangerKey(): Promise<SigningKey> {
  const key = await importSigningKey(strangerJwk)
  if (!key.ok) throw new Error(key.error)
  return key.value
}

export class Siege {
  readonly #of: Rig
  readonly #next: (below: number) => number
  readonly #loot: Loot
  readonly #peers: Peer[] = []
  readonly #sent: Draft[] = []
  #own: Peer | null = null
  hostile = 0

  private constructor(of: Rig, next: (below: number) => number, loot: Loot) {
    this.#of = of
    this.#next = next
    this.#loot = loot
  }

  /** Plays one seed to its end and checks it; how many nodes went, and how many frames were hostile. */
  static async run(seed: number, loot: Loot): Promise<{ went: number; hostile: number }> {
    const siege = new Siege(await rig(chainPlan(3)), random(seed), loot)
    siege.#own = await siege.#connect({})
    await siege.#own.sendHello()
    for (let i = 0; i < acts; i++) {
      if (siege.#next(5) < 2) await siege.#forward()
      else await siege.#attack()
    }
    return { went: await siege.#holds(), hostile: siege.hostile }
  }

  async #connect(who: Parameters<typeof Peer.connect>[1]): Promise<Peer> {
    const peer = await Peer.connect(this.#of, who)
    this.#peers.push(peer)
    return peer
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[this.#next(Math.max(1, list.length))]
  }

  /** Sends, and waits until the session has taken a stand; a closed connection takes none. */
  async #told(peer: Peer, frame: Draft): Promise<void> {
    if (peer.closed !== null) return
    await peer.settled(peer.send(frame), standMs)
  }

  /** The connection of the rightful agent; a new one where the last was closed. */
  async #agent(): Promise<Peer> {
    if (this.#own !== null && this.#own.closed === null) return this.#own
    this.#own = await this.#connect({})
    if (this.#own.nonce !== '') await this.#told(this.#own, await this.#own.helloFrame())
    return this.#own
  }

  #tokens(): Token[] {
    return this.#peers
      .flatMap((peer) => peer.frames)
      .flatMap((frame) => (frame.type === 'token' ? [frame] : []))
  }

  /** What a correct agent does next. */
  async #forward(): Promise<void> {
    const peer = await this.#agent()
    const status = await this.#of.stub.status()
    const node = status?.nodes.find(({ state }) => state === 'executing' || state === 'released')
    const token = this.#tokens().find(({ nid }) => nid === node?.nid)
    const frame =
      node === undefined || token === undefined
        ? { type: 'pull' }
        : node.state === 'executing'
          ? await peer.reportFrame(token)
          : await peer.startFrame(token)
    this.#sent.push(frame)
    if ('token' in frame) this.#loot.frames.push(frame)
    await this.#told(peer, frame)
    this.#loot.tokens.push(...this.#tokens().slice(-1))
    this.#loot.tokens.splice(0, this.#loot.tokens.length - lootMax)
    this.#loot.frames.splice(0, this.#loot.frames.length - lootMax)
  }

  async #attack(): Promise<void> {
    this.hostile++
    const dice = this.#next(16)
    if (dice < 4) return this.#stranger()
    if (dice < 7) return this.#unproven()
    if (dice < 10) return this.#malformed()
    if (dice === 10) return this.#refuse()
    return this.#bent()
  }

  /** Another key, another agent's name: a frame that would be right from the bound agent. */
  async #stranger(): Promise<void> {
    const key = await strangerKey()
    const who = this.#pick([{ key }, { key, agent: 'agent-2' }, { agent: 'agent-2' }])
    const peer = await this.#connect(who ?? { key })
    if (peer.closed === null && peer.nonce !== '') await this.#told(peer, await this.#any(peer))
    expect(peer.frames.some(({ type }) => type === 'go' || type === 'token')).toBe(false)
  }

  /** The bound agent's name and key at the door, and no proof on the connection. */
  async #unproven(): Promise<void> {
    const peer = await this.#connect({})
    const right = await this.#any(peer)
    const forged = { ...(await peer.helloFrame()), proof: (await this.#hello(peer))['proof'] }
    await this.#told(peer, this.#pick<Draft>([right, forged, { ...right, nonce: 'n' }]) ?? right)
    expect(peer.frames.some(({ type }) => type === 'go' || type === 'token')).toBe(false)
  }

  /** A hello that another key has signed. */
  async #hello(peer: Peer): Promise<Draft> {
    const key = await strangerKey()
    const { session } = this.#of
    const claims = {
      sub: 'agent-1',
      sid: session,
      nonce: peer.nonce,
      boot_id: 'b',
      iat_ms: Date.now(),
    }
    return { type: 'hello', proof: await signClaims(key, 'hello', claims) }
  }

  /** A frame of any kind, as the bound agent would make it at another time. */
  async #any(peer: Peer): Promise<Draft> {
    const token = this.#pick([...this.#tokens(), ...this.#of.tokens])
    const kind = this.#next(5)
    if (kind === 0 || token === undefined) return { type: 'pull' }
    if (kind === 1) return peer.reportFrame(token)
    if (kind === 2) return peer.restFrame([], this.#next(3))
    if (kind === 3) return this.#pick(this.#sent) ?? { type: 'pull' }
    return peer.startFrame(token)
  }

  /** Bytes that are no frame, on a connection of their own; the rightful one stays. */
  async #malformed(): Promise<void> {
    const peer = await this.#connect({})
    if (this.#next(2) === 0) await this.#told(peer, await peer.helloFrame())
    if (peer.closed !== null) return
    const good = JSON.stringify({ v: 1, fid: 'm', nonce: peer.nonce, ...(await this.#any(peer)) })
    const cut = this.#next(good.length)
    const texts = [
      good.slice(0, cut),
      good.replace('"v":1', '"v":2'),
      good.replace('{', '{"extra":1,'),
      good.replace('{', '{"type":"start",'),
      good.replaceAll(/"n0/g, '"m0'),
      `[${good}]`,
      `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
      `"${'x'.repeat(70_000)}"`,
      good.replace(/"nonce":"[^"]*"/, '"nonce":null'),
    ]
    if (this.#next(8) === 0) peer.bytes(new Uint8Array([0xff, 0, cut % 256]))
    else peer.raw(this.#pick(texts) ?? '')
    await peer.settled('m', standMs)
  }

  /** From here on the site has withdrawn its authority: another epoch, a stop, another registry. */
  async #refuse(): Promise<void> {
    const reasons = [
      'epoch_revoked',
      'registry_changed',
      'cell_not_armed',
      'agent_revoked',
    ] as const
    await this.#of.hub.set({ answer: this.#pick(reasons) ?? 'epoch_revoked' })
  }

  /** Violations on the proven connection: the first one ends the session. */
  async #bent(): Promise<void> {
    const peer = await this.#agent()
    const own = this.#pick(this.#tokens())
    const later = this.#of.tokens.at(-1)
    const foreign = this.#pick(this.#loot.tokens)
    const theirs = this.#pick(this.#loot.frames)
    const key = await strangerKey()
    const frames: (Draft | null)[] = [
      later === undefined ? null : await peer.startFrame(later),
      foreign === undefined ? null : await peer.startFrame(foreign),
      theirs ?? null,
      own === undefined
        ? null
        : { ...(await peer.startFrame(own)), token: bitFlipped(own.token, this.#next(500)) },
      own === undefined ? null : { ...(await peer.startFrame(own)), nid: 'n002' },
      own === undefined ? null : await peer.reportFrame(own, { ctx: `ctx:${'A'.repeat(43)}` }),
      await peer.restFrame([], 0, key),
      this.#pick(this.#sent) ?? null,
    ]
    const frame = this.#pick(frames.filter((one) => one !== null))
    if (frame === undefined) return
    this.#sent.push(frame)
    await this.#told(peer, frame)
  }

  #executed(): Promise<string[]> {
    return runInDurableObject(this.#of.stub, (_, state) =>
      state.storage.sql
        .exec<{ nid: string }>('SELECT nid FROM executed ORDER BY at_ms')
        .toArray()
        .map(({ nid }) => nid),
    )
  }

  /** Every act was decided: in order, once, signed for this session, asked for and granted. */
  async #holds(): Promise<number> {
    const gone = await this.#executed()
    const { context, ctx, gatewayKeys, session } = this.#of
    expect(gone, 'in the order of the plan').toEqual(context.order.slice(0, gone.length))
    const heard: string[] = []
    for (const peer of this.#peers) {
      for (const frame of peer.frames) {
        if (frame.type !== 'go') continue
        const go = await verifySigned('go', frame.go, gatewayKeys)
        expect(go).toMatchObject({ ok: true, value: { sid: session, nid: frame.nid, ctx } })
        heard.push(frame.nid)
      }
    }
    expect(new Set(heard).size, 'each go at most once').toBe(heard.length)
    for (const nid of heard) expect(gone, 'no go without its row').toContain(nid)
    expect(gone.length, 'each was granted').toBeLessThanOrEqual(await this.#of.hub.granted())
    return gone.length
  }
}

/** A token with one bit of its payload changed. */
function bitFlipped(token: string, seed: number): string {
  const [head = '', body = '', tail = ''] = token.split('.')
  const at = seed % body.length
  const other = body[at] === 'A' ? 'B' : 'A'
  return [head, `${body.slice(0, at)}${other}${body.slice(at + 1)}`, tail].join('.')
}
