// Two clocks: a machine that sleeps between start and call holds no authority when it wakes, and an agent
// whose wall clock is off says so and takes no plan, instead of burning plan after plan.
import { expect, test } from 'vitest'
import { openToken } from '../../../contain/checks.ts'
import { goClaims } from '../../../contain/go.ts'
import { signClaims } from '../../../contain/sign.ts'
import { readSigned } from '../../../contain/verify.ts'
import type { StartClaims } from '../../../protocol/tokens.ts'
import type { ToolRow } from '../../../protocol/tool-row.ts'
import type { Precondition } from '../../../protocol/tool-meaning.ts'
import { ClockWatch } from '../../../robot-agent/clock.ts'
import type { ToolCall } from '../../../robot-agent/devices.ts'
import { NodeRun } from '../../../robot-agent/node-run.ts'
import { SessionRows } from '../../../robot-agent/session-rows.ts'
import type { SessionDeps } from '../../../robot-agent/session-deps.ts'
import { signerOf } from '../../../robot-agent/signer.ts'
import { boundSession, chainPlan, t0 } from '../../shared/session-fixture.ts'
import { lock, openLab, planOf, until } from './harness.ts'

/** One node up to its `go`, with clocks that a test moves. */
async function goneNode(preconditions: readonly Precondition[] = []) {
  const f = await boundSession(chainPlan(1))
  const clock = { wall: t0 + 1_000, monotonic: 1_000 }
  const calls: string[] = []
  const ledger = { before: () => ({ ok: true, value: true }), after: () => {} } as never
  const deps = {
    config: { agent: 'agent-1', sandboxes: [] },
    bootId: 'boot-1',
    signer: signerOf(f.agent, { agent: 'agent-1', site: 'site-1' }),
    ledger,
    devices: {
      waitUp: () => Promise.resolve(true),
      ready: () => Promise.resolve(null),
      problem: () => null,
      instance: () => 1,
      refresh: () => Promise.resolve(),
      call: ({ reading }: ToolCall) => {
        calls.push(reading === undefined ? 'call' : 'read')
        const result = { structuredContent: { open: false } }
        return Promise.resolve({ outcome: 'succeeded', reason: null, detail: null, result })
      },
    },
    nowMs: () => clock.wall,
    monotonicMs: () => clock.monotonic,
    newId: (kind: string) => `${kind}_x`,
    log: () => {},
  } as unknown as SessionDeps
  const rows = new SessionRows('sess_a', { ...(ledger as object), before: notUsed } as never, [])
  const run = new NodeRun('sess_a', rows, deps)
  const token = f.tokens[0]?.token ?? ''
  const known = f.rows.map((row): [string, ToolRow] => [
    row.tool,
    { ...row, preconditions: [...preconditions] },
  ])
  const bound = { ...f.bound, rows: new Map(known) }
  run.release({ nid: 'n000', token, args: { step: 0 } })
  const standing = { keys: f.gatewayKeys, welcomed: new Map(), outcomes: new Map() }
  const checked = await run.check({ ...standing, bound })
  if (!checked.ok) throw new Error(checked.error.detail)
  const read = await run.readSensors(() => true)
  if (!read.ok) throw new Error(read.error.miss)
  const signed = await run.start('cn', () => true)
  const start = readSigned('start', signed?.start ?? '')
  const claims = (await openToken(token, f.gatewayKeys)).claims
  if (!start.ok || claims === null) throw new Error('unreadable')
  const go = goClaims(claims, start.value.payload as StartClaims, clock.wall)
  run.go(await signClaims(f.gateway, 'go', go))
  return { run, keys: f.gatewayKeys, clock, calls }
}

/** A ledger in which no token was used and every write is taken. */
function notUsed(work: (ledger: object) => unknown): { ok: true; value: unknown } {
  const value = work({
    isUsed: () => false,
    received: () => true,
    started: () => {},
    actuated: () => true,
  })
  return { ok: true, value }
}

