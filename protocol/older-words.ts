// What is said to an agent that did not offer the feature of a word: it reads closed frames, and one
// with a word that it does not know is no frame for it. A halt that nobody can read stops nothing.
import type { Feature } from './features.ts'
import { frameErrorSchema, haltReasonSchema, type FrameError, type HaltReason } from './reasons.ts'

/** Reasons that came after the first version of the wire: with which feature, and the nearest older one. */
const olderHalts: Partial<Record<HaltReason, readonly [Feature, HaltReason]>> = {
  agent_duplicate: ['reasons', 'agent_restarted'],
  server_restarted: ['reasons', 'node_unknown'],
  state_unreadable: ['reasons', 'authority_unreachable'],
  precondition_unmet: ['preconditions', 'node_failed'],
  reference_missed: ['references', 'node_failed'],
  require_not_met: ['references', 'node_failed'],
  condition_mismatch: ['references', 'frame_violation'],
}

/** The same of errors. */
const olderErrors: Partial<Record<FrameError, FrameError>> = { agent_duplicate: 'key_not_bound' }

/** What a halt for a word of a later release says here: stored by it, told by this one. */
const unknownHalt: HaltReason = 'authority_unreachable'

/** A frame in the words that its receiver reads; every other frame but `welcome` as it is. */
export function worded<Frame extends { type: string }>(
  frame: Frame,
  features: readonly Feature[],
): Frame {
  if (frame.type === 'halt' && 'reason' in frame) {
    const read = haltReasonSchema.safeParse(frame.reason)
    const reason = read.success ? read.data : unknownHalt
    const [feature, older] = olderHalts[reason] ?? [null, reason]
    return { ...frame, reason: feature === null || features.includes(feature) ? reason : older }
  }
  if (frame.type === 'error' && 'code' in frame) {
    const read = frameErrorSchema.safeParse(frame.code)
    const code = read.success ? read.data : 'internal'
    return { ...frame, code: features.includes('reasons') ? code : (olderErrors[code] ?? code) }
  }
  if (frame.type === 'welcome' && 'traceparent' in frame && !features.includes('trace')) {
    // Not written: JSON has no member without a value.
    return { ...frame, traceparent: undefined }
  }
  return frame
}
