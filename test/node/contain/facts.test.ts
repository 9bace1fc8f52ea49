// What a failed check tells people of the site: what was expected and what came, for every failure; and what a
// token says of itself when it cannot be believed.
import { beforeAll, describe, expect, test } from 'vitest'
import {
  checkNode,
  factsOf,
  openToken,
  type OpenedToken,
  type Standing,
} from '../../../contain/checks.ts'
import { signTrusted } from '../../../contain/sign.ts'
import type { NodeProgress } from '../../../protocol/frames.ts'
import type { JsonValue } from '../../../protocol/json.ts'
import type { CheckFailure } from '../../../protocol/reasons.ts'
import type { NodeTokenClaims } from '../../../protocol/tokens.ts'
import {
  boundSession,
  chainPlan,
  iss,
  signingKey,
  strangerJwk,
  t0,
  type Fixture,
} from '../../shared/session-fixture.ts'

let own: Fixture
let minted: OpenedToken
beforeAll(async () => {
  own = await boundSession(chainPlan(3))
  minted = await openToken(own.tokens[0]?.token ?? '', own.gatewayKeys)
})

const claimsOf = (): NodeTokenClaims => {
  if (minted.claims === null) throw new Error('the fixture cannot be opened')
  return minted.claims
}
const open = (text: string): Promise<OpenedToken> => openToken(text, own.gatewayKeys)
/** The token of n000 with other claims, under the gateway's own signature. */
const changed = async (change: Partial<NodeTokenClaims>): Promise<OpenedToken> =>
  open(await signTrusted(own.gateway, 'node', { ...claimsOf(), ...change }))
/** As the agent sees it: without the bytes of the tokens. */
const bound = () => ({
  ...own.bound,
  minted: new Map([...own.bound.minted].map(([nid, node]) => [nid, { ...node, token: null }])),
})
const now = (progress: Record<string, NodeProgress> = {}, more: Partial<Standing> = {}) => ({
  progress: new Map(Object.entries(progress)),
  holder_jkt: own.agent.kid,
  revoked: false,
  now_ms: t0 + 1_000,
  ...more,
})

type Row = [
  CheckFailure,
  Partial<NodeTokenClaims>,
  (claims: NodeTokenClaims) => [JsonValue, JsonValue],
]
const other = (prefix: string): string => `${prefix}:${'B'.repeat(43)}`
const rows: Row[] = [
  ['token_not_of_node', { jti: 'jti_other' }, ({ jti }) => [jti, 'jti_other']],
  [
    'session_mismatch',
    { iss: 'elsewhere' },
    ({ aud, sid }) => [
      { iss, aud, sid },
      { iss: 'elsewhere', aud, sid },
    ],
  ],
  ['node_mismatch', { nid: 'n001' }, () => ['n000', 'n001']],
  ['tool_mismatch', { tool: 'camera.read' }, () => ['arm.move', 'camera.read']],
  ['args_mismatch', { args: other('args') }, ({ args }) => [args, other('args')]],
  ['context_mismatch', { ctx: other('ctx') }, ({ ctx }) => [ctx, other('ctx')]],
  ['token_expired', { exp: t0 / 1000 + 1 }, () => [own.context.deadline, t0 + 1_000]],
  ['holder_mismatch', { cnf: { jkt: 'another' } }, ({ cnf }) => [cnf.jkt, 'another']],
]

describe('facts of a failed check', () => {
  test.each(rows)('%s: what was expected and what came', async (failure, change, facts) => {
    const presented = { nid: 'n000', opened: await changed(change) }
    expect(checkNode(presented, bound(), now())).toEqual({ ok: false, error: failure })
    const [expected, got] = facts(claimsOf())
    expect(factsOf(failure, presented, bound())).toEqual({ expected, got })
  })

  test('a signature that fails says why: other bytes, or a key that is not published', async () => {
    const at = (opened: OpenedToken) =>
      factsOf('signature_invalid', { nid: 'n000', opened }, own.bound)
    expect(at(await changed({ iat: 1 }))).toEqual({
      expected: 'the minted token',
      got: 'other bytes',
    })
    const stranger = await signTrusted(await signingKey(strangerJwk), 'node', claimsOf())
    expect(at(await open(stranger))).toEqual({ expected: 'the minted token', got: 'unknown_key' })
  })

  test.each<CheckFailure>([
    'node_out_of_turn',
    'dependency_open',
    'already_executed',
    'epoch_revoked',
  ])('%s has none: the trail knows what ran', (failure) => {
    expect(factsOf(failure, { nid: 'n000', opened: minted }, own.bound)).toBe(null)
  })

  test('of a token that cannot be read and a node that nobody declared nothing is made up', () => {
    const opened = { text: 'x', jti: null, claims: null }
    for (const [failure, , facts] of rows) {
      const told = factsOf(failure, { nid: 'other', opened }, own.bound)
      if (failure === 'session_mismatch') {
        const none = { iss: null, aud: null, sid: null }
        expect(told).toEqual({ expected: facts(claimsOf())[0], got: none })
      } else if (failure === 'token_expired') {
        expect(told).toEqual({ expected: own.context.deadline, got: 0 })
      } else expect(told?.got).toBe(null)
    }
    expect(factsOf('token_not_of_node', { nid: 'other', opened }, own.bound)?.expected).toBe(null)
    expect(factsOf('args_mismatch', { nid: 'other', opened }, own.bound)?.expected).toBe(null)
    expect(factsOf('tool_mismatch', { nid: 'other', opened }, own.bound)?.expected).toBe(null)
    expect(factsOf('node_mismatch', { nid: 'other', opened }, own.bound)?.expected).toBe('other')
  })
})

