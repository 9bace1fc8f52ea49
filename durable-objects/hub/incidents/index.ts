// Incidents of a site: told once when they begin and once when they are over, in the trail and through the
// webhook, and listed for people. What the hub knows itself is looked at with every change; what D1 and the
// running sessions know is asked for every half a minute, as long as there is something to watch.
import { siteFacts } from '../../../adapters/incidents-d1.ts'
import {
  incidentWords,
  type Condition,
  type Incident,
  type IncidentKind,
} from '../../../protocol/incident.ts'
import { limits } from '../../../protocol/limits.ts'
import type { SessionStatus } from '../../../protocol/status.ts'
import type { Env } from '../../env.ts'
import { callMs, inTime } from '../../limited.ts'
import { sessionOf } from '../neighbours.ts'
import { agentStatuses } from '../people.ts'
import { unconfirmedCellStops } from '../cell-stops.ts'
import { openStops } from '../stops.ts'
import type { HubStore } from '../store.ts'
import {
  conditionsHere,
  conditionsOfAgents,
  conditionsRunning,
  conditionsStored,
} from './conditions.ts'
import { readKept, type Kept } from './kept.ts'

export type IncidentPorts = {
  readonly env: Env
  readonly store: HubStore
  readonly online: (now_ms: number) => ReadonlySet<string>
  /** Whether any agent has a socket open. */
  readonly connected: () => boolean
  readonly tell: (event: string, facts: object, now_ms: number) => void
  readonly trail: (event: string, facts: Incident['facts']) => void
}

/** How two kinds have been told since before there was a list of them. */
const ownEvents: Partial<Record<IncidentKind, readonly [began: string, over: string]>> = {
  cell_latched: ['cell_needs_clearance', 'cell_cleared'],
  stop_unconfirmed: ['stop_not_reached', 'stop_reached'],
}
const events = ['incident_began', 'incident_over'] as const

const keyOf = ({ kind, about }: Pick<Condition, 'kind' | 'about'>): string => `${kind}/${about}`

export class Incidents {
  readonly #ports: IncidentPorts
  #looked = -1
  /** By agents, D1 and sessions; null before one answered in this life: then what was open stays open. */
  #ofAgents: Condition[] | null = null
  #stored: Condition[] | null = null
  #ofRuns: Condition[] | null = null
  #askedMs = 0
  /** When the first open review begins to be one that runs out. */
  #reviewsMs: number | null = null

  constructor(ports: IncidentPorts) {
    this.#ports = ports
  }

