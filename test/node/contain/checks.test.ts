// The eight checks, holder and revocation: each failure alone gives its own code, in the fixed order.
import { beforeAll, describe, expect, test } from 'vitest'
import type { NodeProgress } from '../../../protocol/frames.ts'
import type { NodeTokenClaims } from '../../../protocol/tokens.ts'
import { checkNode, openToken, type Bound, type Standing } from '../../../contain/checks.ts'
import { acceptWelcome, type AgentIdentity } from '../../../contain/receipt.ts'
import { signTrusted } from '../../../contain/sign.ts'
import {
  boundSession,
  chainPlan,
  iss,
  signingKey,
  strangerJwk,
  t0,
  type Fixture,
} from '../../shared/session-fixture.ts'

let a: Fixture
let b: Fixture

beforeAll(async () => {
  a = await boundSession(chainPlan(4))
  b = await boundSession(chainPlan(4), { session: 'sess_b' })
})

const tokenOf = (fixture: Fixture, nid: string): string =>
  fixture.tokens.find((token) => token.nid === nid)?.token ?? ''

function standing(progress: Record<string, NodeProgress> = {}, more: Partial<Standing> = {}) {
  const base: Standing = {
    progress: new Map(Object.entries({ n000: 'released', ...progress } as const)),
    holder_jkt: a.agent.kid,
    revoked: false,
    now_ms: t0 + 1_000,
  }
  return { ...base, ...more }
}

async function check(nid: string, token: string, at: Standing, bound: Bound = a.bound) {
  const outcome = checkNode({ nid, opened: await openToken(token, a.gatewayKeys) }, bound, at)
  return outcome.ok ? 'ok' : outcome.error
}

/** A token of node n000 with other claims, signed by the gateway's own key. */
async function reminted(change: Partial<NodeTokenClaims>): Promise<string> {
  const opened = await openToken(tokenOf(a, 'n000'), a.gatewayKeys)
  if (opened.claims === null) throw new Error('fixture token')
  return signTrusted(a.gateway, 'node', { ...opened.claims, ...change })
}

/** The agent's view: jtis from the manifest, no stored bytes. */
function agentBound(): Bound {
  const minted = [...a.bound.minted].map(([nid, node]) => [nid, { ...node, token: null }] as const)
  return { ...a.bound, minted: new Map(minted) }
}

describe('the eight checks', () => {
  test('lets the node whose turn it is run on its own token', async () => {
    expect(await check('n000', tokenOf(a, 'n000'), standing())).toBe('ok')
    expect(await check('n000', tokenOf(a, 'n000'), standing(), agentBound())).toBe('ok')
  })

  test("refuses another node's token, an undeclared node, and a token of another session", async () => {
    expect(await check('n000', tokenOf(a, 'n001'), standing())).toBe('token_not_of_node')
    expect(await check('other', tokenOf(a, 'n000'), standing())).toBe('token_not_of_node')
    expect(await check('n000', tokenOf(b, 'n000'), standing())).toBe('token_not_of_node')
  })

  test('refuses altered bytes at every place of the token, last characters included', async () => {
    const token = tokenOf(a, 'n000')
    for (let i = 0; i < token.length; i++) {
      const other = token[i] === 'A' ? 'B' : 'A'
      const altered = token.slice(0, i) + other + token.slice(i + 1)
      for (const bound of [a.bound, agentBound()]) {
        const outcome = await check('n000', altered, standing(), bound)
        expect(['signature_invalid', 'token_not_of_node'], `at ${i}`).toContain(outcome)
      }
    }
    // The last character of a 64-byte signature carries 2 bits: 15 other spellings decode alike.
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (const c of last) {
      if (token.endsWith(c)) continue
      const altered = token.slice(0, -1) + c
      expect(await check('n000', altered, standing())).toBe('signature_invalid')
    }
  })

  test("refuses a stranger's signature under the gateway's name", async () => {
    const opened = await openToken(tokenOf(a, 'n000'), a.gatewayKeys)
    const stranger = await signingKey(strangerJwk)
    if (opened.claims === null) throw new Error('fixture token')
    const forged = await signTrusted(stranger, 'node', opened.claims)
    expect(await check('n000', forged, standing())).toBe('signature_invalid')
    const renamed = `${tokenOf(a, 'n000').split('.')[0]}.${forged.split('.').slice(1).join('.')}`
    expect(await check('n000', renamed, standing())).toBe('signature_invalid')
  })

  test.each<[string, Partial<NodeTokenClaims>, string]>([
    ['issuer', { iss: 'elsewhere' }, 'session_mismatch'],
    ['site', { aud: 'site-2' }, 'session_mismatch'],
    ['session', { sid: 'sess_b' }, 'session_mismatch'],
    ['node', { nid: 'n001' }, 'node_mismatch'],
    ['place in the order', { seq: 1 }, 'node_mismatch'],
    ['tool', { tool: 'camera.read' }, 'tool_mismatch'],
    ['arguments', { args: `args:${'B'.repeat(43)}` }, 'args_mismatch'],
    ['context hash', { ctx: `ctx:${'B'.repeat(43)}` }, 'context_mismatch'],
    ['expiry', { exp: t0 / 1000 + 1 }, 'token_expired'],
    ['start of validity', { nbf: t0 / 1000 + 2 }, 'token_expired'],
    ['agent', { sub: 'agent-2' }, 'holder_mismatch'],
    ['key', { cnf: { jkt: 'another' } }, 'holder_mismatch'],
  ])('refuses a well signed token with another %s', async (_, change, code) => {
    expect(await check('n000', await reminted(change), standing(), agentBound())).toBe(code)
  })

  test('the session takes only the bytes that it stored, even if the gateway key signed others', async () => {
    const other = await reminted({ iat: 1 })
    expect(await check('n000', other, standing())).toBe('signature_invalid')
  })

  test('refuses a node before its dependencies and out of its turn', async () => {
    expect(await check('n001', tokenOf(a, 'n001'), standing())).toBe('dependency_open')
    const free = await boundSession({
      ...chainPlan(2),
      nodes: chainPlan(2).nodes.map((node) => ({ ...node, depends_on: [] })),
    })
    const outcome = await check('n001', tokenOf(free, 'n001'), standing(), free.bound)
    expect(outcome).toBe('node_out_of_turn')
  })

  test.each<NodeProgress>(['executing', 'succeeded', 'failed', 'unknown'])(
    'refuses a node that is already %s',
    async (state) => {
      const token = tokenOf(a, 'n000')
      expect(await check('n000', token, standing({ n000: state }))).toBe('already_executed')
    },
  )

  test('holds the deadline to the millisecond and the expiry to the second', async () => {
    const token = tokenOf(a, 'n000')
    const at = (now_ms: number) => check('n000', token, standing({}, { now_ms }))
    expect(await at(a.context.deadline - 1)).toBe('ok')
    expect(await at(a.context.deadline)).toBe('token_expired')
  })

  test('refuses another holder, and after a revocation', async () => {
    const token = tokenOf(a, 'n000')
    const other = standing({}, { holder_jkt: 'another' })
    expect(await check('n000', token, other)).toBe('holder_mismatch')
    expect(await check('n000', token, standing({}, { revoked: true }))).toBe('epoch_revoked')
  })
})

