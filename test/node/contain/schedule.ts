// One run of a random schedule against both the step function and the reference model. What a reset leaves
// are the rows of the object's own store: everything else of the state is thrown away.
import { nextTimer } from '../../../contain/session-end.ts'
import { lostAtClose, lostAtWake } from '../../../contain/session-loss.ts'
import { step } from '../../../contain/session.ts'
import {
  openedState,
  type Effect,
  type FrameRecord,
  type SessionBinding,
  type SessionEvent,
  type SessionState,
} from '../../../contain/session-state.ts'
import { limits } from '../../../protocol/limits.ts'
import { ok } from '../../../protocol/result.ts'
import type { NodeTokenClaims } from '../../../protocol/tokens.ts'
import { bindingOf, t0, toolTime } from '../../shared/schedule-binding.ts'
import { Model } from './model.ts'
import type { Frame, ModelEvent, StartFacts } from './model-types.ts'
import type { Command, Planned } from './schedule-arbitraries.ts'
import { presentedOf, reportOf, validityOf } from './schedule-claims.ts'
import { saidOf, viewOf } from './schedule-view.ts'

type Pending = Frame & StartFacts

/** The product's code in the places where it is played, so that a damaged part can take its place. */
export type Parts = {
  readonly step: typeof step
  readonly nextTimer: typeof nextTimer
  readonly lostAtWake: typeof lostAtWake
  readonly lostAtClose: typeof lostAtClose
  /** The rows of one session, empty. */
  readonly rows: () => Rows
}
export const own = { step, nextTimer, lostAtWake, lostAtClose } as const

/** Rows that outlive a reset. */
export type Rows = {
  /** Writes what one event changed, as the object does. */
  readonly save: (
    before: SessionState | null,
    after: SessionState,
    effects: readonly Effect[],
    now_ms: number,
  ) => void
  readonly state: (binding: SessionBinding) => SessionState
  readonly frame: (fid: string) => FrameRecord | null
}

/** Everything that one run produced, for the invariants. */
export type Trace = {
  readonly gos: { nid: string; at: number; over: boolean }[]
  readonly statuses: SessionState['status'][]
  readonly final: SessionState
  readonly binding: SessionBinding
}

export class Run {
  readonly #planned: Planned
  readonly #binding: SessionBinding
  readonly #model: Model
  readonly #parts: Parts
  readonly #claims = new Map<string, NodeTokenClaims>()
  readonly #trace: Trace['gos'] = []
  readonly #statuses: SessionState['status'][] = []
  #frames = new Map<string, FrameRecord>()
  #rows: Rows | null = null
  /** As the rows have it, and what is still to be written to them. */
  #written: SessionState | null = null
  #unwritten: { effects: readonly Effect[]; at: number }[] = []
  #pending: Pending[] = []
  #state: SessionState
  #now = t0
  #boot = 'boot-a'
  #connected = false
  #fids = 0
  #lastFid = 'f0'

