// The hibernatable presence sockets of a site: who is online, and what they are told. Survivable
// state is in each socket's attachment and in the hub's tables.
import { agreedFeatures, featuresHeader, type Feature } from '../../protocol/features.ts'
import type { GatewayPresenceFrame } from '../../protocol/frames.ts'
import { makeId } from '../../protocol/ids.ts'
import { limits } from '../../protocol/limits.ts'
import { worded } from '../../protocol/older-words.ts'
import type { FrameError, HaltReason } from '../../protocol/reasons.ts'
import type { CellChange } from '../../protocol/status.ts'
import {
  isArmed,
  noteBoot,
  partKeep,
  pinnedTools,
  presenceWelcome,
  proveAgent,
  readPresenceFrame,
  recordHealth,
  restartedServers,
  type PresenceAttachment,
} from './presence.ts'
import { setDisarmed, setLatched } from './cells.ts'
import { Parts } from './parts.ts'
import type { AgentKey, AgentRow, HubStore } from './store.ts'

/** An agent that kept the beat and is not heard for so long is not there, whatever its socket says. */
const agentSilentMs = 10_000
/** How long an older process has to show that it lives, when a second one proves the same key. */
const probeMs = 1_000

/** What a frame may have changed, so that the site may be able to run something more, or less. */
export type PresenceChange = {
  /** The cell whose agent has just come. */
  joined?: string
  /** Set when it is another process than before: it knows nothing of where things stand. */
  another?: { cell: string; agent: string }
  /** An agent's signed word on a stop of its cell. */
  stopped?: { row: AgentRow; report: string }
  /** A change of the cell that belongs into the trail. */
  cell?: { cell: string; agent: string; what: CellChange }
} | null

const attachmentOf = (socket: WebSocket): PresenceAttachment | null =>
  socket.deserializeAttachment() as PresenceAttachment | null

/** In the words of an agent that keeps parts as its own configuration says. */
function withoutKeep(frame: GatewayPresenceFrame): GatewayPresenceFrame {
  if (frame.type !== 'welcome' && frame.type !== 'registry') return frame
  const { part_keep_ms: _keep, ...older } = frame
  return older
}

/** The presence side of SiteHub. */
export class PresenceSockets {
  private readonly ctx: DurableObjectState
  private readonly store: HubStore
  /** When each socket was last heard, in this life of the hub. */
  private readonly heard = new WeakMap<WebSocket, number>()
  /** Kept parts of results, as agents bring them. */
  readonly parts = new Parts(this)

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

  /** Handles one frame; says what it changed for the site. */
  async message(socket: WebSocket, data: string | ArrayBuffer): Promise<PresenceChange> {
    try {
      this.heard.set(socket, Date.now())
      return await this.take(socket, data)
    } catch (cause) {
      console.error(`presence: ${String(cause)}`)
      this.refuse(socket, null, { code: 'internal', detail: 'the gateway failed; connect again' })
      return null
    }
  }

  private async take(socket: WebSocket, data: string | ArrayBuffer): Promise<PresenceChange> {
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
    if (frame.type === 'part') {
      this.parts.take(row.agent, frame.ask, frame.piece)
      return null
    }
    if (frame.type === 'stopped') return { stopped: { row, report: frame.report } }
    const now_ms = Date.now()
    const restarted = restartedServers(row.health, frame.health).length > 0
    const changed = recordHealth(this.store, row, frame.health, now_ms)
    // Whoever armed the cell armed it for devices as they stood then, and with nothing that holds it.
    const holds =
      frame.health.out_of_service === 'local_latch' && isArmed(this.store, row.cell, now_ms)
    const what = restarted ? 'device_restarted' : holds ? 'local_latch' : null
    if (what !== null) setDisarmed(this.store, row.cell, what, { by: row.agent, now_ms })
    this.write(socket, { v: 1, re: frame.fid, type: 'ack' })
    // One that was silent and is back may run what waits, also when nothing else has changed.
    const silent = at.silent === true
    const beats = Math.min(2, (at.beats ?? 0) + 1)
    if (silent || beats !== at.beats) socket.serializeAttachment({ ...at, silent: false, beats })
    if (what !== null) return { cell: { cell: row.cell, agent: row.agent, what } }
    return changed || silent ? {} : null
  }

