// The presence socket: tells the site that this agent is there and how its devices are, receives the
// pinned tools and the assignments. It never moves anything.
import { gatewayPresenceFrame, type GatewayPresenceFrame } from '../protocol/frames.ts'
import type { PartWanted } from '../protocol/part-frames.ts'
import type { PinnedTool } from '../protocol/tool-row.ts'
import type { AgentHealth } from '../protocol/snapshot.ts'
import { unreachable } from '../protocol/result.ts'
import type { ClockWatch } from './clock.ts'
import type { AgentConfig } from './config.ts'
import { Connection } from './connection.ts'
import type { Log } from './log.ts'
import type { PartStore } from './part-store.ts'
import type { AgentSigner } from './signer.ts'

export type SiteTools = {
  readonly registryDigest: string
  readonly tools: readonly PinnedTool[]
  /** Sandboxes that the site knows; health says which of them are up here. */
  readonly sandboxes: readonly string[]
}

export type PresenceDeps = {
  readonly config: AgentConfig
  readonly bootId: string
  readonly signer: AgentSigner
  readonly log: Log
  readonly nowMs: () => number
  readonly random: () => number
  readonly newId: (kind: 'frame' | 'jti') => string
  readonly clock: ClockWatch
  readonly parts: Pick<PartStore, 'read' | 'keepFor'>
  readonly health: (site: SiteTools) => OwnHealth
  readonly onTools: (site: SiteTools) => void
  /** The gateway has taken a report of a latch. */
  readonly onLatchTold: () => void
  readonly onAssigned: (session: string) => void
  readonly onHalt: (reason: string) => void
  /** A signed order to stop the cell, and the nonce of the connection that it came on. */
  readonly onStopOrder: (order: string, nonce: string) => void
}

/** What this agent says of itself. */
export type OwnHealth = Omit<AgentHealth, 'agent' | 'cell' | 'reported_at_ms'>

/** The same in the words of the first version: a server out of service is just down. */
function plain({ servers, sandboxes }: OwnHealth): OwnHealth {
  const bare = Object.entries(servers).map(
    ([name, { state, tools }]) => [name, { state, tools }] as const,
  )
  return { servers: Object.fromEntries(bare), sandboxes }
}

/** Without the numbers of connections, the addresses or the lists of tools, for a gateway that does not know them. */
function without(own: OwnHealth, word: 'instance' | 'address' | 'list'): OwnHealth {
  const bare = Object.entries(own.servers).map(([name, server]) => {
    const { [word]: _unknown, ...known } = server
    return [name, known] as const
  })
  return { ...own, servers: Object.fromEntries(bare) }
}

const remedy = 'ask an administrator for a code and run `enrol --code CODE`'

/** Changes of a device are told at once, but not one frame for each of thirty tools. */
const healthSoonMs = 50

type Challenge = Extract<GatewayPresenceFrame, { type: 'challenge' }>

export class Presence {
  readonly #deps: PresenceDeps
  readonly #connection: Connection<GatewayPresenceFrame>
  #nonce: string | null = null
  /** The gateway reads the words of health that came after the first version. */
  #reasons = false
  /** The gateway reads the numbers of connections to device servers. */
  #instances = false
  #addresses = false
  /** The gateway orders stops of the cell, and takes answers. */
  #orders = false
  #lists = false
  #latch = false
  /** The frame that told of a latch and is not acknowledged yet. */
  #latchFid: string | null = null
  #site: SiteTools | null = null
  #every: NodeJS.Timeout | undefined
  #soon: NodeJS.Timeout | undefined

