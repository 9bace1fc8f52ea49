// Which devices a session has moved, and how they stand on their way to rest. An end is not rest: until
// the agent has said, signed, that a device confirmed its safe-stop, people are told that it may move.
import { limits } from '../protocol/limits.ts'
import type { DeviceRest } from '../protocol/tokens.ts'
import { terminate } from './session-end.ts'
import {
  hasEnded,
  type NodeState,
  type RestReport,
  type SessionBinding,
  type SessionEvent,
  type SessionState,
  type Step,
} from './session-state.ts'

const moved = (node: NodeState | undefined): boolean =>
  node !== undefined &&
  node.state !== 'pending' &&
  node.state !== 'released' &&
  !(node.state === 'failed' && node.actuated === false)

/**
 * Every device that the session moved, or that the agent spoke of, by name. After `completed` each call
 * has returned; after any other end a device of which nothing was said is `pending`, and `unreachable`
 * under an agent of the version before, which says nothing of rest.
 */
export function devicesAtEnd(binding: SessionBinding, state: SessionState): DeviceRest[] {
  const out = new Map<string, DeviceRest>()
  /** Servers of which only steps that read were let go. */
  const read = new Set<string>()
  const silent = binding.context.tools === undefined
  for (const { id, tool } of binding.context.plan.nodes) {
    const row = binding.tools.get(tool)
    if (!moved(state.nodes.get(id))) continue
    const server = row?.server ?? tool
    if (row?.physical === false) {
      read.add(server)
      continue
    }
    if (state.status === 'completed') out.set(server, { server, state: 'at_rest', detail: null })
    else if (silent) out.set(server, { server, state: 'unreachable', detail: 'not_reported' })
    else out.set(server, { server, state: 'pending', detail: null })
  }
  for (const device of state.rest?.devices ?? []) {
    const { server } = device
    // The agent does not know which of its tools only read; a reading that was lost has moved nothing.
    if (read.has(server) && !out.has(server) && !state.latch) continue
    out.set(server, device)
  }
  return [...out.values()].sort((a, b) => (a.server < b.server ? -1 : 1))
}

/** A later word of the same process, or the first of a newer one. */
function isNews(before: RestReport | null, after: RestReport): boolean {
  return before === null || before.boot_id !== after.boot_id || after.seq > before.seq
}

/** One signed report of rest: kept, written down, and told on when the session has ended. */
export function stepRest(
  binding: SessionBinding,
  state: SessionState,
  event: Extract<SessionEvent, { type: 'rest' }>,
  nowMs: number,
): Step {
  const actor = binding.context.agent
  if (!event.rest.ok) {
    if (hasEnded(state)) return { state, effects: [] }
    const detail = 'a report of rest that cannot be taken'
    return terminate(binding, state, { reason: 'frame_violation', actor, now_ms: nowMs, detail })
  }
  const ack = { v: 1, re: event.fid, type: 'ack', nid: null } as const
  const { boot_id, seq, devices } = event.rest.value
  const rest: RestReport = { boot_id, seq, devices }
  if (!isNews(state.rest, rest) || seq >= limits.restReportsMax) {
    return { state, effects: [{ do: 'send', to: 'asker', frame: ack }] }
  }
  const facts = { devices: devices.map((device) => ({ ...device })) }
  return {
    state: { ...state, rest },
    effects: [
      { do: 'audit', event: 'rest', actor, facts },
      { do: 'send', to: 'asker', frame: ack },
    ],
  }
}