const me = (change: Partial<AgentIdentity> = {}): AgentIdentity => ({
  iss,
  site: 'site-1',
  cell: 'cell-1',
  agent: 'agent-1',
  jkt: a.agent.kid,
  boot_id: 'boot-1',
  session: 'sess_a',
  ...change,
})
const welcome = (change: object = {}) => ({
  context: a.context,
  ctx: a.ctx,
  receipt: a.receipt,
  manifest: a.manifest,
  rows: a.rows,
  ...change,
})

async function accept(change: object = {}, who = me(), now_ms = t0) {
  const outcome = await acceptWelcome(welcome(change), who, { keys: a.gatewayKeys, now_ms })
  return outcome.ok ? 'ok' : outcome.error
}

describe('a welcome', () => {
  test('gives the agent the same bound side as the session has, without token bytes', async () => {
    const outcome = await acceptWelcome(welcome(), me(), { keys: a.gatewayKeys, now_ms: t0 })
    const rows = new Map(a.rows.map((row) => [row.tool, row]))
    expect(outcome.ok && outcome.value).toEqual({ ...agentBound(), rows })
  })

  test('is refused with another order, hash, receipt or manifest', async () => {
    const reversed = { ...a.context, order: a.context.order.toReversed() }
    expect(await accept({ context: reversed })).toBe('order_mismatch')
    const later = { ...a.context, deadline: a.context.deadline + 1 }
    expect(await accept({ context: later })).toBe('hash_mismatch')
    expect(await accept({ receipt: b.receipt })).toBe('receipt_mismatch')
    expect(await accept({ receipt: a.manifest })).toBe('receipt_signature')
    expect(await accept({ manifest: b.manifest })).toBe('manifest_mismatch')
    expect(await accept({ manifest: a.receipt })).toBe('manifest_signature')
  })

  test.each<[string, Partial<AgentIdentity>]>([
    ['site', { site: 'site-2' }],
    ['cell', { cell: 'cell-2' }],
    ['agent', { agent: 'agent-2' }],
    ['key', { jkt: 'another' }],
    ['session', { session: 'sess_b' }],
  ])('is refused when it is for another %s', async (_, change) => {
    expect(await accept({}, me(change))).toBe('not_for_this_agent')
  })

  test('is refused from another issuer and after its end', async () => {
    expect(await accept({}, me({ iss: 'elsewhere' }))).toBe('receipt_mismatch')
    expect(await accept({}, me(), a.context.deadline)).toBe('receipt_expired')
  })
})
