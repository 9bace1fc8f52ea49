// The agent's side of a session as a pure step function. The danger it guards: metal that moves without
// a fresh `go`, twice, or after authority is gone. Nothing here resumes an act; only a pull leads on.
import { limits } from '../protocol/limits.ts'
import { unreachable } from '../protocol/result.ts'
import { settleDown } from './machine-settle.ts'
import type {
  AbortReason,
  Effect,
  MachineEvent,
  MachineState,
  NodeEnd,
  Over,
  Step,
} from './machine-types.ts'

const idle = { at: 'idle' } as const
const log = (event: string, detail: string): Effect => ({ do: 'log', event, detail })
type Of<T extends MachineEvent['type']> = Extract<MachineEvent, { type: T }>

/** One event. Total; after `closed` nothing has an effect any more. */
export function step(before: MachineState, event: MachineEvent): Step {
  if (before.closed) return { state: before, effects: [] }
  const { state, effects } = react(before, event)
  return settleDown(state, effects)
}

function react(state: MachineState, event: MachineEvent): Step {
  switch (event.type) {
    case 'welcomed':
      return welcomed(state, event)
    case 'welcome_refused':
      return abort({ ...state, link: 'up' }, event.reason, event.detail)
    case 'link_lost':
      return linkLost(state)
    case 'token':
    case 'token_good':
    case 'token_refused':
    case 'wait':
      return onToken(state, event)
    case 'precondition_missed': {
      const { nid, missed } = event
      const checking = state.work.at === 'checking' && state.work.nid === nid
      if (!checking) return ignored(state, event.type)
      return settle(state, { ...unmoved(nid, 'precondition_unmet'), missed })
    }
    case 'token_skipped': {
      const { work } = state
      const checked = work.at === 'checking' && work.nid === event.end.nid
      return checked ? settle(state, event.end) : { state, effects: [] }
    }
    case 'go':
    case 'go_good':
    case 'go_refused':
    case 'go_spent':
    case 'not_actuated':
      return onGo(state, event)
    case 'tool_ended':
      return runs(state, event.end.nid) ? settle(state, event.end) : ignored(state, event.type)
    case 'reported':
      return reported(state, event)
    case 'ack':
      return {
        state: { ...state, reports: state.reports.filter((r) => r.nid !== event.nid) },
        effects: [{ do: 'acked', nid: event.nid }],
      }
    case 'rest':
      return { state: { ...state, restOwed: event.owed }, effects: [] }
    case 'done': {
      const completed = event.status === 'completed'
      const ended = finish(state, { reason: event.status, completed, told: true })
      if (state.link === 'up') return ended
      // A session that is over answers `hello` with this: what is owed can be told now.
      const owed = state.reports.map((report): Effect => ({ do: 'send_report', report }))
      return { state: { ...ended.state, link: 'up' }, effects: [...ended.effects, ...owed] }
    }
    case 'halt':
      return finish(state, { reason: event.reason, completed: false, told: true })
    case 'forsaken': {
      const ended = finish(state, { reason: event.reason, completed: false, told: true })
      return { state: { ...ended.state, link: 'none' }, effects: ended.effects }
    }
    case 'safe':
      return { state: { ...state, safe: 'done' }, effects: [] }
    case 'local_end':
      return finish(state, { reason: event.reason, completed: false, told: false })
    case 'timer':
      return onTimer(state, event)
    default:
      return unreachable(event)
  }
}

const ignored = (state: MachineState, what: string): Step => ({
  state,
  effects: [log('frame_ignored', what)],
})

const runs = (state: MachineState, nid: string): boolean =>
  state.work.at === 'running' && state.work.nid === nid

/** True while a tool of policy `hold` runs on without authority. */
const isHeld = (state: MachineState, nid: string): boolean =>
  state.over !== null &&
  state.work.at === 'running' &&
  state.work.nid === nid &&
  state.work.policy === 'hold'

/** True while a start is out and nothing has been written to a device. */
const awaitsGo = (state: MachineState, nid: string): boolean =>
  (state.work.at === 'starting' || state.work.at === 'confirming') && state.work.nid === nid

function unmoved(nid: string, reason: string): NodeEnd {
  return { nid, outcome: 'failed', reason, result_digest: null, actuated: false }
}

/** The node in flight has come to its end: sign, write down, then tell. */
function settle(state: MachineState, end: NodeEnd, over: Over | null = null): Step {
  const failed: Over = { reason: `node_${end.outcome}`, completed: false, told: true }
  const goesOn = end.outcome === 'succeeded' || end.outcome === 'skipped'
  const why = over ?? (goesOn ? null : failed)
  return {
    state: {
      ...state,
      work: { at: 'settling', nid: end.nid },
      over: state.over ?? why,
      outcomes: new Map(state.outcomes).set(end.nid, end.outcome),
    },
    effects: [
      { do: 'clear_timer', timer: 'go' },
      { do: 'clear_timer', timer: 'hold' },
      { do: 'settle', end },
    ],
  }
}