  constructor(deps: PresenceDeps) {
    this.#deps = deps
    const { config, signer } = deps
    const url = new URL('/v1/agent', config.gateway)
    url.protocol = url.protocol.replace('http', 'ws')
    this.#connection = new Connection({
      name: 'presence',
      url: url.href,
      schema: gatewayPresenceFrame,
      authorization: () => signer.bearer(deps.nowMs(), deps.newId('jti')),
      backoff: { baseMs: config.reconnect.base_ms, maxMs: config.reconnect.max_ms },
      random: deps.random,
      log: deps.log,
      onFrame: (frame) => this.#onFrame(frame),
      onLost: () => this.#onLost(),
      // A refused credential may be mended by an operator: the agent keeps asking, ever more slowly.
      onRefused: (status, dateMs) => this.#onRefused(status, dateMs),
    })
  }

  start(): void {
    this.#connection.start()
  }

  close(): void {
    this.#onLost()
    this.#connection.close()
  }

  /** A device came, went or changed: tell the site soon. */
  changed(): void {
    if (this.#site === null || this.#nonce === null || this.#soon !== undefined) return
    this.#soon = setTimeout(() => {
      this.#soon = undefined
      this.#sendHealth()
    }, healthSoonMs)
  }

  /** Asks the gateway for its clock once more: a new connection begins with it. */
  again(why: string): void {
    this.#connection.drop(why)
  }

  /** What cannot wait the moment that `changed` takes. */
  now(): void {
    this.#sendHealth()
  }

  /** The signed answer to an order; one that is lost is asked for again. */
  stopped(report: string): void {
    const nonce = this.#nonce
    if (nonce === null || !this.#orders) return
    this.#connection.send({ v: 1, fid: this.#deps.newId('frame'), nonce, type: 'stopped', report })
  }

  #onLost(): void {
    this.#nonce = null
    clearInterval(this.#every)
    clearTimeout(this.#soon)
    this.#soon = undefined
  }

  #onFrame(frame: GatewayPresenceFrame): void {
    const { log } = this.#deps
    switch (frame.type) {
      case 'challenge':
        this.#hello(frame).catch((error: unknown) => {
          log('error', 'internal', { error: error instanceof Error ? error.message : 'unknown' })
          this.#connection.drop('hello failed')
        })
        return
      case 'welcome': {
        if (frame.site !== this.#deps.config.site) {
          log('error', 'wrong_site', { site: frame.site })
          return this.#connection.drop('wrong site')
        }
        this.#connection.settled()
        log('info', 'present', { site: frame.site, tools: frame.tools.length })
        this.#tools(frame)
        clearInterval(this.#every)
        const everyMs = Math.min(Math.max(frame.health_every_ms, 100), 60_000)
        this.#every = setInterval(() => this.#sendHealth(), everyMs)
        return
      }
      case 'registry':
        log('info', 'registry_changed', { registry: frame.registry_digest })
        return this.#tools(frame)
      case 'part_wanted':
        return void this.#part(frame)
      case 'assigned':
        return this.#deps.onAssigned(frame.session)
      case 'ack':
        if (frame.re === this.#latchFid) this.#deps.onLatchTold()
        return
      case 'halt':
        log('warn', 'halt_all', { reason: frame.reason })
        return this.#deps.onHalt(frame.reason)
      case 'stop_order':
        if (this.#nonce !== null) this.#deps.onStopOrder(frame.order, this.#nonce)
        return
      case 'error':
        log('warn', 'gateway_error', { code: frame.code, detail: frame.detail })
        return this.#connection.drop(frame.code)
      default:
        return unreachable(frame)
    }
  }

  /** One piece of a kept part; the site asks for the next when it has taken this one. */
  async #part({ ask, digest, offset, bytes }: PartWanted): Promise<void> {
    const { newId, parts } = this.#deps
    const piece = await parts.read(digest, offset, bytes)
    const nonce = this.#nonce
    if (nonce === null) return
    this.#connection.send({ v: 1, fid: newId('frame'), nonce, type: 'part', ask, piece })
  }

  #tools(frame: Extract<GatewayPresenceFrame, { type: 'welcome' | 'registry' }>): void {
    const { registry_digest: registryDigest, tools, sandboxes, part_keep_ms } = frame
    if (part_keep_ms !== undefined) this.#deps.parts.keepFor(part_keep_ms)
    this.#site = { registryDigest, tools, sandboxes }
    this.#deps.onTools(this.#site)
    this.#sendHealth()
  }

  #onRefused(status: number, dateMs: number): boolean {
    const { clock, log, config, signer } = this.#deps
    clock.seen(dateMs)
    const { agent, site } = config
    if (status === 401 && clock.wrong) {
      log('error', 'clock_skew', { ahead_ms: clock.skewMs, what: 'set the clock of this machine' })
    } else if (status === 401) {
      const what = `the gateway knows no such key for this agent and site, or it was revoked: ${remedy}`
      log('error', 'not_enrolled', { site, agent, jkt: signer.jkt, what })
    } else if (status >= 300 && status < 500 && status !== 429) {
      const what =
        'something else than the gateway answers at `gateway`: a proxy, or a wrong address'
      log('error', 'not_the_gateway', { status, gateway: config.gateway, what })
    }
    return false
  }

  async #hello({ nonce, features, now_ms }: Challenge): Promise<void> {
    this.#deps.clock.seen(now_ms)
    this.#reasons = features?.includes('reasons') ?? false
    this.#instances = features?.includes('instances') ?? false
    this.#addresses = features?.includes('addresses') ?? false
    this.#lists = features?.includes('lists') ?? false
    this.#latch = features?.includes('latch') ?? false
    this.#orders = features?.includes('stop-order') ?? false
    const { config, bootId, signer, nowMs, newId } = this.#deps
    const proof = await signer.hello({
      // A gateway of the version before knows no addressed proofs; it binds no session to this agent.
      ...(features === undefined ? {} : { aud: config.gateway_name }),
      sub: config.agent,
      sid: null,
      nonce,
      boot_id: bootId,
      iat_ms: nowMs(),
    })
    this.#nonce = nonce
    const { cell } = config
    this.#connection.send({
      v: 1,
      fid: newId('frame'),
      nonce,
      type: 'hello',
      boot_id: bootId,
      cell,
      proof,
    })
  }

  /** In the words that this gateway reads. */
  #worded(own: OwnHealth): OwnHealth {
    if (!this.#reasons) return plain(own)
    const numbered = this.#instances ? own : without(own, 'instance')
    const placed = this.#addresses ? numbered : without(numbered, 'address')
    return this.#latched(this.#lists ? placed : without(placed, 'list'))
  }

  /** A gateway that does not know the word for a latch hears that the devices are not at rest. */
  #latched(own: OwnHealth): OwnHealth {
    if (this.#latch || own.out_of_service !== 'local_latch') return own
    return { ...own, out_of_service: 'not_at_rest' }
  }

  #sendHealth(): void {
    const { newId, health } = this.#deps
    if (this.#nonce === null || this.#site === null) return
    const own = health(this.#site)
    const fid = newId('frame')
    if (own.out_of_service === 'local_latch') this.#latchFid = fid
    this.#connection.send({
      v: 1,
      fid,
      nonce: this.#nonce,
      type: 'health',
      health: this.#worded(own),
    })
  }
}
