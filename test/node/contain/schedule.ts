// One run of a random schedule against both the step function and the reference model.
import type { OpenedToken } from '../../../contain/checks.ts'
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
import { err, ok } from '../../../protocol/result.ts'
import type { NodeTokenClaims, Outcome, StartClaims } from '../../../protocol/tokens.ts'
import { Model, type ModelEvent, type ModelNode } from './model.ts'
import type { Command } from './schedule-arbitraries.ts'
import { bindingOf, t0, toolTime } from '../../shared/schedule-binding.ts'

type Started = { token: OpenedToken; start: StartClaims | null; nid: string; good: boolean }
type Pending = { fid: string; body: string; boot: string; started: Started }

/** Everything that one run produced, for the invariants. */
export type Trace = {
  readonly gos: { nid: string; at: number; over: boolean }[]
  readonly statuses: SessionState['status'][]
  readonly final: SessionState
  readonly binding: SessionBinding
}

export class Run {
  readonly #nodes: readonly ModelNode[]
  readonly #binding: SessionBinding
  readonly #model: Model
  readonly #frames = new Map<string, FrameRecord>()
  readonly #claims = new Map<string, NodeTokenClaims>()
  readonly #trace: Trace['gos'] = []
  readonly #statuses: SessionState['status'][] = []
  readonly #step: typeof step
  #pending: Pending[] = []
  #state: SessionState
  #now = t0
  #boot = 'boot-a'
  #connected = false
  #fids = 0
  #lastFid = 'f0'

