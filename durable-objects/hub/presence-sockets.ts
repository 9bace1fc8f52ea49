// The hibernatable presence sockets of a site: who is online, and what they are told. Survivable
// state is in each socket's attachment and in the hub's tables.
import { agreedFeatures, featuresHeader, type Feature } from '../../protocol/features.ts'
import type { GatewayPresenceFrame } from '../../protocol/frames.ts'
import { makeId } from '../../protocol/ids.ts'
import { limits } from '../../protocol/limits.ts'
import type { FrameError } from '../../protocol/reasons.ts'
import type { Registry } from '../../protocol/registry.ts'
import {
  pinnedTools,
  presenceWelcome,
  proveAgent,
  readPresenceFrame,
  recordHealth,
  type PresenceAttachment,
} from './presence.ts'
import type { HubStore } from './store.ts'

const attachmentOf = (socket: WebSocket): PresenceAttachment | null =>
  socket.deserializeAttachment() as PresenceAttachment | null

/** The presence side of SiteHub. */
export class PresenceSockets {
  private readonly ctx: DurableObjectState
  private readonly store: HubStore

  constructor(ctx: DurableObjectState, store: HubStore) {
    this.ctx = ctx
    this.store = store
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'))
  }

  /** Accepts the upgrade of an agent that the door has authenticated, and challenges its key. */
  upgrade(request: Request, deployment: string): Response {
    const agent = request.headers.get('x-portcullis-agent')
    const jkt = request.headers.get('x-portcullis-jkt')
    if (agent === null || jkt === null) return new Response(null, { status: 403 })
    this.sweep(agent, Date.now())
    if (this.ctx.getWebSockets().length >= limits.socketsPerHubMax) {
      return new Response(null, { status: 429 })
    }
    const pair = new WebSocketPair()
    const nonce = makeId('nonce', crypto.getRandomValues(new Uint8Array(26)))
    const attachment: PresenceAttachment = {
      agent,
      jkt,
      nonce,
      proven: false,
      opened_ms: Date.now(),
      features: agreedFeatures(request.headers.get(featuresHeader)),
      names: [deployment, new URL(request.url).host],
    }
    this.ctx.acceptWebSocket(pair[1], [agent])
    pair[1].serializeAttachment(attachment)
    const { features } = attachment
    this.write(pair[1], {
      v: 1,
      re: null,
      type: 'challenge',
      nonce,
      now_ms: Date.now(),
      ...(features.length === 0 ? {} : { features }),
    })
    return new Response(null, { status: 101, webSocket: pair[0] })
  }

  /**
   * Makes room before a new socket: those that never proved themselves in time go, and one agent keeps
   * only its newest few, so that no key can shut the other agents of the site out.
   */
  private sweep(agent: string, now_ms: number): void {
    for (const socket of this.ctx.getWebSockets()) {
      const at = attachmentOf(socket)
      const late = at !== null && !at.proven && now_ms - at.opened_ms > limits.helloWithinMs
      if (at === null || late) socket.close(1008, 'hello_expected')
    }
    const own = this.ctx
      .getWebSockets(agent)
      .filter((socket) => socket.readyState === WebSocket.OPEN)
      .sort((a, b) => (attachmentOf(a)?.opened_ms ?? 0) - (attachmentOf(b)?.opened_ms ?? 0))
    const surplus = own.length - (limits.socketsPerAgentMax - 1)
    for (const socket of own.slice(0, Math.max(0, surplus))) socket.close(1008, 'replaced')
  }

  /** Handles one frame; says `health` when the site may now be able to run something more. */
  async message(socket: WebSocket, data: string | ArrayBuffer): Promise<'health' | null> {
    try {
      return await this.take(socket, data)
    } catch (cause) {
      console.error(`presence: ${String(cause)}`)
      this.refuse(socket, null, { code: 'internal', detail: 'the gateway failed; connect again' })
      return null
    }
  }

