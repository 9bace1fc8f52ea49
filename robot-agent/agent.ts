// The whole agent: presence, sessions one after another, devices, orderly end. It opens no port.
import { limits } from '../protocol/limits.ts'
import { makeId } from '../protocol/ids.ts'
import type { AgentHealth, OutOfService } from '../protocol/snapshot.ts'
import { CellStop } from './cell-stop.ts'
import { ClockWatch } from './clock.ts'
import type { AgentConfig } from './config.ts'
import { Devices } from './devices.ts'
import { GatewayKeys } from './gateway-keys.ts'
import { Latches } from './latch.ts'
import { KeptLedger } from './kept-ledger.ts'
import { Ledger } from './ledger.ts'
import type { Log } from './log.ts'
import { changedTools } from './pins.ts'
import { PartStore } from './part-store.ts'
import { Presence, type OwnHealth, type SiteTools } from './presence.ts'
import { Session } from './session.ts'
import type { SessionDeps } from './session-deps.ts'
import { SessionRows } from './session-rows.ts'
import type { AgentSigner } from './signer.ts'
import { StopTurns } from './stop-turns.ts'

export type AgentIo = {
  readonly log: Log
  readonly nowMs: () => number
  readonly monotonicMs: () => number
  /** In [0, 1): only for jitter. */
  readonly random: () => number
  /** 26 unguessable bytes: for nonces and ids. */
  readonly randomBytes: () => Uint8Array
}

/** Reports older than this have nobody left to take them. */
const owedMs = limits.sessionMsMax

export class Agent {
  readonly #config: AgentConfig
  readonly #io: AgentIo
  readonly #ledger: KeptLedger
  readonly #clock: ClockWatch
  /** Why no session is taken, as last told. */
  #service: OutOfService | null = null
  readonly #devices: Devices
  readonly #presence: Presence
  readonly #latches: Latches
  /** A latch has held and the gateway has not acknowledged that yet: the cell is still armed there. */
  #latchOwed = false
  readonly #deps: Omit<SessionDeps, 'onRest' | 'onClosed' | 'atRest'>
  readonly #sessions = new Map<string, Session>()
  readonly #rows = new Map<string, SessionRows>()
  readonly #cellStop: CellStop
  readonly #waiting: string[] = []
  #site: SiteTools | null = null
  #ending = false