describe('a token that was opened', () => {
  test('tells its number also when its signature proves nothing, and why it does not', async () => {
    expect(minted).toEqual({ text: own.tokens[0]?.token, jti: claimsOf().jti, claims: claimsOf() })
    const text = await signTrusted(await signingKey(strangerJwk), 'node', claimsOf())
    const stranger = { text, jti: claimsOf().jti, claims: null, failure: 'unknown_key' }
    expect(await open(text)).toEqual(stranger)
    const none = { text: 'a.b', jti: null, claims: null, failure: 'not_compact' }
    expect(await open('a.b')).toEqual(none)
  })

  test('without a number it fails by its signature, and not as the token of another node', async () => {
    const payload = Buffer.from('{"a":1}').toString('base64url')
    const [head, , signature] = minted.text.split('.')
    const opened = await open(`${head}.${payload}.${signature}`)
    expect(opened.jti).toBe(null)
    const answer = checkNode({ nid: 'n000', opened }, own.bound, now())
    expect(answer).toEqual({ ok: false, error: 'signature_invalid' })
    const number = Buffer.from('{"jti":5}').toString('base64url')
    expect((await open(`${head}.${number}.${signature}`)).jti).toBe(null)
  })
})

describe('the turn of a node', () => {
  const at = async (nid: string, standing: Standing) => {
    const text = own.tokens.find((one) => one.nid === nid)?.token ?? ''
    const answer = checkNode({ nid, opened: await open(text) }, own.bound, standing)
    return answer.ok ? 'ok' : answer.error
  }

  test('comes when everything before it succeeded; a node that was skipped runs no more', async () => {
    expect(await at('n001', now({ n000: 'succeeded' }))).toBe('ok')
    expect(await at('n000', now({ n000: 'skipped' }))).toBe('already_executed')
    for (const state of ['failed', 'unknown', 'executing', 'released', 'skipped'] as const) {
      expect(await at('n001', now({ n000: state })), state).toBe('dependency_open')
    }
  })

  test('never comes for a node that was not minted, or that the plan does not have', () => {
    const others = [...own.bound.minted].filter(([nid]) => nid !== 'n000')
    const answer = (nid: string, all: typeof others) =>
      checkNode({ nid, opened: minted }, { ...own.bound, minted: new Map(all) }, now())
    const refused = { ok: false, error: 'token_not_of_node' }
    expect(answer('n000', others)).toEqual(refused)
    const first = own.bound.minted.get('n000')
    if (first === undefined) throw new Error('the fixture minted nothing')
    expect(answer('ghost', [['ghost', first]])).toEqual(refused)
  })

  test('ends with the deadline, also within the second in which the token ends', async () => {
    const odd = await boundSession(chainPlan(1), { deadline: t0 + 10_500 })
    const opened = await openToken(odd.tokens[0]?.token ?? '', odd.gatewayKeys)
    const earlier = { ...odd.bound, context: { ...odd.context, deadline: t0 + 9_500 } }
    const when = (now_ms: number) =>
      checkNode({ nid: 'n000', opened }, earlier, now({}, { now_ms }))
    expect(when(t0 + 9_499).ok).toBe(true)
    expect(when(t0 + 9_500)).toEqual({ ok: false, error: 'token_expired' })
  })

  test('of one that is skipped comes after one that was skipped, and after nothing else', async () => {
    const skips = (progress: Record<string, NodeProgress>) => now(progress, { skips: true })
    expect(await at('n001', skips({ n000: 'skipped' }))).toBe('ok')
    expect(await at('n001', skips({ n000: 'succeeded' }))).toBe('ok')
    expect(await at('n001', skips({ n000: 'failed' }))).toBe('dependency_open')
  })

  test('begins with the second of its token, and ends with it', async () => {
    const claims = claimsOf()
    expect(await at('n000', now({}, { now_ms: claims.nbf * 1000 - 1 }))).toBe('token_expired')
    expect(await at('n000', now({}, { now_ms: claims.nbf * 1000 }))).toBe('ok')
    const early = await changed({ exp: claims.nbf + 2 })
    const until = (now_ms: number) =>
      checkNode({ nid: 'n000', opened: early }, bound(), now({}, { now_ms })).ok
    expect(until((claims.nbf + 2) * 1000 - 1)).toBe(true)
    expect(until((claims.nbf + 2) * 1000)).toBe(false)
  })
})
