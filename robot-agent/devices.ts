// All MCP servers of the cell together: who is up, what they show, and the calls that go to them.
import type { PinnedTool, ToolRow } from '../protocol/tool-row.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { PartPiece } from '../protocol/part-frames.ts'
import type { AgentHealth } from '../protocol/snapshot.ts'
import type { AgentConfig } from './config.ts'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { unknownEnd, type CallOutcome } from './answer.ts'
import { Device } from './device.ts'
import { addressOf } from './device-address.ts'
import type { Log } from './log.ts'
import type { Ears } from './progress.ts'
import { namesOn, pinProblem, serverReason, type PinProblem, type ServerView } from './pins.ts'

/** How long one try waits for a server that is away, before it is told as unreachable. */
const stopWaitMs = 2_000
/** A device that hangs is seen within this and the time between two probes. */
const answerMs = 5_000
/** A safe-stop is not given up: the longest that a timer of the library can hold. */
const stopTimeoutMs = 2 ** 31 - 1

export type ToolCall = {
  readonly pinned: ToolRow
  readonly args: JsonObject
  readonly session: string
  readonly nid: string
  readonly signal: AbortSignal
  /** Whether the answer is checked against its row: the gateway knows the word for one that does not fit. */
  readonly checked: boolean
  readonly ears?: Ears
  /** A precondition's reading ends within its freshness, and the device is told what it is for. */
  readonly reading?: { readonly ms: number }
  /** The span of the step (W3C), for the device's own trace; null where there is none. */
  readonly traceparent?: string | null
}

export class Devices {
  readonly #devices = new Map<string, Device>()
  readonly #addresses = new Map<string, string>()
  readonly #unreadMs: number
  /** What the site pins now. It can only make the agent refuse more. */
  #pins: readonly PinnedTool[] = []

  constructor(config: AgentConfig, io: { log: Log; random: () => number; onChange: () => void }) {
    const backoff = { baseMs: config.reconnect.base_ms, maxMs: config.reconnect.max_ms }
    const probeMs = config.probe_ms
    this.#unreadMs = config.unread_ms
    for (const [name, server] of Object.entries(config.mcpServers)) {
      const device = new Device({ name, config: server, backoff, probeMs, answerMs, ...io })
      this.#devices.set(name, device)
      const address = addressOf(server, hostname())
      if (address !== null) this.#addresses.set(name, address)
    }
  }

