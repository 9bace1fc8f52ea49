// One outgoing WebSocket to the gateway that comes back by itself: dials, bounds what it takes in, parses
// without loss, refuses what the schema does not know. The agent never listens on a port.
import { WebSocket } from 'ws'
import type { z } from 'zod'
import { featuresHeader, offer } from '../protocol/features.ts'
import { gatewaySessionFrame, type GatewaySessionFrame } from '../protocol/frames.ts'
import { limits } from '../protocol/limits.ts'
import { parseJsonText } from '../protocol/parse.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { backoffMs, type Backoff } from './backoff.ts'
import type { Log } from './log.ts'
import type { SessionDeps } from './session-deps.ts'

/** A welcome holds a whole plan one level down, its manifest, and the rows of its tools. */
const frameBounds = {
  bytesMax: limits.gatewayFrameBytesMax,
  depthMax: limits.jsonDepthMax + 8,
  valuesMax: limits.jsonValuesMax * 2 + limits.registryValuesMax,
}

/** How often each side can tell that the other is there, and how many may be missed. */
const pingMs = 3_000
const unheardMax = 3
/** A connection on which what was awaited has not come by then is made anew: a frame was lost. */
const answerMs = 6_000

/** Text of a frame → frame, or the first thing that is wrong with it. */
export function readFrame<T>(schema: z.ZodType<T>, text: string): Result<T, string> {
  const parsed = parseJsonText(text, frameBounds)
  if (!parsed.ok) return err(parsed.error[0]?.code ?? 'not_json')
  const frame = schema.safeParse(parsed.value)
  if (frame.success) return ok(frame.data)
  const issue = frame.error.issues[0]
  return err(`${issue?.path.join('/') ?? ''}: ${issue?.message ?? 'schema'}`)
}

export type ConnectionOptions<T> = {
  readonly name: string
  readonly url: string
  readonly schema: z.ZodType<T>
  readonly authorization: () => Promise<string>
  readonly backoff: Backoff
  readonly random: () => number
  readonly log: Log
  /** Whether a frame that is sent has an answer, and whether one that came is the answer. */
  readonly asks?: (frame: object) => boolean
  readonly answers?: (frame: T) => boolean
  readonly onFrame: (frame: T) => void
  readonly onLost: () => void
  /**
   * The upgrade was answered with this HTTP status; true gives up. `dateMs` is the gateway's clock as its
   * answer told it, to the second, or NaN.
   */
  readonly onRefused: (status: number, dateMs: number) => boolean
}

export class Connection<T> {
  readonly #o: ConnectionOptions<T>
  #socket: WebSocket | null = null
  #timer: NodeJS.Timeout | undefined
  #awaited: NodeJS.Timeout | undefined
  #attempt = 0
  #badFrames = 0
  #closed = false

  constructor(options: ConnectionOptions<T>) {
    this.#o = options
  }

  start(): void {
    void this.#dial()
  }

