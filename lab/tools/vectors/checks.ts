// Vectors of the eight checks: a node, a token, what has happened so far, and the one outcome.
import { signTrusted } from '../../../contain/sign.ts'
import type { NodeProgress } from '../../../protocol/frames.ts'
import type { CheckFailure } from '../../../protocol/reasons.ts'
import type { NodeTokenClaims } from '../../../protocol/tokens.ts'
import { nowMs, vectorSession } from './session.ts'

export type CheckVector = {
  name: string
  nid: string
  token: string
  progress: Record<string, NodeProgress>
  holder_jkt: string
  revoked: boolean
  now_ms: number
  outcome: 'ok' | CheckFailure
}

type Change = {
  nid?: string
  claims?: Partial<NodeTokenClaims>
  token?: string
  at?: Partial<Pick<CheckVector, 'progress' | 'holder_jkt' | 'revoked' | 'now_ms'>>
}

/** The order of the session is `move`, then `read`. The bound session is that of tokens.json. */
export async function checkVectors(): Promise<CheckVector[]> {
  const a = await vectorSession('sess_a')
  const b = await vectorSession('sess_b')
  const move = a.tokens[0]?.token ?? ''
  const read = a.tokens[1]?.token ?? ''
  const good = JSON.parse(
    Buffer.from(move.split('.')[1] ?? '', 'base64url').toString(),
  ) as NodeTokenClaims
  const other = 'A'.repeat(43)
  const done: Record<string, NodeProgress> = { move: 'succeeded', read: 'released' }
  const rows: [string, Change, CheckVector['outcome']][] = [
    ['the node whose turn it is', {}, 'ok'],
    ['the second node after the first', { nid: 'read', token: read, at: { progress: done } }, 'ok'],
    ["another node's token", { token: read }, 'token_not_of_node'],
    ['a node that the plan does not have', { nid: 'other' }, 'token_not_of_node'],
    ['a token of another session', { token: b.tokens[0]?.token ?? '' }, 'token_not_of_node'],
    ['a token that cannot be read', { token: 'x.y.z' }, 'signature_invalid'],
    [
      'a changed signature',
      { token: `${move.slice(0, -86)}${'A'.repeat(86)}` },
      'signature_invalid',
    ],
    ['another issuer', { claims: { iss: 'elsewhere' } }, 'session_mismatch'],
    ['another site', { claims: { aud: 'site-2' } }, 'session_mismatch'],
    ['another session id', { claims: { sid: 'sess_b' } }, 'session_mismatch'],
    ['another node id', { claims: { nid: 'read' } }, 'node_mismatch'],
    ['another place in the order', { claims: { seq: 1 } }, 'node_mismatch'],
    ['a node before its dependency', { nid: 'read', token: read }, 'dependency_open'],
    ['another tool', { claims: { tool: 'scale.read' } }, 'tool_mismatch'],
    ['other arguments', { claims: { args: `args:${other}` } }, 'args_mismatch'],
    ['another context', { claims: { ctx: `ctx:${other}` } }, 'context_mismatch'],
    ['at the deadline', { at: { now_ms: a.context.deadline } }, 'token_expired'],
    ['just before the deadline', { at: { now_ms: a.context.deadline - 1 } }, 'ok'],
    ['before it is valid', { at: { now_ms: nowMs - 10_000 } }, 'token_expired'],
    ['while it runs', { at: { progress: { move: 'executing' } } }, 'already_executed'],
    ['after it ran', { at: { progress: { move: 'succeeded' } } }, 'already_executed'],
    ['after it failed', { at: { progress: { move: 'failed' } } }, 'already_executed'],
    ['when nobody knows', { at: { progress: { move: 'unknown' } } }, 'already_executed'],
    ['after it was skipped', { at: { progress: { move: 'skipped' } } }, 'already_executed'],
    [
      'a node behind a skipped one',
      { nid: 'read', token: read, at: { progress: { move: 'skipped', read: 'released' } } },
      'dependency_open',
    ],
    ['another agent', { claims: { sub: 'agent-2' } }, 'holder_mismatch'],
    ['another key in the token', { claims: { cnf: { jkt: other } } }, 'holder_mismatch'],
    ['another key on the connection', { at: { holder_jkt: other } }, 'holder_mismatch'],
    ['after a revocation', { at: { revoked: true } }, 'epoch_revoked'],
  ]
  return Promise.all(
    rows.map(async ([name, { nid = 'move', claims, token, at }, outcome]) => {
      const minted =
        claims === undefined
          ? (token ?? move)
          : await signTrusted(a.gateway, 'node', { ...good, ...claims })
      const progress: Record<string, NodeProgress> = { move: 'released', read: 'pending' }
      const now = { progress, holder_jkt: a.agent.kid, revoked: false, now_ms: nowMs + 1_000 }
      return { name, nid, token: minted, ...now, ...at, outcome }
    }),
  )
}
