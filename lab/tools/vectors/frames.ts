// Vectors of frames from the agent, as text, on a connection whose nonce is `nonce_connection`.
import type { FrameError } from '../../../protocol/reasons.ts'
import { tokenVectors } from './tokens.ts'

export type FrameVectors = {
  readonly nonce: string
  readonly valid: readonly { name: string; text: string }[]
  readonly invalid: readonly { name: string; proven: boolean; text: string; reason: FrameError }[]
}

export async function frameVectors(): Promise<FrameVectors> {
  const { valid: signed, session } = await tokenVectors()
  const text = (kind: string) => signed.find((one) => one.kind === kind)?.text ?? ''
  const { session: sid } = session.context as { session: string }
  const nonce = 'nonce_connection'
  const head = { v: 1, fid: 'frame_1', nonce }
  const hello = {
    ...head,
    type: 'hello',
    session: sid,
    boot_id: 'boot-1',
    ledger_head: [{ nid: 'move', state: 'received' }],
    proof: text('hello'),
  }
  const pull = { ...head, type: 'pull' }
  const start = { ...head, type: 'start', nid: 'move', token: text('node'), start: text('start') }
  const report = { ...head, type: 'report', nid: 'move', report: text('report') }
  const abort = { ...head, type: 'abort', reason: 'local_stop', detail: 'door opened' }
  const bad: [string, unknown, FrameError, boolean?][] = [
    ['no JSON', '{"v":1', 'frame_not_json'],
    ['a repeated member', `{"v":1,${JSON.stringify(pull).slice(1)}`, 'frame_not_json'],
    ['a list', [], 'frame_schema'],
    ['no version', { ...pull, v: undefined }, 'frame_schema'],
    ['another version', { ...pull, v: 2 }, 'frame_schema'],
    ['the version in text', { ...pull, v: '1' }, 'frame_schema'],
    ['no type', { ...pull, type: undefined }, 'frame_schema'],
    ['an unknown type', { ...pull, type: 'push' }, 'frame_schema'],
    ['a type of the gateway', { ...head, type: 'go', nid: 'move', go: text('go') }, 'frame_schema'],
    ['an unknown field', { ...pull, urgent: true }, 'frame_schema'],
    ['no frame id', { ...pull, fid: undefined }, 'frame_schema'],
    ['an empty frame id', { ...pull, fid: '' }, 'frame_schema'],
    ['a long frame id', { ...pull, fid: 'f'.repeat(65) }, 'frame_schema'],
    ['no nonce', { ...pull, nonce: undefined }, 'frame_schema'],
    ["another connection's nonce", { ...pull, nonce: 'nonce_other' }, 'nonce_mismatch'],
    ['a start without a token', { ...start, token: undefined }, 'frame_schema'],
    ['a start without a start', { ...start, start: undefined }, 'frame_schema'],
    ['a long token', { ...start, token: 'A'.repeat(4_097) }, 'frame_schema'],
    ['a report without a report', { ...report, report: null }, 'frame_schema'],
    ['an unknown reason to abort', { ...abort, reason: 'tired' }, 'frame_schema'],
    ['a long detail', { ...abort, detail: 'x'.repeat(301) }, 'frame_schema'],
    [
      'a ledger of unknown states',
      { ...hello, ledger_head: [{ nid: 'a', state: 'x' }] },
      'frame_schema',
    ],
    ['a pull before hello', pull, 'hello_expected', false],
    ['a start before hello', start, 'hello_expected', false],
  ]
  return {
    nonce,
    valid: [hello, pull, start, report, abort].map((frame) => ({
      name: frame.type,
      text: JSON.stringify(frame),
    })),
    invalid: bad.map(([name, value, reason, proven = true]) => ({
      name,
      proven,
      text: typeof value === 'string' ? value : JSON.stringify(value),
      reason,
    })),
  }
}
