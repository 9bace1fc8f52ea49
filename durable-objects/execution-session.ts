// One per session: a thin shell around contain/session.ts. It turns frames, RPC and alarms into events,
// writes what the step says, and only then sends all but a halt. The rules are not here.
import { DurableObject } from 'cloudflare:workers'
import { loadSigner, signerOrThrow } from '../adapters/signer.ts'
import { frameBody, readFrame, type FrameRefusal } from '../contain/frame-in.ts'
import type { VerifyKeys } from '../contain/keys.ts'
import { lostAtClose, lostAtWake } from '../contain/session-loss.ts'
import { step } from '../contain/session.ts'
import type { Effect, SessionEvent } from '../contain/session-state.ts'
import { nextAuditEntry, type AuditEntry } from '../protocol/audit.ts'
import type { Forgotten } from '../protocol/keeping.ts'
import { limits } from '../protocol/limits.ts'
import type { HaltReason } from '../protocol/reasons.ts'
import { err, ok } from '../protocol/result.ts'
import type {
  ExecutionSessionApi,
  OpenResult,
  OpenSpec,
  SessionEnd,
  SessionStatus,
} from './contracts.ts'
import type { Env } from './env.ts'
import { admit, agentKeysOf } from './session/admit.ts'
import { dueTimes } from './session/alarm.ts'
import { askSite } from './session/authority.ts'
import { bindSession, storeOpened } from './session/bind.ts'
import { emit, haltFirst } from './session/emit.ts'
import { helloRefusal, type HelloFrame } from './session/hello.ts'
import { deliverDue } from './session/outbox.ts'
import { exportedSession } from './session/export.ts'
import { forgetResults, forgetSession } from './session/forget.ts'
import { readResult } from './session/results.ts'
import { isOpen, SessionSockets } from './session/sockets.ts'
import { SessionStore, type Live } from './session/store.ts'
import { tellOfRun } from './session/trace.ts'
import { entriesOf, noteRefusal, openedEvent } from './session/trail.ts'
import { unread, type Unreadable } from './session/unreadable.ts'
import { StepWatch } from './session/watch.ts'
import { verifyFrame, type Verified, type WorkFrame } from './session/verify-frame.ts'
import { endOf, statusOf } from './session/views.ts'
import { Wake } from './wake.ts'

/** Hub and review are told again of a session that cannot be read. */
const retryMs = 30_000
/** Whoever stops asks for the end; what it costs others to hear of it waits behind the other halts. */
const stopToldMs = 250
type Ask = Extract<Effect, { do: 'ask' }>

export class ExecutionSession extends DurableObject<Env> implements ExecutionSessionApi {
  readonly #store: SessionStore
  readonly #sockets: SessionSockets
  #live: Live | null = null
  /** Set when something is stored that this release cannot read. */
  #unreadable: Unreadable | null = null
  /** The bound key, once a connection has brought it. */
  #agentKeys: VerifyKeys | null = null
  #turns: Promise<unknown> = Promise.resolve()
  #asking = 0
  readonly #goMs: number[] = []
  #unreadTold = false
  readonly #alarm: Wake
  readonly #watch: StepWatch

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#store = new SessionStore(ctx.storage.sql)
    this.#sockets = new SessionSockets(ctx)
    this.#alarm = new Wake(ctx.storage)
    this.#watch = new StepWatch(this.#store)
    void ctx.blockConcurrencyWhile(() => this.#wake())
  }

