// A small reference model of one session, written apart from the product code and by other means: it keeps
// what has happened and says for each event what is said to whom, in which order, and how the session stands:
// status, reason, latch, process, grace, next timer, frames on record and every word of every node. Where
// it and the step function disagree, one of them is wrong.
import type { PlannedNode as ModelNode } from '../../shared/schedule-binding.ts'
import type {
  Frame,
  ModelBinding,
  ModelEvent,
  ReportFacts,
  Rest,
  StartFacts,
  View,
} from './model-types.ts'

export type { ModelNode }

/** What became of a node whose report was taken, or that the end caught in flight. */
type Over = {
  readonly state: string
  readonly reason: string | null
  readonly since: number | null
  readonly actuated: boolean | null
  readonly text: string | null
}

/** A `go` comes after two questions to the site at most, by a clock that is so far off. */
const goesAfterMs = 10_000
const clocksDifferMs = 5_000
const restsMax = 1_000

export class Model {
  readonly #binding: ModelBinding
  readonly #order: readonly string[]
  readonly #released = new Set<string>()
  readonly #over = new Map<string, Over>()
  readonly #frames = new Map<string, { body: string; answer: string }>()
  status: View['status'] = 'bound'
  #reason: string | null = null
  #latch = false
  #endedAt: number | null = null
  #running: { nid: string; since: number } | null = null
  #boot: string | null = null
  #lostAt: number | null
  #rest: Rest | null = null

  constructor(binding: ModelBinding, now: number) {
    this.#binding = binding
    this.#lostAt = now
    this.#order = orderOf(binding.nodes)
  }

  get running(): string | null {
    return this.#running?.nid ?? null
  }

  get over(): boolean {
    return this.status === 'completed' || this.status === 'terminated'
  }

  /** The node whose turn it is. */
  next(): string | null {
    return this.#order.find((nid) => !this.#succeeded(nid)) ?? null
  }

  isReleased(nid: string): boolean {
    return this.#released.has(nid) && this.#running?.nid !== nid && !this.#over.has(nid)
  }

  view(): View {
    return {
      status: this.status,
      reason: this.#reason,
      latch: this.#latch,
      boot_id: this.#boot,
      grace_until: this.#graceEnds(),
      ended_ms: this.#endedAt,
      frames: this.#frames.size,
      timer: this.timer(),
      rest: this.#rest,
      nodes: this.#order.map((nid) => this.#nodeView(nid)).sort(),
    }
  }

