// A gateway that lies, is late, or repeats itself: by the cell's journal, nothing moves that must not.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { BoundSession, Override } from './gateway-types.ts'
import type { ScriptedGateway } from './gateway.ts'
import { newKey } from './keys.ts'
import { lock, move, openLab, planOf, until, type Lab } from './harness.ts'
import { limits } from '../../../protocol/limits.ts'
import { mintTokens } from '../../../contain/mint.ts'
import { argsDigests } from '../../../contain/context.ts'

// One agent and one cell for all of it: an attack on one session must not stain the next.
let shared: Lab
beforeAll(async () => {
  shared = await openLab()
})
afterAll(() => shared.close())
let before = 0
afterEach(() => {
  shared.gateway.override = () => false
})

/** The shared lab, with what moved since this call. */
function open(): Lab {
  before = shared.moved().length
  const seen = shared.log().length
  return {
    ...shared,
    moved: () => shared.moved().slice(before),
    log: () => shared.log().slice(seen),
  }
}
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Replaces the token of one node on its way to the agent. */
function tokenOf(
  change: (token: string, session: BoundSession) => string,
  args?: object,
): Override {
  return ({ session, frame, answer }) => {
    if (frame.type !== 'pull') return false
    const [first] = session.tokens
    const node = session.context.plan.nodes.find((n) => n.id === first?.nid)
    if (first === undefined || node === undefined) return false
    const token = change(first.token, session)
    answer({ type: 'token', nid: first.nid, token, args: args ?? node.args })
    return true
  }
}

/** Swaps one character for its neighbour that a loose decoder reads as the same bytes. */
function looseLast(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = alphabet.indexOf(text.at(-1) ?? 'A')
  return `${text.slice(0, -1)}${alphabet[last ^ 1] ?? 'A'}`
}

const segments: [string, (t: string) => string][] = [
  ['header', (t) => t.replace('e', 'f')],
  [
    'payload',
    (t) =>
      t
        .split('.')
        .map((s, i) => (i === 1 ? `${s.slice(0, 9)}A${s.slice(10)}` : s))
        .join('.'),
  ],
  ['signature', (t) => `${t.slice(0, -20)}AAAA${t.slice(-16)}`],
  ['last character, same bytes to a loose decoder', looseLast],
  ['padding', (t) => `${t}=`],
]

test.each(segments)('refuses a token with an altered %s and aborts', async (_what, change) => {
  const { gateway, moved } = open()
  gateway.override = tokenOf(change)
  const session = await gateway.assign(planOf(move('n1')))
  await until(() => session.aborts.length > 0)
  expect(session.aborts[0]?.reason).toBe('token_invalid')
  expect(session.starts).toEqual([])
  expect(moved()).toEqual([])
})

test('refuses a token of another session for the same graph', async () => {
  const { gateway, moved } = open()
  const plan = planOf(move('n1'))
  const other = await gateway.bind(plan, (c) => c)
  gateway.override = tokenOf(() => other.tokens[0]?.token ?? '')
  const session = await gateway.assign(plan)
  await until(() => session.aborts.length > 0)
  expect(session.aborts[0]).toMatchObject({ reason: 'token_invalid', detail: 'token_not_of_node' })
  expect(moved()).toEqual([])
})

test('refuses the token of a later node before its turn', async () => {
  const { gateway, moved } = open()
  gateway.override = ({ session, frame, answer }) => {
    if (frame.type !== 'pull') return false
    const token = session.tokens[1]
    const node = session.context.plan.nodes.find((n) => n.id === token?.nid)
    answer({ type: 'token', nid: token?.nid, token: token?.token, args: node?.args })
    return true
  }
  const session = await gateway.assign(planOf(move('a'), lock('b', ['a'])))
  await until(() => session.aborts.length > 0)
  expect(session.aborts[0]?.detail).toBe('dependency_open')
  expect(moved()).toEqual([])
})

test('refuses changed arguments beside a good token', async () => {
  const { gateway, moved } = open()
  gateway.override = tokenOf((t) => t, { pose: 'x', zone: 'enclosure_A', speed_mm_s: 1500 })
  const session = await gateway.assign(planOf(move('n1')))
  await until(() => session.aborts.length > 0)
  expect(session.aborts[0]?.detail).toBe('args_mismatch')
  expect(moved()).toEqual([])
})

