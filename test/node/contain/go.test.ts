// The life of a `go` at its limit, and every claim that must repeat the token and the start. The agent
// has a timer of its own as well; this is the check that holds without it.
import { exportJWK, generateKeyPair } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { goClaims, goIsLate, verifyGo } from '../../../contain/go.ts'
import {
  importJwks,
  importSigningKey,
  type SigningKey,
  type VerifyKeys,
} from '../../../contain/keys.ts'
import { signClaims } from '../../../contain/sign.ts'
import { limits } from '../../../protocol/limits.ts'
import type { NodeTokenClaims, StartClaims } from '../../../protocol/tokens.ts'

const token: NodeTokenClaims = {
  iss: 'gateway',
  aud: 'lc7',
  sub: 'agent-1',
  sid: 'sess_1',
  nid: 'n1',
  tool: 'arm.pick',
  seq: 0,
  args: `args:${'A'.repeat(43)}`,
  ctx: `ctx:${'A'.repeat(43)}`,
  iat: 1_000,
  nbf: 995,
  exp: 2_000,
  jti: 'jti_1',
  cnf: { jkt: 'thumbprint' },
}
const { sub, sid, nid, jti, ctx } = token
const start: StartClaims = {
  sub,
  sid,
  nid,
  jti,
  ctx,
  nonce: 'nonce_1',
  cn: 'cn_1',
  iat_ms: 1_000_000,
}

let key: SigningKey
let keys: VerifyKeys

beforeAll(async () => {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const signing = await importSigningKey(await exportJWK(pair.privateKey))
  if (!signing.ok) throw new Error(signing.error)
  key = signing.value
  const published = await importJwks({ keys: [key.jwk] })
  if (!published.ok) throw new Error(published.error)
  keys = published.value
})

const both = (ms: number) => ({ monotonic_ms: ms, wall_ms: ms })
const check = async (
  ms: number,
  bend: object = {},
  { nonce = start.nonce, now_ms = 1_000_000, args = token.args } = {},
) => {
  const claims = { ...goClaims(token, start, 1_000_000), ...bend }
  const answer = await verifyGo(
    await signClaims(key, 'go', claims),
    { token, args, nonce, elapsed: both(ms), now_ms },
    keys,
  )
  return answer.ok ? 'good' : answer.error
}

describe('a go', () => {
  it('is good at the end of its life and late one millisecond after', async () => {
    expect(await check(0)).toBe('good')
    expect(await check(limits.goLifetimeMs)).toBe('good')
    expect(await check(limits.goLifetimeMs + 1)).toBe('go_late')
  })

  it('is late on a clock that runs backwards or says nothing', () => {
    for (const elapsed of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(goIsLate(both(elapsed))).toBe(true)
    }
  })

  it.each([
    ['a machine that slept', 20, 600_000],
    ['a wall clock that was set back', 100, -4_000],
    ['a wall clock that was set forward', 100, 700],
    ['a monotonic clock that stands still', 0, limits.goLifetimeMs + 1],
    ['a wall clock that says nothing', 10, Number.NaN],
  ])('is late on %s', (_what, monotonic_ms, wall_ms) => {
    expect(goIsLate({ monotonic_ms, wall_ms })).toBe(true)
  })

  it('is late when the later of the two clocks says so, and when they differ by more than its life', () => {
    const life = limits.goLifetimeMs
    expect(goIsLate({ monotonic_ms: life, wall_ms: 0 })).toBe(false)
    expect(goIsLate({ monotonic_ms: life + 1, wall_ms: life - 1 })).toBe(true)
    expect(goIsLate({ monotonic_ms: life - 1, wall_ms: life + 1 })).toBe(true)
    expect(goIsLate({ monotonic_ms: 0, wall_ms: -life })).toBe(false)
    expect(goIsLate({ monotonic_ms: 0, wall_ms: -life - 1 })).toBe(true)
  })

  it('is not late because a wall clock is slewed by some milliseconds', () => {
    expect(goIsLate({ monotonic_ms: 5, wall_ms: -3 })).toBe(false)
  })

  it("is late when the gateway's own time says so, past what clocks may differ", async () => {
    const exp = 1_000_000 + limits.goLifetimeMs + limits.clockSkewMsMax
    expect(await check(0, {}, { now_ms: exp - 1 })).toBe('good')
    expect(await check(0, {}, { now_ms: exp })).toBe('go_late')
  })

  it('does not live longer because its own times say so', async () => {
    expect(await check(limits.goLifetimeMs + 1, { exp_ms: 9_999_999_999 })).toBe('go_late')
  })

  it('is signed by the gateway', async () => {
    const text = await signClaims(key, 'go', goClaims(token, start, 1_000_000))
    const expected = { token, args: token.args, nonce: start.nonce, elapsed: both(0), now_ms: 0 }
    const other = `${text.slice(0, -4)}AAAA`
    const answer = await verifyGo(other, { ...expected, now_ms: 1_000_000 }, keys)
    expect(answer).toEqual({ ok: false, error: 'go_signature' })
  })

  it('belongs to one start and one token', async () => {
    expect(await check(0, {}, { nonce: 'nonce_2' })).toBe('go_nonce')
    const others = { iss: 'x', aud: 'x', sub: 'x', jti: 'x', sid: 'x', nid: 'n2' }
    for (const [claim, value] of Object.entries(others)) {
      expect(await check(0, { [claim]: value }), claim).toBe('go_mismatch')
    }
    expect(await check(0, { ctx: `ctx:${'B'.repeat(43)}` })).toBe('go_mismatch')
    const resolved = `args:${'B'.repeat(43)}`
    expect(await check(0, { args: resolved })).toBe('go_mismatch')
    // Where the arguments were a template, only the digest of what they became is good.
    expect(await check(0, { args: resolved }, { args: resolved })).toBe('good')
    expect(await check(0, {}, { args: resolved })).toBe('go_mismatch')
  })
})
