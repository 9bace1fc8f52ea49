// One session's shell: sockets, signatures, ledger and devices around the pure machine. It performs
// effects and turns what happens into events; every decision is in machine.ts.
import { setTimeout as sleep } from 'node:timers/promises'
import { goIsLate, verifyGo } from '../contain/go.ts'
import type { Bound } from '../contain/checks.ts'
import type { VerifyKeys } from '../contain/keys.ts'
import { acceptWelcome, type WelcomeFailure } from '../contain/receipt.ts'
import { readSigned, verifySigned } from '../contain/verify.ts'
import { digest } from '../protocol/digest.ts'
import {
  gatewaySessionFrame,
  type GatewaySessionFrame,
  type NodeProgress,
  type PinnedTool,
} from '../protocol/frames.ts'
import { err, ok, unreachable, type Result } from '../protocol/result.ts'
import { Connection } from './connection.ts'
import type { CallOutcome } from './device.ts'
import { initialState } from './machine-types.ts'
import type {
  AbortReason,
  Effect,
  MachineEvent,
  MachineState,
  NodeEnd,
  Timer,
} from './machine-types.ts'
import { step } from './machine.ts'
import { checkReleased, type ReadyNode, type Released } from './node-checks.ts'
import { leftBehind, orphanedEnd, safeStopsOf, type StopCall } from './recovery.ts'
import type { SessionDeps } from './session-deps.ts'

type Frame<T extends GatewaySessionFrame['type']> = Extract<GatewaySessionFrame, { type: T }>

/** The start that is out: what a `go` must repeat, and since when. */
type Started = { readonly nonce: string; readonly sentMs: number; readonly listed: Promise<void> }

/** Before a start nothing is urgent: a server or the pins may need this long after a restart. */
const readyWaitMs = 10_000
/** A held tool that does not answer its safe-stop is cancelled after this. */
const holdCancelMs = 2_000

export class Session {
  readonly session: string
  readonly #deps: SessionDeps
  readonly #connection: Connection<GatewaySessionFrame>
  readonly #timers = new Map<Timer, NodeJS.Timeout>()
  readonly #queue: MachineEvent[] = []
  #draining = false
  #state: MachineState
  #nonce: string | null = null
  #helloFid: string | null = null
  #bound: Bound | null = null
  #keys: VerifyKeys | null = null
  #welcomed: ReadonlyMap<string, NodeProgress> = new Map()
  #released: Released | null = null
  #ready: ReadyNode | null = null
  #started: Started | null = null
  #goText: string | null = null
  #call: AbortController | null = null
  #rest = false

