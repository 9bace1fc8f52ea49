// The session as a pure step function: (binding, state, event, now) → (state, effects). Everything that
// decides whether a node may run is here and can be played against a model; the object is a shell.
// Invariants 1 and 2: one `go` per node, in order, never after the end.
import { limits } from '../protocol/limits.ts'
import type { GatewaySessionFrame } from '../protocol/frames.ts'
import { unreachable } from '../protocol/result.ts'
import { parseTraceparent, spanIdOf, traceparentOf } from '../protocol/trace.ts'
import { again, answer, record, still, tokenFrame, violation } from './session-answers.ts'
import { decisionOf, noStart } from './session-decide.ts'
import { stepReport } from './session-report.ts'
import { stepRest } from './session-rest.ts'
import { stepAuthorized, stepStart } from './session-start.ts'
import { terminate, timedOut, type Ending } from './session-end.ts'
import { withNode } from './session-end.ts'
import {
  executingNode,
  hasEnded,
  type Effect,
  type SessionBinding,
  type SessionEvent,
  type SessionState,
  type Step,
} from './session-state.ts'

type Of<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>

/** One event. Total: every event has an answer in every state, and the ended ones never change. */
export function step(
  binding: SessionBinding,
  state: SessionState,
  event: SessionEvent,
  nowMs: number,
): Step {
  // Devices come to rest after the end; what the agent says of them is taken whenever it comes.
  if (event.type === 'rest') return stepRest(binding, state, event, nowMs)
  if (hasEnded(state)) return afterEnd(binding, state, event)
  // Time passes before the event does: a late alarm must not let a node start after the deadline.
  const late = timedOut(binding, state, nowMs)
  if (late !== null && event.type !== 'stop') {
    const ended = terminate(binding, state, { reason: late, actor: 'clock', now_ms: nowMs })
    const after = afterEnd(binding, ended.state, event)
    return { state: after.state, effects: [...ended.effects, ...after.effects] }
  }
  switch (event.type) {
    case 'hello':
      return stepHello(binding, state, event, nowMs)
    case 'pull':
    case 'start':
    case 'authorized':
    case 'report':
    case 'abort':
      return stepFramed(binding, state, event, nowMs)
    case 'stop':
      return terminate(binding, state, { reason: event.reason, actor: event.by, now_ms: nowMs })
    case 'lost':
      if (event.proven_left > 0 || state.status === 'bound' || state.grace_until !== null) {
        return still(state)
      }
      return still({ ...state, grace_until: nowMs + limits.reportGraceMs })
    case 'tick':
      return still(state)
    default:
      return unreachable(event)
  }
}

/** After the end everything is answered with the end; a late report is only written down. */
function afterEnd(
  binding: SessionBinding,
  state: SessionState,
  event: Exclude<SessionEvent, { type: 'rest' }>,
): Step {
  const status = state.status === 'completed' ? 'completed' : 'terminated'
  switch (event.type) {
    case 'stop':
    case 'lost':
    case 'tick':
      return still(state)
    case 'report': {
      const known = event.seen !== null || state.nodes.get(event.nid)?.report === event.text
      const ack = answer({ v: 1, re: event.fid, type: 'ack', nid: event.nid })
      if (known || !event.report.ok) return still(state, ack)
      const { outcome, actuated } = event.report.value
      const facts = { node: event.nid, outcome, actuated }
      return still(
        state,
        { do: 'audit', event: 'late_report', actor: binding.context.agent, facts },
        ack,
      )
    }
    case 'hello':
    case 'pull':
    case 'start':
    case 'authorized':
    case 'abort':
      return still(state, answer({ v: 1, re: event.fid, type: 'done', status }))
    default:
      return unreachable(event)
  }
}

/** Proven by the bound key on this connection; from here on its word can end the session. */
function stepHello(
  binding: SessionBinding,
  state: SessionState,
  event: Of<'hello'>,
  nowMs: number,
): Step {
  const actor = binding.context.agent
  const bound = binding.context.boot_id
  const restarted = state.boot_id !== null && state.boot_id !== event.boot_id
  if (event.older_lives) {
    // Two live processes of one key: nobody knows whose bench is the armed one.
    const detail = `process ${event.boot_id} beside ${state.boot_id ?? ''}`
    const ending: Ending = { reason: 'agent_duplicate', actor, now_ms: nowMs, detail, doubt: true }
    const { state: ended, effects } = terminate(binding, state, ending)
    const refuse = { do: 'refuse', re: event.fid, code: 'agent_duplicate', detail } as const
    return { state: ended, effects: [...effects, refuse] }
  }
  // The process that drove the device may be gone: then nobody knows where the metal stands.
  const other = bound !== undefined && bound !== event.boot_id
  if (other || (restarted && executingNode(state) !== null)) {
    return endedByHello(binding, state, event.fid, {
      reason: 'agent_restarted',
      actor,
      now_ms: nowMs,
    })
  }
  for (const entry of event.ledger) {
    const node = state.nodes.get(entry.nid)
    const neverWent = node === undefined || node.state === 'pending' || node.state === 'released'
    // `ended` without a `go` is honest only for a start that was given up: its report follows.
    const went =
      entry.state === 'actuated' || (entry.state === 'ended' && node?.state === 'pending')
    if (node === undefined || (neverWent && went)) {
      const detail = `the agent's ledger has ${entry.nid} as ${entry.state}`
      const ending: Ending = { reason: 'frame_violation', actor, now_ms: nowMs, detail }
      return endedByHello(binding, state, event.fid, { ...ending, doubt: true })
    }
  }
  const next: SessionState = {
    ...state,
    status: 'active',
    boot_id: event.boot_id,
    grace_until: null,
  }
  const effects: Effect[] = [
    { do: 'audit', event: 'hello', actor, facts: { boot_id: event.boot_id, restarted } },
    answer(welcome(binding, next, event.fid)),
  ]
  if (restarted) effects.unshift({ do: 'close_stale', boot_id: event.boot_id })
  return { state: next, effects }
}

