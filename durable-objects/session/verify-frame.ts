// From a frame to an event: all signatures are verified here, over bytes and the fixed binding alone, so
// that the decision itself needs no await. What the state says is looked at later, in the same turn.
import { verifyReport, verifyRest, verifyStart } from '../../contain/agent-signed.ts'
import { openToken } from '../../contain/checks.ts'
import type { VerifyKeys } from '../../contain/keys.ts'
import type { Framed, SessionBinding, SessionEvent } from '../../contain/session-state.ts'
import type { AgentSessionFrame } from '../../protocol/frames.ts'

/** A frame after `hello` that may move the session. */
export type WorkFrame = Exclude<AgentSessionFrame, { type: 'hello' | 'progress' }>
type WorkEvent = Extract<SessionEvent, { type: 'pull' | 'start' | 'report' | 'rest' | 'abort' }>
/** The event without what only the state can add. */
export type Verified =
  | Omit<Extract<WorkEvent, { type: 'pull' }>, 'seen'>
  | Omit<Extract<WorkEvent, { type: 'start' }>, 'seen'>
  | Omit<Extract<WorkEvent, { type: 'report' }>, 'seen'>
  | Omit<Extract<WorkEvent, { type: 'rest' }>, 'seen'>
  | Omit<Extract<WorkEvent, { type: 'abort' }>, 'seen'>

export type FrameKeys = {
  /** The gateway's own published keys. */
  readonly gateway: VerifyKeys
  /** The one key that the session is bound to. */
  readonly agent: VerifyKeys
}

/** Verifies what a frame carries. Bad signatures become part of the event; nothing throws. */
export async function verifyFrame(
  frame: WorkFrame,
  of: { binding: SessionBinding; keys: FrameKeys; framed: Omit<Framed, 'seen'> },
): Promise<Verified> {
  const { binding, keys, framed } = of
  switch (frame.type) {
    case 'pull':
      return { type: 'pull', ...framed }
    case 'abort':
      return { type: 'abort', ...framed, reason: frame.reason, detail: frame.detail }
    case 'start': {
      const node = { nid: frame.nid, bound: binding, connection: frame.nonce }
      const opened = await openToken(frame.token, keys.gateway)
      const start = await verifyStart(frame.start, node, keys.agent)
      return { type: 'start', ...framed, nid: frame.nid, opened, start }
    }
    case 'rest': {
      const rest = await verifyRest(frame.rest, binding, keys.agent)
      return { type: 'rest', ...framed, rest }
    }
    case 'report': {
      const { nid, report: text, result } = frame
      const report = await verifyReport(text, { nid, bound: binding, result }, keys.agent)
      const told = result === undefined ? {} : { result }
      return { type: 'report', ...framed, nid, text, report, ...told }
    }
  }
}