/** The agent itself ends the session; the gateway is told, at once when it can be. */
function abort(state: MachineState, reason: AbortReason, detail: string): Step {
  if (state.over !== null) return { state, effects: [] }
  const told = state.link === 'up'
  const ended = finish(state, { reason, completed: false, told })
  return told
    ? { ...ended, effects: [{ do: 'send_abort', reason, detail }, ...ended.effects] }
    : ended
}

/** No further node. What runs now follows its tool's orphan policy. */
function finish(state: MachineState, over: Over): Step {
  if (state.over !== null) {
    // The first reason stays; that the gateway knows is new knowledge.
    return {
      state: { ...state, over: { ...state.over, told: state.over.told || over.told } },
      effects: [],
    }
  }
  const next: MachineState = { ...state, over }
  const effects: Effect[] = [{ do: 'clear_timer', timer: 'pull' }, log('session_over', over.reason)]
  const { work } = state
  switch (work.at) {
    case 'running':
      if (over.completed) return { state: next, effects }
      return { state: next, effects: [...effects, ...orphan(work)] }
    case 'starting':
    case 'confirming': {
      // Nothing was written, and nothing will be.
      const settled = settle(next, unmoved(work.nid, 'halted'))
      return { state: settled.state, effects: [...effects, ...settled.effects] }
    }
    case 'settling':
      return { state: next, effects }
    case 'idle':
    case 'pulled':
    case 'waiting':
    case 'checking':
      return { state: { ...next, work: idle }, effects }
    default:
      return unreachable(work)
  }
}

/** What becomes of a running call whose authority is gone (registry: orphan policy). */
function orphan(work: Extract<MachineState['work'], { at: 'running' }>): Effect[] {
  switch (work.policy) {
    case 'stop':
      return [{ do: 'cancel', nid: work.nid }]
    case 'hold':
      return [{ do: 'timer', timer: 'hold', ms: null, nid: work.nid }]
    case 'finish':
      return []
    default:
      return unreachable(work.policy)
  }
}

function welcomed(state: MachineState, event: Of<'welcomed'>): Step {
  // One that comes twice was written before what has happened since: taken at its word it would drop a
  // start that is out, and the `go` behind it would find nobody while the gateway waits for a report.
  if (state.link === 'up') return ignored(state, 'welcome')
  const effects: Effect[] = [{ do: 'clear_timer', timer: 'lost' }]
  const kept: MachineState['reports'][number][] = []
  for (const report of state.reports) {
    const held = event.progress.get(report.nid)
    if (!report.actuated && state.over === null && (held === 'pending' || held === 'released')) {
      // The start never arrived and nothing moved: the node may be started anew.
      effects.push({ do: 'forget', nid: report.nid })
    } else {
      kept.push(report)
      effects.push({ do: 'send_report', report })
    }
  }
  const forgotten = state.reports.filter((r) => !kept.includes(r)).map((r) => r.nid)
  const outcomes = new Map([...state.outcomes].filter(([nid]) => !forgotten.includes(nid)))
  const next: MachineState = { ...state, link: 'up', reports: kept, outcomes }
  const { work } = next
  if (work.at === 'starting' || work.at === 'confirming') {
    const held = event.progress.get(work.nid)
    if (held === 'executing') {
      // A `go` left on the connection that is gone; it is never sent twice.
      const lost = settle(next, unmoved(work.nid, 'go_lost'))
      return { state: lost.state, effects: [...effects, ...lost.effects] }
    }
    effects.push({ do: 'clear_timer', timer: 'go' })
    return { state: { ...next, work: idle }, effects }
  }
  const stray = [...event.progress].find(([nid, p]) => p === 'executing' && !knows(next, nid))
  if (stray !== undefined && next.over === null) {
    // The ledger that would know is gone: nobody can say what the device did.
    const nid = stray[0]
    const unknown = { nid, outcome: 'unknown', reason: 'no_record', result_digest: null } as const
    const settled = settle(next, { ...unknown, actuated: true })
    return { state: settled.state, effects: [...effects, ...settled.effects] }
  }
  return { state: next, effects }
}

/** This process, or its ledger, can account for the node. */
function knows(state: MachineState, nid: string): boolean {
  const { work } = state
  return state.outcomes.has(nid) || ('nid' in work && work.nid === nid)
}

function linkLost(state: MachineState): Step {
  const { work } = state
  if (state.link === 'none') return { state, effects: [] }
  const next: MachineState = { ...state, link: 'down', owing: false }
  if (work.at === 'pulled' || work.at === 'waiting' || work.at === 'checking') {
    return { state: { ...next, work: idle }, effects: [{ do: 'clear_timer', timer: 'pull' }] }
  }
  if (state.over !== null || state.link === 'down') return { state: next, effects: [] }
  // Supervision is gone: a running call gets a short grace, then its orphan policy.
  return { state: next, effects: [{ do: 'timer', timer: 'lost', ms: null, nid: null }] }
}

