// How a session ends. Every abnormal end goes through one function, so that the node in flight becomes
// `unknown` and the latch is decided in one place: doubt about metal always asks for a person.
import type { NodeProgress } from '../protocol/frames.ts'
import type { JsonObject } from '../protocol/json.ts'
import { limits } from '../protocol/limits.ts'
import type { TerminationReason } from '../protocol/reasons.ts'
import {
  executingNode,
  type Effect,
  type NodeState,
  type SessionBinding,
  type SessionState,
  type Step,
} from './session-state.ts'

/** No `go` ever left for it. */
const neverRan: ReadonlySet<NodeProgress> = new Set(['pending', 'released', 'skipped'])

/** Whether a physical tool was, or may have been, set in motion. Without a `go` nothing can move. */
function mayHaveMoved(binding: SessionBinding, nodes: ReadonlyMap<string, NodeState>): boolean {
  return binding.context.plan.nodes.some((planned) => {
    // A tool that the binding does not know counts as physical.
    if (binding.tools.get(planned.tool)?.physical === false) return false
    const node = nodes.get(planned.id)
    if (node === undefined || neverRan.has(node.state)) return false
    return !(node.state === 'failed' && node.actuated === false)
  })
}

/** One node replaced. */
export function withNode(state: SessionState, nid: string, node: NodeState): SessionState {
  return { ...state, nodes: new Map(state.nodes).set(nid, node) }
}

export type Ending = {
  readonly reason: TerminationReason
  readonly actor: string
  readonly now_ms: number
  readonly detail?: string
  /** What a check expected and got: for the trail alone. */
  readonly facts?: JsonObject | null
  /** Set when the agent contradicts the record: then its word that nothing moved is worth nothing. */
  readonly doubt?: boolean
}

/** Ends the session without completing: no further node, devices to their declared safe state. */
export function terminate(binding: SessionBinding, before: SessionState, ending: Ending): Step {
  const { reason, actor, now_ms } = ending
  let state = before
  const nid = executingNode(state)
  if (nid !== null) {
    // Invariant: executingNode names an existing node.
    const node = state.nodes.get(nid) as NodeState
    state = withNode(state, nid, { ...node, state: 'unknown', reason })
  }
  const physical = [...binding.tools.values()].some((tool) => tool.physical)
  const latch = mayHaveMoved(binding, state.nodes) || (ending.doubt === true && physical)
  const facts = { reason, latch, node: nid, detail: ending.detail ?? '', ...ending.facts }
  return {
    state: { ...state, status: 'terminated', reason, latch, ended_ms: now_ms, grace_until: null },
    effects: [
      { do: 'audit', event: 'terminated', actor, facts },
      { do: 'send', to: 'proven', frame: { v: 1, re: null, type: 'halt', reason } },
    ],
  }
}

/** Ends the session as completed; only called when every node has succeeded or was skipped. */
export function complete(state: SessionState, nowMs: number): Step {
  const effects: Effect[] = [
    { do: 'audit', event: 'completed', actor: 'gateway', facts: { nodes: state.nodes.size } },
  ]
  return {
    state: { ...state, status: 'completed', ended_ms: nowMs, grace_until: null },
    effects,
  }
}

/** When the node in flight is given up: its tool's own time, and the grace for its report. */
function overdueAt(binding: SessionBinding, state: SessionState): number {
  const nid = executingNode(state)
  if (nid === null) return Number.POSITIVE_INFINITY
  const startedMs = state.nodes.get(nid)?.started_ms ?? 0
  const tool = binding.context.plan.nodes.find((node) => node.id === nid)?.tool ?? ''
  return startedMs + (binding.tools.get(tool)?.timeout_ms ?? 0) + limits.reportGraceMs
}

/** The next moment at which time alone can end the session; null once it has ended. */
export function nextTimer(binding: SessionBinding, state: SessionState): number | null {
  if (state.ended_ms !== null) return null
  const grace = state.grace_until ?? Number.POSITIVE_INFINITY
  return Math.min(binding.context.deadline, grace, overdueAt(binding, state))
}

/** What time has ended by now, most certain first; null when nothing. */
export function timedOut(
  binding: SessionBinding,
  state: SessionState,
  nowMs: number,
): TerminationReason | null {
  if (nowMs >= binding.context.deadline) return 'deadline_passed'
  if (nowMs >= overdueAt(binding, state)) return 'node_unknown'
  return state.grace_until !== null && nowMs >= state.grace_until ? 'agent_lost' : null
}
