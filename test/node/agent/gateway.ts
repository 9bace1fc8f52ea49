// A scripted gateway: HTTP keys and the two sockets, minting with the real containment code. It behaves
// well by itself; a test replaces single answers to behave badly.
import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { WebSocketServer, type WebSocket } from 'ws'
import { verifyHello } from '../../../contain/agent-signed.ts'
import { argsDigests, buildContext, contextHash } from '../../../contain/context.ts'
import { goClaims } from '../../../contain/go.ts'
import type { SigningKey, VerifyKeys } from '../../../contain/keys.ts'
import { mintManifest, mintReceipt, mintTokens } from '../../../contain/mint.ts'
import { signClaims } from '../../../contain/sign.ts'
import { readSigned, verifySigned } from '../../../contain/verify.ts'
import { digest } from '../../../protocol/digest.ts'
import {
  agentPresenceFrame,
  agentSessionFrame,
  type AgentPresenceFrame,
  type AgentSessionFrame,
} from '../../../protocol/frames.ts'
import { limits } from '../../../protocol/limits.ts'
import { makeId } from '../../../protocol/ids.ts'
import type { Plan } from '../../../protocol/plan.ts'
import type { Context } from '../../../protocol/records.ts'
import type { PlacedStop, StopAnswerClaims, StopOrderClaims } from '../../../protocol/stop-order.ts'
import type { Registry } from '../../../protocol/registry.ts'
import {
  entriesFor,
  pinnedToolOf,
  toolRowDigests,
  toolRowOf,
  type PinnedTool,
  type ToolRow,
} from '../../../protocol/tool-row.ts'
import {
  agreedFeatures,
  features as allFeatures,
  featuresHeader,
  type Feature,
} from '../../../protocol/features.ts'
import type { Asked, BoundSession, Override } from './gateway-types.ts'
import { recordReport, recordRest, recordStart } from './gateway-record.ts'

export const site = 'lc7'
export const cell = 'LC-7'
export const agentName = 'agent-1'

export const newId = (kind: 'sess' | 'jti' | 'nonce' | 'stop') => makeId(kind, randomBytes(26))

export class ScriptedGateway {
  readonly key: SigningKey
  readonly agentKeys: VerifyKeys
  readonly agentJkt: string
  readonly sessions = new Map<string, BoundSession>()
  readonly health: Extract<AgentPresenceFrame, { type: 'health' }>['health'][] = []
  readonly presenceHellos: AgentPresenceFrame[] = []
  /** Pieces of kept parts, as they came. */
  readonly pieces: Extract<AgentPresenceFrame, { type: 'part' }>[] = []
  readonly sockets = new Set<WebSocket>()
  readonly #http: Server
  readonly #ws: WebSocketServer
  #presence: WebSocket | null = null
  #presenceNonce = ''
  /** What the agent answered to orders to stop the cell. */
  readonly stopped: StopAnswerClaims[] = []
  override: Override = () => false
  /** The pins of the presence socket: for health alone. */
  tools: PinnedTool[]
  readonly registry: Registry
  /** Changes the rows before they are bound, as another registry would. */
  rowsOf: (rows: ToolRow[]) => ToolRow[] = (rows) => rows
  registryDigest: string
  jwks: object
  /** Upgrades are answered with this instead, when set. */
  refuseWith: number | null = null
  port = 0
  /** How far this gateway's clock is ahead of the machine's. */
  aheadMs = 0
  /** What this gateway knows beyond the first version of the wire. */
  features: readonly Feature[] = allFeatures

