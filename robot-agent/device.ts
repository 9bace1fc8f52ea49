// One MCP server: connects, reads its tool definitions, calls tools, and is read again at every probe, so
// that a stumble heals by itself and a dead server is down. A call is one `tools/call` request and is
// never sent twice: the SDK's convenience call may retry and may answer questions of the server.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  Client,
  ProtocolError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import type { JsonObject } from '../protocol/json.ts'
import {
  endOfError,
  endOfResult,
  isUnreadable,
  resultSchema,
  unknownEnd,
  type CallOutcome,
  type Expected,
} from './answer.ts'
import { backoffMs, type Backoff } from './backoff.ts'
import { checkedFetch } from './checked-fetch.ts'
import type { McpServerConfig } from './config.ts'
import type { Log } from './log.ts'
import type { ServerView } from './pins.ts'
import type { Ears } from './progress.ts'
import { StdioTransport } from './stdio-transport.ts'
import { readTools } from './tool-list.ts'

export type { CallOutcome } from './answer.ts'

export type CallSpec = {
  readonly tool: string
  readonly args: JsonObject
  readonly meta: JsonObject
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** What the row says of its answers; null where nothing is asked of them. */
  readonly expected: Expected | null
  /** Who hears what the call says while it runs. */
  readonly ears?: Ears | undefined
}

export type DeviceOptions = {
  readonly name: string
  readonly config: McpServerConfig
  readonly backoff: Backoff
  readonly probeMs: number
  /** A server that was up and answers a probe with nothing for so long is not answering. */
  readonly answerMs: number
  readonly random: () => number
  readonly log: Log
  readonly onChange: () => void
}

const listTimeoutMs = 10_000
const down: Omit<ServerView, 'instance'> = {
  up: false,
  state: 'server_lost',
  digests: new Map(),
  list: null,
}