  #nodeView(nid: string): string {
    const over = this.#over.get(nid)
    if (over !== undefined) {
      return [nid, over.state, over.reason, over.since, over.actuated, over.text].join(' | ')
    }
    const since = this.#running?.nid === nid ? this.#running.since : null
    const early = this.#released.has(nid) ? 'released' : 'pending'
    return [nid, since === null ? early : 'executing', null, since, null, null].join(' | ')
  }

  #succeeded(nid: string): boolean {
    return this.#over.get(nid)?.state === 'succeeded'
  }

  #graceEnds(): number | null {
    return this.#lostAt === null || this.over ? null : this.#lostAt + this.#binding.grace
  }

  /** When time alone ends it. */
  timer(): number | null {
    if (this.over) return null
    const { deadline, grace, toolTime } = this.#binding
    const times = [deadline, this.#graceEnds() ?? deadline]
    if (this.#running !== null) times.push(this.#running.since + toolTime + grace)
    return Math.min(...times)
  }

  /** Plays one event. Returns what was said and done, in order. */
  play(event: ModelEvent, now: number): string[] {
    if (event.kind === 'rest') return this.#rests(event, now)
    if (this.over) return this.#afterEnd(event)
    const { deadline, grace, toolTime, agent } = this.#binding
    if (event.kind === 'stop') return this.#end('stopped_by_person', 'p', now)
    if (now >= (this.timer() ?? Infinity)) {
      const overdue = this.#running !== null && now >= this.#running.since + toolTime + grace
      const reason = now >= deadline ? 'deadline_passed' : overdue ? 'node_unknown' : 'agent_lost'
      return [...this.#end(reason, 'clock', now), ...this.#afterEnd(event)]
    }
    switch (event.kind) {
      case 'hello':
        return this.#hello(event, now)
      case 'lost':
        if (event.left === 0 && this.status === 'active') this.#lostAt ??= now
        return []
      case 'tick':
        return []
      case 'pull':
      case 'start':
      case 'authorized':
      case 'report':
      case 'abort': {
        if (event.boot !== this.#boot) return ['refuse hello_expected']
        const before = this.#frames.get(event.fid)
        if (before?.body === event.body) return [`asker ${before.answer}`]
        if (before !== undefined) return this.#end('frame_violation', agent, now)
        return this.#frame(event, now)
      }
    }
  }

  /** The latch: whatever may have moved and is not known to have come to its end without moving. */
  #end(reason: string, actor: string, now: number, doubt = false): string[] {
    if (this.#running !== null) {
      const { nid, since } = this.#running
      this.#over.set(nid, { state: 'unknown', reason, since, actuated: null, text: null })
      this.#running = null
    }
    const moved = [...this.#over].some(
      ([nid, { state, actuated }]) =>
        this.#binding.physical(nid) && !(state === 'failed' && actuated === false),
    )
    this.#latch = moved || (doubt && this.#binding.anyPhysical)
    this.status = 'terminated'
    this.#reason = reason
    this.#endedAt = now
    return [`audit terminated ${actor}`, `proven halt ${reason}`]
  }

  #afterEnd(event: ModelEvent): string[] {
    switch (event.kind) {
      case 'stop':
      case 'lost':
      case 'tick':
      case 'rest':
        return []
      case 'report': {
        const seen = this.#frames.has(event.fid) || this.#over.get(event.nid)?.text === event.text
        const late = seen || !event.proof ? [] : [`audit late_report ${this.#binding.agent}`]
        return [...late, `asker ack ${event.nid}`]
      }
      case 'hello':
      case 'pull':
      case 'start':
      case 'authorized':
      case 'abort':
        return [`asker done ${this.status}`]
    }
  }

  #hello({ boot, older, ledger }: Extract<ModelEvent, { kind: 'hello' }>, now: number): string[] {
    const { agent, bootBound } = this.#binding
    if (older) {
      return [...this.#end('agent_duplicate', agent, now, true), 'refuse agent_duplicate']
    }
    const restarted = this.#boot !== null && this.#boot !== boot
    const another = bootBound !== null && bootBound !== boot
    if (another || (restarted && this.#running !== null)) {
      return [...this.#end('agent_restarted', agent, now), 'asker done terminated']
    }
    const lies = ledger.some(({ nid, state }) => {
      if (!this.#order.includes(nid)) return true
      if (this.#running?.nid === nid || this.#over.has(nid)) return false
      return state === 'actuated' || (state === 'ended' && !this.#released.has(nid))
    })
    if (lies) return [...this.#end('frame_violation', agent, now, true), 'asker done terminated']
    this.status = 'active'
    this.#boot = boot
    this.#lostAt = null
    const closed = restarted ? [`close_stale ${boot}`] : []
    return [...closed, `audit hello ${agent}`, 'asker welcome']
  }

  #record({ fid, body }: Frame, answer: string, again = answer): string {
    this.#frames.set(fid, { body, answer: again })
    return `record ${fid} ${answer}`
  }

  #frame(
    event: Extract<ModelEvent, { kind: 'pull' | 'start' | 'authorized' | 'report' | 'abort' }>,
    now: number,
  ): string[] {
    const { agent } = this.#binding
    switch (event.kind) {
      case 'pull':
        return this.#pull(event)
      case 'abort':
        return event.restarted
          ? this.#end('server_restarted', agent, now, true)
          : this.#end('agent_aborted', agent, now)
      case 'start': {
        const why = this.#mayNot(event, now)
        if (why !== null) return this.#end(why, agent, now)
        if (this.#tooLong(event.nid, now)) return this.#end('deadline_passed', 'clock', now)
        return [`ask ${event.nid}`]
      }
      case 'authorized':
        return event.connected ? this.#authorized(event, now) : []
      case 'report':
        return this.#report(event, now)
    }
  }

  #pull(event: Frame): string[] {
    if (this.#running !== null) return ['asker wait']
    const nid = this.next()
    if (nid === null) throw new Error('nothing is left, and it has not completed')
    const first = !this.#released.has(nid)
    this.#released.add(nid)
    const said = [this.#record(event, `token ${nid}`)]
    if (first) said.push('audit released gateway')
    return [...said, `asker token ${nid}`]
  }

  #tooLong(nid: string, now: number): boolean {
    return now + (this.#binding.told[nid] ?? 0) > this.#binding.deadline
  }

  /** What is wrong with a start, first things first; null when it may go. */
  #mayNot({ nid, token, proof }: StartFacts, now: number): string | null {
    if (token === 'other') return 'token_not_of_node'
    if (token === 'altered' || token === 'bytes') return 'signature_invalid'
    if (token === 'iss' || token === 'aud' || token === 'sid') return 'session_mismatch'
    if (token === 'seq' || token === 'nid') return 'node_mismatch'
    const deps = this.#binding.nodes.find(({ id }) => id === nid)?.deps ?? []
    if (deps.some((dep) => !this.#succeeded(dep))) return 'dependency_open'
    const before = this.#order.slice(0, this.#order.indexOf(nid))
    if (before.some((one) => !this.#succeeded(one))) return 'node_out_of_turn'
    if (token === 'tool') return 'tool_mismatch'
    if (token === 'args') return 'args_mismatch'
    if (token === 'ctx') return 'context_mismatch'
    const { from, until } = this.#binding.validity(token)
    if (now < from || now >= until) return 'token_expired'
    if (this.#running?.nid === nid || this.#over.has(nid)) return 'already_executed'
    if (token === 'sub' || token === 'jkt' || !proof) return 'holder_mismatch'
    return this.#released.has(nid) ? null : 'node_out_of_turn'
  }

  #authorized(event: Extract<ModelEvent, { kind: 'authorized' }>, now: number): string[] {
    const { nid } = event
    const why = this.#mayNot(event, now)
    if (why !== null) return this.#end(why, this.#binding.agent, now)
    if (!event.granted) return this.#end('cell_not_armed', 'site', now)
    if (this.#tooLong(nid, now)) return this.#end('deadline_passed', 'clock', now)
    this.#running = { nid, since: now }
    const recorded = this.#record(event, `go ${nid}`, `go_spent ${nid}`)
    return [`execute ${nid}`, recorded, 'audit go gateway', `go ${nid}`]
  }

  /** Why a report is not taken, and whether it asks for a person; null when it is. */
  #notTaken(event: ReportFacts, now: number): { reason: string; doubt: boolean } | null {
    const { nid, proof, outcome, actuated, started, ended } = event
    if (!proof) return { reason: 'frame_violation', doubt: false }
    // No node of these plans has a condition.
    if (outcome === 'skipped') return { reason: 'condition_mismatch', doubt: actuated }
    const since = this.#running?.nid === nid ? this.#running.since : null
    const givenUp = this.isReleased(nid) && outcome === 'failed' && !actuated
    if (since === null && !givenUp) return { reason: 'frame_violation', doubt: actuated }
    const early = started < (since ?? 0) - goesAfterMs - clocksDifferMs
    if (early || ended < started || ended > now + clocksDifferMs) {
      return { reason: 'frame_violation', doubt: actuated }
    }
    return null
  }

  #report(event: Extract<ModelEvent, { kind: 'report' }>, now: number): string[] {
    const { agent } = this.#binding
    const { nid, text, outcome, actuated } = event
    if (this.#over.get(nid)?.text === text) return [`asker ack ${nid}`]
    const wrong = this.#notTaken(event, now)
    if (wrong !== null) return this.#end(wrong.reason, agent, now, wrong.doubt)
    const since = this.#running?.since ?? null
    const state = outcome
    this.#over.set(nid, { state, reason: event.reason, since, actuated, text })
    this.#running = null
    const said = [this.#record(event, `ack ${nid}`), `audit report ${agent}`, `asker ack ${nid}`]
    if (outcome === 'unknown') return [...said, ...this.#end('node_unknown', agent, now)]
    if (outcome === 'failed') {
      const unmet = event.missed && !actuated
      const reason = unmet ? 'precondition_unmet' : 'node_failed'
      return [...said, ...this.#end(reason, agent, now)]
    }
    if (this.next() !== null) return said
    this.status = 'completed'
    this.#endedAt = now
    return [...said, 'audit completed gateway']
  }

  #rests(event: Extract<ModelEvent, { kind: 'rest' }>, now: number): string[] {
    const { agent } = this.#binding
    if (!event.proof) return this.over ? [] : this.#end('frame_violation', agent, now)
    const newer = this.#rest?.boot !== event.boot || event.seq > this.#rest.seq
    if (!newer || event.seq >= restsMax) return ['asker ack null']
    this.#rest = { boot: event.boot, seq: event.seq }
    return [`audit rest ${agent}`, 'asker ack null']
  }
}

/** Of the nodes whose dependencies are all done, always the one with the least name. */
function orderOf(nodes: readonly ModelNode[]): string[] {
  const order: string[] = []
  while (order.length < nodes.length) {
    let least: string | null = null
    for (const { id, deps } of nodes) {
      const ready = !order.includes(id) && deps.every((dep) => order.includes(dep))
      if (ready && (least === null || id < least)) least = id
    }
    if (least === null) throw new Error('the plan has a circle')
    order.push(least)
  }
  return order
}
