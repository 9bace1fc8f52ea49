// The rows of a context: which ones belong to a plan, what their digest covers, and that a session
// opens only with exactly them. And the proof of a connection, which names its gateway.
import { expect, test } from 'vitest'
import { verifyHello } from '../../../contain/agent-signed.ts'
import { openSession } from '../../../contain/open.ts'
import { acceptWelcome } from '../../../contain/receipt.ts'
import { signClaims } from '../../../contain/sign.ts'
import { agreedFeatures, features, offer } from '../../../protocol/features.ts'
import type { ToolEntry } from '../../../protocol/registry.ts'
import { entriesFor, toolRowDigest, toolRowOf, type ToolRow } from '../../../protocol/tool-row.ts'
import { boundSession, chainPlan, iss, t0, toolEntry } from '../../shared/session-fixture.ts'

const entry = (name: string, change: Partial<ToolEntry> = {}): ToolEntry => ({
  ...toolEntry(name, 'benign_actuation'),
  ...change,
})

test('the rows of a plan are its tools and all that they lean on, and no other', () => {
  const stop = { mcp_tool: 'halt', args: {} }
  const all = [
    entry('arm.move', { safe_stop: stop }),
    entry('arm.halt', { mcp_tool: 'halt' }),
    entry('other.halt', { mcp_tool: 'halt', server: 'elsewhere' }),
    entry('heater.set', {
      meaning: {
        vocabulary: 1 as never,
        acts: [],
        inert: [],
        choices: [],
        results: {},
        done: { settles_by: 'heater.read' },
        preconditions: [{ tool: 'lid.read', args: {}, pointer: '/open', fresh: '1 s' }],
      },
    }),
    entry('heater.read'),
    entry('lid.read'),
    entry('unused'),
  ]
  const names = (used: string[]) => entriesFor(used, all).map((one) => one.name)
  expect(names(['arm.move'])).toEqual(['arm.move', 'arm.halt'])
  expect(names(['heater.set'])).toEqual(['heater.set', 'heater.read', 'lid.read'])
  expect(names([])).toEqual([])
})

test('the digest of a row covers every member that decides what is called', async () => {
  const row = toolRowOf(entry('arm.move'))
  const before = await toolRowDigest(row)
  expect(before).toMatch(/^row:[\w-]{43}$/)
  const other: Partial<ToolRow>[] = [
    { tool: 'x' },
    { server: 'x' },
    { mcp_tool: 'x' },
    { definition_digest: `def:${'B'.repeat(43)}` },
    { timeout_ms: 1 },
    { orphan_policy: 'finish' },
    { safe_stop: { mcp_tool: 'x', args: {} } },
    { args_schema: { type: 'object' } },
    { success: { pointer: '/ok', eq: true } },
    { results: {} },
    { done: 'returns' },
    { preconditions: [] },
  ]
  const digests = await Promise.all(other.map((change) => toolRowDigest({ ...row, ...change })))
  expect(new Set([before, ...digests]).size).toBe(other.length + 1)
})

test('a session opens only with the rows that its context names', async () => {
  const f = await boundSession(chainPlan(2))
  const jtis = f.context.order.map((nid) => `jti_${nid}`)
  const parts = { iss, context: f.context, decision: f.decision, plan_digest: f.plan_digest, jtis }
  const open = (rows: readonly ToolRow[]) =>
    openSession(f.gateway, { ...parts, rows, now_ms: t0 }).then((opened) => opened.ok)
  expect(await open(f.rows)).toBe(true)
  expect(await open([])).toBe(false)
  expect(await open(f.rows.slice(1))).toBe(false)
  expect(await open([...f.rows, toolRowOf(entry('more'))])).toBe(false)
  expect(await open(f.rows.map((row) => ({ ...row, timeout_ms: 1 })))).toBe(false)
})

test('a welcome is accepted with its rows, and they are what the agent goes by', async () => {
  const f = await boundSession(chainPlan(2))
  const me = {
    iss,
    site: 'site-1',
    cell: 'cell-1',
    agent: 'agent-1',
    jkt: f.agent.kid,
    boot_id: 'b',
  }
  const { context, ctx, receipt, manifest, rows } = f
  const welcome = { context, ctx, receipt, manifest, rows }
  const world = { keys: f.gatewayKeys, now_ms: t0 }
  const accepted = await acceptWelcome(welcome, { ...me, session: 'sess_a' }, world)
  expect(accepted.ok && [...accepted.value.rows.keys()]).toEqual(['arm.move', 'camera.read'])
  const bare = { context, ctx, receipt, manifest }
  expect(await acceptWelcome(bare, { ...me, session: 'sess_a' }, world)).toEqual({
    ok: false,
    error: 'rows_missing',
  })
})

test.each([
  ['its name', 'gateway.example', ['production', 'gateway.example'], true],
  ['the name of another', 'other.example', ['production', 'gateway.example'], false],
  ['no name', undefined, ['production', 'gateway.example'], false],
  ['no name, from a peer of the version before', undefined, null, true],
])('a proof that is addressed to %s', async (_what, aud, names, good) => {
  const f = await boundSession(chainPlan(1))
  const claims = { sub: 'agent-1', sid: null, nonce: 'n', boot_id: 'b', iat_ms: t0 }
  const text = await signClaims(f.agent, 'hello', aud === undefined ? claims : { ...claims, aud })
  const expected = { agent: 'agent-1', session: null, nonce: 'n', boot_id: 'b', names }
  expect((await verifyHello(text, expected, f.agentKeys)).ok).toBe(good)
})

test('two sides use only what both know', () => {
  expect(agreedFeatures(null)).toEqual([])
  expect(agreedFeatures(offer)).toEqual([...features])
  expect(agreedFeatures('rest something-newer')).toEqual(['rest'])
})
