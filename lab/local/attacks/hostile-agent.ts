// An agent in the attacker's hands: it holds a real, enrolled key and speaks the protocol, but does
// what it likes with frames and tokens. It reports healthy devices and drives none.
import { generateKeyPair, exportJWK, type JWK } from 'jose'
import { importSigningKey, type SigningKey } from '../../../contain/keys.ts'
import { signTrusted } from '../../../contain/sign.ts'
import { digest } from '../../../protocol/digest.ts'
import { featuresHeader } from '../../../protocol/features.ts'
import {
  gatewayPresenceFrame,
  gatewaySessionFrame,
  type GatewaySessionFrame,
} from '../../../protocol/frames.ts'
import type { NodeResult } from '../../../protocol/node-result.ts'
import type { NodeTokenClaims } from '../../../protocol/tokens.ts'
import { must, type SiteHandle } from '../client.ts'
import { healthOf } from '../standby-agent.ts'

const answerTimeoutMs = 20_000

type Raw = { type: string; [key: string]: unknown }

/** A socket whose frames can be awaited one after the other. */
export class FrameSocket {
  private readonly socket: WebSocket
  private readonly queue: Raw[] = []
  private readonly waiters = new Set<() => void>()
  private closedBy: string | null = null

  constructor(url: string, headers: Record<string, string>) {
    this.socket = new WebSocket(url, { headers })
    this.socket.addEventListener('message', (event) => {
      if (event.data === 'pong') return
      this.queue.push(JSON.parse(String(event.data)) as Raw)
      this.wake()
    })
    this.socket.addEventListener('close', (event) => {
      this.closedBy = `${event.code} ${event.reason}`.trim()
      this.wake()
    })
    this.socket.addEventListener('error', () => undefined)
  }

  private wake(): void {
    for (const waiter of this.waiters) waiter()
  }

  /** Why the socket closed; null while it is open. */
  get closed(): string | null {
    return this.closedBy
  }

  send(frame: object | string): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  }

  close(): void {
    this.socket.close()
  }

  /** The next frame that fits, in order; frames before it are dropped. Throws when none comes. */
  async next(fits: (frame: Raw) => boolean, timeoutMs = answerTimeoutMs): Promise<Raw> {
    const end = Date.now() + timeoutMs
    for (;;) {
      const index = this.queue.findIndex(fits)
      if (index >= 0) return this.queue.splice(0, index + 1).at(-1) as Raw
      if (this.closedBy !== null) throw new Error(`socket closed: ${this.closedBy}`)
      if (Date.now() > end) throw new Error(`no such frame; had ${JSON.stringify(this.queue)}`)
      await new Promise<void>((resolve) => {
        const done = (): void => {
          clearTimeout(timer)
          this.waiters.delete(done)
          resolve()
        }
        const timer = setTimeout(done, 100)
        this.waiters.add(done)
      })
    }
  }

  /** Every frame that has not been taken yet. */
  drain(): Raw[] {
    return this.queue.splice(0)
  }
}

type Named = {
  readonly name: string
  readonly cell: string
  /** What it offers beyond the first version of the wire. */
  readonly features?: string
}
/** What it takes to speak as an agent: its names, its key, and which process it says to be. */
export type HeldKey = Named & { readonly jwk: JWK; readonly bootId: string }
type AgentSpec = Named & { readonly enrol: boolean }

export class HostileAgent {
  readonly name: string
  readonly cell: string
  readonly key: SigningKey
  /** The private half, so that a second process can hold the same key. */
  readonly jwk: JWK
  readonly bootId: string
  private readonly handle: SiteHandle
  private readonly features: string
  private presence: FrameSocket | null = null
  private beat: NodeJS.Timeout | undefined

  private constructor(handle: SiteHandle, spec: HeldKey & { key: SigningKey }) {
    this.handle = handle
    this.features = spec.features ?? ''
    this.name = spec.name
    this.cell = spec.cell
    this.key = spec.key
    this.jwk = spec.jwk
    this.bootId = spec.bootId
  }

  /** A second holder of an enrolled key, in the same process or in another one. */
  static async holding(handle: SiteHandle, held: HeldKey): Promise<HostileAgent> {
    const key = await importSigningKey(held.jwk)
    if (!key.ok) throw new Error(key.error)
    return new HostileAgent(handle, { ...held, key: key.value })
  }

  /** Makes a key; `enrol` false leaves it unknown to the site (a stranger). */
  static async create(handle: SiteHandle, spec: AgentSpec): Promise<HostileAgent> {
    const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
    const { enrol, ...named } = spec
    const jwk = await exportJWK(pair.privateKey)
    const bootId = crypto.randomUUID()
    const agent = await HostileAgent.holding(handle, { ...named, jwk, bootId })
    if (enrol) {
      const { kty, crv, x } = agent.key.jwk
      await must(handle.base, {
        method: 'POST',
        path: '/v1/agents',
        token: handle.admin,
        body: { agent: spec.name, cell: spec.cell, jwk: { kty, crv, x } },
      })
    }
    return agent
  }

  /** The JWT of an upgrade; claims may be bent. */
  jwt(bend: Record<string, unknown> = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    return signTrusted(this.key, 'agent', {
      iss: this.name,
      sub: this.name,
      aud: this.handle.site,
      iat: now,
      exp: now + 60,
      jti: crypto.randomUUID(),
      ...bend,
    })
  }