  /** `played` is the step function, or a damaged one that the model must find out. */
  constructor(nodes: readonly ModelNode[], deadline: number, played: typeof step = step) {
    this.#step = played
    this.#nodes = nodes
    this.#binding = bindingOf(nodes, deadline, this.#claims)
    this.#state = openedState(this.#binding, limits.reportGraceMs)
    this.#model = new Model(nodes, { deadline, grace: limits.reportGraceMs, toolTime }, t0)
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
        this.#play({ type: 'tick' }, { kind: 'tick' })
        break
      case 'crash':
        // What a reset leaves: the written state, no connection and no question in flight.
        this.#state = structuredClone(this.#state)
        this.#pending = []
        this.#connected = false
        this.#play({ type: 'lost', proven_left: 0 }, { kind: 'lost', left: 0 })
        break
      case 'stop':
        this.#play({ type: 'stop', reason: 'stopped_by_person', by: 'p' }, { kind: 'stop' })
        break
      case 'lost':
        if (one.left === 0) this.#connected = false
        this.#play({ type: 'lost', proven_left: one.left }, { kind: 'lost', left: one.left })
        break
      case 'hello':
        this.#hello(one.boot, one.ledger)
        break
      case 'pull':
        this.#pull(one.fid)
        break
      case 'abort': {
        const framed = this.#framed('new', 'abort')
        const event = { type: 'abort', reason: 'local_stop', detail: '', ...framed } as const
        this.#play(event, { kind: 'abort', ...modelFrame(framed) })
        break
      }
      case 'start':
        this.#start(this.#nodeAt(one.node), one)
        break
      case 'authorized':
        this.#authorized(one.which, one)
        break
      case 'report':
        this.#report(this.#nodeAt(one.node), one)
        break
      case 'right':
        this.#right()
    }
  }

  /** What a correct agent and a healthy site would do next. */
  #right(): void {
    if (!this.#connected) return this.#hello(this.#boot, 'clean')
    const running = this.#model.running
    if (running !== null) {
      return this.#report(running, {
        outcome: 'succeeded',
        actuated: true,
        proof: true,
        fid: 'new',
      })
    }
    if (this.#pending.length > 0) return this.#authorized(0, { granted: true, connected: true })
    const next = this.#model.next()
    if (next === null || this.#state.nodes.get(next)?.state !== 'released') return this.#pull('new')
    return this.#start(next, { token: 'own', proof: true, fid: 'new' })
  }

  #nodeAt(i: number): string {
    return this.#nodes[i % this.#nodes.length]?.id ?? ''
  }

  #framed(kind: string, body: string) {
    if (kind === 'new') this.#lastFid = `f${++this.#fids}`
    const id = this.#lastFid
    const seen = this.#frames.get(id) ?? null
    const text = kind === 'again' && seen !== null ? seen.body : `${body}#${++this.#fids}`
    return { fid: id, body: text, seen, boot_id: this.#boot }
  }

  #hello(boot: string, ledger: 'clean' | 'impossible'): void {
    this.#boot = boot
    this.#connected = true
    const entries = ledger === 'clean' ? [] : [{ nid: 'not-in-the-plan', state: 'started' }]
    const event = {
      type: 'hello',
      fid: `h${++this.#fids}`,
      boot_id: boot,
      older_lives: false,
      ledger: entries,
    } as const
    this.#play(event, { kind: 'hello', boot, ledger })
  }

  #pull(kind: string): void {
    const framed = this.#framed(kind, 'pull')
    this.#play({ type: 'pull', ...framed }, { kind: 'pull', ...modelFrame(framed) })
  }

  #start(nid: string, how: { token: string; proof: boolean; fid: string }): void {
    const claims = this.#claims.get(nid)
    const other = this.#nodes.find(({ id }) => id !== nid)?.id
    let opened: OpenedToken = {
      text: `token ${nid}`,
      jti: claims?.jti ?? null,
      claims: claims ?? null,
    }
    if (how.token === 'other' && other !== undefined) {
      const theirs = this.#claims.get(other) ?? null
      opened = { text: `token ${other}`, jti: theirs?.jti ?? null, claims: theirs }
    }
    if (how.token === 'altered') opened = { ...opened, text: 'altered', claims: null }
    if (how.token === 'foreign' && claims !== undefined) {
      opened = { text: 'foreign', jti: claims.jti, claims: { ...claims, sid: 'sess_b' } }
    }
    const own = how.token === 'own' || (how.token === 'other' && other === undefined)
    const start: StartClaims | null = how.proof
      ? {
          sub: 'agent-1',
          sid: 'sess_a',
          nid,
          jti: claims?.jti ?? '',
          ctx: this.#binding.ctx,
          nonce: `n${this.#fids}`,
          cn: 'c',
          iat_ms: this.#now,
        }
      : null
    const started = { token: opened, start, nid, good: own && how.proof }
    const framed = this.#framed(how.fid, `start ${nid}`)
    const presented = { nid, opened, start: start === null ? err('signature' as const) : ok(start) }
    const asked = this.#play(
      { type: 'start', ...framed, ...presented },
      { kind: 'start', nid, good: started.good, ...modelFrame(framed) },
    )
    if (asked.some((effect) => effect.do === 'ask')) {
      this.#pending.push({ fid: framed.fid, body: framed.body, boot: framed.boot_id, started })
    }
  }

  #authorized(which: number, how: { granted: boolean; connected: boolean }): void {
    const pending = this.#pending[which % Math.max(1, this.#pending.length)]
    if (pending === undefined) return
    // A duplicate of the answer may come again: only a granted one leaves the queue half the time.
    if (which % 2 === 0) this.#pending = this.#pending.filter((one) => one !== pending)
    const { nid, token: opened, start, good } = pending.started
    const seen = this.#frames.get(pending.fid) ?? null
    const framed = { fid: pending.fid, body: pending.body, seen, boot_id: pending.boot }
    this.#play(
      {
        type: 'authorized',
        ...framed,
        nid,
        opened,
        start: start === null ? err('signature') : ok(start),
        authority: how.granted ? ok(undefined) : err({ reason: 'cell_not_armed' }),
        connected: how.connected,
      },
      { kind: 'authorized', nid, good, ...how, ...modelFrame(framed) },
    )
  }

  #report(
    nid: string,
    how: { outcome: Outcome; actuated: boolean; proof: boolean; fid: string },
  ): void {
    const text = `report ${nid} ${how.outcome} ${how.actuated} ${how.proof}`
    const framed = this.#framed(how.fid, text)
    const { outcome, actuated } = how
    const claims = {
      sub: 'agent-1',
      sid: 'sess_a',
      nid,
      jti: this.#claims.get(nid)?.jti ?? '',
      ctx: this.#binding.ctx,
      outcome,
      result_digest: null,
      reason: null,
      actuated,
      started_ms: this.#now,
      ended_ms: this.#now,
    }
    const report = how.proof ? ok(claims) : err('signature' as const)
    this.#play(
      { type: 'report', ...framed, nid, text, report },
      {
        kind: 'report',
        nid,
        good: how.proof,
        outcome,
        actuated,
        text,
        ...modelFrame(framed),
      },
    )
  }

  /** Both sides play the event; then they must agree. */
  #play(event: SessionEvent, model: ModelEvent): readonly Effect[] {
    const over = this.#model.over
    const { state, effects } = this.#step(this.#binding, this.#state, event, this.#now)
    const expected = this.#model.play(model, this.#now)
    const go = effects.find((effect) => effect.do === 'go')
    const went = go === undefined ? null : go.token.nid
    if (went !== expected || state.status !== this.#model.status) {
      throw new Error(
        `${event.type} at ${this.#now - t0}: go ${went} and ${state.status} (${state.reason}), ` +
          `the model says ${expected} and ${this.#model.status}`,
      )
    }
    for (const effect of effects) {
      if (effect.do === 'record') this.#frames.set(effect.fid, effect.record)
    }
    if (went !== null) this.#trace.push({ nid: went, at: this.#now, over })
    this.#statuses.push(state.status)
    this.#state = state
    return effects
  }
}

const modelFrame = (framed: { fid: string; body: string; boot_id: string }) => ({
  boot: framed.boot_id,
  fid: framed.fid,
  body: framed.body,
})