function onToken(
  state: MachineState,
  event: Of<'token'> | Of<'token_good'> | Of<'token_refused'> | Of<'wait'>,
): Step {
  const { work } = state
  if (event.type === 'token' || event.type === 'wait') {
    if (work.at !== 'pulled') return ignored(state, event.type)
    if (event.type === 'wait') {
      const ms = Math.min(Math.max(event.ms, 10), 60_000)
      return {
        state: { ...state, work: { at: 'waiting' } },
        effects: [{ do: 'timer', timer: 'pull', ms, nid: null }],
      }
    }
    const checking = { at: 'checking', nid: event.nid } as const
    return { state: { ...state, work: checking }, effects: [{ do: 'check_token', nid: event.nid }] }
  }
  if (work.at !== 'checking' || work.nid !== event.nid) return { state, effects: [] }
  if (event.type === 'token_refused') {
    return abort({ ...state, work: idle }, event.reason, event.detail)
  }
  return {
    state: { ...state, work: { at: 'starting', nid: event.nid } },
    effects: [
      { do: 'send_start', nid: event.nid },
      { do: 'timer', timer: 'go', ms: limits.goLifetimeMs, nid: event.nid },
    ],
  }
}

function onGo(
  state: MachineState,
  event: Of<'go'> | Of<'go_good'> | Of<'go_refused'> | Of<'go_spent'> | Of<'not_actuated'>,
): Step {
  const { nid } = event
  switch (event.type) {
    case 'go':
      // A second `go`, or one for another node, finds nothing that waits for it.
      if (state.work.at !== 'starting' || state.work.nid !== nid) return ignored(state, 'go')
      return {
        state: { ...state, work: { at: 'confirming', nid } },
        effects: [{ do: 'check_go', nid }],
      }
    case 'go_good':
      if (state.work.at !== 'confirming' || state.work.nid !== nid) return { state, effects: [] }
      // Nothing begins without supervision.
      if (state.link !== 'up') return settle(state, unmoved(nid, 'go_lost'))
      return {
        state: { ...state, work: { at: 'running', nid, policy: event.policy } },
        effects: [
          { do: 'clear_timer', timer: 'go' },
          { do: 'actuate', nid },
        ],
      }
    case 'go_refused': {
      if (!awaitsGo(state, nid)) return { state, effects: [] }
      const forged = { reason: 'go_invalid', completed: false, told: false }
      const late = event.reason === 'go_late'
      return settle(state, unmoved(nid, event.reason), late ? null : forged)
    }
    case 'go_spent':
      // While a `go` is being checked it is here: the answer to a repeated start changes nothing.
      return state.work.at === 'starting' && state.work.nid === nid
        ? settle(state, unmoved(nid, 'go_lost'))
        : ignored(state, 'go_spent')
    case 'not_actuated': {
      if (!runs(state, nid)) return { state, effects: [] }
      const told =
        event.abort === null ? null : { reason: event.abort, completed: false, told: false }
      const { missed } = event
      const end = unmoved(nid, event.reason)
      return settle(state, missed === undefined ? end : { ...end, missed }, told)
    }
    default:
      return unreachable(event)
  }
}

function reported(state: MachineState, event: Of<'reported'>): Step {
  const { nid, actuated } = event.end
  const report = { nid, text: event.text, actuated }
  const settled = state.work.at === 'settling' && state.work.nid === nid
  return {
    state: {
      ...state,
      work: settled ? idle : state.work,
      reports: [...state.reports.filter((r) => r.nid !== nid), report],
    },
    effects: state.link === 'up' ? [{ do: 'send_report', report }] : [],
  }
}

function onTimer(state: MachineState, event: Of<'timer'>): Step {
  switch (event.timer) {
    case 'go':
      if (event.nid === null || !awaitsGo(state, event.nid)) return { state, effects: [] }
      return settle(state, unmoved(event.nid, 'go_late'))
    case 'lost':
      if (state.link === 'up') return { state, effects: [] }
      // Between nodes nothing moves, and the session may be taken up again by a pull.
      if (state.work.at !== 'running') return { state, effects: [] }
      return finish(state, { reason: 'gateway_lost', completed: false, told: false })
    case 'hold':
      if (event.nid === null || !isHeld(state, event.nid)) return { state, effects: [] }
      return { state, effects: [{ do: 'safe_stop_running', nid: event.nid }] }
    case 'pull':
      return { state: state.work.at === 'waiting' ? { ...state, work: idle } : state, effects: [] }
    case 'owed':
      // A gateway that ended the session over this very report never acknowledges it. The ledger has it.
      return {
        state: state.owing ? { ...state, reports: [], restOwed: false } : state,
        effects: [],
      }
    case 'farewell':
      return { state: { ...state, closed: true }, effects: [{ do: 'close', reason: 'farewell' }] }
    default:
      return unreachable(event.timer)
  }
}