  /** What people have been told of and is not over, and what they are told of first. */
  open(now_ms: number): Incident[] {
    return [...this.#look(now_ms)]
      .filter(([, { told }]) => told)
      .map(([, { kind, since_ms, facts }]) => {
        const { title, what_to_do } = incidentWords[kind]
        return { kind, since_ms, title, what_to_do, facts }
      })
      .sort((a, b) => a.since_ms - b.since_ms)
  }

  /**
   * Compares what is with what was told. Cheap when nothing was written and no time has to pass. Never throws: it
   * is called with every change, and none of them may fail because nobody could be told of something else.
   */
  look(now_ms: number): void {
    try {
      if (this.#looked !== this.#ports.store.writes) this.#look(now_ms)
    } catch (cause) {
      this.#looked = this.#ports.store.writes
      console.error(JSON.stringify({ event: 'incidents_unread', why: String(cause).slice(0, 200) }))
    }
  }

  /** Asks D1 and the running sessions, and looks. A source that does not answer changes nothing. */
  async ask(now_ms: number): Promise<void> {
    const { env, store } = this.#ports
    const site = store.get('site')
    if (site === null || now_ms - this.#askedMs < limits.incidentsEveryMs / 2) {
      this.#look(now_ms)
      return
    }
    this.#askedMs = now_ms
    const agents = agentStatuses(store, this.#ports.online(now_ms))
    this.#ofAgents = conditionsOfAgents(agents, now_ms)
    this.#look(now_ms)
    const since_ms = now_ms - limits.incidentsBackMs
    const look = { site, since_ms, plansMax: limits.incidentsPlansMax, now_ms }
    const [facts, running] = await Promise.allSettled([
      inTime(siteFacts(env.DB, look), callMs['hub: ask'], 'incidents'),
      this.#running(),
    ])
    if (running.status === 'fulfilled') this.#ofRuns = conditionsRunning(running.value)
    if (facts.status === 'fulfilled') {
      const { review_expires_ms } = facts.value
      this.#reviewsMs =
        review_expires_ms === null
          ? null
          : Math.max(now_ms, review_expires_ms - limits.reviewExpiresSoonMs)
      const day_usd = store.policy()?.policy.budget.day_usd ?? null
      this.#stored = conditionsStored(facts.value, day_usd, now_ms)
    } else {
      const why = String(facts.reason).slice(0, 200)
      console.error(JSON.stringify({ event: 'incidents_unasked', site, why }))
    }
    this.#look(now_ms)
  }

  /** When to ask again; null when nothing is at stake. */
  nextDue(now_ms: number): number | null {
    const { store, connected } = this.#ports
    const soon = Math.max(now_ms, this.#askedMs + limits.incidentsEveryMs)
    const waits = [...readKept(store).values()].some(
      ({ kind, told }) => !told || sourceOf(kind) !== 'hub',
    )
    const busy =
      store.cells().some(({ session }) => session !== null) ||
      queuedSince(store) !== null ||
      recentlySubmitted(store, now_ms)
    if (waits || busy || connected()) return soon
    return this.#reviewsMs === null ? null : Math.max(soon, this.#reviewsMs)
  }

  async #running(): Promise<SessionStatus[]> {
    const { env, store } = this.#ports
    const sessions = store.cells().flatMap(({ session }) => session ?? [])
    const asked = sessions.map((session) => sessionOf(env, store, session).status())
    const answers = await Promise.allSettled(asked)
    return answers.flatMap((one) => (one.status === 'fulfilled' ? (one.value ?? []) : []))
  }

  #look(now_ms: number): Map<string, Kept> {
    const { store, tell, trail } = this.#ports
    const before = readKept(store)
    const stops = openStops(store).flatMap(({ session, cell, state, attempts, at_ms }) =>
      // One that answers at the first repetition is nobody's business.
      state === 'wanted' && attempts > 1 ? [{ session, cell, since_ms: at_ms }] : [],
    )
    const here = conditionsHere({
      cells: store.cells(),
      stops,
      cell_stops: unconfirmedCellStops(store),
      queued_ms: queuedSince(store),
      now_ms,
    })
    const kept = new Map<string, Kept>()
    const asked = [...(this.#stored ?? []), ...(this.#ofRuns ?? [])]
    for (const one of [...here, ...(this.#ofAgents ?? []), ...asked]) {
      const known = before.get(keyOf(one))
      const since_ms = Math.min(known?.since_ms ?? one.since_ms, one.since_ms)
      const told = known?.told === true || now_ms - since_ms >= incidentWords[one.kind].after_ms
      kept.set(keyOf(one), { kind: one.kind, since_ms, told, facts: one.facts })
    }
    // Not asked yet in this life: what was open then is not over for that.
    const unasked = {
      hub: false,
      agents: this.#ofAgents === null,
      stored: this.#stored === null,
      runs: this.#ofRuns === null,
    }
    for (const [key, one] of before) {
      if (unasked[sourceOf(one.kind)] && !kept.has(key)) kept.set(key, one)
    }
    const begun = [...kept].filter(([key, { told }]) => told && before.get(key)?.told !== true)
    const over = [...before].filter(([key, { told }]) => told && !kept.has(key))
    const text = JSON.stringify(Object.fromEntries(kept))
    if (text !== (store.get('incidents') ?? '{}')) {
      const sql = `INSERT OR REPLACE INTO settings (key, value) VALUES ('incidents', ?)`
      store.sql.exec(sql, text)
    }
    this.#looked = store.writes
    const say = ([, { kind, since_ms, facts }]: [string, Kept], which: 0 | 1): void => {
      const { what_to_do } = incidentWords[kind]
      const event = ownEvents[kind]?.[which] ?? events[which]
      tell(event, { ...facts, kind, since_ms, ...(which === 0 ? { what_to_do } : {}) }, now_ms)
      trail(events[which], { ...facts, kind, since_ms })
    }
    for (const one of begun) say(one, 0)
    for (const one of over) say(one, 1)
    return kept
  }
}

/** Who tells of a kind: the hub by itself, the agents, or D1 and the running sessions. */
const sources: Partial<Record<IncidentKind, 'agents' | 'stored' | 'runs'>> = {
  agent_lost: 'agents',
  budget_spent: 'stored',
  clock_skew: 'agents',
  device_down: 'agents',
  judges_down: 'stored',
  ledger_failing: 'agents',
  local_latch: 'agents',
  refusals_repeated: 'stored',
  review_expiring: 'stored',
  step_stuck: 'runs',
}
const sourceOf = (kind: IncidentKind): 'hub' | 'agents' | 'stored' | 'runs' =>
  sources[kind] ?? 'hub'

function queuedSince(store: HubStore): number | null {
  const sql = 'SELECT MIN(enqueued_ms) AS at FROM queue'
  return store.sql.exec<{ at: number | null }>(sql).one().at
}

function recentlySubmitted(store: HubStore, now_ms: number): boolean {
  const sql = 'SELECT MAX(at_ms) AS at FROM submitted'
  const { at } = store.sql.exec<{ at: number | null }>(sql).one()
  return at !== null && now_ms - at < limits.incidentsBackMs
}