  private async hello(
    socket: WebSocket,
    at: PresenceAttachment,
    frame: Parameters<typeof proveAgent>[2],
  ): Promise<PresenceChange> {
    if (at.proven) {
      return this.refuse(socket, frame.fid, { code: 'hello_repeated', detail: 'hello comes once' })
    }
    const proof = await proveAgent(this.store, at, frame)
    if (!proof.ok) return this.refuse(socket, frame.fid, proof.error)
    const { boot_id } = frame
    const { agent, cell } = proof.value
    if (await this.otherLives(agent, at.jkt, boot_id)) {
      const reason = 'agent_duplicate'
      // It comes again and again: said once, until a person has cleared it.
      const said = this.store.cell(cell)?.latch_reason === reason
      const doing = { by: agent, now_ms: Date.now() }
      if (!said) setLatched(this.store, cell, { reason, what: reason, ...doing })
      this.refuse(socket, frame.fid, {
        code: 'agent_duplicate',
        detail: 'another process with this key is connected; stop one of the two',
      })
      return said ? null : { cell: { cell, agent, what: reason } }
    }
    const welcome = presenceWelcome(this.store, frame.fid)
    if (!welcome.ok) return this.refuse(socket, frame.fid, welcome.error)
    socket.serializeAttachment({ ...at, proven: true, boot_id })
    const { another, disarmed } = this.bootSeen({ agent, cell, boot_id })
    this.write(socket, welcome.value)
    const session = this.store.cell(cell)?.session ?? null
    const binding = session === null ? null : this.store.bindingOf(session)
    if (binding?.state === 'bound' && binding.agent === agent && binding.stop_reason === null) {
      this.write(socket, { v: 1, re: null, type: 'assigned', session: binding.session })
    }
    return {
      joined: cell,
      ...(another && !disarmed ? { another: { cell, agent } } : {}),
      ...(disarmed ? { cell: { cell, agent, what: 'agent_restarted' as const } } : {}),
    }
  }

  private bootSeen(boot: Parameters<typeof noteBoot>[1]): ReturnType<typeof noteBoot> {
    return noteBoot(this.store, boot, Date.now())
  }

  /** True when another process with the key is connected and answers. A silent one is let go. */
  private async otherLives(agent: string, jkt: string, boot_id: string): Promise<boolean> {
    const others = this.ctx.getWebSockets(agent).filter((socket) => {
      const at = attachmentOf(socket)
      const open = socket.readyState === WebSocket.OPEN && at?.proven === true && at.jkt === jkt
      return open && at.boot_id !== undefined && at.boot_id !== boot_id
    })
    if (others.length === 0) return false
    const since_ms = Date.now()
    const frame = this.registryFrame()
    // Without a registry nothing can be asked, and nothing can run either.
    if (frame === null) return false
    // An agent answers the registry with its health, at once.
    for (const socket of others) this.write(socket, frame)
    const until_ms = since_ms + probeMs
    const answered = () =>
      others.some(
        (socket) =>
          socket.readyState === WebSocket.OPEN && (this.heard.get(socket) ?? 0) >= since_ms,
      )
    while (!answered() && Date.now() < until_ms) await scheduler.wait(20)
    if (answered()) return true
    for (const socket of others) socket.close(1008, 'replaced')
    return false
  }