/** The end, and its answer: an agent that is still to tell how its devices stand hears that it may. */
function endedByHello(
  binding: SessionBinding,
  state: SessionState,
  re: string,
  ending: Ending,
): Step {
  const ended = terminate(binding, state, ending)
  const done = answer({ v: 1, re, type: 'done', status: 'terminated' })
  return { state: ended.state, effects: [...ended.effects, done] }
}

function welcome(binding: SessionBinding, state: SessionState, re: string): GatewaySessionFrame {
  const progress = [...state.nodes].map(([nid, node]) => ({ nid, state: node.state }))
  const { context, ctx, receipt, manifest, rows } = binding
  const bound = { context, ctx, receipt, manifest, progress }
  const signed = context.tools === undefined ? {} : { rows: [...rows] }
  const trace = parseTraceparent(binding.traceparent)
  const run = trace && traceparentOf(trace, spanIdOf(trace, 'run', context.session))
  const traced = run === null ? {} : { traceparent: run }
  return { v: 1, re, type: 'welcome', ...bound, ...signed, ...traced }
}

type FramedEvent = Of<'pull' | 'start' | 'authorized' | 'report' | 'abort'>

/** What holds for every proven frame: right process, same frame same answer, bounded number. */
function stepFramed(
  binding: SessionBinding,
  state: SessionState,
  event: FramedEvent,
  nowMs: number,
): Step {
  if (event.boot_id !== state.boot_id) {
    const detail = 'a newer process of this agent has taken over'
    return still(state, { do: 'refuse', re: event.fid, code: 'hello_expected', detail })
  }
  if (event.seen !== null) {
    if (event.seen.body === event.body) {
      return still(state, answer(again(binding, event.fid, event.seen.answer)))
    }
    const detail = `frame ${event.fid} came again with another content`
    return violation(binding, state, { reason: 'frame_violation', detail, now_ms: nowMs })
  }
  // Reports are bounded by the nodes; they are taken even when nothing else is.
  if (state.frames >= limits.framesPerSessionMax && event.type !== 'report') {
    const detail = `more than ${limits.framesPerSessionMax} frames`
    return still(state, { do: 'refuse', re: event.fid, code: 'too_many_frames', detail })
  }
  switch (event.type) {
    case 'pull':
      return stepPull(binding, state, event, nowMs)
    case 'start':
      return stepStart(binding, state, event, nowMs)
    case 'authorized':
      return stepAuthorized(binding, state, event, nowMs)
    case 'report':
      return stepReport(binding, state, event, nowMs)
    case 'abort': {
      // What a device held, heated or had homed is unknown once its server is another process.
      const restarted = event.reason === 'server_restarted'
      return violation(binding, state, {
        reason: restarted ? 'server_restarted' : 'agent_aborted',
        detail: `${event.reason}: ${event.detail}`,
        now_ms: nowMs,
        doubt: restarted,
      })
    }
    default:
      return unreachable(event)
  }
}

/** Releases the next node, or re-sends its token (same jti); one node in flight. */
function stepPull(
  binding: SessionBinding,
  state: SessionState,
  event: Of<'pull'>,
  nowMs: number,
): Step {
  if (executingNode(state) !== null) {
    return still(state, answer({ v: 1, re: event.fid, type: 'wait', ms: limits.pullWaitMs }))
  }
  for (const nid of binding.context.order) {
    const node = state.nodes.get(nid)
    if (node === undefined) throw new TypeError(`order names ${nid}, which has no state`)
    if (node.state === 'succeeded' || node.state === 'skipped') continue
    const decision = decisionOf(binding, state, nid)
    // One that is to be skipped is released all the same: the agent signs that it skips it.
    const why = decision.do === 'end' ? noStart(nid, decision) : null
    if (why !== null) {
      return terminate(binding, state, { ...why, actor: 'gateway', now_ms: nowMs })
    }
    // Nothing in flight and nothing failed (that ends the session): this one is pending or released.
    const released = withNode(state, nid, { ...node, state: 'released' })
    const [next, recorded] = record(released, event, { type: 'token', nid })
    const effects: Effect[] = [recorded]
    if (node.state === 'pending') {
      const facts = { node: nid }
      effects.push({ do: 'audit', event: 'released', actor: 'gateway', facts })
    }
    return { state: next, effects: [...effects, answer(tokenFrame(binding, nid, event.fid))] }
  }
  throw new TypeError('every node has ended, but the session has not completed')
}
