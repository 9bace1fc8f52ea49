// A scripted agent for tests: speaks the frames by hand, so that a test can also misspeak them.
import { env } from 'cloudflare:workers'
import type {
  AuthorityQuestion,
  ExecutionSessionApi,
  OpenSpec,
  SessionEnd,
} from '../../../durable-objects/contracts.ts'
import { signClaims } from '../../../contain/sign.ts'
import type { SigningKey } from '../../../contain/keys.ts'
import type { GatewaySessionFrame } from '../../../protocol/frames.ts'
import { objectName } from '../../../protocol/ids.ts'
import type { Plan } from '../../../protocol/plan.ts'
import { featuresHeader } from '../../../protocol/features.ts'
import type { ReportClaims, RestClaims } from '../../../protocol/tokens.ts'
import {
  boundSession,
  chainPlan,
  fixtureTools,
  type Fixture,
} from '../../shared/session-fixture.ts'
import type { HubMood } from './worker.ts'

/** Stubs are seen through what they promise, which keeps the types of RPC shallow. */
type Stub<Api> = Api & DurableObjectStub
type Namespace<Api> = { getByName(name: string): Stub<Api> }
type HubApi = {
  set(mood: Partial<HubMood>): Promise<void>
  asked(): Promise<AuthorityQuestion[]>
  granted(): Promise<number>
  ended(): Promise<SessionEnd[]>
}
type TestEnv = {
  EXECUTION_SESSION: Namespace<ExecutionSessionApi>
  SITE_HUB: Namespace<HubApi>
  PLAN_REVIEW: Namespace<HubApi>
  SITE_KEEPER: Namespace<{ fail(): Promise<void> }>
  /** How many hostile sessions are played, and the seed of the first. */
  HOSTILE_SESSIONS: string
  HOSTILE_SEED: string
}
export const testEnv = env as unknown as TestEnv

/** A frame before it has its id and nonce. */
export type Draft = { type: string; fid?: string } & Record<string, unknown>

let counter = 0
const unique = (prefix: string): string =>
  `${prefix}_${++counter}_${crypto.randomUUID().slice(0, 8)}`

export type Rig = Fixture & {
  spec: OpenSpec
  session: string
  stub: Stub<ExecutionSessionApi>
  hub: Stub<HubApi>
  review: Stub<HubApi>
}

/** A fresh session at a fresh site, opened. */
export async function rig(
  plan: Plan = chainPlan(3),
  deadlineMs = 600_000,
  given: Pick<NonNullable<Parameters<typeof boundSession>[1]>, 'tools' | 'conversions'> &
    Pick<OpenSpec, 'told'> = {},
): Promise<Rig> {
  const { told = {}, ...more } = given
  const now_ms = Date.now()
  const session = unique('sess')
  const site = unique('site')
  const fixture = await boundSession(plan, {
    session,
    site,
    deadline: now_ms + deadlineMs,
    ...more,
  })
  const spec: OpenSpec = {
    context: fixture.context,
    plan_id: unique('plan'),
    plan_digest: fixture.plan_digest,
    decision: fixture.decision,
    tools: more.tools ?? fixtureTools,
    planner: 'planner-1',
    epoch: 7,
    told,
    now_ms,
  }
  const name = objectName(site, session)
  const opened = await testEnv.EXECUTION_SESSION.getByName(name).open(spec)
  if (!opened.ok) throw new Error(`rig: ${opened.error.reason}`)
  return {
    ...fixture,
    spec,
    session,
    // A stub is broken for good once its object has crashed: each use gets a fresh one.
    get stub() {
      return testEnv.EXECUTION_SESSION.getByName(name)
    },
    get hub() {
      return testEnv.SITE_HUB.getByName(site)
    },
    get review() {
      return testEnv.PLAN_REVIEW.getByName(objectName(site, spec.plan_id))
    },
  }
}