  private async socket(path: string): Promise<FrameSocket> {
    const url = `${this.handle.base.replace(/^http/, 'ws')}${path}`
    const authorization = `Bearer ${await this.jwt()}`
    return new FrameSocket(url, { authorization, [featuresHeader]: this.features })
  }

  private async proof(nonce: string, session: string | null): Promise<string> {
    return signTrusted(this.key, 'hello', {
      sub: this.name,
      sid: session,
      nonce,
      boot_id: this.bootId,
      iat_ms: Date.now(),
    })
  }

  /** Comes online as a healthy agent, so that sessions are bound to it. */
  async goOnline(): Promise<void> {
    const socket = await this.socket('/v1/agent')
    const challenge = gatewayPresenceFrame.parse(await socket.next((f) => f.type === 'challenge'))
    if (challenge.type !== 'challenge') throw new TypeError('a challenge was awaited')
    const { nonce } = challenge
    const proof = await this.proof(nonce, null)
    const { bootId: boot_id, cell } = this
    socket.send({ v: 1, fid: 'hello', nonce, type: 'hello', boot_id, cell, proof })
    const welcome = gatewayPresenceFrame.parse(await socket.next((f) => f.type === 'welcome'))
    if (welcome.type !== 'welcome') throw new TypeError('a welcome was awaited')
    const health = healthOf(welcome)
    let beats = 0
    const beat = () => {
      beats += 1
      socket.send({ v: 1, fid: `health-${beats}`, nonce, type: 'health', health })
    }
    beat()
    await socket.next((f) => f.type === 'ack')
    this.beat = setInterval(beat, welcome.health_every_ms)
    this.presence = socket
  }

  goOffline(): void {
    clearInterval(this.beat)
    this.presence?.close()
  }

  /** Opens one connection to a session and proves the key on it. */
  async join(session: string): Promise<HostileSession> {
    const socket = await this.socket(`/v1/sessions/${session}/agent`)
    const challenge = await socket.next((f) => f.type === 'challenge')
    const nonce = String(challenge['nonce'])
    const proof = await this.proof(nonce, session)
    const hello = { session, boot_id: this.bootId, ledger_head: [], proof }
    socket.send({ v: 1, fid: crypto.randomUUID(), nonce, type: 'hello', ...hello })
    return new HostileSession(this, socket, { session, nonce })
  }
}

/** One connection of a hostile agent to one session. */
export class HostileSession {
  readonly socket: FrameSocket
  readonly nonce: string
  readonly session: string
  /** The bound hash, as the last token named it. */
  private ctx = ''
  private readonly agent: HostileAgent

  constructor(agent: HostileAgent, socket: FrameSocket, at: { session: string; nonce: string }) {
    this.agent = agent
    this.socket = socket
    this.session = at.session
    this.nonce = at.nonce
  }

  /** Waits for one kind of frame, or for the end of the session. */
  async expect<T extends GatewaySessionFrame['type']>(
    type: T,
  ): Promise<Extract<GatewaySessionFrame, { type: T }>> {
    const frame = gatewaySessionFrame.parse(await this.socket.next((f) => f.type === type))
    return frame as Extract<GatewaySessionFrame, { type: T }>
  }

  frame(type: string, more: Record<string, unknown>): Record<string, unknown> {
    return { v: 1, fid: crypto.randomUUID(), nonce: this.nonce, type, ...more }
  }

  async pull(): Promise<{ nid: string; token: string }> {
    this.socket.send(this.frame('pull', {}))
    const { nid, token } = await this.expect('token')
    return { nid, token }
  }

  /** A start frame for a token; `bend` changes what is claimed. */
  async startFrame(
    token: string,
    bend: { nid?: string; claims?: Record<string, unknown> } = {},
  ): Promise<Record<string, unknown>> {
    const claims = claimsOf(token)
    this.ctx = claims.ctx
    const nid = bend.nid ?? claims.nid
    const start = await signTrusted(this.agent.key, 'start', {
      sub: this.agent.name,
      sid: this.session,
      nid,
      jti: claims.jti,
      ctx: claims.ctx,
      nonce: crypto.randomUUID(),
      cn: this.nonce,
      iat_ms: Date.now(),
      ...bend.claims,
    })
    return this.frame('start', { nid, token, start })
  }

  /** The signed word that devices have come to rest, without anybody having looked. */
  async restFrame(servers: readonly string[]): Promise<Record<string, unknown>> {
    const rest = await signTrusted(this.agent.key, 'rest', {
      sub: this.agent.name,
      sid: this.session,
      ctx: this.ctx,
      boot_id: this.agent.bootId,
      seq: 1,
      devices: servers.map((server) => ({ server, state: 'at_rest', detail: null })),
      at_ms: Date.now(),
    })
    return this.frame('rest', { rest })
  }

  /** A signed report that the node succeeded, with an answer where there is one. */
  async reportFrame(token: string, result?: NodeResult): Promise<Record<string, unknown>> {
    const { nid, jti, ctx } = claimsOf(token)
    const result_digest = result === undefined ? null : await digest('result', result)
    const report = await signTrusted(this.agent.key, 'report', {
      sub: this.agent.name,
      sid: this.session,
      nid,
      jti,
      ctx,
      outcome: 'succeeded',
      result_digest,
      reason: null,
      actuated: true,
      started_ms: Date.now(),
      ended_ms: Date.now(),
    })
    return this.frame('report', { nid, report, ...(result === undefined ? {} : { result }) })
  }
}

/** Reads a token's claims without believing them. */
export function claimsOf(token: string): NodeTokenClaims {
  const body = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')
  return JSON.parse(body) as NodeTokenClaims
}
