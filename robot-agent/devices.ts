// All MCP servers of the cell together: who is up, what they show, and the calls that go to them.
import type { PinnedTool } from '../protocol/tool-row.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { AgentHealth } from '../protocol/snapshot.ts'
import type { AgentConfig } from './config.ts'
import { Device, type CallOutcome } from './device.ts'
import type { Log } from './log.ts'
import { namesOn, pinProblem, type PinProblem, type ServerView } from './pins.ts'

/** How long one try waits for a server that is away, before it is told as unreachable. */
const stopWaitMs = 2_000
/** A safe-stop is not given up: the longest that a timer of the library can hold. */
const stopTimeoutMs = 2 ** 31 - 1

export type ToolCall = {
  readonly pinned: PinnedTool
  readonly args: JsonObject
  readonly session: string
  readonly nid: string
  readonly signal: AbortSignal
}

export class Devices {
  readonly #devices = new Map<string, Device>()

  constructor(config: AgentConfig, io: { log: Log; random: () => number; onChange: () => void }) {
    const backoff = { baseMs: config.reconnect.base_ms, maxMs: config.reconnect.max_ms }
    for (const [name, server] of Object.entries(config.mcpServers)) {
      this.#devices.set(name, new Device({ name, config: server, backoff, ...io }))
    }
  }

  start(): void {
    for (const device of this.#devices.values()) device.start()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#devices.values()].map((device) => device.close()))
  }

  views(): Map<string, ServerView> {
    return new Map([...this.#devices].map(([name, device]) => [name, device.view]))
  }

  /** True once the server is up; false when it is not within `ms`, or is not configured here. */
  async waitUp(server: string, ms: number): Promise<boolean> {
    return (await this.#devices.get(server)?.waitUp(ms)) ?? false
  }

  /** Why the tool must not be called now; null when its server is up and it is as pinned. */
  problem(pinned: PinnedTool): PinProblem | null {
    return pinProblem(pinned, this.#devices.get(pinned.server)?.view)
  }

  async refresh(server: string): Promise<void> {
    await this.#devices.get(server)?.refresh()
  }

  /** Writes the call in this tick. */
  call({ pinned, args, session, nid, signal }: ToolCall): Promise<CallOutcome> {
    const device = this.#devices.get(pinned.server)
    if (device === undefined) throw new TypeError(`no server ${pinned.server}`)
    return device.call({
      tool: pinned.mcp_tool,
      args,
      meta: { 'portcullis/session': session, 'portcullis/node': nid },
      timeoutMs: pinned.timeout_ms,
      signal,
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
    if (device === undefined) {
      return { outcome: 'unknown', reason: 'not_configured', detail: null, result: null }
    }
    // After a restart the server may still be starting: the safe-stop is worth a wait.
    if (!device.view.up && !(await device.waitUp(stopWaitMs))) {
      return { outcome: 'unknown', reason: 'server_lost', detail: null, result: null }
    }
    return device.call({
      tool: stop.mcp_tool,
      args: stop.args,
      meta: { 'portcullis/session': session },
      timeoutMs: stopTimeoutMs,
      signal: new AbortController().signal,
    })
  }

  /** What a health frame says of the servers; only tools that the registry names are listed. */
  health(tools: readonly PinnedTool[]): AgentHealth['servers'] {
    const out: AgentHealth['servers'] = {}
    for (const [name, { view }] of this.#devices) {
      const named = namesOn(tools, name)
      const shown = [...view.digests].filter(([tool]) => named.has(tool))
      out[name] = { state: view.up ? 'up' : 'down', tools: Object.fromEntries(shown) }
    }
    return out
  }
}
