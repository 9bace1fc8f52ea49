// The gateway's ends of WebSockets: accepted by an object, kept while it sleeps, cut when it is reset.
import type { ObjectHost } from './objects.ts'

/** The other end, wherever it is. Everything arrives later, or never. */
export type Wire = {
  readonly toPeer: (text: string) => void
  readonly closed: (code: number, reason: string) => void
}

export class ServerSocket {
  readyState = 1
  host: ObjectHost | null = null
  tags: readonly string[] = []
  pinged_ms: number | null = null
  #attachment: string | null = null
  #wire: Wire | null = null
  /** Sent before the peer was told that the socket is open. */
  #early: (() => void)[] = []

  connect(wire: Wire): void {
    this.#wire = wire
    for (const send of this.#early) send()
    this.#early = []
  }

  accept(): void {}

  send(text: string): void {
    if (this.readyState !== 1) throw new Error('the socket is closed')
    this.#leaves((wire) => wire.toPeer(text))
  }

  close(code = 1005, reason = ''): void {
    if (this.readyState !== 1) return
    this.readyState = 2
    this.#leaves((wire) => {
      this.gone()
      wire.closed(code, reason)
    })
  }

  /** Cut: nothing that has not left arrives any more. */
  cut(): void {
    if (this.readyState === 3) return
    this.gone()
    this.#wire?.closed(1006, '')
  }

  gone(): void {
    this.readyState = 3
    this.host?.sockets.delete(this)
  }

  serializeAttachment(value: unknown): void {
    this.#attachment = JSON.stringify(value)
  }

  deserializeAttachment(): unknown {
    return this.#attachment === null ? null : (JSON.parse(this.#attachment) as unknown)
  }

  /** Frames leave through the output gate: after the writes before them are on disk. */
  #leaves(send: (wire: Wire) => void): void {
    const go = () => {
      if (this.#wire === null) this.#early.push(go)
      else if (this.readyState !== 3) send(this.#wire)
    }
    if (this.host === null) go()
    else this.host.whenFlushed(go)
  }
}

/** `new WebSocketPair()`: the first end goes to the caller, who finds the second behind it. */
export class SocketPair {
  readonly 0: { readonly server: ServerSocket }
  readonly 1: ServerSocket

  constructor() {
    this[1] = new ServerSocket()
    this[0] = { server: this[1] }
  }
}
