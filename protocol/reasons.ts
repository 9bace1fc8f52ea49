// Closed unions of every refusal that is not a finding: 422 violations, the eight checks, frames,
// terminations, bindings, HTTP problems. Codes are stable and never reused.
import { z } from 'zod'

/** Why a body is answered 422: malformed, nothing is stored. */
export const violationCodeSchema = z.enum([
  'body_too_large',
  'not_utf8',
  'not_json',
  'duplicate_key',
  'forbidden_key',
  'lone_surrogate',
  'number_not_exact',
  'too_deep',
  'too_many_values',
  'schema',
  'unknown_field',
  'id_not_plain',
  'id_duplicate',
  'dependency_unknown',
  'dependency_duplicate',
  'dependency_self',
  'cycle',
  'tool_unknown',
  'args_invalid',
  'args_too_large',
  'planner_mismatch',
  'supersedes_unknown',
  'follows_unknown',
  'reference_malformed',
  'reference_invalid',
  'condition_invalid',
  'always_conditional',
  'agent_unknown',
  'too_many_violations',
  // A registry that an administrator puts.
  'name_duplicate',
  'name_not_canonical',
  'capability_unknown',
  'kind_unknown',
  'row_not_current',
  'args_schema_open',
  'pattern_not_linear',
  'digest_malformed',
  'sandbox_not_required',
  'text_carries_instructions',
  'precondition_invalid',
  // An answer to a question about a draft of a site file.
  'answer_not_taken',
  // Other bodies: policies, armings, credentials.
  'url_forbidden',
  'time_past',
  'time_too_far',
  // A standing approval, and a run under it.
  'hole_invalid',
  'period_misfit',
])
export type ViolationCode = z.infer<typeof violationCodeSchema>

export const violationSchema = z.strictObject({
  code: violationCodeSchema,
  /** JSON pointer to the place. */
  at: z.string(),
  /** What is wrong and what to do, in words. */
  message: z.string(),
})
export type Violation = z.infer<typeof violationSchema>

/** The eight checks in their order, and what stands beside them. */
export const checkFailureSchema = z.enum([
  'token_not_of_node',
  'signature_invalid',
  'session_mismatch',
  'node_mismatch',
  'node_out_of_turn',
  'dependency_open',
  'tool_mismatch',
  'args_mismatch',
  'context_mismatch',
  'token_expired',
  'already_executed',
  'holder_mismatch',
  'epoch_revoked',
])
export type CheckFailure = z.infer<typeof checkFailureSchema>

/** Why a session ended without completing. */
export const terminationReasonSchema = z.enum([
  ...checkFailureSchema.options,
  'frame_violation',
  'node_failed',
  'node_unknown',
  'agent_restarted',
  'agent_lost',
  'agent_aborted',
  'agent_duplicate',
  'server_restarted',
  // A sensor of the row did not say what it must say before the call; nothing was set in motion.
  'precondition_unmet',
  'state_unreadable',
  'stopped_by_person',
  'cell_not_armed',
  'registry_changed',
  'policy_changed',
  'capability_revoked',
  'agent_revoked',
  'authority_unreachable',
  'deadline_passed',
  // A reference or a comparison has no value that may be used; nothing moved for it.
  'reference_missed',
  'require_not_met',
  // The agent skipped what is to run, or would run what is to be skipped.
  'condition_mismatch',
])
export type TerminationReason = z.infer<typeof terminationReasonSchema>

export const haltReasonSchema = terminationReasonSchema
export type HaltReason = TerminationReason

/** Why a frame was not taken; the socket closes, the session does not end by it alone. */
export const frameErrorSchema = z.enum([
  'frame_too_large',
  'frame_not_json',
  'frame_schema',
  'nonce_mismatch',
  'hello_expected',
  'hello_repeated',
  'key_not_bound',
  'proof_invalid',
  'session_unknown',
  'too_many_sockets',
  'too_many_frames',
  'agent_duplicate',
  'internal',
])
export type FrameError = z.infer<typeof frameErrorSchema>

/** Why a binding did not take place; `retry` ones wait in the queue, the others end it. */
export const bindRefusalSchema = z.enum([
  'not_accepted',
  'decision_expired',
  'registry_changed',
  'policy_changed',
  'epoch_changed',
  'capability_revoked',
  'floor_raised',
  // The dry run over the cell as it is now gives something that nobody was shown.
  'state_changed',
  'text_only',
  'shadow_mode',
  'withdrawn',
  'already_bound',
  // Its steps last longer than a session of this site may.
  'does_not_fit',
  // The object that keeps the plan cannot read what it stored.
  'state_unreadable',
  // The agent that came for it carries out no references and conditions.
  'agent_outdated',
  // A unit that a reference needs is not read by this release any more.
  'units_unreadable',
])
export type BindRefusal = z.infer<typeof bindRefusalSchema>