  constructor(session: string, deps: SessionDeps) {
    this.session = session
    this.#deps = deps
    const { config, signer, log } = deps
    this.#state = initialState({ reports: [], outcomes: new Map(), over: null })
    const url = new URL(`/v1/sessions/${encodeURIComponent(session)}/agent`, config.gateway)
    url.protocol = url.protocol.replace('http', 'ws')
    this.#connection = new Connection({
      name: 'session',
      url: url.href,
      schema: gatewaySessionFrame,
      authorization: () => signer.bearer(deps.nowMs(), deps.newId('jti')),
      backoff: { baseMs: config.reconnect.base_ms, maxMs: config.reconnect.max_ms },
      random: deps.random,
      log,
      pingMs: 10_000,
      onFrame: (frame) => this.#onFrame(frame),
      onLost: () => this.#onLost(),
      onRefused: (status) => this.#onRefused(status),
    })
  }

  /** True once no node of this session can run any more and its devices have been seen to. */
  get atRest(): boolean {
    return this.#rest
  }

  /** Takes up what an earlier process left behind, then dials. */
  async start(): Promise<void> {
    const { ledger, log, nowMs } = this.#deps
    ledger.openSession(this.session, nowMs())
    for (const row of ledger.nodes(this.session)) {
      const end = orphanedEnd(row)
      if (end === null) continue
      log('warn', 'node_orphaned', { session: this.session, node: row.nid, outcome: end.outcome })
      const report = await this.#signReport(row.ctx, row.jti, row.started_ms, end)
      ledger.ended(this.session, row.nid, { ...end, report, now_ms: nowMs() })
    }
    this.#state = initialState(leftBehind(ledger.nodes(this.session)))
    // An event without meaning lets the machine act on what was left: safe-stops come first.
    this.#dispatch({ type: 'timer', timer: 'pull', nid: null })
    if (!this.#state.closed) this.#connection.start()
  }

  halt(reason: string): void {
    this.#dispatch({ type: 'halt', reason })
  }

  end(reason: 'local_stop' | 'shutdown'): void {
    this.#dispatch({ type: 'local_end', reason })
  }

  /** The process is about to exit: no more waiting for anybody. */
  leave(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#connection.close()
  }

  // ---- events in ----

  #dispatch(event: MachineEvent): void {
    this.#queue.push(event)
    if (this.#draining) return
    this.#draining = true
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        const { state, effects } = step(this.#state, next)
        this.#state = state
        for (const effect of effects) this.#perform(effect)
      }
    } finally {
      this.#draining = false
    }
  }

  #onLost(): void {
    this.#nonce = null
    this.#dispatch({ type: 'link_lost' })
  }

  #onRefused(status: number): boolean {
    // 404 and 410: the gateway knows no such session, so there is nobody left to report to.
    if (status !== 404 && status !== 410) return false
    this.#dispatch({ type: 'halt', reason: 'session_unknown' })
    this.#perform({ do: 'close', reason: 'session_unknown' })
    return true
  }

  #onFrame(frame: GatewaySessionFrame): void {
    switch (frame.type) {
      case 'challenge':
        return this.#background(this.#hello(frame.nonce))
      case 'welcome':
        if (frame.re !== this.#helloFid || this.#nonce === null) return this.#ignored(frame.type)
        return this.#background(this.#welcome(frame, this.#nonce))
      case 'token':
        if (this.#state.work.at === 'pulled') this.#released = frame
        return this.#dispatch({ type: 'token', nid: frame.nid })
      case 'wait':
        return this.#dispatch({ type: 'wait', ms: frame.ms })
      case 'done':
        return this.#dispatch({ type: 'done', status: frame.status })
      case 'go':
        if (this.#state.work.at === 'starting') this.#goText = frame.go
        return this.#dispatch({ type: 'go', nid: frame.nid })
      case 'go_spent':
        return this.#dispatch({ type: 'go_spent', nid: frame.nid })
      case 'ack':
        return frame.nid === null ? undefined : this.#dispatch({ type: 'ack', nid: frame.nid })
      case 'halt':
        return this.#dispatch({ type: 'halt', reason: frame.reason })
      case 'error':
        this.#log('warn', 'gateway_error', { code: frame.code, detail: frame.detail })
        if (frame.code === 'session_unknown') this.#dispatch({ type: 'halt', reason: frame.code })
        return this.#connection.drop(frame.code)
      default:
        return unreachable(frame)
    }
  }

  #ignored(type: string): void {
    this.#log('warn', 'frame_ignored', { type })
  }

  // ---- connection ----

  async #hello(nonce: string): Promise<void> {
    const { config, bootId, signer, ledger, nowMs, newId } = this.#deps
    if (this.#nonce !== null) return this.#connection.drop('second challenge')
    this.#nonce = nonce
    const proof = await signer.hello({
      sub: config.agent,
      sid: this.session,
      nonce,
      boot_id: bootId,
      iat_ms: nowMs(),
    })
    if (this.#nonce !== nonce) return
    this.#helloFid = newId('frame')
    const head = ledger.nodes(this.session).map(({ nid, state }) => ({ nid, state }))
    this.#send({
      fid: this.#helloFid,
      type: 'hello',
      session: this.session,
      boot_id: bootId,
      ledger_head: head,
      proof,
    })
  }

  async #welcome(frame: Frame<'welcome'>, nonce: string): Promise<void> {
    const accepted = await this.#accept(frame)
    if (this.#nonce !== nonce) return
    if (!accepted.ok) {
      this.#log('error', 'welcome_refused', { why: accepted.error })
      const reason = contextFailures.has(accepted.error) ? 'context_mismatch' : 'receipt_invalid'
      if (accepted.error === 'keys_unreachable') return this.#connection.drop(accepted.error)
      return this.#dispatch({ type: 'welcome_refused', reason, detail: accepted.error })
    }
    this.#connection.settled()
    this.#bound = accepted.value
    this.#welcomed = new Map(frame.progress.map(({ nid, state }) => [nid, state]))
    this.#log('info', 'session_open', { ctx: frame.ctx, nodes: frame.context.order.length })
    this.#dispatch({ type: 'welcomed', progress: this.#welcomed })
  }

  async #accept(
    frame: Frame<'welcome'>,
  ): Promise<Result<Bound, WelcomeFailure | 'keys_unreachable' | 'keys_not_pinned'>> {
    const { config, signer, nowMs } = this.#deps
    const keys = await this.#deps.keys.get(true)
    if (!keys.ok) {
      return err(keys.error === 'not_pinned' ? 'keys_not_pinned' : 'keys_unreachable')
    }
    this.#keys = keys.value
    const read = readSigned('receipt', frame.receipt)
    const claimed = read.ok ? (read.value.payload as { iss?: unknown } | null)?.iss : null
    const iss = config.issuer ?? this.#bound?.iss ?? (typeof claimed === 'string' ? claimed : '')
    const { site, cell, agent } = config
    const me = { iss, site, cell, agent, jkt: signer.jkt, session: this.session }
    const accepted = await acceptWelcome(frame, me, { keys: keys.value, now_ms: nowMs() })
    if (!accepted.ok) return accepted
    // A context once accepted is the only one of this session, whatever comes later.
    if (this.#bound !== null && this.#bound.ctx !== accepted.value.ctx) return err('hash_mismatch')
    const receipt = await verifySigned('receipt', frame.receipt, keys.value)
    if (!receipt.ok) return err('receipt_signature')
    // The decision was still valid when the session was bound.
    return receipt.value.iat * 1000 > receipt.value.valid_until_ms
      ? err('receipt_expired')
      : ok(accepted.value)
  }

  // ---- effects out ----

  #perform(effect: Effect): void {
    const { ledger } = this.#deps
    switch (effect.do) {
      case 'send_pull':
        return this.#send({ fid: this.#deps.newId('frame'), type: 'pull' })
      case 'check_token':
        return this.#background(this.#checkToken(effect.nid))
      case 'send_start':
        return this.#background(this.#sendStart(effect.nid))
      case 'check_go':
        return this.#background(this.#checkGo(effect.nid))
      case 'actuate':
        return this.#actuate(effect.nid)
      case 'cancel':
        return this.#call?.abort()
      case 'settle':
        return this.#background(this.#settle(effect.end))
      case 'send_report': {
        const { nid, text } = effect.report
        // The same report keeps its frame id on every connection.
        return this.#send({ fid: `report_${nid}`.slice(0, 64), type: 'report', nid, report: text })
      }
      case 'send_abort':
        this.#log('warn', 'abort', { reason: effect.reason, detail: effect.detail })
        return this.#send({
          fid: this.#deps.newId('frame'),
          type: 'abort',
          reason: effect.reason,
          detail: effect.detail.slice(0, 300),
        })
      case 'acked':
        return ledger.acked(this.session, effect.nid)
      case 'forget':
        return ledger.forget(this.session, effect.nid)
      case 'safe_stop_running':
        return this.#background(this.#stopHeld(effect.nid))
      case 'safe_stop_all':
        return this.#background(this.#stopAll(effect.cause))
      case 'timer':
        return this.#setTimer(effect)
      case 'clear_timer':
        return clearTimeout(this.#timers.get(effect.timer))
      case 'log':
        return this.#log('info', effect.event, { detail: effect.detail })
      case 'close':
        ledger.endSession(this.session, effect.reason, this.#deps.nowMs())
        this.leave()
        return this.#deps.onClosed()
      default:
        return unreachable(effect)
    }
  }

  async #checkToken(nid: string): Promise<void> {
    const { config, signer, ledger, devices, nowMs } = this.#deps
    const released = this.#released
    const bound = this.#bound
    const keys = this.#keys
    // Invariant: a token is only taken after a welcome was accepted.
    if (released === null || bound === null || keys === null) throw new TypeError('no welcome')
    const tools = await this.#tools(bound.context.registry_digest)
    const ready = await checkReleased(released, {
      bound,
      keys,
      welcomed: this.#welcomed,
      outcomes: this.#state.outcomes,
      jkt: signer.jkt,
      nowMs: nowMs(),
      tools,
      sandboxes: config.sandboxes,
      isUsed: (jti) => ledger.isUsed(jti),
    })
    if (!ready.ok) return this.#refuse(nid, ready.error.reason, ready.error.detail)
    const { pinned, claims } = ready.value
    await devices.waitUp(pinned.server, readyWaitMs)
    const problem = devices.problem(pinned)
    if (problem !== null) return this.#refuse(nid, problem, pinned.tool)
    if (this.#state.work.at !== 'checking') return
    this.#ready = ready.value
    const { ctx } = bound
    const { jti } = claims
    ledger.received({ session: this.session, nid, jti, ctx, tool: pinned, started_ms: nowMs() })
    this.#dispatch({ type: 'token_good', nid })
  }

  /** The pinned tools; after a restart the presence socket may still be on its way to them. */
  async #tools(registryDigest: string): Promise<ReadonlyMap<string, PinnedTool> | null> {
    const { toolsOf, monotonicMs } = this.#deps
    const until = monotonicMs() + readyWaitMs
    while (toolsOf(registryDigest) === null && monotonicMs() < until) await sleep(50)
    return toolsOf(registryDigest)
  }

  #refuse(nid: string, reason: AbortReason, detail: string): void {
    this.#log('error', 'token_refused', { node: nid, reason, detail })
    this.#dispatch({ type: 'token_refused', nid, reason, detail })
  }

  async #sendStart(nid: string): Promise<void> {
    const { config, signer, ledger, devices, nowMs, monotonicMs, newId } = this.#deps
    const ready = this.#ready
    const cn = this.#nonce
    const bound = this.#bound
    if (ready === null || cn === null || bound === null) return
    const nonce = newId('nonce')
    const start = await signer.start({
      sub: config.agent,
      sid: this.session,
      nid,
      jti: ready.claims.jti,
      ctx: bound.ctx,
      nonce,
      cn,
      iat_ms: nowMs(),
    })
    if (this.#state.work.at !== 'starting' || this.#nonce !== cn) return
    ledger.started(this.session, nid, nowMs())
    // The definitions are read again while the gateway answers, so that the check costs no time.
    const listed = devices.refresh(ready.pinned.server)
    this.#started = { nonce, sentMs: monotonicMs(), listed }
    const { text: token } = { text: this.#released?.token ?? '' }
    this.#send({ fid: newId('frame'), type: 'start', nid, token, start })
    this.#log('info', 'start_sent', { node: nid, tool: ready.pinned.tool })
  }

  async #checkGo(nid: string): Promise<void> {
    const ready = this.#ready
    const started = this.#started
    const keys = this.#keys
    const text = this.#goText
    this.#goText = null
    if (ready === null || started === null || keys === null || text === null) {
      return this.#dispatch({ type: 'go_refused', nid, reason: 'go_mismatch' })
    }
    const elapsed = this.#deps.monotonicMs() - started.sentMs
    const expected = { token: ready.claims, nonce: started.nonce, elapsed_ms: elapsed }
    const [go] = await Promise.all([verifyGo(text, expected, keys), started.listed])
    if (!go.ok) {
      this.#log('error', 'go_refused', { node: nid, reason: go.error })
      return this.#dispatch({ type: 'go_refused', nid, reason: go.error })
    }
    this.#dispatch({ type: 'go_good', nid, policy: ready.pinned.orphan_policy })
  }

  /** One tick: halt flag, age of the `go`, pin, ledger, call. Nothing can come between them. */
  #actuate(nid: string): void {
    const { ledger, devices, bootId, nowMs, monotonicMs } = this.#deps
    const ready = this.#ready
    const started = this.#started
    if (ready === null || started === null) throw new TypeError('a go without a start')
    const { pinned, node, claims } = ready
    const no = (reason: string, abort: AbortReason | null = null) => {
      this.#log('error', 'not_actuated', { node: nid, reason })
      this.#dispatch({ type: 'not_actuated', nid, reason, abort })
    }
    const late = () => goIsLate(monotonicMs() - started.sentMs)
    if (this.#state.over !== null) return no('halted')
    if (late()) return no('go_late')
    const problem = devices.problem(pinned)
    if (problem !== null) return no(problem, problem)
    if (ledger.isUsed(claims.jti)) return no('already_executed')
    const at = { boot_id: bootId, now_ms: nowMs() }
    if (!ledger.actuated(this.session, nid, at)) return no('already_executed')
    // The disk may have been slow: the half second counts to this very line.
    if (late()) return no('go_late')
    const call = new AbortController()
    this.#call = call
    const session = this.session
    const ended = devices.call({ pinned, args: node.args, session, nid, signal: call.signal })
    this.#log('info', 'node_actuated', { node: nid, tool: pinned.tool })
    this.#background(this.#ended(nid, ended))
  }

  async #ended(nid: string, call: Promise<CallOutcome>): Promise<void> {
    const { outcome, reason, result } = await call
    const result_digest = result === null ? null : await digest('result', result).catch(() => null)
    this.#log(outcome === 'succeeded' ? 'info' : 'warn', 'node_ended', {
      node: nid,
      outcome,
      reason,
    })
    const end: NodeEnd = { nid, outcome, reason, result_digest, actuated: true }
    this.#dispatch({ type: 'tool_ended', end })
  }

  async #settle(end: NodeEnd): Promise<void> {
    const { ledger, nowMs } = this.#deps
    const { nid } = end
    const row = ledger.nodes(this.session).find((r) => r.nid === nid)
    const jti = row?.jti ?? this.#bound?.minted.get(nid)?.jti
    const ctx = row?.ctx ?? this.#bound?.ctx
    if (jti === undefined || ctx === undefined) throw new TypeError(`nothing is known of ${nid}`)
    const report = await this.#signReport(ctx, jti, row?.started_ms ?? nowMs(), end)
    ledger.ended(this.session, nid, { ...end, report, now_ms: nowMs() })
    this.#dispatch({ type: 'reported', end, text: report })
  }

  #signReport(ctx: string, jti: string, startedMs: number, end: NodeEnd): Promise<string> {
    const { config, signer, nowMs } = this.#deps
    return signer.report({
      sub: config.agent,
      sid: this.session,
      jti,
      ctx,
      ...end,
      started_ms: startedMs,
      ended_ms: nowMs(),
    })
  }

  // ---- safe-stops ----

  async #stopHeld(nid: string): Promise<void> {
    const ready = this.#ready
    const stop = ready?.pinned.safe_stop
    if (ready !== null && stop !== null && stop !== undefined) {
      await this.#safeStop({ server: ready.pinned.server, ...stop }, 'hold_over')
    }
    const { work } = this.#state
    if (work.at !== 'running' || work.nid !== nid) return
    const call = this.#call
    setTimeout(() => call?.abort(), stop === null ? 0 : holdCancelMs)
  }

  async #stopAll(cause: string): Promise<void> {
    const stops = safeStopsOf(this.#deps.ledger.nodes(this.session))
    await Promise.all(stops.map((stop) => this.#safeStop(stop, cause)))
    this.#rest = true
    this.#deps.onRest()
  }

  async #safeStop(stop: StopCall, cause: string): Promise<void> {
    const { ledger, devices, nowMs } = this.#deps
    const { server, mcp_tool } = stop
    const id = ledger.safeStopAsked({
      session: this.session,
      server,
      mcp_tool,
      cause,
      now_ms: nowMs(),
    })
    this.#log('warn', 'safe_stop', { server, tool: mcp_tool, cause })
    const { outcome, reason } = await devices.safeStop(stop, this.session)
    ledger.safeStopEnded(id, reason ?? outcome, nowMs())
    this.#log(outcome === 'succeeded' ? 'info' : 'error', 'safe_stop_ended', {
      server,
      tool: mcp_tool,
      outcome,
    })
  }

  // ---- small things ----

  #send(frame: { fid: string; type: string; [key: string]: unknown }): void {
    const nonce = this.#nonce
    if (nonce !== null) this.#connection.send({ v: 1, nonce, ...frame })
  }

  #setTimer(effect: Extract<Effect, { do: 'timer' }>): void {
    const { config } = this.#deps
    const { timer, nid } = effect
    const ms = effect.ms ?? (timer === 'hold' ? config.hold_grace_ms : config.lost_grace_ms)
    clearTimeout(this.#timers.get(timer))
    const handle = setTimeout(() => this.#dispatch({ type: 'timer', timer, nid }), ms)
    this.#timers.set(timer, handle)
  }

  #log(
    level: 'info' | 'warn' | 'error',
    event: string,
    facts: Record<string, string | number | null>,
  ) {
    this.#deps.log(level, event, { session: this.session, ...facts })
  }

  /** A programmer's mistake in the background must not pass unseen. */
  #background(work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#log('error', 'internal', { error: error instanceof Error ? error.message : 'unknown' })
      this.#dispatch({ type: 'local_end', reason: 'local_stop' })
    })
  }
}

const contextFailures: ReadonlySet<string> = new Set([
  'graph_invalid',
  'order_mismatch',
  'hash_mismatch',
  'not_for_this_agent',
])