  /** After an eviction or a reset: same state; sockets that a reset cut count as lost. */
  async #wake(): Promise<void> {
    const live = this.#read()
    if (live === null) {
      // The alarm tells hub and review that this session has come to its end, with doubt.
      if (this.#unreadable !== null) await this.#alarm.by(Date.now())
      return
    }
    this.#live = live
    const lost = lostAtWake(live.state, this.#sockets.proven().length)
    if (lost !== null) await this.#play(live, null, lost)
    await this.#arm()
  }

  /** The session as stored; one that cannot be read is remembered as such and never acts. */
  #read(): Live | null {
    try {
      this.#store.upgrade()
      const binding = this.#store.binding()
      return binding === null ? null : { binding, state: this.#store.state(binding) }
    } catch (cause) {
      console.error(`session: the stored state cannot be read: ${String(cause)}`)
      this.#unreadable = unread.from(this.#store.rawBinding(), Date.now())
      return null
    }
  }

  /** Opens the session once; the same context again is a no-op. */
  open(spec: OpenSpec): Promise<OpenResult> {
    return this.#turn(async () => {
      const signer = await loadSigner(this.env.SIGNING_KEYS)
      if (!signer.ok) return err({ reason: 'keys_missing' as const })
      const bound = await bindSession(signer.value, this.env.DEPLOYMENT, spec)
      if (!bound.ok) return err({ reason: bound.error })
      const { stored, tokens } = bound.value
      // Something is stored under this name that nobody can read, or all but its trail was deleted.
      const stale = this.#live === null && this.#store.auditHead() !== null
      if (this.#unreadable !== null || stale) return err({ reason: 'other_context' as const })
      if (this.#live !== null) {
        const same = this.#live.binding.ctx === stored.ctx
        return same ? ok({ ctx: stored.ctx }) : err({ reason: 'other_context' as const })
      }
      const entry = await nextAuditEntry(null, openedEvent(stored))
      const live = this.ctx.storage.transactionSync(() =>
        storeOpened(this.#store, { stored, tokens, entry }),
      )
      this.#live = live
      await this.#arm()
      return ok({ ctx: stored.ctx })
    })
  }

  /**
   * A person or the hub ends it. null: nothing was ever opened here, or its storage is gone. A session
   * whose state cannot be read answers as terminated, with that reason.
   */
  async stop(reason: HaltReason, by: string): Promise<SessionStatus | null> {
    const live = this.#live
    if (live === null) {
      unread.halt(this.#sockets)
      return this.status()
    }
    await this.#turn(() => this.#play(live, null, { type: 'stop', reason, by }))
    return statusOf(live.binding, live.state)
  }

  status(): Promise<SessionStatus | null> {
    const live = this.#live
    const status = live && this.#watch.told(statusOf(live.binding, live.state))
    return Promise.resolve(status ?? (this.#unreadable && unread.status(this.#unreadable)))
  }

  /** What a device answered; null when there is nothing, or nothing any more. */
  result(nid: string): Promise<string | null> {
    const binding = this.#live?.binding
    return Promise.resolve(binding ? readResult(this.#store.sql, binding, nid) : null)
  }

  /** How it ended, as it tells hub and review; null while it runs or when there is none. */
  end(): Promise<SessionEnd | null> {
    const live = this.#live
    if (live !== null) return Promise.resolve(endOf(live.binding, live.state))
    return Promise.resolve(this.#unreadable && unread.end(this.#unreadable))
  }

  /** One page of the trail, after entry number `after`; -1 for the first page. */
  audit(after: number): Promise<AuditEntry[]> {
    return Promise.resolve(this.#store.auditPage(after))
  }

  exported(): Promise<string | null> {
    return Promise.resolve(exportedSession(this.#store))
  }

  forget(what: 'look' | 'plan' | 'all'): Promise<Forgotten> {
    const of = { storage: this.ctx.storage, store: this.#store, live: this.#live }
    return this.#turn(() => forgetSession({ ...of, gone: () => (this.#live = null) }, what))
  }

  // ---------- sockets ----------

  /** The upgrade, already authenticated by the door: x-portcullis-* headers are its own. */
  override async fetch(request: Request): Promise<Response> {
    const [client, server] = Object.values(new WebSocketPair()) as [WebSocket, WebSocket]
    const refusal = await this.#connect(request, server)
    if (refusal !== null) {
      // Never hibernates, never counts: a stranger's socket lives for one frame.
      server.accept()
      server.send(JSON.stringify({ v: 1, type: 'error', ...refusal }))
      server.close(1008, refusal.code)
    }
    return new Response(null, { status: 101, webSocket: client })
  }

  async #connect(request: Request, socket: WebSocket): Promise<FrameRefusal | null> {
    const live = this.#live
    if (live === null) return { re: null, code: 'session_unknown', detail: 'no such session' }
    const admitted = await admit(request, live.binding.context, this.#sockets.open().length)
    if (!admitted.ok) {
      const { code } = admitted.error
      const agent = request.headers.get('x-portcullis-agent') ?? ''
      if (code === 'key_not_bound') await this.#noteRefusal(admitted.error, agent)
      return admitted.error
    }
    const names = [this.env.DEPLOYMENT, new URL(request.url).host]
    this.#sockets.accept(socket, { ...admitted.value, names }, Date.now())
    return null
  }

  override async webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    try {
      await this.#take(socket, data)
    } catch (cause) {
      // The client would hear nothing of an exception and wait for ever.
      console.error(`session: ${String(cause)}`)
      const detail = 'the gateway failed; connect again'
      this.#sockets.send(socket, { v: 1, re: null, type: 'error', code: 'internal', detail })
      this.#sockets.close(socket, 1011, 'internal')
    }
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    const live = this.#live
    if (live === null || this.#sockets.attachment(socket).hello === null) return
    await this.#turn(() => this.#play(live, null, lostAtClose(this.#sockets.proven(), socket)))
  }

  override webSocketError(socket: WebSocket): Promise<void> {
    return this.webSocketClose(socket)
  }

  async #take(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    const live = this.#live
    if (live === null) return unread.halt(this.#sockets)
    const { nonce, hello, key } = this.#sockets.attachment(socket)
    const read = readFrame(data, { nonce, proven: hello !== null })
    if (!read.ok) return this.#refuse(live, socket, read.error)
    const frame = read.value
    const body = await frameBody(frame)
    const keys = await this.#keysOf(key)
    if (frame.type === 'hello') return this.#hello(live, socket, { frame, body, keys })
    if (hello === null) throw new Error('readFrame lets only hello through before hello')
    const signer = await signerOrThrow(this.env.SIGNING_KEYS)
    if (frame.type === 'progress') {
      if (hello.boot_id !== live.state.boot_id) return
      return this.#turn(() => this.#watch.take(frame, live, Date.now()))
    }
    const framed = { fid: frame.fid, body, boot_id: hello.boot_id }
    const verified = await verifyFrame(frame satisfies WorkFrame, {
      binding: live.binding,
      keys: { gateway: signer.keys, agent: keys },
      framed,
    })
    const ask = await this.#turn(() =>
      this.#play(live, socket, { ...verified, seen: this.#store.frame(verified.fid) }),
    )
    if (ask !== null && verified.type === 'start')
      await this.#start(live, socket, { verified, ask })
  }

  async #hello(
    live: Live,
    socket: WebSocket,
    { frame, body, keys }: { frame: HelloFrame; body: string; keys: VerifyKeys },
  ): Promise<void> {
    const attached = this.#sockets.attachment(socket)
    const refusal = await helloRefusal(frame, attached, { body, binding: live.binding, keys })
    if (refusal !== null) return this.#refuse(live, socket, refusal)
    const { hello: before } = attached
    const { fid: re, boot_id } = frame
    const ledger = frame.ledger_head
    await this.#turn(() => {
      const at_ms = Date.now()
      const older_lives = before === null && this.#sockets.otherLives(boot_id, at_ms)
      // A second process is told so and gets nothing; the first one is halted by the end.
      if (!older_lives) this.#sockets.prove(socket, { boot_id, fid: re, body, at_ms })
      const event = { type: 'hello', fid: re, boot_id, ledger, older_lives } as const
      return this.#play(live, socket, event)
    })
  }

  /** The second half of a start: fresh authority, then everything again, in one turn. */
  async #start(
    live: Live,
    socket: WebSocket,
    { verified, ask }: { verified: Extract<Verified, { type: 'start' }>; ask: Ask },
  ): Promise<void> {
    if (this.#asking >= limits.startsInFlightMax) {
      const detail = `more than ${limits.startsInFlightMax} starts at once`
      return this.#refuse(live, socket, { re: verified.fid, code: 'too_many_frames', detail })
    }
    this.#asking++
    const came_ms = Date.now()
    const authority = await askSite(this.env, live.binding, ask).finally(() => this.#asking--)
    await this.#turn(() =>
      this.#play(live, socket, {
        ...verified,
        type: 'authorized',
        seen: this.#store.frame(verified.fid),
        authority,
        connected: isOpen(socket),
      }),
    )
    if (live.state.ended_ms === null) this.#goMs.push(Date.now() - came_ms)
  }

  /** One turn at a time: between reading the state and sending, no other event comes in. */
  #turn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turns.then(work)
    this.#turns = mine.catch(() => undefined)
    return mine
  }

  /**
   * Plays one event: step, halt, write, then send. Sends wait in the output gate until the writes are
   * on disk, and the write of `executing` comes before its `go` in the same turn.
   */
  async #play(live: Live, asker: WebSocket | null, event: SessionEvent): Promise<Ask | null> {
    const nowMs = Date.now()
    const before = live.state
    const { state, effects } = step(live.binding, before, event, nowMs)
    const later = asker === null ? haltFirst(effects, this.#sockets) : effects
    const { agent } = live.binding.context
    const entries = await entriesOf(this.#store, effects, { agent, at_ms: nowMs })
    this.ctx.storage.transactionSync(() => {
      this.#store.perform(effects, nowMs)
      this.#store.save(before, state)
      for (const entry of entries) this.#store.appendAudit(entry)
      if (state.ended_ms !== null) {
        const toldMs = nowMs + (event.type === 'stop' ? stopToldMs : 0)
        if (before.ended_ms === null) this.#store.enqueue(['hub', 'review'], toldMs)
        else if (before.rest !== state.rest) this.#store.enqueue(['hub'], nowMs)
      }
    })
    live.state = state
    const armed = before === state ? null : this.#arm()
    const sign = () => signerOrThrow(this.env.SIGNING_KEYS)
    await emit(later, { sockets: this.#sockets, asker, sign, nowMs })
    await armed
    return effects.find((effect) => effect.do === 'ask') ?? null
  }

  /** A frame that was not taken: error, close, one line in the trail. The session goes on. */
  async #refuse(live: Live, socket: WebSocket, refusal: FrameRefusal): Promise<void> {
    await this.#noteRefusal(refusal, live.binding.context.agent)
    this.#sockets.send(socket, { v: 1, type: 'error', ...refusal })
    this.#sockets.close(socket, 1008, refusal.code)
  }

  #noteRefusal(refusal: FrameRefusal, actor: string): Promise<void> {
    return this.#turn(() => noteRefusal(this.#store, refusal, { actor, at_ms: Date.now() }))
  }

  async #keysOf(x: string): Promise<VerifyKeys> {
    this.#agentKeys ??= await agentKeysOf(x)
    return this.#agentKeys
  }

  /** Whatever happens in it, the next alarm is set: without one nobody would end this session. */
  override alarm(): Promise<void> {
    return this.#alarm.ring(
      'session',
      () => this.#tick(),
      () => this.#nextDue(),
    )
  }

  async #tick(): Promise<void> {
    const live = this.#live
    if (live === null) {
      if (this.#unreadable === null) return
      unread.halt(this.#sockets)
      await unread.tell(this.env, this.#unreadable)
      this.#unreadTold = true
      return
    }
    await this.#turn(() => this.#play(live, null, { type: 'tick' }))
    await this.#turn(() => this.#watch.look(live, Date.now()))
    await this.#dropSilent(live)
    const { binding } = live
    const end = endOf(binding, live.state)
    if (end !== null) await deliverDue(this.env, this.#store, { binding, end, nowMs: Date.now() })
    // Last: nobody waits for them, and whoever they ask may be down.
    await tellOfRun(this.env, this.#store, live, this.#goMs)
    await forgetResults(this.env, this.#store, live, Date.now())
  }

  /** A peer that does not even ping is gone, whatever its socket says: the grace begins. */
  async #dropSilent(live: Live): Promise<void> {
    if (!this.#sockets.closeSilent(Date.now())) return
    const proven_left = this.#sockets.proven().length
    await this.#turn(() => this.#play(live, null, { type: 'lost', proven_left }))
  }

  #nextDue(): number | null {
    const live = this.#live
    if (live !== null) {
      const from = { store: this.#store, sockets: this.#sockets, watch: this.#watch }
      const times = dueTimes(live, from, Date.now())
      return times.length === 0 ? null : Math.min(...times)
    }
    return this.#unreadable === null || this.#unreadTold ? null : Date.now() + retryMs
  }

  #arm(): Promise<void> {
    return this.#alarm.by(this.#nextDue())
  }
}