  constructor(planned: Planned, deadline: number, parts: Parts) {
    const { nodes, boot, long } = planned
    this.#planned = planned
    this.#parts = parts
    const bound = bindingOf(nodes, deadline, this.#claims)
    const told =
      long === null ? {} : { [nodes[long % nodes.length]?.id ?? '']: deadline - t0 - 20_000 }
    const context = { ...bound.context, ...(boot === null ? {} : { boot_id: boot }) }
    this.#binding = { ...bound, context, told }
    this.#state = openedState(this.#binding, limits.reportGraceMs)
    const tools = new Map(
      bound.context.plan.nodes.map(({ id, tool }) => [id, bound.tools.get(tool)]),
    )
    const about = {
      nodes,
      deadline,
      toolTime,
      told,
      bootBound: boot,
      agent: context.agent,
      grace: limits.reportGraceMs,
      anyPhysical: true,
      physical: (nid: string) => tools.get(nid)?.physical ?? true,
      validity: validityOf(deadline),
    }
    this.#model = new Model(about, t0)
  }

  run(commands: readonly Command[]): Trace {
    for (const one of commands) this.#command(one)
    return {
      gos: this.#trace,
      statuses: this.#statuses,
      final: this.#state,
      binding: this.#binding,
    }
  }

  #command(one: Command): void {
    switch (one.do) {
      case 'time':
        this.#now += one.ms
        return void this.#play({ type: 'tick' }, { kind: 'tick' })
      case 'timer':
        // Just before, at and just after the moment at which time ends something.
        this.#now = Math.max(this.#now, (this.#model.timer() ?? this.#now) + one.by)
        return void this.#play({ type: 'tick' }, { kind: 'tick' })
      case 'crash':
        return this.#crash()
      case 'stop':
        return void this.#play(
          { type: 'stop', reason: 'stopped_by_person', by: 'p' },
          { kind: 'stop' },
        )
      case 'lost': {
        if (one.left === 0) this.#connected = false
        const proven = ['closing', 'other'].slice(0, one.left + 1)
        const event = this.#parts.lostAtClose(proven, 'closing')
        return void this.#play(event, { kind: 'lost', left: one.left })
      }
      case 'hello':
        return this.#hello(one.boot, one.older, one.ledger)
      case 'pull':
        return this.#pull(one.fid)
      case 'abort': {
        const framed = this.#framed('new', 'abort')
        const reason = one.restarted ? 'server_restarted' : 'local_stop'
        const event = { type: 'abort', reason, detail: '', ...framed } as const
        const { restarted } = one
        return void this.#play(event, { kind: 'abort', restarted, ...modelFrame(framed) })
      }
      case 'start':
        return this.#start(this.#nodeAt(one.node), one)
      case 'authorized':
        return this.#authorized(one.which, one)
      case 'report':
        // Mostly of the node in flight: of any other it is a lie that ends the run.
        return this.#report(
          (one.node > 1 ? this.#model.running : null) ?? this.#nodeAt(one.node),
          one,
        )
      case 'rest':
        return this.#rest(one)
      case 'right':
        return this.#right()
    }
  }

  /** What a reset leaves: the rows, no connection and no question in flight. */
  #crash(): void {
    this.#rows ??= this.#parts.rows()
    for (const { effects, at } of this.#unwritten.slice(0, -1)) {
      this.#rows.save(this.#written, this.#written ?? this.#state, effects, at)
    }
    const { effects, at } = this.#unwritten.at(-1) ?? { effects: [], at: this.#now }
    this.#rows.save(this.#written, this.#state, effects, at)
    this.#unwritten = []
    this.#state = this.#rows.state(this.#binding)
    this.#written = this.#state
    const frames = new Map<string, FrameRecord>()
    for (const fid of this.#frames.keys()) {
      const kept = this.#rows.frame(fid)
      if (kept !== null) frames.set(fid, kept)
    }
    this.#frames = frames
    this.#pending = []
    this.#connected = false
    const lost = this.#parts.lostAtWake(this.#state, 0)
    const seen = { kind: 'lost', left: 0 } as const
    if (lost !== null) this.#play(lost, seen)
    else this.#compare([], this.#model.play(seen, this.#now), 'crash')
  }

  /** What a correct agent and a healthy site would do next. */
  #right(): void {
    if (!this.#connected) return this.#hello(this.#boot, false, 'true')
    const running = this.#model.running
    if (running !== null) {
      const right = { outcome: 'succeeded', actuated: true, proof: true, missed: false } as const
      return this.#report(running, { ...right, times: 'now', fid: 'new' })
    }
    if (this.#pending.length > 0) return this.#authorized(0, { granted: true, connected: true })
    const next = this.#model.next()
    if (next === null || !this.#model.isReleased(next)) return this.#pull('new')
    return this.#start(next, { token: 'own', proof: true, fid: 'new' })
  }

  #nodeAt(i: number): string {
    const { nodes } = this.#planned
    return nodes[i % nodes.length]?.id ?? ''
  }

  #framed(kind: string, body: string) {
    if (kind === 'new') this.#lastFid = `f${++this.#fids}`
    const id = this.#lastFid
    const seen = this.#frames.get(id) ?? null
    const text = kind === 'again' && seen !== null ? seen.body : `${body}#${++this.#fids}`
    return { fid: id, body: text, seen, boot_id: this.#boot }
  }

  #hello(boot: string, older: boolean, said: string): void {
    if (!older) {
      this.#boot = boot
      this.#connected = true
    }
    const ledger = this.#ledger(said)
    const event = {
      type: 'hello',
      fid: `h${++this.#fids}`,
      boot_id: boot,
      older_lives: older,
      ledger,
    } as const
    this.#play(event, { kind: 'hello', boot, older, ledger })
  }

  /** What the agent's ledger has: the truth, or one entry that may contradict the record. */
  #ledger(said: string): { nid: string; state: string }[] {
    const states = [...this.#state.nodes]
    const at = (wanted: string) => states.find(([, node]) => node.state === wanted)?.[0]
    const [what = '', state = ''] = said.split(' ')
    if (what === 'stranger') return [{ nid: 'not-in-the-plan', state }]
    if (what === 'pending' || what === 'released') {
      const nid = at(what)
      return nid === undefined ? [] : [{ nid, state }]
    }
    return states.flatMap(([nid, node]) =>
      node.state === 'executing' || node.state === 'succeeded' ? [{ nid, state: 'actuated' }] : [],
    )
  }

  #pull(kind: string): void {
    const framed = this.#framed(kind, 'pull')
    this.#play({ type: 'pull', ...framed }, { kind: 'pull', ...modelFrame(framed) })
  }

  #start(nid: string, how: Pick<StartFacts, 'token' | 'proof'> & { fid: string }): void {
    const framed = this.#framed(how.fid, `start ${nid}`)
    // A plan of one node has no other token.
    const token = how.token === 'other' && this.#planned.nodes.length === 1 ? 'own' : how.token
    const facts = { nid, token, proof: how.proof }
    const asked = this.#play(
      { type: 'start', ...framed, ...this.#presented(facts) },
      { kind: 'start', ...facts, ...modelFrame(framed) },
    )
    if (asked.some((effect) => effect.do === 'ask')) {
      this.#pending.push({ ...facts, ...modelFrame(framed) })
    }
  }

  #presented(facts: StartFacts) {
    return presentedOf(facts, { binding: this.#binding, claims: this.#claims, now: this.#now })
  }

  #authorized(which: number, how: { granted: boolean; connected: boolean }): void {
    const pending = this.#pending[which % Math.max(1, this.#pending.length)]
    if (pending === undefined) return
    // A duplicate of the answer may come again: only a granted one leaves the queue half the time.
    if (which % 2 === 0) this.#pending = this.#pending.filter((one) => one !== pending)
    const { nid, token, proof, ...frame } = pending
    const seen = this.#frames.get(frame.fid) ?? null
    this.#play(
      {
        type: 'authorized',
        fid: frame.fid,
        body: frame.body,
        seen,
        boot_id: frame.boot,
        ...this.#presented({ nid, token, proof }),
        authority: how.granted ? ok(undefined) : { ok: false, error: { reason: 'cell_not_armed' } },
        connected: how.connected,
      },
      { kind: 'authorized', ...pending, ...how },
    )
  }

  #report(nid: string, how: Parameters<typeof reportOf>[1] & { fid: string }): void {
    const about = { binding: this.#binding, claims: this.#claims, now: this.#now }
    const { text, report, facts } = reportOf(nid, how, {
      ...about,
      since: this.#state.nodes.get(nid)?.started_ms ?? null,
    })
    const framed = this.#framed(how.fid, text)
    this.#play(
      { type: 'report', ...framed, nid, text, report },
      { kind: 'report', ...facts, ...modelFrame(framed) },
    )
  }

  #rest({ seq, boot, proof }: Extract<Command, { do: 'rest' }>): void {
    const framed = this.#framed('new', 'rest')
    const { ctx } = this.#binding
    const said = { sub: 'agent-1', sid: 'sess_a', ctx, at_ms: this.#now }
    const claims = { ...said, boot_id: boot, seq, devices: [] }
    const rest = proof ? ok(claims) : { ok: false as const, error: 'signature' as const }
    this.#play({ type: 'rest', ...framed, rest }, { kind: 'rest', proof, boot, seq })
  }

  #play(event: SessionEvent, model: ModelEvent): readonly Effect[] {
    const over = this.#model.over
    const { state, effects } = this.#parts.step(this.#binding, this.#state, event, this.#now)
    const expected = this.#model.play(model, this.#now)
    this.#unwritten.push({ effects, at: this.#now })
    this.#state = state
    this.#compare(effects, expected, event.type)
    for (const effect of effects) {
      if (effect.do === 'record') this.#frames.set(effect.fid, effect.record)
      if (effect.do === 'go') this.#trace.push({ nid: effect.token.nid, at: this.#now, over })
    }
    this.#statuses.push(state.status)
    return effects
  }

  #compare(effects: readonly Effect[], expected: readonly string[], what: string): void {
    const said = effects.map(saidOf)
    const timer = this.#parts.nextTimer(this.#binding, this.#state)
    const [is, shall] = [viewOf(this.#state, timer), this.#model.view()].map((view) =>
      JSON.stringify(view),
    )
    if (said.join('\n') !== expected.join('\n') || is !== shall) {
      throw new Error(
        `${what} at ${this.#now - t0}:\n${said.join('; ')}\n${is}\nthe model:\n` +
          `${expected.join('; ')}\n${shall}`,
      )
    }
  }
}

const modelFrame = (framed: { fid: string; body: string; boot_id: string }): Frame => ({
  boot: framed.boot_id,
  fid: framed.fid,
  body: framed.body,
})
