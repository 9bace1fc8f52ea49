// A small reference model of one session, written apart from the product code and by other means: it
// keeps sets of what has happened and says for each event whether a `go` may leave and how the session
// stands. Where it and the step function disagree, one of them is wrong.
import type { Outcome } from '../../../protocol/tokens.ts'

import type { PlannedNode as ModelNode } from '../../shared/schedule-binding.ts'

export type { ModelNode }

/** One event as the model sees it: facts, not bytes. */
export type ModelEvent =
  | { readonly kind: 'hello'; readonly boot: string; readonly ledger: 'clean' | 'impossible' }
  | ({ readonly kind: 'pull' } & ModelFrame)
  | ({ readonly kind: 'start'; readonly nid: string; readonly good: boolean } & ModelFrame)
  | ({
      readonly kind: 'authorized'
      readonly nid: string
      readonly good: boolean
      readonly granted: boolean
      readonly connected: boolean
    } & ModelFrame)
  | ({
      readonly kind: 'report'
      readonly nid: string
      readonly good: boolean
      readonly outcome: Outcome
      readonly actuated: boolean
      readonly text: string
    } & ModelFrame)
  | ({ readonly kind: 'abort' } & ModelFrame)
  | { readonly kind: 'stop' }
  | { readonly kind: 'lost'; readonly left: number }
  | { readonly kind: 'tick' }

export type ModelFrame = { readonly boot: string; readonly fid: string; readonly body: string }

export type ModelTimes = {
  readonly deadline: number
  readonly grace: number
  readonly toolTime: number
}

export class Model {
  readonly #nodes: readonly ModelNode[]
  readonly #times: ModelTimes
  readonly succeeded = new Set<string>()
  readonly #released = new Set<string>()
  readonly #reports = new Map<string, string>()
  readonly #frames = new Map<string, string>()
  status: 'bound' | 'active' | 'completed' | 'terminated' = 'bound'
  #running: { nid: string; since: number } | null = null
  #boot: string | null = null
  #lostAt: number | null

  constructor(nodes: readonly ModelNode[], times: ModelTimes, now: number) {
    this.#nodes = nodes
    this.#times = times
    this.#lostAt = now
  }

  /** The node whose turn it is: the smallest id whose dependencies have all succeeded. */
  next(): string | null {
    const ready = this.#nodes
      .filter(({ id }) => !this.succeeded.has(id))
      .filter(({ deps }) => deps.every((dep) => this.succeeded.has(dep)))
      .map(({ id }) => id)
    let least: string | null = null
    for (const id of ready) if (least === null || id < least) least = id
    return least
  }

  get running(): string | null {
    return this.#running?.nid ?? null
  }

  get over(): boolean {
    return this.status === 'completed' || this.status === 'terminated'
  }

  #outOfTime(now: number): boolean {
    const { deadline, grace, toolTime } = this.#times
    if (now >= deadline) return true
    if (this.#running !== null && now >= this.#running.since + toolTime + grace) return true
    return this.#lostAt !== null && now >= this.#lostAt + grace
  }

  /** Plays one event. Returns the node that may go now, or null. */
  play(event: ModelEvent, now: number): string | null {
    if (this.over) return null
    if (event.kind === 'stop' || this.#outOfTime(now)) {
      this.status = 'terminated'
      return null
    }
    switch (event.kind) {
      case 'hello':
        this.#hello(event)
        return null
      case 'lost':
        if (this.status === 'active' && event.left === 0) this.#lostAt ??= now
        return null
      case 'tick':
        return null
      case 'pull':
      case 'start':
      case 'authorized':
      case 'report':
      case 'abort':
        return this.#frame(event, now)
    }
  }

  #hello({ boot, ledger }: Extract<ModelEvent, { kind: 'hello' }>): void {
    const restarted = this.#boot !== null && this.#boot !== boot
    if ((restarted && this.#running !== null) || ledger === 'impossible') {
      this.status = 'terminated'
      return
    }
    this.status = 'active'
    this.#boot = boot
    this.#lostAt = null
  }

  #frame(
    event: Exclude<ModelEvent, { kind: 'hello' | 'stop' | 'lost' | 'tick' }>,
    now: number,
  ): string | null {
    if (event.boot !== this.#boot) return null
    const before = this.#frames.get(event.fid)
    if (before !== undefined) {
      if (before !== event.body) this.status = 'terminated'
      return null
    }
    switch (event.kind) {
      case 'pull':
        if (this.#running === null) {
          const next = this.next()
          if (next !== null) this.#released.add(next)
          this.#frames.set(event.fid, event.body)
        }
        return null
      case 'abort':
        this.status = 'terminated'
        return null
      case 'start':
      case 'authorized':
        return this.#start(event, now)
      case 'report':
        this.#report(event)
        return null
    }
  }

  #start(event: Extract<ModelEvent, { kind: 'start' | 'authorized' }>, now: number): string | null {
    if (event.kind === 'authorized' && !event.connected) return null
    const { nid } = event
    const mayStart =
      event.good && this.#running === null && nid === this.next() && this.#released.has(nid)
    if (!mayStart) {
      this.status = 'terminated'
      return null
    }
    if (event.kind === 'start') return null
    if (!event.granted) {
      this.status = 'terminated'
      return null
    }
    this.#running = { nid, since: now }
    this.#frames.set(event.fid, event.body)
    return nid
  }

  #report(event: Extract<ModelEvent, { kind: 'report' }>): void {
    const { nid, outcome } = event
    if (this.#reports.get(nid) === event.text) return
    const running = this.running === nid
    const givenUp =
      !running &&
      this.#released.has(nid) &&
      !this.succeeded.has(nid) &&
      outcome === 'failed' &&
      !event.actuated
    if (!event.good || (!running && !givenUp) || outcome !== 'succeeded') {
      this.status = 'terminated'
      return
    }
    this.#running = null
    this.succeeded.add(nid)
    this.#reports.set(nid, event.text)
    this.#frames.set(event.fid, event.body)
    if (this.succeeded.size === this.#nodes.length) this.status = 'completed'
  }
}
