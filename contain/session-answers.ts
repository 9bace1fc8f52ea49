// What the session's step function answers with: frames, their record, and the end of a session whose agent
// has broken a rule.
import type { GatewaySessionFrame } from '../protocol/frames.ts'
import { unreachable } from '../protocol/result.ts'
import { terminate, type Ending } from './session-end.ts'
import type {
  Effect,
  FrameAnswer,
  Framed,
  SessionBinding,
  SessionState,
  Step,
} from './session-state.ts'

/** Nothing changes but for these effects. */
export const still = (state: SessionState, ...effects: Effect[]): Step => ({ state, effects })

/** A frame to whoever asked. */
export const answer = (frame: GatewaySessionFrame): Effect => ({ do: 'send', to: 'asker', frame })

/** The agent has broken a rule of the wire or a check: the session ends. */
export function violation(
  binding: SessionBinding,
  state: SessionState,
  ending: Omit<Ending, 'actor'>,
): Step {
  return terminate(binding, state, { ...ending, actor: binding.context.agent })
}

/** The recorded answer. A `go` is never sent twice: its frame is answered `go_spent`. */
export function again(
  binding: SessionBinding,
  re: string,
  recorded: FrameAnswer,
): GatewaySessionFrame {
  switch (recorded.type) {
    case 'token':
      return tokenFrame(binding, recorded.nid, re)
    case 'go':
      return { v: 1, re, type: 'go_spent', nid: recorded.nid }
    case 'ack':
      return { v: 1, re, type: 'ack', nid: recorded.nid }
    default:
      return unreachable(recorded)
  }
}

/** The token of a node with its arguments, as minted at the opening. */
export function tokenFrame(binding: SessionBinding, nid: string, re: string): GatewaySessionFrame {
  const node = binding.context.plan.nodes.find((candidate) => candidate.id === nid)
  const token = binding.minted.get(nid)?.token
  if (node === undefined || token === undefined || token === null) {
    throw new TypeError(`no token was minted for ${nid}`)
  }
  return { v: 1, re, type: 'token', nid, token, args: node.args }
}

/** Keeps what a frame was answered, so that the same frame is answered the same. */
export function record(
  state: SessionState,
  event: Framed,
  recorded: FrameAnswer,
): [SessionState, Effect] {
  const effect: Effect = {
    do: 'record',
    fid: event.fid,
    record: { body: event.body, answer: recorded },
  }
  return [{ ...state, frames: state.frames + 1 }, effect]
}
