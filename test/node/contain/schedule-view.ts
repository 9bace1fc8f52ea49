// The state and the effects of the step function, as the reference model tells them.
import type { Effect, SessionState } from '../../../contain/session-state.ts'
import type { View } from './model-types.ts'

export function viewOf(state: SessionState, timer: number | null): View {
  const { status, reason, latch, boot_id, grace_until, ended_ms, frames, rest } = state
  return {
    status,
    reason,
    latch,
    boot_id,
    grace_until,
    ended_ms,
    frames,
    timer,
    rest: rest && { boot: rest.boot_id, seq: rest.seq },
    nodes: [...state.nodes]
      .map(([nid, node]) =>
        [nid, node.state, node.reason, node.started_ms, node.actuated, node.report].join(' | '),
      )
      .sort(),
  }
}

/** One effect in the words of the model. */
export function saidOf(effect: Effect): string {
  switch (effect.do) {
    case 'execute':
      return `execute ${effect.nid}`
    case 'record':
      return `record ${effect.fid} ${effect.record.answer.type} ${effect.record.answer.nid}`
    case 'audit':
      return `audit ${effect.event} ${effect.actor}`
    case 'ask':
      return `ask ${effect.nid}`
    case 'go':
      return `go ${effect.token.nid}`
    case 'refuse':
      return `refuse ${effect.code}`
    case 'close_stale':
      return `close_stale ${effect.boot_id}`
    case 'result':
      return `result ${effect.nid}`
    case 'send': {
      const { frame, to } = effect
      switch (frame.type) {
        case 'token':
        case 'go_spent':
        case 'ack':
          return `${to} ${frame.type} ${frame.nid}`
        case 'done':
          return `${to} done ${frame.status}`
        case 'halt':
          return `${to} halt ${frame.reason}`
        case 'challenge':
        case 'error':
        case 'go':
        case 'wait':
        case 'welcome':
          return `${to} ${frame.type}`
      }
    }
  }
}