test('a go that came in time is used in time', async () => {
  const { run, keys, calls } = await goneNode()
  expect((await run.checkGo('n000', keys)).type).toBe('go_good')
  expect(run.actuate('n000', []).ok).toBe(true)
  expect(calls).toEqual(['call'])
})

test.each([
  ['slept before the check', (clock: { wall: number }) => (clock.wall += 600_000), 'go_refused'],
  [
    'whose wall clock was set back',
    (clock: { wall: number }) => (clock.wall -= 60_000),
    'go_refused',
  ],
])('a machine that %s calls nothing', async (_what, move, type) => {
  const { run, keys, clock, calls } = await goneNode()
  move(clock)
  clock.monotonic += 20
  expect(await run.checkGo('n000', keys)).toMatchObject({ type, reason: 'go_late' })
  expect(calls).toEqual([])
})

test('a machine that sleeps between the check and the call calls nothing', async () => {
  const { run, keys, clock, calls } = await goneNode()
  expect((await run.checkGo('n000', keys)).type).toBe('go_good')
  clock.wall += 600_000
  expect(run.actuate('n000', [])).toMatchObject({ ok: false, error: { reason: 'go_late' } })
  expect(calls).toEqual([])
})

const closed = { tool: 'camera.read', args: {}, pointer: '/open', eq: false, fresh: '0.3 s' }

test.each([
  ['both clocks', 400, 400],
  ['the wall clock alone', 200, 800],
  ['a clock that was set back', 200, -2_000],
])(
  'a reading that is too old in the tick of the call, by %s, calls nothing',
  async (_what, monotonic, wall) => {
    const { run, keys, clock, calls } = await goneNode([closed])
    expect((await run.checkGo('n000', keys)).type).toBe('go_good')
    clock.monotonic += monotonic
    clock.wall += wall
    const end = run.actuate('n000', [])
    expect(end.ok).toBe(false)
    // Where the `go` itself is not late, the reading is named.
    if (monotonic === 400) {
      expect(end).toMatchObject({
        error: { reason: 'precondition_unmet', missed: { miss: 'stale', read: { age_ms: 400 } } },
      })
    }
    expect(calls).toEqual(['read'])
  },
)

test('a reading that is fresh enough lets the call happen', async () => {
  const { run, keys, clock, calls } = await goneNode([closed])
  clock.monotonic += 290
  clock.wall += 290
  expect((await run.checkGo('n000', keys)).type).toBe('go_good')
  expect(run.actuate('n000', []).ok).toBe(true)
  expect(calls).toEqual(['read', 'call'])
})

test('the skew counts from what the gateway told, and shows a clock that is set later', () => {
  const clock = { wall: 10_000, monotonic: 0 }
  const watch = new ClockWatch({ nowMs: () => clock.wall, monotonicMs: () => clock.monotonic })
  expect([watch.skewMs, watch.wrong]).toEqual([null, false])
  watch.seen(14_000)
  expect([watch.skewMs, watch.wrong]).toEqual([-4_000, false])
  watch.seen(15_000)
  expect([watch.skewMs, watch.wrong]).toEqual([-5_000, true])
  watch.seen(10_000)
  clock.monotonic += 20
  clock.wall += 600_000
  expect([watch.skewMs, watch.wrong]).toEqual([599_980, true])
  watch.seen(Number.NaN)
  expect(watch.wrong).toBe(true)
})

test('an agent with a wrong clock says so, takes no plan, and goes on when the clock is right', async () => {
  const lab = await openLab({ start: false })
  try {
    const { gateway } = lab
    gateway.aheadMs = 6_000
    const starting = lab.startAgent()
    await until(() => gateway.health.at(-1)?.out_of_service === 'clock_skew')
    expect(gateway.health.at(-1)?.servers['lc7-cell']).toMatchObject({
      state: 'down',
      reason: 'out_of_service',
    })
    expect(gateway.health.at(-1)?.clock_skew_ms).toBeLessThan(-5_500)
    const session = await gateway.assign(planOf(lock('a')))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(session.hellos).toEqual([])
    gateway.aheadMs = 0
    gateway.cut()
    await starting
    await until(() => session.status === 'completed')
  } finally {
    await lab.close()
  }
})
