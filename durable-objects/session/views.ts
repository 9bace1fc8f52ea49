// What a session tells others: its status to people, its end to the hub and the review.
import type { SessionBinding, SessionState } from '../../contain/session-state.ts'
import { devicesAtEnd } from '../../contain/session-rest.ts'
import type { SessionEnd, SessionStatus } from '../contracts.ts'

/** The status of a session as reviewers and operators see it. */
export function statusOf(binding: SessionBinding, state: SessionState): SessionStatus {
  const { context } = binding
  const tools = new Map(context.plan.nodes.map((node) => [node.id, node.tool]))
  return {
    session: context.session,
    plan: binding.plan_id,
    site: context.site,
    cell: context.cell,
    agent: context.agent,
    status: state.status,
    reason: state.reason,
    ctx: binding.ctx,
    order: [...context.order],
    nodes: [...state.nodes].map(([nid, node]) => ({
      nid,
      tool: tools.get(nid) ?? '',
      state: node.state,
      reason: node.reason,
    })),
    opened_ms: binding.opened_ms,
    ended_ms: state.ended_ms,
    deadline_ms: context.deadline,
  }
}

/** Reasons that speak of the device itself; the rest is transport. */
const deviceWords: ReadonlySet<string> = new Set([
  'tool_error',
  'tool_refused',
  'timeout',
  'result_invalid',
])

/** How the session ended, or null while it runs. */
export function endOf(binding: SessionBinding, state: SessionState): SessionEnd | null {
  const { status, ended_ms, reason, latch } = state
  if (ended_ms === null || (status !== 'completed' && status !== 'terminated')) return null
  const { session, cell } = binding.context
  // Only what a device did is remembered against the plan: a `go` that came late or a lost
  // connection says nothing about it.
  const broken = [...state.nodes].find(
    ([, node]) => node.actuated === true && deviceWords.has(node.reason ?? ''),
  )
  const node = broken?.[0] ?? null
  const rest = { devices: devicesAtEnd(binding, state) }
  const untouched = state.boot_id === null
  const told = { session, plan: binding.plan_id, cell, status, reason, latch, node, ended_ms }
  return { ...told, rest, untouched }
}