export class Device {
  readonly #o: DeviceOptions
  #client: Client | null = null
  #transport: Transport | null = null
  #view: ServerView = { ...down, instance: 0 }
  #known: ReadonlyMap<string, string> = new Map()
  #attempt = 0
  /** Counts list_changed, so that a list read before one is not taken for the list after it. */
  #changes = 0
  #reading: Promise<void> | null = null
  #next: Promise<void> | null = null
  readonly #waiting = new Set<(end: CallOutcome) => void>()
  readonly #ears = new Set<Ears>()
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: DeviceOptions) {
    this.#o = options
  }

  get view(): ServerView {
    return this.#view
  }

  start(): void {
    void this.#connect()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#client?.close().catch(() => {})
  }

  /** True as soon as the server is up; false when it is not within `ms`. */
  async waitUp(ms: number): Promise<boolean> {
    const until = performance.now() + ms
    while (!this.#view.up && !this.#closed && performance.now() < until) await sleep(20)
    return this.#view.up
  }

  /**
   * Reads the definitions again, by a list that begins after this call. One list is read at a time, and
   * however many ask meanwhile share the next one: a flood of changes is one refresh.
   */
  refresh(): Promise<void> {
    if (this.#reading === null) return this.#read()
    this.#next ??= this.#reading.then(() => {
      this.#next = null
      return this.#read()
    })
    return this.#next
  }

  /** True when the server answers anything at all within `ms`: then it reads what it is sent. */
  async answers(ms: number): Promise<boolean> {
    const client = this.#client
    if (client === null) return false
    try {
      await readTools(client, this.#known, ms)
      return true
    } catch (error) {
      const { reason } = endOfError(error)
      return reason === 'protocol_error' || reason === 'answer_unreadable'
    }
  }

  /** The first text of a resource; null when there is none to be had within `ms`. */
  async readResource(uri: string, ms: number): Promise<string | null> {
    const client = this.#client
    if (client === null) return null
    const answer = await client.readResource({ uri }, { timeout: ms }).catch(() => null)
    const [first] = answer?.contents ?? []
    return first !== undefined && 'text' in first ? first.text : null
  }

  /** Ends the process of a server that does not read, so that a fresh one can be told to stop. */
  async endProcess(): Promise<boolean> {
    const transport = this.#transport
    if (!(transport instanceof StdioTransport)) return false
    this.#o.log('error', 'server_killed', { server: this.#o.name, why: 'it does not read' })
    await transport.kill()
    return true
  }

  /**
   * Writes one call in this very tick and says how it ended. Once written, only an answer of the server
   * can make it `failed`; time-out, cancel and a lost connection are `unknown`.
   */
  call(spec: CallSpec): Promise<CallOutcome> {
    const client = this.#client
    if (client === null) return Promise.resolve(unknownEnd('server_lost'))
    const answer = client
      .request(
        {
          method: 'tools/call',
          params: { name: spec.tool, arguments: { ...spec.args }, _meta: { ...spec.meta } },
        },
        resultSchema,
        { signal: spec.signal, timeout: spec.timeoutMs, ...hearing(spec.ears) },
      )
      .then(
        (result) => endOfResult(result, spec.expected),
        (error: unknown) => (spec.signal.aborted ? unknownEnd('cancelled') : endOfError(error)),
      )
    const { ears } = spec
    if (ears === undefined) return this.#firstOf(spec.tool, answer)
    this.#ears.add(ears)
    return this.#firstOf(spec.tool, answer).finally(() => this.#ears.delete(ears))
  }

  /** The answer, or the end that an unreadable one brings while it is awaited. */
  async #firstOf(tool: string, answer: Promise<CallOutcome>): Promise<CallOutcome> {
    const unreadable = Promise.withResolvers<CallOutcome>()
    this.#waiting.add(unreadable.resolve)
    const end = await Promise.race([answer, unreadable.promise])
    this.#waiting.delete(unreadable.resolve)
    const { reason, detail } = end
    if (reason !== null) {
      this.#o.log('warn', 'call_without_result', { server: this.#o.name, tool, reason, detail })
    }
    return end
  }

  #show(view: ServerView): void {
    const before = this.#view
    this.#view = view
    const same =
      before.up === view.up &&
      before.state === view.state &&
      before.instance === view.instance &&
      before.digests.size === view.digests.size &&
      [...view.digests].every(([name, digest]) => before.digests.get(name) === digest)
    if (!same) this.#o.onChange()
  }

  #read(): Promise<void> {
    const client = this.#client
    if (client === null) return Promise.resolve()
    this.#reading = this.#readOnce(client).finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  async #readOnce(client: Client): Promise<void> {
    const changes = this.#changes
    const { name, log } = this.#o
    try {
      const ms = this.#view.up ? this.#o.answerMs : listTimeoutMs
      const list = await readTools(client, this.#known, ms)
      if (this.#client !== client) return
      this.#known = list.known
      if (list.twice.length > 0 || list.unreadable > 0) {
        const facts = { twice: list.twice.slice(0, 10).join(' '), unreadable: list.unreadable }
        log('warn', 'tool_list_partial', { server: name, ...facts })
      }
      const state = changes === this.#changes ? 'ok' : 'stale'
      this.#show({ ...this.#view, up: true, state, digests: list.digests, list: list.text })
    } catch (error) {
      if (this.#client !== client) return
      const { reason, detail } = endOfError(error)
      log('warn', 'tool_list_failed', { server: name, reason, detail })
      // Over HTTP nothing else tells that the server is gone, or that it forgot the connection.
      if (reason === 'server_lost') return this.#drop(client)
      const state = reason === 'timeout' ? 'not_answering' : 'list_unreadable'
      this.#show({ ...this.#view, state })
    }
  }

  async #connect(): Promise<void> {
    const { name, log, config } = this.#o
    const client = new Client(
      { name: 'portcullis-agent', version: '1.0.0' },
      {
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: listTimeoutMs } },
        inputRequired: { autoFulfill: false },
        listChanged: {
          tools: { autoRefresh: false, debounceMs: 0, onChanged: () => this.#listChanged() },
        },
      },
    )
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's client is no EventTarget
    client.onclose = () => this.#lost(client)
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's client is no EventTarget
    client.onerror = (error) => this.#failed(client, error)
    // Sampling, elicitation, roots: nobody is asked in the middle of an act, and no server is left waiting.
    client.fallbackRequestHandler = ({ method }) => {
      log('warn', 'question_declined', { server: name, method: method.slice(0, 60) })
      for (const ears of this.#ears) ears.declined(method)
      return Promise.reject(new ProtocolError(-32_601, 'this client answers no questions'))
    }
    const transport = transportOf(config, (error) => this.#failed(client, error))
    try {
      await client.connect(transport, { timeout: listTimeoutMs })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      log('warn', 'server_unreachable', { server: name, error: why })
      await client.close().catch(() => {})
      return this.#again()
    }
    if (this.#closed) return void client.close().catch(() => {})
    this.#client = client
    this.#transport = transport
    this.#attempt = 0
    // Whatever answers now is not what answered before: what that one held or had homed is unknown.
    this.#view = { ...this.#view, instance: this.#view.instance + 1 }
    await this.#read()
    if (this.#client === client && this.#view.up) {
      const facts = { instance: this.#view.instance, tools: this.#view.digests.size }
      log('info', 'server_up', { server: name, ...facts })
    }
    this.#probe(client)
  }

  /** The list is read again, soon when the last one failed, at the interval otherwise. */
  #probe(client: Client): void {
    if (this.#closed || this.#client !== client) return
    const bad = this.#view.state !== 'ok'
    const { probeMs, random, backoff } = this.#o
    this.#attempt = bad ? this.#attempt + 1 : 0
    const ms = bad ? Math.min(probeMs, backoffMs(this.#attempt, random(), backoff)) : probeMs
    this.#timer = setTimeout(() => {
      if (this.#client !== client) return
      void this.refresh().then(() => this.#probe(client))
    }, ms)
  }

  #listChanged(): void {
    this.#changes += 1
    if (this.#view.state !== 'stale') {
      this.#o.log('warn', 'tool_list_changed', { server: this.#o.name, changes: this.#changes })
      this.#show({ ...this.#view, state: 'stale' })
    }
    void this.refresh()
  }

  /** An answer that nobody can read ends the calls that wait: which one it was for cannot be told. */
  #failed(client: Client, error: Error): void {
    if (this.#client !== client || !isUnreadable(error)) return
    this.#o.log('warn', 'answer_unreadable', { server: this.#o.name, error: error.message })
    for (const done of this.#waiting) done(endOfError(error))
  }

  #drop(client: Client): void {
    this.#lost(client)
    client.close().catch(() => {})
  }

  #lost(client: Client): void {
    if (this.#client !== client) return
    this.#client = null
    this.#transport = null
    clearTimeout(this.#timer)
    this.#show({ ...down, instance: this.#view.instance })
    if (this.#closed) return
    this.#o.log('warn', 'server_lost', { server: this.#o.name })
    this.#again()
  }

  #again(): void {
    if (this.#closed) return
    const waitMs = backoffMs(this.#attempt, this.#o.random(), this.#o.backoff)
    this.#attempt += 1
    this.#timer = setTimeout(() => void this.#connect(), waitMs)
  }
}

const hearing = (ears: Ears | undefined) =>
  ears === undefined ? {} : { onprogress: ears.progress }

function transportOf(config: McpServerConfig, told: (error: Error) => void): Transport {
  if ('url' in config) {
    return new StreamableHTTPClientTransport(new URL(config.url), {
      requestInit: { headers: config.headers },
      fetch: checkedFetch(told),
    })
  }
  const { command, args, env, cwd } = config
  return new StdioTransport({ command, args, env, cwd })
}
