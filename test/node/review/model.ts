// A small reference model of a plan's life, written apart from the product code and by other means: it
// keeps what has happened as plain facts and derives the state from them anew after every event. Where it
// and the step function disagree, one of them is wrong.
import type { PlanState } from '../../../protocol/status.ts'

export type Happening =
  | { kind: 'time' }
  | { kind: 'verdict'; says: 'accept' | 'escalate' | 'reject' }
  | { kind: 'word'; by: string; says: 'accept' | 'reject'; stale: boolean; outdated: boolean }
  | { kind: 'withdraw' }
  | { kind: 'bind'; session: string; fits: boolean; differs: boolean }
  | { kind: 'opened'; session: string; well: boolean }
  | { kind: 'not_queued' }
  | { kind: 'over'; session: string; well: boolean }

export type ModelSite = {
  readonly people: number
  readonly owner: string
  readonly runs: boolean
  readonly livesMs: number
}

export class Model {
  readonly #site: ModelSite
  #verdict: 'accept' | 'escalate' | 'reject' | null = null
  #verdictAt = 0
  readonly #agreed = new Set<string>()
  #person: { says: 'accept' | 'reject'; at: number } | null = null
  #withdrawn = false
  #timedOut = false
  #session: string | null = null
  #refused = false
  #end: 'completed' | 'terminated' | null = null
  /** Sessions that were ever allowed to exist. */
  readonly sessions = new Set<string>()

  constructor(site: ModelSite) {
    this.#site = site
  }

  get accepted(): boolean {
    return this.#person?.says === 'accept' || (this.#person === null && this.#verdict === 'accept')
  }

  get state(): PlanState {
    if (this.#withdrawn) return 'withdrawn'
    if (this.#timedOut || this.#refused) return 'expired'
    if (this.#end !== null) return this.#end
    if (this.#session !== null) return 'bound'
    if (this.#verdict === null) return 'judging'
    if (this.#verdict === 'escalate' && this.#person === null) return 'escalated'
    if (!this.accepted) return 'rejected'
    return this.#site.runs ? 'queued' : 'accepted'
  }

  #clock(now: number): void {
    const since = this.#person?.at ?? this.#verdictAt
    const waits = ['escalated', 'accepted', 'queued'].includes(this.state)
    if (waits && now >= since + this.#site.livesMs) this.#timedOut = true
  }

  /** True when the happening was taken. */
  play(what: Happening, now: number): boolean {
    switch (what.kind) {
      case 'time':
        this.#clock(now)
        return true
      case 'verdict':
        if (this.state !== 'judging') return true
        this.#verdict = what.says
        this.#verdictAt = now
        return true
      case 'word':
        this.#clock(now)
        return this.#word(what, now)
      case 'withdraw': {
        const open = ['judging', 'escalated', 'accepted', 'queued', 'withdrawn'].includes(
          this.state,
        )
        if (open) this.#withdrawn = true
        return open
      }
      case 'bind':
        return this.#bind(what, now)
      case 'opened':
        if (this.state === 'bound' && what.session === this.#session && !what.well) {
          this.#refused = true
          return false
        }
        return true
      case 'not_queued':
        if (this.state !== 'queued') return true
        this.#refused = true
        return false
      case 'over':
        if (this.state === 'bound' && what.session === this.#session) {
          this.#end = what.well ? 'completed' : 'terminated'
        }
        return true
    }
  }

  #word(what: Extract<Happening, { kind: 'word' }>, now: number): boolean {
    if (this.state !== 'escalated' || what.stale || what.by === this.#site.owner) return false
    // Nobody agrees twice; whoever has agreed may still reject.
    if (what.says === 'accept' && this.#agreed.has(what.by)) return false
    if (what.says === 'accept' && what.outdated) return false
    if (what.says === 'reject') this.#person = { says: 'reject', at: now }
    this.#agreed.add(what.by)
    if (what.says === 'accept' && this.#agreed.size >= this.#site.people) {
      this.#person = { says: 'accept', at: now }
    }
    return true
  }

  #bind(what: Extract<Happening, { kind: 'bind' }>, now: number): boolean {
    if (this.#session !== null) return !this.#refused && this.#session === what.session
    if (this.state !== 'queued') return false
    const since = this.#person?.at ?? this.#verdictAt
    if (!what.fits || now >= since + this.#site.livesMs) {
      this.#refused = true
      return false
    }
    if (what.differs) {
      // Nothing that was said over the cell as it was counts any more.
      this.#verdict = null
      this.#person = null
      this.#agreed.clear()
      return false
    }
    this.#session = what.session
    this.sessions.add(what.session)
    return true
  }
}
