// What is said to an agent that did not offer the feature `reasons`: it reads closed frames, and one
// with a word that it does not know is no frame for it. A halt that nobody can read stops nothing.
import type { Feature } from './features.ts'
import { frameErrorSchema, haltReasonSchema, type FrameError, type HaltReason } from './reasons.ts'

/** Reasons that came after the first version of the wire, and the nearest one that it had. */
const olderHalts: Partial<Record<HaltReason, HaltReason>> = {
  agent_duplicate: 'agent_restarted',
  server_restarted: 'node_unknown',
  state_unreadable: 'authority_unreachable',
  reference_missed: 'authority_unreachable',
  require_not_met: 'authority_unreachable',
  condition_mismatch: 'frame_violation',
  precondition_unmet: 'authority_unreachable',
}

/** The same of errors. */
const olderErrors: Partial<Record<FrameError, FrameError>> = { agent_duplicate: 'key_not_bound' }

/** What a halt for a word of a later release says here: stored by it, told by this one. */
const unknownHalt: HaltReason = 'authority_unreachable'

/** A frame in the words that its receiver reads; every frame but `halt` and `error` as it is. */
export function worded<Frame extends { type: string }>(
  frame: Frame,
  features: readonly Feature[],
): Frame {
  const older = !features.includes('reasons')
  if (frame.type === 'halt' && 'reason' in frame) {
    const read = haltReasonSchema.safeParse(frame.reason)
    const reason = read.success ? read.data : unknownHalt
    return { ...frame, reason: older ? (olderHalts[reason] ?? reason) : reason }
  }
  if (frame.type === 'error' && 'code' in frame) {
    const read = frameErrorSchema.safeParse(frame.code)
    const code = read.success ? read.data : 'internal'
    return { ...frame, code: older ? (olderErrors[code] ?? code) : code }
  }
  return frame
}