  private async take(socket: WebSocket, data: string | ArrayBuffer): Promise<'health' | null> {
    const at = attachmentOf(socket)
    if (at === null) return null
    const read = readPresenceFrame(data)
    if (!read.ok) return this.refuse(socket, null, read.error)
    const frame = read.value
    if (frame.nonce !== at.nonce) {
      const detail = 'not the nonce of this connection'
      return this.refuse(socket, frame.fid, { code: 'nonce_mismatch', detail })
    }
    if (frame.type === 'hello') return this.hello(socket, at, frame)
    const row = this.store.agent(at.agent)
    if (!at.proven) {
      return this.refuse(socket, frame.fid, { code: 'hello_expected', detail: 'hello comes first' })
    }
    if (row === null || row.revoked || row.jkt !== at.jkt) {
      return this.refuse(socket, frame.fid, { code: 'key_not_bound', detail: 'revoked' })
    }
    recordHealth(this.store, { agent: row.agent, cell: row.cell }, frame.health, Date.now())
    this.write(socket, { v: 1, re: frame.fid, type: 'ack' })
    return 'health'
  }

  private async hello(
    socket: WebSocket,
    at: PresenceAttachment,
    frame: Parameters<typeof proveAgent>[2],
  ): Promise<null> {
    if (at.proven) {
      return this.refuse(socket, frame.fid, { code: 'hello_repeated', detail: 'hello comes once' })
    }
    const proof = await proveAgent(this.store, at, frame)
    if (!proof.ok) return this.refuse(socket, frame.fid, proof.error)
    const welcome = presenceWelcome(this.store, frame.fid)
    if (!welcome.ok) return this.refuse(socket, frame.fid, welcome.error)
    socket.serializeAttachment({ ...at, proven: true })
    // What an earlier run of the agent said of its devices is not true of this one.
    this.store.sql.exec(
      `UPDATE agents SET health = CASE WHEN boot_id = ?1 THEN health END, boot_id = ?1,
         last_seen_ms = ?2 WHERE agent = ?3`,
      frame.boot_id,
      Date.now(),
      at.agent,
    )
    this.write(socket, welcome.value)
    const session = this.store.cell(proof.value.cell)?.session ?? null
    const binding = session === null ? null : this.store.bindingOf(session)
    if (binding?.state === 'bound' && binding.agent === at.agent) {
      this.write(socket, { v: 1, re: null, type: 'assigned', session: binding.session })
    }
    return null
  }

  /** Agents with an open socket on which the key that is enrolled now was proven. */
  online(): Set<string> {
    const keys = new Map(this.store.agents().map((row) => [row.agent, row.jkt]))
    const agents = new Set<string>()
    for (const socket of this.ctx.getWebSockets()) {
      const at = attachmentOf(socket)
      if (at?.proven !== true || keys.get(at.agent) !== at.jkt) continue
      if (socket.readyState === WebSocket.OPEN) agents.add(at.agent)
    }
    return agents
  }

  /** What the newest proven connection of an agent may use; none while there is no connection. */
  featuresOf(agent: string): Feature[] {
    const proven = this.ctx
      .getWebSockets(agent)
      .map((socket) => attachmentOf(socket))
      .filter((at) => at?.proven === true)
      .sort((a, b) => (a?.opened_ms ?? 0) - (b?.opened_ms ?? 0))
    return proven.at(-1)?.features ?? []
  }

  /** Tells an agent that a session is bound to it. */
  assign(agent: string, session: string): void {
    this.send(agent, { v: 1, re: null, type: 'assigned', session })
  }

  /** Tells every agent of the newly approved registry. */
  tellRegistry(registry: Registry, registry_digest: string): void {
    const tools = pinnedTools(registry)
    const sandboxes = registry.reference.sandboxes
    for (const agent of this.online()) {
      this.send(agent, { v: 1, re: null, type: 'registry', registry_digest, tools, sandboxes })
    }
  }

  /** Closes every socket of an agent that was revoked or got another key. */
  disconnect(agent: string): void {
    for (const socket of this.ctx.getWebSockets(agent)) socket.close(1008, 'revoked')
  }

  private send(agent: string, frame: GatewayPresenceFrame): void {
    for (const socket of this.ctx.getWebSockets(agent)) {
      if (attachmentOf(socket)?.proven === true) this.write(socket, frame)
    }
  }

  private write(socket: WebSocket, frame: GatewayPresenceFrame): void {
    try {
      socket.send(JSON.stringify(frame))
    } catch {
      // The socket is closing; presence ends with its close event.
    }
  }

  private refuse(
    socket: WebSocket,
    re: string | null,
    error: { code: FrameError; detail: string },
  ): null {
    this.write(socket, { v: 1, re, type: 'error', ...error })
    socket.close(error.code === 'internal' ? 1011 : 1008, error.code)
    return null
  }
}