  constructor(config: AgentConfig, signer: AgentSigner, io: AgentIo) {
    this.#config = config
    this.#io = io
    const { log, nowMs, monotonicMs, random } = io
    const newId: SessionDeps['newId'] = (kind) => makeId(kind, io.randomBytes())
    const bootId = newId('nonce').replace('nonce', 'boot')
    this.#ledger = new KeptLedger({
      open: () => new Ledger(config.state_dir),
      nowMs,
      onFailed: (why) => this.#ledgerFailed(why),
      onMended: () => this.#serviceChanged(),
    })
    this.#devices = new Devices(config, { log, random, onChange: () => this.#devicesChanged() })
    this.#latches = new Latches(config.latches, {
      log,
      readResource: (server, uri, ms) => this.#devices.readResource(server, uri, ms),
      onChange: () => this.#latchChanged(),
    })
    const keys = new GatewayKeys(config.gateway, config.gateway_jkts)
    this.#clock = new ClockWatch(io)
    const common = { config, bootId, signer, log, clock: this.#clock, nowMs, random, newId }
    this.#deps = {
      ...common,
      keys,
      ledger: this.#ledger,
      devices: this.#devices,
      parts: new PartStore(config, { log, nowMs }),
      turns: new StopTurns(),
      monotonicMs,
    }
    this.#cellStop = new CellStop({
      ...this.#deps,
      running: () =>
        [...this.#sessions].flatMap(([name, session]) => {
          const rows = this.#rows.get(name)
          return rows === undefined ? [] : [{ session, rows }]
        }),
      tell: (report) => this.#presence.stopped(report),
      onChange: () => this.#rested(),
    })
    this.#presence = new Presence({
      ...common,
      parts: {
        // A list of tools is asked for by its digest, as a kept part is.
        read: async (digest, offset, bytes) =>
          this.#devices.listPiece(digest, offset, bytes) ??
          (await this.#deps.parts.read(digest, offset, bytes)),
        keepFor: (ms) => this.#deps.parts.keepFor(ms),
      },
      health: (site) => this.#health(site),
      onTools: (site) => this.#tools(site),
      onAssigned: (session) => this.#assigned(session),
      onLatchTold: () => {
        if (this.#latches.engaged || !this.#latchOwed) return
        this.#latchOwed = false
        this.#serviceChanged()
      },
      onHalt: (reason) => {
        for (const session of this.#sessions.values()) session.halt(reason)
      },
      onStopOrder: (order, nonce) => void this.#cellStop.take(order, nonce),
    })
    log('info', 'agent_started', { agent: config.agent, cell: config.cell, boot: bootId })
  }

  /**
   * Connects the devices, takes up what an earlier process owes, then says hello to the site.
   * `atRest`: servers of which a person vouches that what the earlier process moved is at rest.
   */
  async start(atRest: ReadonlySet<string>): Promise<void> {
    this.#devices.start()
    this.#latches.start()
    const owed = this.#ledger.before((l) => l.unfinished(this.#io.nowMs() - owedMs))
    if (!owed.ok) throw new Error('the ledger cannot be read')
    for (const session of owed.value.slice(-limits.agentSessionsMax)) {
      this.#io.log('warn', 'session_taken_up', { session })
      await this.#open(session, atRest)
    }
    this.#presence.start()
  }

  /**
   * SIGTERM or a person at the cell: no further node, orphan policies, reports, then silence. False when
   * something is left behind: a device without confirmed rest, or a ledger that could not be written.
   */
  async stop(reason: 'local_stop' | 'shutdown'): Promise<boolean> {
    if (this.#ending) return false
    this.#ending = true
    this.#io.log('warn', 'stopping', { reason })
    for (const session of this.#sessions.values()) session.end(reason)
    const until = this.#io.monotonicMs() + this.#config.shutdown_ms
    while (this.#sessions.size > 0 && this.#io.monotonicMs() < until) await sleep(20)
    const open = [...this.#sessions.values()].filter((s) => !s.atRest).length
    const moving = open + (this.#cellStop.confirmed ? 0 : 1)
    for (const session of this.#sessions.values()) session.leave()
    this.#cellStop.leave()
    this.#presence.close()
    this.#latches.close()
    await this.#devices.close()
    const written = this.#ledger.close()
    const left = { left_open: this.#sessions.size, not_at_rest: moving, ledger_written: written }
    this.#io.log(moving === 0 && written ? 'info' : 'error', 'stopped', left)
    return moving === 0 && written
  }

  /** A person at the cell ends what runs; the agent stays present. */
  haltSessions(): void {
    for (const session of this.#sessions.values()) session.end('local_stop')
  }

  /** An emergency stop or a door: what runs ends in this tick, and nothing begins while it is so. */
  #latchChanged(): void {
    if (this.#latches.engaged) {
      this.#latchOwed = true
      for (const session of this.#sessions.values()) session.end('local_stop')
    }
    this.#serviceChanged()
    this.#presence.now()
  }

  /** The disk can keep nothing: what runs comes to rest now, and nothing begins until it can. */
  #ledgerFailed(why: string): void {
    this.#io.log('error', 'ledger_failed', { error: why })
    for (const session of this.#sessions.values()) session.end('ledger_failed')
    this.#serviceChanged()
  }

  /** Why no new session is taken now; null when one would be. */
  #outOfService(): OutOfService | null {
    if (!this.#ledger.working) return 'ledger_failed'
    if (this.#latches.engaged || this.#latchOwed) return 'local_latch'
    return this.#clock.wrong ? 'clock_skew' : null
  }

  #serviceChanged(): void {
    const now = this.#outOfService()
    if (now === this.#service) return
    const before = this.#service
    this.#service = now
    if (now === null) {
      this.#io.log('warn', 'back_in_service', { after: before })
      this.#next()
    } else {
      this.#io.log('error', 'out_of_service', {
        why: now,
        clock_ahead_ms: this.#clock.skewMs,
        latches: this.#latches.names.join(' '),
      })
    }
    this.#presence.changed()
  }

  #assigned(session: string): void {
    if (this.#ending || this.#sessions.has(session) || this.#waiting.includes(session)) return
    if (this.#sessions.size + this.#waiting.length >= limits.agentSessionsMax) {
      return this.#io.log('error', 'assignment_refused', { session, why: 'too many sessions' })
    }
    // One session moves in a cell at a time: the next waits until the devices are at rest.
    this.#waiting.push(session)
    this.#next()
  }

  #next(): void {
    if (this.#ending || this.#outOfService() !== null) return
    if ([...this.#sessions.values()].some((s) => !s.atRest) || !this.#cellStop.confirmed) return
    const session = this.#waiting.shift()
    if (session === undefined) return
    this.#io.log('info', 'session_assigned', { session })
    this.#open(session).catch((error: unknown) => {
      this.#io.log('error', 'internal', { error: error instanceof Error ? error.message : '' })
    })
  }

  #open(session: string, atRest: ReadonlySet<string> = new Set()): Promise<void> {
    const rows = this.#ledger.before((ledger) => {
      ledger.openSession(session, this.#io.nowMs())
      return ledger.nodes(session)
    })
    if (!rows.ok) {
      // Out of service: it waits with the others, and the gateway ends it if that takes too long.
      this.#waiting.unshift(session)
      return Promise.resolve()
    }
    const kept = new SessionRows(session, this.#ledger, rows.value)
    const opened = new Session(session, kept, {
      ...this.#deps,
      atRest,
      onRest: () => {
        this.#cellStop.sessionRested()
        this.#rested()
      },
      onClosed: (reason) => {
        const nowMs = this.#io.nowMs()
        this.#ledger.after((ledger) => ledger.endSession(session, reason, nowMs))
        this.#sessions.delete(session)
        this.#rows.delete(session)
        this.#io.log('info', 'session_closed', { session })
        this.#next()
      },
    })
    this.#sessions.set(session, opened)
    this.#rows.set(session, kept)
    return opened.start()
  }

  /** Something came to rest, or has to: a stop of the cell says so, and what waits may begin. */
  #rested(): void {
    this.#presence.changed()
    this.#next()
  }

  /** What the site pins now: only for what health and the log say, never for what is called. */
  #tools(site: SiteTools): void {
    this.#site = site
    this.#devices.pin(site.tools)
    // An order to stop must not have to wait for the keys that prove it.
    void this.#deps.keys.get(true)
    this.#devicesChanged()
  }

  #devicesChanged(): void {
    this.#presence.changed()
    for (const session of this.#sessions.values()) session.devicesChanged()
    const changed = this.#site === null ? [] : changedTools(this.#site.tools, this.#devices.views())
    if (changed.length === 0) return
    this.#io.log('error', 'pin_changed', { tools: changed.slice(0, 10).join(' ') })
  }

  #health(site: SiteTools): OwnHealth {
    this.#serviceChanged()
    if (this.#clock.doubtful) this.#presence.again('clock skew')
    const sandboxes: AgentHealth['sandboxes'] = {}
    for (const name of site.sandboxes) sandboxes[name] = 'down'
    for (const name of this.#config.sandboxes) sandboxes[name] = 'up'
    const servers = this.#devices.health(site.tools)
    // A device that has not confirmed its rest takes no other session.
    const asked = [...this.#sessions.values()].flatMap((session) => session.devices)
    for (const { server, state } of [...asked, ...this.#cellStop.devices]) {
      const shown = servers[server]
      if (state === 'at_rest' || shown === undefined) continue
      servers[server] = { ...shown, state: 'down', reason: 'not_at_rest' }
    }
    const service = this.#service
    if (service === null) return { servers, sandboxes }
    // Down as well, so that a gateway that knows no such reason binds nothing to this agent either.
    for (const server of Object.values(servers)) {
      server.state = 'down'
      server.reason = 'out_of_service'
    }
    const skew = this.#clock.skewMs
    const clock = service === 'clock_skew' && skew !== null ? { clock_skew_ms: skew } : {}
    return { servers, sandboxes, out_of_service: service, ...clock }
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