  /** The peer spoke sense: the next loss starts from a short wait again. */
  settled(): void {
    this.#attempt = 0
    clearTimeout(this.#awaited)
    this.#awaited = undefined
  }

  /** False when there is no open connection: the frame is not queued. */
  send(frame: object): boolean {
    const socket = this.#socket
    if (socket === null || socket.readyState !== WebSocket.OPEN) return false
    if (this.#o.asks?.(frame) === true) this.#expect()
    socket.send(JSON.stringify(frame))
    return true
  }

  /** Drops the connection; it dials again after a wait. */
  drop(why: string): void {
    this.#o.log('warn', 'connection_dropped', { connection: this.#o.name, why })
    this.#socket?.terminate()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#awaited)
    this.#socket?.close(1000)
    const socket = this.#socket
    setTimeout(() => socket?.terminate(), 1_000).unref()
  }

  async #dial(): Promise<void> {
    const { url, name, log } = this.#o
    const authorization = await this.#o.authorization()
    if (this.#closed) return
    const socket = new WebSocket(url, {
      headers: { authorization, [featuresHeader]: offer },
      maxPayload: limits.gatewayFrameBytesMax,
      handshakeTimeout: 10_000,
      perMessageDeflate: false,
      followRedirects: false,
    })
    this.#socket = socket
    this.#badFrames = 0
    let refused = false
    let unheard = 0
    const beat = setInterval(() => {
      if (socket.readyState !== WebSocket.OPEN) return
      if (unheard >= unheardMax) return this.drop('no pong')
      unheard += 1
      // Text, since the gateway keeps the time of this and of no other kind of ping.
      socket.send('ping')
    }, pingMs)
    socket.on('open', () => this.#expect())
    socket.on('message', (data, isBinary) => {
      unheard = 0
      this.#message(socket, data, isBinary)
    })
    socket.on('unexpected-response', (request, response) => {
      refused = true
      const status = response.statusCode ?? 0
      log('warn', 'connection_refused', { connection: name, status })
      request.destroy()
      clearInterval(beat)
      const dateMs = Date.parse(response.headers.date ?? '')
      if (this.#o.onRefused(status, dateMs)) this.#closed = true
      else this.#again()
    })
    socket.on('error', (error) => {
      log('warn', 'connection_error', { connection: name, error: error.message })
    })
    socket.on('close', (code) => {
      clearInterval(beat)
      if (this.#socket === socket) clearTimeout(this.#awaited)
      if (refused || this.#socket !== socket) return
      log(this.#closed ? 'info' : 'warn', 'connection_closed', { connection: name, code })
      this.#socket = null
      this.#o.onLost()
      this.#again()
    })
  }

  #message(socket: WebSocket, data: unknown, isBinary: boolean): void {
    if (this.#socket !== socket || this.#closed) return
    const text = isBinary || !Buffer.isBuffer(data) ? null : data.toString('utf8')
    if (text === 'pong') return
    const frame = text === null ? err('not text') : readFrame(this.#o.schema, text)
    if (frame.ok) {
      if (this.#o.answers?.(frame.value) === true) this.settled()
      // The way goes on: what a frame sets off here (keys to fetch, checks) has its own time.
      else if (this.#awaited !== undefined) this.#expect()
      return this.#o.onFrame(frame.value)
    }
    this.#badFrames += 1
    this.#o.log('warn', 'frame_refused', { connection: this.#o.name, why: frame.error })
    if (this.#badFrames >= limits.agentBadFramesMax) this.drop('too many frames it cannot read')
  }

  #expect(): void {
    clearTimeout(this.#awaited)
    this.#awaited = setTimeout(() => this.drop('no answer'), answerMs)
  }

  #again(): void {
    if (this.#closed) return
    const waitMs = backoffMs(this.#attempt, this.#o.random(), this.#o.backoff)
    this.#attempt += 1
    this.#timer = setTimeout(() => void this.#dial(), waitMs)
  }
}

const asking: ReadonlySet<unknown> = new Set(['pull', 'report', 'rest'])
const answering: ReadonlySet<string> = new Set(['token', 'wait', 'done', 'ack'])

/** The socket of one session: opened under the gateway's address, proven by the agent's key. */
export function sessionConnection(
  session: string,
  deps: Pick<SessionDeps, 'config' | 'signer' | 'log' | 'nowMs' | 'random' | 'newId'>,
  on: Pick<ConnectionOptions<GatewaySessionFrame>, 'onFrame' | 'onLost' | 'onRefused'>,
): Connection<GatewaySessionFrame> {
  const { config, signer, log, random, nowMs, newId } = deps
  const url = new URL(`/v1/sessions/${encodeURIComponent(session)}/agent`, config.gateway)
  url.protocol = url.protocol.replace('http', 'ws')
  return new Connection({
    name: 'session',
    url: url.href,
    schema: gatewaySessionFrame,
    authorization: () => signer.bearer(nowMs(), newId('jti')),
    backoff: { baseMs: config.reconnect.base_ms, maxMs: config.reconnect.max_ms },
    random,
    log,
    asks: (frame) => 'type' in frame && asking.has(frame.type),
    answers: ({ type }) => answering.has(type),
    ...on,
  })
}