  constructor(
    key: SigningKey,
    agent: { keys: VerifyKeys; jkt: string },
    registry: Registry,
    registryDigest: string,
  ) {
    this.key = key
    this.jwks = { keys: [key.jwk] }
    this.agentKeys = agent.keys
    this.agentJkt = agent.jkt
    this.registry = registry
    this.tools = registry.tools.map((entry) => pinnedToolOf(entry))
    this.registryDigest = registryDigest
    this.#http = createServer((req, res) => {
      if (req.url === '/.well-known/jwks.json') res.end(JSON.stringify(this.jwks))
      else res.writeHead(404).end()
    })
    this.#ws = new WebSocketServer({ noServer: true })
    this.#http.on('upgrade', (req, socket, head) => {
      const dial = async () => {
        const status = await this.#upgrade(req.url ?? '', req.headers.authorization ?? '')
        if (status !== null) socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`)
        else {
          const offered = agreedFeatures(String(req.headers[featuresHeader] ?? '')).filter(
            (feature) => this.features.includes(feature),
          )
          this.#ws.handleUpgrade(req, socket, head, (ws) => this.#open(ws, req.url ?? '', offered))
        }
      }
      void dial()
    })
  }

  async listen(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.#http.listen(port, '127.0.0.1', resolve))
    const address = this.#http.address()
    this.port = typeof address === 'object' && address !== null ? address.port : 0
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async close(): Promise<void> {
    this.cut()
    this.#http.closeAllConnections()
    await new Promise((resolve) => this.#http.close(resolve))
  }

  /** Cuts every socket, as a lost network does. */
  cut(): void {
    for (const socket of this.sockets) socket.terminate()
  }

  /** Binds a plan and hands it to the agent. */
  async assign(plan: Plan, change: (parts: Context) => Context = (c) => c): Promise<BoundSession> {
    const session = await this.bind(plan, change)
    this.tell({ re: null, type: 'assigned', session: session.context.session })
    return session
  }

  /** A signed order to stop the cell, with changes when the test wants a bad one. */
  async orderStop(calls: PlacedStop[], change: Partial<StopOrderClaims> = {}): Promise<string> {
    const order = await signClaims(this.key, 'stop', {
      iss: 'test-gateway',
      aud: site,
      sub: agentName,
      cell,
      cn: this.#presenceNonce,
      stop: newId('stop'),
      kind: 'stop',
      calls,
      iat_ms: Date.now(),
      ...change,
    })
    this.tell({ re: null, type: 'stop_order', order })
    return order
  }

  tell(frame: object): void {
    this.#presence?.send(JSON.stringify({ v: 1, ...frame }))
  }

  async bind(plan: Plan, change: (parts: Context) => Context): Promise<BoundSession> {
    const now = Date.now()
    const other = await digest('body', {})
    const decision = {
      packet_digest: other.replace('body', 'packet'),
      verdict: 'accept',
      reasons: [],
      approvals: [],
      valid_until: now + 60_000,
    } as const
    const entries = entriesFor(
      plan.nodes.map((node) => node.tool),
      this.registry.tools,
    )
    const rows = this.rowsOf(entries.map((entry) => toolRowOf(entry)))
    const context = change(
      buildContext({
        session: newId('sess'),
        site,
        cell,
        agent: agentName,
        agent_jkt: this.agentJkt,
        plan,
        tools: await toolRowDigests(rows),
        registry_digest: this.registryDigest,
        policy_version: other.replace('body', 'pol'),
        decision_digest: await digest('decision', decision),
        deadline: now + 600_000,
      }),
    )
    const ctx = await contextHash(context)
    const args = await argsDigests(plan)
    const jtis = context.order.map(() => newId('jti'))
    const spec = { iss: 'test-gateway', context, ctx, args, jtis, now_ms: now }
    const tokens = await mintTokens(this.key, spec)
    const plan_digest = await digest('plan', plan)
    const session: BoundSession = {
      context,
      rows,
      ctx,
      tokens,
      receipt: await mintReceipt(this.key, spec, {
        decision: { ...decision, reasons: [], approvals: [] },
        plan_digest,
      }),
      manifest: await mintManifest(this.key, spec, tokens),
      bound: { iss: spec.iss, context, ctx, minted: new Map(tokens.map((t) => [t.nid, t])) },
      progress: new Map(context.order.map((nid) => [nid, 'pending'])),
      reports: [],
      results: new Map(),
      rests: [],
      aborts: [],
      hellos: [],
      starts: [],
      reads: [],
      told: [],
      status: 'open',
    }
    this.sessions.set(context.session, session)
    return session
  }

  /** Sends to every open socket of the session, unasked. */
  push(session: BoundSession, frame: object): void {
    for (const socket of this.sockets) {
      if (this.#owner.get(socket) === session)
        socket.send(JSON.stringify({ v: 1, re: null, ...frame }))
    }
  }

  readonly #jtis = new Set<string>()
  readonly #owner = new Map<WebSocket, BoundSession>()

  async #upgrade(url: string, authorization: string): Promise<number | null> {
    if (this.refuseWith !== null) return this.refuseWith
    const text = authorization.replace(/^Bearer /, '')
    const jwt = await verifySigned('agent', text, this.agentKeys)
    if (!jwt.ok || this.#jtis.has(jwt.value.jti)) return 401
    const { iss, sub, aud, iat, exp, jti } = jwt.value
    const live = exp - iat <= limits.agentJwtLifetimeS && exp * 1000 > Date.now()
    if (iss !== agentName || sub !== agentName || aud !== site || !live) return 401
    this.#jtis.add(jti)
    const id = /^\/v1\/sessions\/([^/]+)\/agent$/.exec(url)?.[1]
    return url === '/v1/agent' || (id !== undefined && this.sessions.has(id)) ? null : 404
  }

  #open(socket: WebSocket, url: string, offered: readonly Feature[]): void {
    this.sockets.add(socket)
    socket.on('close', () => this.sockets.delete(socket))
    socket.on('error', () => {})
    const nonce = newId('nonce')
    const id = /^\/v1\/sessions\/([^/]+)\/agent$/.exec(url)?.[1]
    const session = id === undefined ? null : (this.sessions.get(id) ?? null)
    if (session !== null) this.#owner.set(socket, session)
    // One frame after the other, as the real session does.
    let before = Promise.resolve()
    socket.on('message', (data: Buffer) => {
      if (data.toString() === 'ping') return socket.send('pong')
      const raw: unknown = JSON.parse(data.toString())
      before = before.then(() =>
        session === null
          ? this.#onPresence(socket, nonce, agentPresenceFrame.parse(raw))
          : this.#onSession(socket, nonce, session, agentSessionFrame.parse(raw)),
      )
    })
    const challenge = { type: 'challenge', nonce, now_ms: Date.now() + this.aheadMs }
    socket.send(JSON.stringify({ v: 1, re: null, ...challenge, features: offered }))
  }

  async #onPresence(socket: WebSocket, nonce: string, frame: AgentPresenceFrame): Promise<void> {
    if (frame.type === 'health') {
      this.health.push(frame.health)
      socket.send(JSON.stringify({ v: 1, re: frame.fid, type: 'ack' }))
      return
    }
    if (frame.type === 'part') return void this.pieces.push(frame)
    if (frame.type === 'stopped') {
      const told = await verifySigned('stopped', frame.report, this.agentKeys)
      if (!told.ok) throw new Error(`answer to an order: ${told.error}`)
      return void this.stopped.push(told.value)
    }
    const expected = {
      agent: agentName,
      session: null,
      nonce,
      boot_id: frame.boot_id,
      names: [new URL(this.url).host],
    }
    const proof = await verifyHello(frame.proof, expected, this.agentKeys)
    if (!proof.ok) throw new Error(`presence proof: ${proof.error}`)
    this.presenceHellos.push(frame)
    this.#presence = socket
    this.#presenceNonce = nonce
    socket.send(
      JSON.stringify({
        v: 1,
        re: frame.fid,
        type: 'welcome',
        site,
        registry_digest: this.registryDigest,
        tools: this.tools,
        sandboxes: ['py-sbx-01', 'r-sbx-01'],
        health_every_ms: 200,
      }),
    )
  }

  async #onSession(
    socket: WebSocket,
    nonce: string,
    session: BoundSession,
    frame: AgentSessionFrame,
  ): Promise<void> {
    const answer = (body: object) => {
      socket.send(JSON.stringify({ v: 1, re: frame.fid, ...body }))
    }
    if (frame.nonce !== nonce) return answer({ type: 'error', code: 'nonce_mismatch', detail: '' })
    if (frame.type === 'start') await recordStart(this.agentKeys, session, frame, nonce)
    if (frame.type === 'report') await recordReport(this.agentKeys, session, frame)
    if (frame.type === 'rest') return answer(await recordRest(this.agentKeys, session, frame.rest))
    if (frame.type === 'progress') return void session.told.push([frame.nid, frame.told])
    if (frame.type === 'hello') session.hellos.push(frame)
    if (frame.type === 'abort') {
      session.aborts.push({ reason: frame.reason, detail: frame.detail })
      session.status = 'terminated'
    }
    // A session that is over is answered honestly: the next test's script is not for it.
    const open = session.status === 'open' || frame.type === 'report'
    if (open && (await this.override({ session, frame, socket, answer }))) return
    await this.answerWell({ session, frame, socket, answer })
  }

  /** A signed `go` for a `start` frame, with changes when the test wants a bad one. */
  async goFor(
    session: BoundSession,
    frame: Extract<AgentSessionFrame, { type: 'start' }>,
    change: object = {},
  ): Promise<string> {
    const token = readSigned('node', session.tokens.find((t) => t.nid === frame.nid)?.token ?? '')
    const start = readSigned('start', frame.start)
    if (!token.ok || !start.ok) throw new Error('unreadable')
    const claims = goClaims(token.value.payload as never, start.value.payload as never, Date.now())
    return signClaims(this.key, 'go', { ...claims, ...change })
  }

  /** What an honest gateway answers. */
  async answerWell({ session, frame, answer }: Asked): Promise<void> {
    const { progress } = session
    switch (frame.type) {
      case 'hello':
        if (session.status !== 'open') return answer({ type: 'done', status: session.status })
        return answer({
          type: 'welcome',
          context: session.context,
          ctx: session.ctx,
          rows: session.rows,
          receipt: session.receipt,
          manifest: session.manifest,
          progress: [...progress].map(([nid, state]) => ({ nid, state })),
        })
      case 'pull': {
        if (session.status !== 'open') return answer({ type: 'done', status: session.status })
        const nid = session.context.order.find((id) => progress.get(id) !== 'succeeded')
        const token = session.tokens.find((t) => t.nid === nid)
        const node = session.context.plan.nodes.find((n) => n.id === nid)
        if (nid === undefined || token === undefined || node === undefined) throw new Error('order')
        if (progress.get(nid) === 'executing') return answer({ type: 'wait', ms: 50 })
        progress.set(nid, 'released')
        return answer({ type: 'token', nid, token: token.token, args: node.args })
      }
      case 'start':
        progress.set(frame.nid, 'executing')
        return answer({ type: 'go', nid: frame.nid, go: await this.goFor(session, frame) })
      case 'report': {
        const { outcome } = session.reports.at(-1) ?? { outcome: 'unknown' as const }
        progress.set(frame.nid, outcome)
        answer({ type: 'ack', nid: frame.nid })
        if (session.status !== 'open') return
        if (outcome !== 'succeeded') {
          session.status = 'terminated'
          const reason = outcome === 'failed' ? 'node_failed' : 'node_unknown'
          answer({ re: null, type: 'halt', reason })
        } else if ([...progress.values()].every((p) => p === 'succeeded'))
          session.status = 'completed'
        return
      }
      case 'abort':
        return answer({ type: 'done', status: 'terminated' })
      case 'rest':
      case 'progress':
        throw new Error('answered where it is recorded')
      default:
        throw new Error('frame')
    }
  }
}
