// The network between agents and the gateway, and the agents' ends of its sockets as `ws` shows them. A
// frame can be lost, late, doubled or overtaken; a connection can be cut; all of it by the world's chance.
import { asWorld, currentProcess, inProcess, type Process } from './time.ts'
import type { ServerSocket } from './gateway/sockets.ts'

export type Fate = { readonly copies: readonly number[] }

/** What the world decides of the network. */
export type NetworkPort = {
  readonly after: (ms: number, run: () => void) => void
  /** When each copy of a frame arrives, in milliseconds from now; none when it is lost. */
  readonly fate: (text: string) => Fate
  readonly latency: () => number
  /** A frame that leaves one of the ends. */
  readonly seen: (process: Process, what: string) => void
  readonly isDown: (process: Process) => boolean
  readonly dial: (
    process: Process,
    url: URL,
    headers: Readonly<Record<string, string>>,
  ) => Promise<{ server: ServerSocket; host: Receiver } | number>
}

/** The object behind a socket. */
export type Receiver = {
  readonly frame: (socket: ServerSocket, text: string) => void
  readonly peerClosed: (socket: ServerSocket) => void
}

type Handler = (...args: never[]) => void

let network: NetworkPort | null = null
/** Whose network the sockets of this run are on. */
export const onNetwork = (port: NetworkPort | null): void => {
  network = port
}

/** `WebSocket` of `ws`, as far as the agent uses it. */
export class WebSocket {
  static readonly OPEN = 1
  readyState = 0
  readonly #port: NetworkPort
  readonly #process: Process
  readonly #handlers = new Map<string, Handler[]>()
  #server: ServerSocket | null = null
  #host: Receiver | null = null
  /** Frames of one connection arrive in order, unless a fault lets one overtake. */
  #last = { in: 0, out: 0 }
  #now = 0

  constructor(url: string, options: { headers: Record<string, string> }) {
    if (network === null) throw new TypeError('there is no network')
    this.#port = network
    this.#process = currentProcess()
    all.add(this)
    const { headers } = options
    asWorld(() => this.#port.after(this.#port.latency(), () => void this.#dial(url, headers)))
  }

  on(event: string, handler: Handler): this {
    this.#handlers.set(event, [...(this.#handlers.get(event) ?? []), handler])
    return this
  }

  send(text: string): void {
    const { alive } = this.#process
    if (this.readyState !== 1 || !alive) return
    const server = this.#server
    const host = this.#host
    if (server === null || host === null) return
    this.#port.seen(this.#process, `> ${text}`)
    for (const ms of this.#ordered('out', text)) {
      asWorld(() =>
        this.#port.after(ms, () => {
          if (!this.#port.isDown(this.#process)) host.frame(server, text)
        }),
      )
    }
  }

  close(): void {
    this.#end(1000)
  }

  terminate(): void {
    this.#end(1006)
  }

  /** The connection breaks; each end learns of it in its own time. */
  cut(): void {
    const server = this.#server
    if (server !== null) asWorld(() => this.#port.after(1, () => this.#host?.peerClosed(server)))
    this.#closed(1006)
  }

  async #dial(url: string, headers: Record<string, string>): Promise<void> {
    if (!this.#process.alive || this.readyState !== 0) return
    const refused = () => {
      this.#emit('error', new Error('connect ECONNREFUSED'))
      this.#closed(1006)
    }
    if (this.#port.isDown(this.#process)) return refused()
    const answer = await this.#port.dial(this.#process, new URL(url), headers).catch(() => 503)
    if (!this.#process.alive) return
    if (typeof answer === 'number') {
      this.#emit(
        'unexpected-response',
        { destroy: () => undefined },
        {
          statusCode: answer,
          headers: {},
        },
      )
      this.readyState = 3
      return
    }
    this.#server = answer.server
    this.#host = answer.host
    this.readyState = 1
    this.#emit('open')
    answer.server.connect({
      toPeer: (text) => {
        this.#port.seen(this.#process, `< ${text}`)
        for (const ms of this.#ordered('in', text)) this.#later(ms, () => this.#take(text))
      },
      closed: (code) => this.#later(this.#port.latency(), () => this.#closed(code)),
    })
  }

  #ordered(way: 'in' | 'out', text: string): number[] {
    const least = this.#last[way]
    return this.#port.fate(text).copies.map((ms) => {
      // The first copy keeps its place; what is later than that was meant to be.
      const at = this.#clock() + ms
      if (ms < 20) {
        const kept = Math.max(at, least)
        this.#last[way] = Math.max(this.#last[way], kept)
        return kept - this.#clock()
      }
      return ms
    })
  }

  #clock(): number {
    this.#now = Date.now()
    return this.#now
  }

  #take(text: string): void {
    if (this.readyState !== 1 || this.#port.isDown(this.#process)) return
    this.#emit('message', Buffer.from(text), false)
  }

  #end(code: number): void {
    if (this.readyState === 3) return
    const server = this.#server
    if (server !== null) {
      asWorld(() =>
        this.#port.after(this.#port.latency(), () => {
          if (!this.#port.isDown(this.#process)) this.#host?.peerClosed(server)
        }),
      )
    }
    this.#later(1, () => this.#closed(code))
  }

  #closed(code: number): void {
    if (this.readyState === 3) return
    this.readyState = 3
    all.delete(this)
    this.#later(0, () => this.#emit('close', code))
  }

  /** In the process that has this socket, when it runs. */
  #later(ms: number, run: () => void): void {
    inProcess(this.#process, () => this.#port.after(ms, run))
  }

  #emit(event: string, ...args: unknown[]): void {
    inProcess(this.#process, () => {
      for (const handler of this.#handlers.get(event) ?? []) handler(...(args as never[]))
    })
  }

  get process(): Process {
    return this.#process
  }
}

const all = new Set<WebSocket>()
/** Every socket that is open or being opened. */
export const openSockets = (): WebSocket[] => [...all]
export const forgetSockets = (): void => all.clear()
