// The hibernatable sockets of one session. Everything that must outlive hibernation is in the socket's
// attachment; the objects themselves are asked for by tag, because listing all wakes every one.
import type { GatewaySessionFrame } from '../../protocol/frames.ts'
import type { Feature } from '../../protocol/features.ts'
import { makeId } from '../../protocol/ids.ts'
import { worded } from '../../protocol/older-words.ts'

export type Attachment = {
  /** The nonce of this connection's challenge; every frame on it repeats it. */
  readonly nonce: string
  /** `x` of the key with which the door authenticated the agent. */
  readonly key: string
  /** What this connection may use beyond the first version of the wire. */
  readonly features: readonly Feature[]
  /** The gateway's names, one of which the proof must be addressed to. */
  readonly names: readonly string[]
  /** Set once `hello` has proven the key: the agent's process, and that frame. */
  readonly hello: {
    readonly boot_id: string
    readonly fid: string
    readonly body: string
    readonly at_ms: number
  } | null
}

/** The agent sends text `ping` every three seconds; after three of them it counts as silent. */
const silentMs = 10_000
/** How often silence is looked for. */
export const listenEveryMs = 5_000

export class SessionSockets {
  readonly #ctx: DurableObjectState

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx
    // Answered without waking the object; the timestamp shows half-open peers.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'))
  }

  /** Takes a socket of the bound key and challenges it. */
  accept(
    socket: WebSocket,
    peer: Pick<Attachment, 'key' | 'features' | 'names'>,
    nowMs: number,
  ): void {
    const nonce = makeId('nonce', crypto.getRandomValues(new Uint8Array(26)))
    this.#ctx.acceptWebSocket(socket, ['agent'])
    socket.serializeAttachment({ ...peer, nonce, hello: null } satisfies Attachment)
    const offered = peer.features.length === 0 ? {} : { features: [...peer.features] }
    this.send(socket, { v: 1, re: null, type: 'challenge', nonce, now_ms: nowMs, ...offered })
  }

  attachment(socket: WebSocket): Attachment {
    // Written by `accept` alone, before the first message can arrive.
    return socket.deserializeAttachment() as Attachment
  }

  prove(socket: WebSocket, hello: NonNullable<Attachment['hello']>): void {
    socket.serializeAttachment({ ...this.attachment(socket), hello } satisfies Attachment)
  }

  /** Open sockets, proven or not. */
  open(): WebSocket[] {
    return this.#ctx.getWebSockets('agent').filter((socket) => isOpen(socket))
  }

  proven(): WebSocket[] {
    return this.open().filter((socket) => this.attachment(socket).hello !== null)
  }

  /** Proven sockets whose silence can be told from idleness. */
  pinging(): WebSocket[] {
    return this.proven().filter((socket) => this.attachment(socket).features.includes('ping'))
  }

  /** True while the peer of a proven, pinging socket was heard a moment ago. */
  isHeard(socket: WebSocket, nowMs: number): boolean {
    const pinged = this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0
    return nowMs - Math.max(pinged, this.attachment(socket).hello?.at_ms ?? 0) <= silentMs
  }

  /** Closes pinging sockets that have fallen silent; true when there were any. */
  closeSilent(nowMs: number): boolean {
    const silent = this.pinging().filter((socket) => !this.isHeard(socket, nowMs))
    for (const socket of silent) this.close(socket, 1001, 'silent')
    return silent.length > 0
  }

  /** True when another process of the agent than `boot_id` is connected and answers. */
  otherLives(boot_id: string, nowMs: number): boolean {
    return this.pinging().some(
      (socket) => this.attachment(socket).hello?.boot_id !== boot_id && this.isHeard(socket, nowMs),
    )
  }

  /** In the words of the peer; nothing when it is already gone: the protocol repeats what is lost. */
  send(socket: WebSocket, frame: GatewaySessionFrame): void {
    if (!isOpen(socket)) return
    socket.send(JSON.stringify(worded(frame, this.attachment(socket).features)))
  }

  close(socket: WebSocket, code: number, why: string): void {
    if (isOpen(socket)) socket.close(code, why)
  }
}

export function isOpen(socket: WebSocket): boolean {
  return socket.readyState === WebSocket.OPEN
}
