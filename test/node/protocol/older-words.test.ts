// What an agent of the first version is told: only words that it reads, for every reason there is.
import { expect, test } from 'vitest'
import { gatewayPresenceFrame, gatewaySessionFrame } from '../../../protocol/frames.ts'
import { features } from '../../../protocol/features.ts'
import { worded } from '../../../protocol/older-words.ts'
import { frameErrorSchema, haltReasonSchema } from '../../../protocol/reasons.ts'

/** The reasons of halts as they stood when peers began to offer features; they never change. */
const firstHalts = new Set([
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
  'frame_violation',
  'node_failed',
  'node_unknown',
  'agent_restarted',
  'agent_lost',
  'agent_aborted',
  'stopped_by_person',
  'cell_not_armed',
  'registry_changed',
  'policy_changed',
  'capability_revoked',
  'agent_revoked',
  'authority_unreachable',
  'deadline_passed',
])
const firstErrors = new Set([
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
  'internal',
])
const halt = (reason: string) => ({ v: 1, re: null, type: 'halt', reason })
const error = (code: string) => ({ v: 1, re: null, type: 'error', code, detail: '' })

test('an agent without the feature hears every halt and error in the first words', () => {
  for (const reason of haltReasonSchema.options) {
    expect(firstHalts, reason).toContain(worded(halt(reason), ['rest']).reason)
  }
  for (const code of frameErrorSchema.options) {
    expect(firstErrors, code).toContain(worded(error(code), []).code)
  }
})

test('an agent with it hears the word itself, and an unknown stored one as a halt all the same', () => {
  for (const reason of haltReasonSchema.options) {
    expect(worded(halt(reason), features).reason).toBe(reason)
  }
  expect(worded(halt('a_later_word'), ['reasons']).reason).toBe('authority_unreachable')
  expect(worded(halt('a_later_word'), []).reason).toBe('authority_unreachable')
})

test('an agent of this release takes a halt for a later word as a halt', () => {
  for (const frame of [gatewaySessionFrame, gatewayPresenceFrame]) {
    expect(frame.safeParse(halt('a_later_word'))).toMatchObject({
      success: true,
      data: { type: 'halt', reason: 'authority_unreachable' },
    })
  }
})
