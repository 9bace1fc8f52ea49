// One session's shell: sockets, signatures, ledger and devices around the pure machine. It performs
// effects and turns what happens into events; every decision is in machine.ts.
import type { VerifyKeys } from '../contain/keys.ts'
import type { AcceptedWelcome } from '../contain/receipt.ts'
import type { Feature } from '../protocol/features.ts'
import type { GatewaySessionFrame, NodeProgress } from '../protocol/frames.ts'
import { err, unreachable } from '../protocol/result.ts'
import type { DeviceRest } from '../protocol/tokens.ts'
import { abortReasonOf, acceptSession } from './accept.ts'
import { sessionConnection, type Connection } from './connection.ts'
import type { CallOutcome } from './answer.ts'
import type { NodeRow } from './ledger.ts'
import type { Facts, Log } from './log.ts'
import type { Effect, LocalEnd, MachineEvent, MachineState, NodeEnd } from './machine-types.ts'
import { MachineLoop } from './machine-loop.ts'
import { endOf, NodeRun } from './node-run.ts'
import { tokenEvent } from './node-token.ts'
import { asEnded, leftBehind, orphansOf, safeStopsOf, unaskedOf } from './recovery.ts'
import { ProgressTeller } from './progress.ts'
import { RestReport } from './rest-report.ts'
import { SessionRest } from './rest.ts'
import type { SessionDeps } from './session-deps.ts'
import type { SessionRows } from './session-rows.ts'
import { reportFrame, sessionHello, settledReport } from './session-signed.ts'
import { SessionTimers } from './session-timers.ts'

type Frame<T extends GatewaySessionFrame['type']> = Extract<GatewaySessionFrame, { type: T }>

