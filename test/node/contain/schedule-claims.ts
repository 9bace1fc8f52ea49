// What a random schedule presents: tokens that differ from the minted one in one word, and reports whose times
// lie just inside or just outside of what can be.
import type { OpenedToken } from '../../../contain/checks.ts'
import type { SessionBinding, SessionEvent } from '../../../contain/session-state.ts'
import { limits } from '../../../protocol/limits.ts'
import { err, ok } from '../../../protocol/result.ts'
import type { NodeTokenClaims, Outcome, StartClaims } from '../../../protocol/tokens.ts'
import { t0 } from '../../shared/schedule-binding.ts'
import type { ModelBinding, ReportFacts, StartFacts, TokenKind } from './model-types.ts'

type About = {
  readonly binding: SessionBinding
  readonly claims: ReadonlyMap<string, NodeTokenClaims>
  readonly now: number
}

const earlyFrom = t0 + 50_000
const lateUntil = t0 + 20_000

/** From when until when a token of this kind is good. */
export const validityOf =
  (deadline: number): ModelBinding['validity'] =>
  (token) => ({
    from: token === 'early' ? earlyFrom : t0,
    until: token === 'late' ? lateUntil : deadline,
  })

type Changes = (claims: NodeTokenClaims) => Partial<NodeTokenClaims>
const changed: Partial<Record<TokenKind, Changes>> = {
  iss: () => ({ iss: 'another' }),
  aud: () => ({ aud: 'site-2' }),
  sid: () => ({ sid: 'sess_b' }),
  nid: () => ({ nid: 'another' }),
  seq: ({ seq }) => ({ seq: seq + 1 }),
  tool: () => ({ tool: 'another' }),
  args: () => ({ args: 'another' }),
  ctx: () => ({ ctx: 'another' }),
  early: () => ({ nbf: earlyFrom / 1000 }),
  late: () => ({ exp: lateUntil / 1000 }),
  sub: () => ({ sub: 'agent-2' }),
  jkt: () => ({ cnf: { jkt: 'jkt-2' } }),
}

function openedOf({ nid, token }: StartFacts, claims: About['claims']): OpenedToken {
  const minted = claims.get(nid) as NodeTokenClaims
  const own = { text: `token ${nid}`, jti: minted.jti, claims: minted }
  if (token === 'other') {
    const other = [...claims.values()].find((one) => one.nid !== nid) as NodeTokenClaims
    return { text: `token ${other.nid}`, jti: other.jti, claims: other }
  }
  if (token === 'altered') return { ...own, text: 'altered', claims: null }
  if (token === 'bytes') return { ...own, text: 'other bytes' }
  return { ...own, claims: { ...minted, ...changed[token]?.(minted) } }
}

export function presentedOf(facts: StartFacts, { binding, claims, now }: About) {
  const { nid, proof } = facts
  const start: StartClaims = {
    sub: 'agent-1',
    sid: 'sess_a',
    nid,
    jti: claims.get(nid)?.jti ?? '',
    ctx: binding.ctx,
    nonce: 'n',
    cn: 'c',
    iat_ms: now,
  }
  const opened = openedOf(facts, claims)
  return { nid, opened, start: proof ? ok(start) : err('signature' as const) }
}

const { authorityTimeoutMs, clockSkewMsMax } = limits
/** The times of a report by when the node was let go and by now. */
const timesOf = {
  now: (_: number, now: number) => [now, now],
  earliest: (since: number, now: number) => [since - 2 * authorityTimeoutMs - clockSkewMsMax, now],
  too_early: (since: number, now: number) => [
    since - 2 * authorityTimeoutMs - clockSkewMsMax - 1,
    now,
  ],
  backwards: (_: number, now: number) => [now, now - 1],
  latest: (_: number, now: number) => [now, now + clockSkewMsMax],
  too_late: (_: number, now: number) => [now, now + clockSkewMsMax + 1],
} as const
export const reportTimes = Object.keys(timesOf) as (keyof typeof timesOf)[]

type How = {
  readonly outcome: Outcome
  readonly actuated: boolean
  readonly proof: boolean
  readonly missed: boolean
  readonly times: keyof typeof timesOf
}

/** One signed report: its text, its claims, and the facts of it. */
export function reportOf(
  nid: string,
  { outcome, actuated, proof, missed, times }: How,
  { binding, claims, now, since }: About & { readonly since: number | null },
) {
  const [started = 0, ended = 0] = timesOf[times](since ?? 0, now)
  const text = `report ${nid} ${outcome} ${actuated} ${proof} ${missed} ${times}`
  const reason = outcome === 'failed' ? 'tool_error' : null
  const facts: ReportFacts = {
    nid,
    proof,
    outcome,
    actuated,
    reason,
    missed,
    started,
    ended,
    text,
  }
  const said = {
    sub: 'agent-1',
    sid: 'sess_a',
    nid,
    jti: claims.get(nid)?.jti ?? '',
    ctx: binding.ctx,
    outcome,
    result_digest: null,
    reason,
    actuated,
    started_ms: started,
    ended_ms: ended,
    ...(missed ? { missed: { precondition: 0, miss: 'not_read' as const, read: null } } : {}),
  }
  const report: Extract<SessionEvent, { type: 'report' }>['report'] = proof
    ? ok(said)
    : err('signature')
  return { text, report, facts }
}