type Frame<T extends GatewaySessionFrame['type']> = Extract<GatewaySessionFrame, { type: T }>

/** One connection. Frames are collected; `next` waits for one of a type. */
export class Peer {
  readonly frames: GatewaySessionFrame[] = []
  readonly rig: Rig
  readonly key: SigningKey
  readonly boot: string
  nonce = ''
  /** The gateway's name in the proof; the host of the connection for a peer with features. */
  addressed: string | null = null
  closed: { code: number } | null = null
  #socket: WebSocket
  #wake: (() => void)[] = []

  private constructor(of: Rig, socket: WebSocket, who: { key: SigningKey; boot: string }) {
    this.rig = of
    this.#socket = socket
    this.key = who.key
    this.boot = who.boot
    socket.addEventListener('message', (event) => {
      if (typeof event.data !== 'string') throw new Error('binary frame')
      if (event.data === 'pong') return
      this.frames.push(JSON.parse(event.data) as GatewaySessionFrame)
      for (const wake of this.#wake.splice(0)) wake()
    })
    socket.addEventListener('close', (event) => {
      this.closed = { code: event.code }
      for (const wake of this.#wake.splice(0)) wake()
    })
    socket.accept()
  }

  /** Connects with the headers that the door sets. */
  static async connect(
    of: Rig,
    who: { key?: SigningKey; agent?: string; boot?: string; features?: string } = {},
  ): Promise<Peer> {
    const key = who.key ?? of.agent
    const headers = {
      upgrade: 'websocket',
      'x-portcullis-agent': who.agent ?? 'agent-1',
      'x-portcullis-jkt': key.kid,
      'x-portcullis-key': key.jwk.x,
      ...(who.features === undefined ? {} : { [featuresHeader]: who.features }),
    }
    const response = await of.stub.fetch('http://session/agent', { headers })
    if (response.webSocket === null) throw new Error(`no socket: ${response.status}`)
    const peer = new Peer(of, response.webSocket, { key, boot: who.boot ?? 'boot-1' })
    const first = await peer.any()
    if (first.type === 'challenge') {
      peer.nonce = first.nonce
      if (first.features?.includes('signed-rows')) peer.addressed = 'session'
    }
    return peer
  }

  /** Connects and says hello. */
  static async hello(of: Rig, who: Parameters<typeof Peer.connect>[1] = {}): Promise<Peer> {
    const peer = await Peer.connect(of, who)
    await peer.sendHello()
    return peer
  }

  async #until<T>(find: () => T | undefined, what: string): Promise<T> {
    const deadline = Date.now() + 20_000
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      if (Date.now() > deadline) throw new Error(`no ${what}: ${JSON.stringify(this.frames)}`)
      await new Promise<void>((resolve) => {
        this.#wake.push(resolve)
        setTimeout(resolve, 200)
      })
    }
  }

  any(): Promise<GatewaySessionFrame> {
    return this.#until(() => this.frames[0], 'frame')
  }

  /** The answer to frame `re`. */
  answer(re: string): Promise<GatewaySessionFrame> {
    return this.#until(() => this.frames.find((frame) => frame.re === re), `answer to ${re}`)
  }

  next<T extends GatewaySessionFrame['type']>(type: T): Promise<Frame<T>> {
    const isType = (frame: GatewaySessionFrame): frame is Frame<T> => frame.type === type
    return this.#until(() => this.frames.find(isType), type)
  }

  whenClosed(): Promise<{ code: number }> {
    return this.#until(() => this.closed ?? undefined, 'close')
  }

  /**
   * Until a frame is answered, or connection or session have come to their end; some that are wrong and
   * come after the end are not answered at all.
   */
  async settled(fid: string, withinMs: number): Promise<void> {
    const deadline = Date.now() + withinMs
    const stands = () =>
      this.closed !== null || this.frames.some((frame) => frame.re === fid || frame.type === 'halt')
    while (!stands() && Date.now() < deadline) {
      await new Promise<void>((resolve) => {
        this.#wake.push(resolve)
        setTimeout(resolve, 200)
      })
    }
  }