export class Session {
  readonly session: string
  readonly #deps: SessionDeps
  readonly #connection: Connection<GatewaySessionFrame>
  readonly #run: NodeRun
  readonly #timers: SessionTimers
  readonly #loop = new MachineLoop((effect) => this.#perform(effect))
  #nonce: string | null = null
  #features: readonly Feature[] = []
  readonly #answers = new Map<string, string>()
  #helloFid: string | null = null
  #bound: AcceptedWelcome | null = null
  #keys: VerifyKeys | null = null
  #welcomed: ReadonlyMap<string, NodeProgress> = new Map()
  readonly #rows: SessionRows
  readonly rest: SessionRest
  /** All devices that this session has moved were asked to stop. */
  #stopping = false
  /** An earlier process has moved something in this session. */
  readonly #takenUp: boolean
  readonly #report: RestReport
  readonly #teller = new ProgressTeller((nid, told) => {
    if (this.#features.includes('progress')) this.#tell('progress', { nid, told })
  })

  constructor(session: string, rows: SessionRows, deps: SessionDeps) {
    this.session = session
    this.#deps = deps
    this.#rows = rows
    this.#takenUp = rows.nodes().some((row) => row.actuated)
    this.#run = new NodeRun(session, rows, deps)
    this.rest = new SessionRest(session, deps, () => this.#restChanged())
    this.#report = new RestReport(session, deps)
    this.#timers = new SessionTimers(deps.config, (event) => this.#dispatch(event))
    this.#connection = sessionConnection(session, deps, {
      onFrame: (frame) => this.#onFrame(frame),
      onLost: () => {
        this.#nonce = null
        this.#dispatch({ type: 'link_lost' })
      },
      onRefused: (status, dateMs) => this.#onRefused(status, dateMs),
    })
  }

  /** True once no node of this session can run any more and its devices have confirmed their rest. */
  get atRest(): boolean {
    return this.#stopping && this.rest.confirmed
  }

  /** Takes up what an earlier process left behind, its devices first, then dials. */
  async start(): Promise<void> {
    const rows = this.#rows
    const orphaned = orphansOf(rows.nodes())
    if (orphaned.some(({ end }) => end.actuated)) {
      this.#stopAll('agent_restarted', asEnded(rows.nodes(), orphaned))
    }
    for (const { row, end } of orphaned) {
      this.#log('warn', 'node_orphaned', { node: row.nid, outcome: end.outcome })
      await settledReport(
        this.#deps,
        { session: row.session, rows, bound: null, result: null },
        end,
      )
    }
    this.#loop.begin(leftBehind(rows.nodes()))
    // An event without meaning lets the machine act on what was left.
    this.#dispatch({ type: 'timer', timer: 'pull', nid: null })
    if (!this.#state.closed) this.#connection.start()
  }

  halt(reason: string): void {
    this.#dispatch({ type: 'halt', reason })
  }

  end(reason: LocalEnd): void {
    this.#dispatch({ type: 'local_end', reason })
  }

  /** How the devices stand that this session has asked to stop. */
  get devices(): readonly DeviceRest[] {
    return this.#stopping ? this.rest.devices : []
  }

  /** A server came, went or was started anew: what this session moved on it is not continued. */
  devicesChanged(): void {
    if (this.#state.over !== null || this.#state.work.at === 'running') return
    const server = this.#run.lostServer()
    if (server === null) return
    this.#log('error', 'server_restarted', { server })
    this.end('server_restarted')
  }

  /** The process is about to exit: no more waiting for anybody. */
  leave(): void {
    this.#timers.clearAll()
    this.rest.leave()
    this.#connection.close()
  }

  #dispatch(event: MachineEvent): void {
    this.#loop.dispatch(event)
  }

  get #state(): MachineState {
    return this.#loop.state
  }

  #onRefused(status: number, dateMs: number): boolean {
    this.#deps.clock.seen(dateMs)
    // 404 and 410: the gateway knows no such session, so there is nobody left to report to.
    if (status !== 404 && status !== 410) return false
    this.#forsaken('session_unknown')
    return true
  }

  #forsaken(reason: string): void {
    this.#connection.close()
    this.#dispatch({ type: 'forsaken', reason })
  }

  #onFrame(frame: GatewaySessionFrame): void {
    switch (frame.type) {
      case 'challenge':
        return this.#background(this.#hello(frame))
      case 'welcome':
        if (frame.re !== this.#helloFid || this.#nonce === null) {
          return this.#log('warn', 'frame_ignored', { type: frame.type })
        }
        return this.#background(this.#welcome(frame, this.#nonce))
      case 'token':
        if (this.#state.work.at === 'pulled') this.#run.release(frame)
        return this.#dispatch({ type: 'token', nid: frame.nid })
      case 'wait':
        return this.#dispatch({ type: 'wait', ms: frame.ms })
      case 'done':
        this.#dispatch({ type: 'done', status: frame.status })
        return this.#sendRest()
      case 'go':
        if (this.#state.work.at === 'starting') this.#run.go(frame.go)
        return this.#dispatch({ type: 'go', nid: frame.nid })
      case 'go_spent':
        return this.#dispatch({ type: 'go_spent', nid: frame.nid })
      case 'ack':
        return this.#acked(frame)
      case 'halt':
        return this.#dispatch({ type: 'halt', reason: frame.reason })
      case 'error':
        this.#log('warn', 'gateway_error', { code: frame.code, detail: frame.detail })
        // Nobody there will ever take this session from this key: it is over here as well.
        if (frame.code === 'session_unknown' || frame.code === 'key_not_bound') {
          return this.#forsaken(frame.code)
        }
        return this.#connection.drop(frame.code)
      default:
        return unreachable(frame)
    }
  }

  // ---- connection ----

  async #hello({ nonce, features, now_ms }: Frame<'challenge'>): Promise<void> {
    const { clock } = this.#deps
    clock.seen(now_ms)
    // The session waits for a clock that is right; what moved was stopped by then or is being reported.
    if (clock.wrong && this.#rows.nodes().length === 0) return this.#connection.drop('clock skew')
    if (this.#nonce !== null) return this.#connection.drop('second challenge')
    // Without it, what a tool's name means would be the word of whoever holds the connection.
    if (!features?.includes('signed-rows')) return this.#connection.drop('gateway_outdated')
    this.#nonce = nonce
    this.#features = features
    const hello = await sessionHello(this.#deps, this.session, nonce, this.#rows)
    if (this.#nonce !== nonce) return
    this.#helloFid = hello.fid
    this.#send(hello)
  }

  async #welcome(frame: Frame<'welcome'>, nonce: string): Promise<void> {
    const at = { session: this.session, before: this.#bound }
    const accepted = await acceptSession(frame, at, this.#deps)
    if (this.#nonce !== nonce) return
    if (!accepted.ok) {
      this.#log('error', 'welcome_refused', { why: accepted.error })
      if (accepted.error === 'keys_unreachable') return this.#connection.drop(accepted.error)
      const reason = abortReasonOf(accepted.error)
      return this.#dispatch({ type: 'welcome_refused', reason, detail: accepted.error })
    }
    this.#connection.settled()
    this.#bound = accepted.value.bound
    this.#run.traced(frame.traceparent)
    this.#keys = accepted.value.keys
    this.#welcomed = new Map(frame.progress.map(({ nid, state }) => [nid, state]))
    this.#log('info', 'session_open', { ctx: frame.ctx, nodes: frame.context.order.length })
    // An earlier process of this agent moved something: its devices are other instances by now.
    if (this.#takenUp && this.#state.over === null) this.end('server_restarted')
    this.#dispatch({ type: 'welcomed', progress: this.#welcomed })
    this.#sendRest()
  }

  // ---- effects out ----

  #perform(effect: Effect): void {
    switch (effect.do) {
      case 'send_pull':
        return this.#tell('pull', {})
      case 'check_token':
        return this.#background(this.#checkToken(effect.nid))
      case 'send_start':
        return this.#background(this.#sendStart(effect.nid))
      case 'check_go':
        return this.#background(this.#checkGo(effect.nid))
      case 'actuate':
        return this.#actuate(effect.nid)
      case 'cancel':
        return this.#run.cancel()
      case 'settle':
        return this.#background(this.#settle(effect.end))
      case 'send_report':
        return this.#send(reportFrame(effect.report, this.#rows, this.#features))
      case 'send_abort':
        this.#log('warn', 'abort', { reason: effect.reason, detail: effect.detail })
        return this.#tell('abort', { reason: effect.reason, detail: effect.detail.slice(0, 300) })
      case 'acked':
        return this.#rows.acked(effect.nid)
      case 'forget':
        return this.#rows.forget(effect.nid)
      case 'safe_stop_running':
        return this.#background(this.#run.stopHeld(this.rest, () => this.#runs(effect.nid)))
      case 'safe_stop_all':
        return this.#stopAll(effect.cause)
      case 'timer':
        return this.#timers.set(effect)
      case 'clear_timer':
        return this.#timers.clear(effect.timer)
      case 'log':
        return this.#log('info', effect.event, { detail: effect.detail })
      case 'close':
        this.leave()
        return this.#deps.onClosed(effect.reason)
      default:
        return unreachable(effect)
    }
  }

  async #checkToken(nid: string): Promise<void> {
    const [bound, keys] = [this.#bound, this.#keys]
    // Invariant: a token is only taken after a welcome was accepted.
    if (bound === null || keys === null) throw new TypeError('a token without a welcome')
    const { outcomes, work } = this.#state
    const event = await tokenEvent(this.#run, nid, {
      check: () => this.#run.check({ bound, keys, welcomed: this.#welcomed, outcomes }),
      features: this.#features,
      wanted: () => this.#state.work === work,
      log: (event_, facts) => this.#log('error', event_, facts),
    })
    if (event !== null) this.#dispatch(event)
  }

  async #sendStart(nid: string): Promise<void> {
    const cn = this.#nonce
    if (cn === null) return
    const wanted = () => this.#state.work.at === 'starting' && this.#nonce === cn
    const signed = await this.#run.start(cn, wanted)
    if (signed === null) return
    const { token, start, tool } = signed
    this.#tell('start', { nid, token, start })
    this.#log('info', 'start_sent', { node: nid, tool })
  }

  async #checkGo(nid: string): Promise<void> {
    if (this.#keys === null) throw new TypeError('a go without a welcome')
    const event = await this.#run.checkGo(nid, this.#keys)
    if (event.type === 'go_refused') {
      this.#log('error', 'go_refused', { node: nid, reason: event.reason })
    }
    this.#dispatch(event)
  }

  /** Everything from the halt flag to the written call happens in this one tick. */
  #actuate(nid: string): void {
    const halted = { type: 'not_actuated', nid, reason: 'halted', abort: null } as const
    const call =
      this.#state.over === null ? this.#run.actuate(nid, this.#features, this.#teller) : err(halted)
    if (call.ok) {
      this.#log('info', 'node_actuated', { node: nid })
      return this.#background(this.#ended(nid, call.value))
    }
    this.#log('error', 'not_actuated', { node: nid, reason: call.error.reason })
    this.#dispatch(call.error)
  }

  async #ended(nid: string, call: Promise<CallOutcome>): Promise<void> {
    const { end, answer } = await endOf(nid, call, this.#deps.parts)
    this.#teller.end()
    if (answer !== null) this.#answers.set(nid, answer)
    const { outcome, reason } = end
    this.#log(reason === null ? 'info' : 'warn', 'node_ended', { node: nid, outcome, reason })
    this.#dispatch({ type: 'tool_ended', end })
  }

  #runs(nid: string): boolean {
    const { work } = this.#state
    return work.at === 'running' && work.nid === nid
  }

  async #settle(end: NodeEnd): Promise<void> {
    const { session } = this
    const result = this.#answers.get(end.nid) ?? null
    const of = { session, rows: this.#rows, bound: this.#bound, result }
    const text = await settledReport(this.#deps, of, end)
    this.#dispatch({ type: 'reported', end, text })
  }

  /** Every device that this session has moved, in this tick: nothing is read and nothing is awaited. */
  #stopAll(cause: string, rows: readonly NodeRow[] = this.#rows.nodes()): void {
    for (const stop of safeStopsOf(rows)) {
      const { server } = stop
      if (!this.#deps.atRest.has(server)) this.rest.want(stop, cause)
      else if (!this.#stopping) this.rest.note({ server, state: 'at_rest', detail: 'by_person' })
    }
    if (!this.#stopping) for (const device of unaskedOf(rows)) this.rest.note(device)
    this.#stopping = true
    this.#restChanged()
  }

  #restChanged(): void {
    const { devices } = this.rest
    if (this.#stopping && devices.length > 0) {
      this.#dispatch({ type: 'rest', owed: true })
      this.#background(this.#tellRest(devices))
    }
    if (!this.atRest) return
    this.#dispatch({ type: 'safe' })
    this.#deps.onRest()
  }

  async #tellRest(devices: readonly DeviceRest[]): Promise<void> {
    const ctx = this.#bound?.ctx ?? this.#rows.nodes()[0]?.ctx
    if (ctx === undefined) return this.#dispatch({ type: 'rest', owed: false })
    if (await this.#report.sign(ctx, devices)) this.#sendRest()
  }

  #sendRest(): void {
    const { frame } = this.#report
    if (frame !== null) this.#send(frame)
  }

  #acked({ nid, re }: Frame<'ack'>): void {
    if (nid !== null) return this.#dispatch({ type: 'ack', nid })
    if (this.#report.acked(re)) this.#dispatch({ type: 'rest', owed: false })
  }

  #tell(type: string, body: object): void {
    this.#send({ fid: this.#deps.newId('frame'), type, ...body })
  }

  #send(frame: { fid: string; type: string; [key: string]: unknown }): void {
    const nonce = this.#nonce
    if (nonce !== null) this.#connection.send({ v: 1, nonce, ...frame })
  }

  #log(level: Parameters<Log>[0], event: string, facts: Facts): void {
    this.#deps.log(level, event, { session: this.session, ...facts })
  }

  /** A mistake in the background must not pass unseen. */
  #background(work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#log('error', 'internal', { error: error instanceof Error ? error.message : 'unknown' })
      this.#dispatch({ type: 'local_end', reason: 'local_stop' })
    })
  }
}