test('refuses an expired token', async () => {
  const { gateway, moved } = open()
  const session = await gateway.bind(planOf(move('n1')), (c) => c)
  const old = Date.now() - 7_200_000
  const [expired] = await mintTokens(gateway.key, {
    iss: 'test-gateway',
    context: { ...session.context, deadline: old + 1_000 },
    ctx: session.ctx,
    args: await argsDigests(session.context.plan),
    jtis: session.tokens.map((t) => t.jti),
    now_ms: old,
  })
  gateway.override = tokenOf(() => expired?.token ?? '')
  gateway.tell({ re: null, type: 'assigned', session: session.context.session })
  await until(() => session.aborts.length > 0)
  expect(session.aborts[0]?.detail).toBe('token_expired')
  expect(moved()).toEqual([])
})

/** Changes the welcome on its way. */
const welcomeOf =
  (change: (welcome: Record<string, unknown>, session: BoundSession) => object): Override =>
  ({ session, frame, answer }) => {
    if (frame.type !== 'hello') return false
    const { context, ctx, receipt, manifest } = session
    const progress = [...session.progress].map(([nid, state]) => ({ nid, state }))
    const welcome = { type: 'welcome', context, ctx, receipt, manifest, progress }
    answer({ ...welcome, ...change(welcome, session) })
    return true
  }

test.each<[string, (w: Record<string, unknown>, s: BoundSession) => object, string]>([
  [
    'a context hash that is not its own',
    (_w, s) => ({ ctx: `${s.ctx.slice(0, -4)}AAAA` }),
    'context_mismatch',
  ],
  [
    'one more word in the goal',
    (_w, s) => ({ context: { ...s.context, plan: { ...s.context.plan, goal: 'a test!' } } }),
    'context_mismatch',
  ],
  [
    'another order',
    (_w, s) => ({ context: { ...s.context, order: s.context.order.toReversed() } }),
    'context_mismatch',
  ],
  ['an altered receipt', (_w, s) => ({ receipt: looseLast(s.receipt) }), 'receipt_invalid'],
  ['an altered manifest', (_w, s) => ({ manifest: looseLast(s.manifest) }), 'receipt_invalid'],
])('refuses a welcome with %s', async (_what, change, reason) => {
  const { gateway, moved } = open()
  gateway.override = welcomeOf(change)
  const session = await gateway.assign(planOf(move('a'), lock('b')))
  await until(() => session.aborts.length > 0)
  expect(session.aborts[0]?.reason).toBe(reason)
  expect(moved()).toEqual([])
})

test.each<[string, (c: BoundSession['context']) => BoundSession['context']]>([
  ['agent', (c) => ({ ...c, agent: 'agent-2' })],
  ['cell', (c) => ({ ...c, cell: 'LC-8' })],
  ['site', (c) => ({ ...c, site: 'lc8' })],
  ['key', (c) => ({ ...c, agent_jkt: 'A'.repeat(43) })],
])('refuses a well signed session that is bound to another %s', async (_what, change) => {
  const { gateway, moved } = open()
  const session = await gateway.assign(planOf(move('a')), change)
  await until(() => session.aborts.length > 0)
  expect(session.aborts[0]).toMatchObject({
    reason: 'context_mismatch',
    detail: 'not_for_this_agent',
  })
  expect(moved()).toEqual([])
})

test('does not believe keys that are not pinned', async () => {
  const stranger = await newKey()
  const lab = await openLab({ config: { gateway_jkts: [stranger.kid] } })
  const { gateway, moved } = lab
  const session = await gateway.assign(planOf(move('a')))
  await until(() => session.aborts.length > 0)
  expect(session.aborts[0]).toMatchObject({ reason: 'receipt_invalid', detail: 'keys_not_pinned' })
  expect(moved()).toEqual([])
  await lab.close()
})

/** Answers a start with a `go` of the test's making. */
const goOf =
  (gateway: ScriptedGateway, change: object, delayMs = 0): Override =>
  async ({ session, frame, answer }) => {
    if (frame.type !== 'start') return false
    session.progress.set(frame.nid, 'executing')
    const go = await gateway.goFor(session, frame, change)
    await sleep(delayMs)
    answer({ type: 'go', nid: frame.nid, go })
    return true
  }