  /**
   * Agents with an open socket on which the key that is enrolled now was proven, and that have been
   * heard lately: a frozen process keeps its socket open and answers nothing.
   */
  online(now_ms: number): Set<string> {
    const keys = new Map(this.store.agentKeys().map((row) => [row.agent, row]))
    const agents = new Set<string>()
    for (const socket of this.ctx.getWebSockets()) {
      const at = attachmentOf(socket)
      if (at === null || !this.current(socket, at, keys.get(at.agent))) continue
      // Whoever has kept the beat is missed soon; of the others only old health says that they are gone.
      const silentMs = (at.beats ?? 0) > 1 ? agentSilentMs : limits.presenceStaleMs
      if (now_ms - this.heardAt(socket, at) <= silentMs) agents.add(at.agent)
      else if (at.silent !== true) socket.serializeAttachment({ ...at, silent: true })
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

  /** True for a socket of the process that is the agent now. */
  private current(socket: WebSocket, at: PresenceAttachment, row: AgentKey | undefined): boolean {
    if (row === undefined || row.revoked || row.jkt !== at.jkt || !at.proven) return false
    if (at.boot_id !== undefined && at.boot_id !== row.boot_id) return false
    return socket.readyState === WebSocket.OPEN
  }

  /** When a socket was last heard: a frame in this life of the hub, a ping, or its health. */
  private heardAt(socket: WebSocket, at: PresenceAttachment): number {
    const ping = this.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0
    const row = this.store.sql
      .exec<{ seen: number | null }>(
        'SELECT last_seen_ms AS seen FROM agents WHERE agent = ?',
        at.agent,
      )
      .toArray()[0]
    return Math.max(ping, this.heard.get(socket) ?? 0, row?.seen ?? 0)
  }

  /** Tells the process that is the agent now that a session is bound to it. */
  assign(to: { agent: string }, session: string): void {
    this.send(to.agent, { v: 1, re: null, type: 'assigned', session })
  }

  /** The second way of a stop: every process that serves the cell ends what it runs. */
  halt(cell: string, reason: HaltReason): void {
    for (const { socket } of this.serving(cell)) {
      this.write(socket, { v: 1, re: null, type: 'halt', reason })
    }
  }

  /**
   * Orders the stop of a cell over every connection that serves it and reads orders; says whether there was one.
   * `signed` answers with null when it is over meanwhile.
   */
  async orderStop(
    cell: string,
    signed: (to: { agent: string; nonce: string }) => Promise<string | null>,
  ): Promise<boolean> {
    const sockets = this.serving(cell).filter(({ at }) => at.features.includes('stop-order'))
    for (const { socket, at } of sockets) {
      const order = await signed(at)
      if (order !== null) this.write(socket, { v: 1, re: null, type: 'stop_order', order })
    }
    return sockets.length > 0
  }

  private serving(cell: string): { socket: WebSocket; at: PresenceAttachment }[] {
    const agents = this.store.agentKeys().filter((row) => row.cell === cell && !row.revoked)
    return agents.flatMap(({ agent }) =>
      this.ctx.getWebSockets(agent).flatMap((socket) => {
        const at = attachmentOf(socket)
        return at?.proven === true ? [{ socket, at }] : []
      }),
    )
  }

  /** Tells every agent of the newly approved registry. */
  tellRegistry(): void {
    const frame = this.registryFrame()
    if (frame === null) return
    for (const { agent } of this.store.agentKeys()) this.send(agent, frame)
  }

  /** Writes to the newest connection of an agent, if that one can read it. */
  tellNewest(agent: string, feature: Feature, frame: GatewayPresenceFrame): boolean {
    const row = this.store.agentKeys().find((one) => one.agent === agent)
    const sockets = this.ctx
      .getWebSockets(agent)
      .flatMap((socket) => {
        const at = attachmentOf(socket)
        return at !== null && this.current(socket, at, row) ? [{ socket, at }] : []
      })
      .sort((a, b) => a.at.opened_ms - b.at.opened_ms)
    const newest = sockets.at(-1)
    if (newest?.at.features.includes(feature) !== true) return false
    this.write(newest.socket, frame)
    return true
  }

  private registryFrame(): GatewayPresenceFrame | null {
    const current = this.store.registry()
    if (current === null) return null
    const tools = pinnedTools(current.registry)
    const sandboxes = current.registry.sandboxes
    const registry_digest = current.digest
    const keep = partKeep(this.store)
    return { v: 1, re: null, type: 'registry', registry_digest, tools, sandboxes, ...keep }
  }

  /** Closes every socket of an agent that was revoked or got another key. */
  disconnect(agent: string): void {
    for (const socket of this.ctx.getWebSockets(agent)) socket.close(1008, 'revoked')
  }

  private send(agent: string, frame: GatewayPresenceFrame): void {
    const row = this.store.agentKeys().find((one) => one.agent === agent)
    for (const socket of this.ctx.getWebSockets(agent)) {
      const at = attachmentOf(socket)
      if (at !== null && this.current(socket, at, row)) this.write(socket, frame)
    }
  }

  private write(socket: WebSocket, frame: GatewayPresenceFrame): void {
    try {
      const features = attachmentOf(socket)?.features ?? []
      const told = worded(frame, features)
      socket.send(JSON.stringify(features.includes('parts') ? told : withoutKeep(told)))
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