  raw(text: string): void {
    this.#socket.send(text)
  }

  bytes(data: Uint8Array): void {
    this.#socket.send(data)
  }

  send(frame: Draft): string {
    const fid = frame.fid ?? unique('f')
    this.raw(JSON.stringify({ v: 1, nonce: this.nonce, ...frame, fid }))
    return fid
  }

  close(): void {
    this.closed ??= { code: 1000 }
    this.#socket.close(1000, 'bye')
  }

  async helloFrame(more: Record<string, unknown> = {}): Promise<Draft> {
    const { session } = this.rig
    const proof = await signClaims(this.key, 'hello', {
      sub: 'agent-1',
      sid: session,
      nonce: this.nonce,
      boot_id: this.boot,
      iat_ms: Date.now(),
      ...(this.addressed === null ? {} : { aud: this.addressed }),
    })
    return { type: 'hello', session, boot_id: this.boot, ledger_head: [], proof, ...more }
  }

  /** The signed word of how the devices stand. */
  async restFrame(devices: RestClaims['devices'], seq = 0, key = this.key): Promise<Draft> {
    const { session, ctx } = this.rig
    const claims = { sub: 'agent-1', sid: session, ctx, boot_id: this.boot, seq, devices }
    return { type: 'rest', rest: await signClaims(key, 'rest', { ...claims, at_ms: Date.now() }) }
  }

  async sendHello(more: Record<string, unknown> = {}): Promise<GatewaySessionFrame> {
    return this.answer(this.send(await this.helloFrame(more)))
  }

  async pull(): Promise<GatewaySessionFrame> {
    return this.answer(this.send({ type: 'pull' }))
  }

  async token(): Promise<Frame<'token'>> {
    const frame = await this.pull()
    if (frame.type !== 'token') throw new Error(`expected token, got ${JSON.stringify(frame)}`)
    return frame
  }

  #jti(nid: string, token: string): string {
    const payload = token.split('.')[1] ?? ''
    const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
    const claims = JSON.parse(text) as { jti: string }
    return claims.jti ?? nid
  }

  async startFrame(
    { nid, token }: { nid: string; token: string },
    more: Record<string, unknown> = {},
  ): Promise<Draft> {
    const start = await signClaims(this.key, 'start', {
      sub: 'agent-1',
      sid: this.rig.session,
      nid,
      jti: this.#jti(nid, token),
      ctx: this.rig.ctx,
      nonce: unique('n'),
      cn: this.nonce,
      iat_ms: Date.now(),
    })
    return { type: 'start', nid, token, start, ...more }
  }

  async start(node: { nid: string; token: string }): Promise<GatewaySessionFrame> {
    return this.answer(this.send(await this.startFrame(node)))
  }

  async reportFrame(
    { nid, token }: { nid: string; token: string },
    change: Partial<ReportClaims> = {},
  ): Promise<Draft> {
    const report = await signClaims(this.key, 'report', {
      sub: 'agent-1',
      sid: this.rig.session,
      nid,
      jti: this.#jti(nid, token),
      ctx: this.rig.ctx,
      outcome: 'succeeded',
      result_digest: null,
      reason: null,
      actuated: true,
      started_ms: Date.now(),
      ended_ms: Date.now(),
      ...change,
    })
    return { type: 'report', nid, report }
  }

  async report(
    node: { nid: string; token: string },
    change: Partial<ReportClaims> = {},
  ): Promise<GatewaySessionFrame> {
    return this.answer(this.send(await this.reportFrame(node, change)))
  }

  /** Pull, start, report one node. */
  async run(): Promise<string> {
    const node = await this.token()
    const go = await this.start(node)
    if (go.type !== 'go') throw new Error(`expected go, got ${JSON.stringify(go)}`)
    await this.report(node)
    return node.nid
  }
}
