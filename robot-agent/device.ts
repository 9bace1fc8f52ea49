// One MCP server: connects, reads its tool definitions, calls tools. A call is one `tools/call` request
// and never sent twice: the SDK's convenience call may retry and may answer questions of the server, so
// it is not used here.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { definitionDigest } from '../protocol/definition.ts'
import type { JsonObject } from '../protocol/json.ts'
import { limits } from '../protocol/limits.ts'
import { backoffMs, type Backoff } from './backoff.ts'
import type { McpServerConfig } from './config.ts'
import type { Log } from './log.ts'
import type { ServerView } from './pins.ts'
import { StdioTransport } from './stdio-transport.ts'

export type CallOutcome = {
  readonly outcome: 'succeeded' | 'failed' | 'unknown'
  /** Stable word; null when succeeded. */
  readonly reason: string | null
  /** The server's own words when it refused; null otherwise. For people, never for a decision. */
  readonly detail: string | null
  /** What the tool answered, as it came; null when it did not. */
  readonly result: object | null
}

export type CallSpec = {
  readonly tool: string
  readonly args: JsonObject
  readonly meta: JsonObject
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export type DeviceOptions = {
  readonly name: string
  readonly config: McpServerConfig
  readonly backoff: Backoff
  readonly random: () => number
  readonly log: Log
  readonly onChange: () => void
}

const listTimeoutMs = 10_000

export class Device {
  readonly #o: DeviceOptions
  #client: Client | null = null
  #view: ServerView = { up: false, stale: false, digests: new Map() }
  /** Definition as text → its digest, from the last list. */
  #known: ReadonlyMap<string, string> = new Map()
  #attempt = 0
  /** Counts list_changed, so that a list read before one is not taken for the list after it. */
  #changes = 0
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
    while (!this.#view.up && !this.#closed && performance.now() < until) {
      await sleep(50)
    }
    return this.#view.up
  }

  /** Reads the definitions again; the view is stale until it has. */
  async refresh(): Promise<void> {
    const client = this.#client
    if (client === null) return
    const changes = this.#changes
    try {
      const { tools } = await client.listTools(undefined, {
        cacheMode: 'bypass',
        timeout: listTimeoutMs,
      })
      const digests = new Map<string, string>()
      const seen = new Map<string, string>()
      for (const tool of tools.slice(0, limits.toolsMax)) {
        // The same text has the same digest: an unchanged list costs no hashing.
        const text = JSON.stringify(tool)
        const known = this.#known.get(text) ?? (await definitionDigest(tool))
        seen.set(text, known)
        digests.set(tool.name, known)
      }
      this.#known = seen
      if (this.#client !== client) return
      this.#show({ up: true, stale: changes !== this.#changes, digests })
    } catch (error) {
      this.#o.log('warn', 'tool_list_failed', { server: this.#o.name, error: message(error) })
      if (this.#client === client) this.#show({ ...this.#view, stale: true })
    }
  }

  /**
   * Writes one call in this very tick and says how it ended. Once written, only an answer of the server
   * can make it `failed`; time-out, cancel and a lost connection are `unknown`.
   */
  call(spec: CallSpec): Promise<CallOutcome> {
    const client = this.#client
    if (client === null) {
      return Promise.resolve(unknown('server_lost'))
    }
    const answer = client.request(
      {
        method: 'tools/call',
        params: { name: spec.tool, arguments: { ...spec.args }, _meta: { ...spec.meta } },
      },
      { signal: spec.signal, timeout: spec.timeoutMs },
    )
    return answer.then(
      (result): CallOutcome =>
        result.isError === true
          ? { outcome: 'failed', reason: 'tool_error', detail: wordsOf(result), result }
          : { outcome: 'succeeded', reason: null, detail: null, result },
      (error: unknown): CallOutcome => {
        this.#o.log('warn', 'call_without_result', {
          server: this.#o.name,
          tool: spec.tool,
          error: message(error),
        })
        if (spec.signal.aborted) return unknown('cancelled')
        if (isAnswer(error)) {
          return { outcome: 'failed', reason: 'tool_refused', detail: message(error), result: null }
        }
        return unknown(/timed out/i.test(message(error)) ? 'timeout' : 'server_lost')
      },
    )
  }

  #show(view: ServerView): void {
    const before = this.#view
    this.#view = view
    const same =
      before.up === view.up &&
      before.stale === view.stale &&
      before.digests.size === view.digests.size &&
      [...view.digests].every(([name, digest]) => before.digests.get(name) === digest)
    if (!same) this.#o.onChange()
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
    try {
      await client.connect(transportOf(config), { timeout: listTimeoutMs })
    } catch (error) {
      log('warn', 'server_unreachable', { server: name, error: message(error) })
      await client.close().catch(() => {})
      return this.#again()
    }
    if (this.#closed) return void client.close().catch(() => {})
    this.#client = client
    this.#attempt = 0
    await this.refresh()
    log('info', 'server_up', { server: name, tools: this.#view.digests.size })
  }

  #listChanged(): void {
    this.#o.log('warn', 'tool_list_changed', { server: this.#o.name })
    this.#changes += 1
    this.#show({ ...this.#view, stale: true })
    void this.refresh()
  }

  #lost(client: Client): void {
    if (this.#client !== client) return
    this.#client = null
    this.#show({ up: false, stale: false, digests: new Map() })
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

const unknown = (reason: string): CallOutcome => ({
  outcome: 'unknown',
  reason,
  detail: null,
  result: null,
})

/** The first text of an answer, short enough for a line in a trail. */
function wordsOf(result: { content?: readonly unknown[] }): string | null {
  for (const part of result.content ?? []) {
    const { text } = part as { text?: unknown }
    if (typeof text === 'string' && text !== '') return text.slice(0, 200)
  }
  return null
}

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The server itself said that it did not take the call (unknown tool, bad arguments). */
function isAnswer(error: unknown): boolean {
  return error instanceof ProtocolError && (error.code === -32602 || error.code === -32601)
}

function transportOf(config: McpServerConfig) {
  if ('url' in config) {
    return new StreamableHTTPClientTransport(new URL(config.url), {
      requestInit: { headers: config.headers },
    })
  }
  const { command, args, env, cwd } = config
  return new StdioTransport({ command, args, env, cwd })
}