test('refuses a go that comes after its half second, and reports that nothing moved', async () => {
  const { gateway, moved } = open()
  gateway.override = goOf(gateway, {}, limits.goLifetimeMs + 100)
  const session = await gateway.assign(planOf(move('a')))
  await until(() => session.reports.length > 0)
  expect(session.reports[0]).toMatchObject({
    outcome: 'failed',
    reason: 'go_late',
    actuated: false,
  })
  await sleep(300)
  expect(moved()).toEqual([])
})

test('a go whose own times are stretched by the gateway is still late', async () => {
  const { gateway, moved } = open()
  const far = { iat_ms: Date.now() + 60_000, exp_ms: Date.now() + 120_000 }
  gateway.override = goOf(gateway, far, limits.goLifetimeMs + 100)
  const session = await gateway.assign(planOf(move('a')))
  await until(() => session.reports.length > 0)
  expect(session.reports[0]).toMatchObject({ reason: 'go_late', actuated: false })
  expect(moved()).toEqual([])
})

test.each<[string, object, string]>([
  ['nonce', { nonce: 'nonce_other' }, 'go_nonce'],
  ['jti', { jti: 'jti_other' }, 'go_mismatch'],
  ['context hash', { ctx: `ctx:${'A'.repeat(43)}` }, 'go_mismatch'],
  ['args digest', { args: `args:${'A'.repeat(43)}` }, 'go_mismatch'],
  ['session', { sid: 'sess_other' }, 'go_mismatch'],
])('refuses a go with another %s', async (_what, change, reason) => {
  const { gateway, moved } = open()
  gateway.override = goOf(gateway, change)
  const session = await gateway.assign(planOf(move('a')))
  await until(() => session.reports.length > 0)
  expect(session.reports[0]).toMatchObject({ outcome: 'failed', reason, actuated: false })
  expect(moved()).toEqual([])
})

test('a go that is sent five times moves the arm once', async () => {
  const { gateway, moved } = open()
  gateway.override = async ({ session, frame, answer }) => {
    if (frame.type !== 'start') return false
    session.progress.set(frame.nid, 'executing')
    const go = await gateway.goFor(session, frame)
    for (let i = 0; i < 5; i++) answer({ type: 'go', nid: frame.nid, go })
    return true
  }
  const session = await gateway.assign(planOf(move('a')))
  await until(() => session.status === 'completed')
  expect(moved()).toEqual(['begin arm.move_to_pose', 'end done arm.move_to_pose'])
})

test('a token that is released again after its node succeeded does not run again', async () => {
  const { gateway, moved } = open()
  gateway.override = tokenOf((t) => t)
  const session = await gateway.assign(planOf(move('a'), lock('b', ['a'])))
  await until(() => session.aborts.length > 0)
  expect(session.aborts[0]).toMatchObject({ reason: 'token_invalid', detail: 'already_executed' })
  expect(moved()).toEqual(['begin arm.move_to_pose', 'end done arm.move_to_pose'])
})

test('go_spent instead of a go moves nothing', async () => {
  const { gateway, moved } = open()
  gateway.override = ({ session, frame, answer }) => {
    if (frame.type !== 'start') return false
    session.progress.set(frame.nid, 'executing')
    answer({ type: 'go_spent', nid: frame.nid })
    return true
  }
  const session = await gateway.assign(planOf(move('a')))
  await until(() => session.reports.length > 0)
  expect(session.reports[0]).toMatchObject({ reason: 'go_lost', actuated: false })
  expect(moved()).toEqual([])
})

test('a go, a token and an ack out of nowhere are ignored', async () => {
  const { gateway, moved, log } = open()
  gateway.override = ({ session, frame, answer }) => {
    if (frame.type !== 'pull') return false
    const [token] = session.tokens
    answer({ type: 'go', nid: 'a', go: token?.token })
    answer({ type: 'ack', nid: 'a' })
    answer({ type: 'wait', ms: 60_000 })
    answer({ type: 'token', nid: 'a', token: token?.token, args: {} })
    return true
  }
  const session = await gateway.assign(planOf(move('a')))
  await until(() => log().includes('frame_ignored'))
  await sleep(300)
  expect(moved()).toEqual([])
  session.status = 'terminated'
  gateway.push(session, { type: 'halt', reason: 'stopped_by_person' })
})