  start(): void {
    for (const device of this.#devices.values()) device.start()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#devices.values()].map((device) => device.close()))
  }

  /** Waits until every server has shown its tools, `ms` at most. */
  async settled(ms: number): Promise<void> {
    const until = performance.now() + ms
    const open = () => [...this.#devices.values()].some(({ view }) => !view.up)
    while (open() && performance.now() < until) await sleep(20)
  }

  views(): Map<string, ServerView> {
    return new Map([...this.#devices].map(([name, device]) => [name, device.view]))
  }

  pin(tools: readonly PinnedTool[]): void {
    this.#pins = tools
  }

  /** True for a server of this cell. */
  has(server: string): boolean {
    return this.#devices.has(server)
  }

  /** Number of the connection to a server; 0 while there is none. */
  instance(server: string): number {
    const view = this.#devices.get(server)?.view
    return view?.up === true ? view.instance : 0
  }

  /** Why the tool must not be called now; null when its server is up and everything is as pinned. */
  problem(pinned: PinnedTool, rows: readonly PinnedTool[]): PinProblem | null {
    const others = [...rows, ...this.#pins]
    return pinProblem(pinned, this.#devices.get(pinned.server)?.view, others)
  }

  /**
   * Reads the definitions of the tool's server until everything is as pinned, or `ms` are over: a server
   * that starts, stumbles or is slow gets its time here, where nothing is urgent yet.
   */
  async ready(
    pinned: PinnedTool,
    rows: readonly PinnedTool[],
    ms: number,
  ): Promise<PinProblem | null> {
    const device = this.#devices.get(pinned.server)
    if (device === undefined) return 'server_lost'
    const until = performance.now() + ms
    for (;;) {
      if (await device.waitUp(until - performance.now())) {
        await Promise.race([device.refresh(), sleep(until - performance.now())])
      }
      const problem = this.problem(pinned, rows)
      // A list that was read and differs will not change by being read again.
      const settled = problem === 'pin_changed' && device.view.state === 'ok'
      if (problem === null || settled || performance.now() >= until) return problem
      await sleep(100)
    }
  }

  /** Writes the call in this tick. */
  call({
    pinned,
    args,
    session,
    nid,
    signal,
    checked,
    reading,
    ears,
    traceparent = null,
  }: ToolCall): Promise<CallOutcome> {
    const device = this.#devices.get(pinned.server)
    if (device === undefined) throw new TypeError(`no server ${pinned.server}`)
    return device.call({
      tool: pinned.mcp_tool,
      args,
      meta: {
        'portcullis/session': session,
        'portcullis/node': nid,
        ...(reading === undefined ? {} : { 'portcullis/for': 'precondition' }),
        // As SEP-414 has it: the name of W3C, without a prefix.
        ...(traceparent === null ? {} : { traceparent }),
      },
      timeoutMs: Math.min(pinned.timeout_ms, reading?.ms ?? pinned.timeout_ms),
      signal,
      expected: { ...pinned, checked },
      ears,
    })
  }

  /**
   * The one call that needs no token: listed in a signed row of the session, and only ever towards rest.
   * Written in this tick when the server is up, never cancelled, and awaited as long as it takes.
   */
  async safeStop(
    stop: { server: string; mcp_tool: string; args: JsonObject },
    session: string,
  ): Promise<CallOutcome> {
    const device = this.#devices.get(stop.server)
    if (device === undefined) return unknownEnd('not_configured')
    // After a restart the server may still be starting: the safe-stop is worth a wait.
    if (!device.view.up && !(await device.waitUp(stopWaitMs))) return unknownEnd('server_lost')
    let answered = false
    const answer = device
      .call({
        tool: stop.mcp_tool,
        args: stop.args,
        meta: { 'portcullis/session': session },
        timeoutMs: stopTimeoutMs,
        signal: new AbortController().signal,
        expected: null,
      })
      .finally(() => {
        answered = true
      })
    // The second way: a server that is slow to stop reads on, one that does not read is ended.
    void device.answers(this.#unreadMs).then(async (reads) => {
      if (!reads && !answered) await device.endProcess()
    })
    return answer
  }

  /** Text of one resource; null when its server is away or does not give it in time. */
  readResource(server: string, uri: string, ms: number): Promise<string | null> {
    return this.#devices.get(server)?.readResource(uri, ms) ?? Promise.resolve(null)
  }

  /** A piece of a server's list of tools, at most `bytes` from `offset`; null when no list is named so now. */
  listPiece(digest: string, offset: number, bytes: number): PartPiece | null {
    for (const { view } of this.#devices.values()) {
      if (view.list?.digest !== digest) continue
      const { text } = view.list
      return { total: text.length, data: text.subarray(offset, offset + bytes).toString('base64') }
    }
    return null
  }

  /** What a health frame says of the servers; only tools that the registry names are listed. */
  health(tools: readonly PinnedTool[]): AgentHealth['servers'] {
    const out: AgentHealth['servers'] = {}
    for (const [name, { view }] of this.#devices) {
      const named = namesOn(tools, name)
      const shown = [...view.digests].filter(([tool]) => named.has(tool))
      const reason = serverReason(name, view, tools)
      const stated =
        reason === null ? ({ state: 'up' } as const) : { state: 'down' as const, reason }
      const address = this.#addresses.get(name)
      out[name] = {
        ...stated,
        instance: view.instance,
        ...(address === undefined ? {} : { address }),
        ...(view.list === null
          ? {}
          : { list: { digest: view.list.digest, bytes: view.list.text.length } }),
        tools: Object.fromEntries(shown),
      }
    }
    return out
  }
}
