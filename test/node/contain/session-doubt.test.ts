// What an agent says against the record of the gateway: signed word that something moved without a `go`,
// times that cannot be, a device that was restarted. Each ends the session, and each asks for a person.
import { describe, expect, test } from 'vitest'
import { limits } from '../../../protocol/limits.ts'
import { ok } from '../../../protocol/result.ts'
import type { ReportClaims } from '../../../protocol/tokens.ts'
import { checkNode, factsOf, openToken, type OpenedToken } from '../../../contain/checks.ts'
import { devicesAtEnd } from '../../../contain/session-rest.ts'
import { step } from '../../../contain/session.ts'
import { openedState, type NodeState, type SessionState } from '../../../contain/session-state.ts'
import { bindingOf, boundSession, chainPlan, t0 } from '../../shared/session-fixture.ts'

const fixture = await boundSession(chainPlan(2))
const binding = bindingOf(fixture)

const goMs = t0 + 10_000

function stateWith(state: NodeState['state']): SessionState {
  const opened = openedState(binding, limits.reportGraceMs)
  const started_ms = state === 'executing' ? goMs : null
  const node: NodeState = { state, reason: null, started_ms, actuated: null, report: null }
  return {
    ...opened,
    status: 'active',
    boot_id: 'boot-1',
    grace_until: null,
    nodes: new Map(opened.nodes).set('n000', node),
  }
}

const framed = { fid: 'f', body: 'b', seen: null, boot_id: 'boot-1' }

function report(state: SessionState, change: Partial<ReportClaims>) {
  const claims: ReportClaims = {
    sub: 'agent-1',
    sid: 'sess_a',
    nid: 'n000',
    jti: 'jti_sess_a_n000',
    ctx: fixture.ctx,
    outcome: 'succeeded',
    result_digest: null,
    reason: null,
    actuated: true,
    started_ms: goMs,
    ended_ms: goMs + 1_000,
    ...change,
  }
  const event = { type: 'report', ...framed, nid: 'n000', text: 't', report: ok(claims) } as const
  return step(binding, state, event, goMs + 2_000).state
}

describe('signed word that a node without a go was moved', () => {
  test.each(['pending', 'released'] as const)('latches (%s)', (state) => {
    for (const outcome of ['succeeded', 'unknown', 'failed'] as const) {
      const after = report(stateWith(state), { outcome })
      expect(after).toMatchObject({ reason: 'frame_violation', latch: true })
    }
  })

  test('does not latch when it says that nothing moved', () => {
    const after = report(stateWith('pending'), { outcome: 'failed', actuated: false })
    expect(after).toMatchObject({ reason: 'frame_violation', latch: false })
  })
})

describe("an agent's ledger that knows of", () => {
  const hello = (state: NodeState['state'], entry: string) =>
    step(
      binding,
      stateWith(state),
      {
        type: 'hello',
        fid: 'f',
        boot_id: 'boot-1',
        older_lives: false,
        ledger: [{ nid: 'n000', state: entry }],
      },
      goMs,
    ).state

  test.each([
    ['pending', 'ended', 'terminated'],
    ['pending', 'actuated', 'terminated'],
    ['released', 'actuated', 'terminated'],
    // A start that was given up before its go: its report follows.
    ['released', 'ended', 'active'],
    ['executing', 'actuated', 'active'],
    ['succeeded', 'ended', 'active'],
    ['pending', 'received', 'active'],
  ] as const)('a node that is %s here as %s is %s', (state, entry, status) => {
    const after = hello(state, entry)
    expect(after.status).toBe(status)
    expect(after.latch).toBe(status === 'terminated')
  })
})

describe('times of a report', () => {
  const skew = limits.clockSkewMsMax
  const early = goMs - 2 * limits.authorityTimeoutMs - skew
  test.each([
    ['as they were', {}, 'active'],
    ['at the earliest', { started_ms: early }, 'active'],
    ['before its go', { started_ms: early - 1 }, 'terminated'],
    ['that end before they start', { ended_ms: goMs - 1 }, 'terminated'],
    ['as far ahead as clocks may be', { ended_ms: goMs + 2_000 + skew }, 'active'],
    ['in the future', { ended_ms: goMs + 2_001 + skew }, 'terminated'],
    ['a hundred days ahead', { started_ms: goMs + 8.64e9, ended_ms: goMs + 8.64e9 }, 'terminated'],
  ] as const)('%s', (_what, change, status) => {
    const after = report(stateWith('executing'), change)
    expect(after.status).toBe(status)
    if (status === 'terminated') {
      expect(after).toMatchObject({ reason: 'frame_violation', latch: true })
    }
  })
})

test('a device server that was restarted ends the session with doubt, under its own reason', () => {
  const event = { type: 'abort', ...framed, reason: 'server_restarted', detail: 'arm' } as const
  const after = step(binding, stateWith('released'), event, goMs).state
  expect(after).toMatchObject({ reason: 'server_restarted', latch: true })
  const other = step(binding, stateWith('released'), { ...event, reason: 'local_stop' }, goMs).state
  expect(other).toMatchObject({ reason: 'agent_aborted', latch: false })
})

test('a session that is bound to one process goes to no other', () => {
  const context = { ...binding.context, boot_id: 'boot-1' }
  const hello = (boot_id: string) => {
    const opened = openedState(binding, limits.reportGraceMs)
    const event = { type: 'hello', fid: 'f', boot_id, older_lives: false, ledger: [] } as const
    return step({ ...binding, context }, opened, event, t0).state
  }
  expect(hello('boot-1').status).toBe('active')
  expect(hello('boot-2')).toMatchObject({ reason: 'agent_restarted', latch: false })
})

describe('devices at the end', () => {
  const stopped = (state: NodeState['state'], of = binding) =>
    devicesAtEnd(of, { ...stateWith(state), status: 'terminated', ended_ms: goMs })

  test('are those that a physical tool moved, and pending until the agent has spoken', () => {
    expect(stopped('unknown')).toEqual([{ server: 'arm', state: 'pending', detail: null }])
    expect(stopped('released')).toEqual([])
  })

  test('are out of reach under an agent of the release before', () => {
    const { tools: _tools, ...context } = binding.context
    expect(stopped('succeeded', { ...binding, context })).toEqual([
      { server: 'arm', state: 'unreachable', detail: 'not_reported' },
    ])
  })
})

test('a reading that was lost leaves no device to be confirmed; one that was moved too is told', () => {
  const rest = (server: string) => ({
    boot_id: 'boot-1',
    seq: 1,
    devices: [{ server, state: 'unreachable' as const, detail: 'no_safe_stop' }],
  })
  const node = (state: NodeState['state']): NodeState => {
    return { state, reason: null, started_ms: goMs, actuated: null, report: null }
  }
  const ended = (nodes: [string, NodeState][], server: string, latch = false): SessionState => {
    const state = stateWith('pending')
    const all = new Map([...state.nodes, ...nodes])
    return { ...state, nodes: all, status: 'terminated', ended_ms: goMs, latch, rest: rest(server) }
  }
  const read: [string, NodeState] = ['n001', node('unknown')]
  expect(devicesAtEnd(binding, ended([read], 'camera'))).toEqual([])
  // In doubt the agent's word counts, whatever the record says.
  expect(devicesAtEnd(binding, ended([read], 'camera', true))).toHaveLength(1)
  expect(devicesAtEnd(binding, ended([read], 'arm'))).toHaveLength(1)
  const shared = {
    ...binding,
    tools: new Map([...binding.tools].map(([name, row]) => [name, { ...row, server: 'bench' }])),
  }
  const moved: [string, NodeState] = ['n000', node('succeeded')]
  expect(devicesAtEnd(shared, ended([moved, read], 'bench'))).toEqual([
    { server: 'bench', state: 'unreachable', detail: 'no_safe_stop' },
  ])
})

test('a hello that ends the session is answered, so that the agent tells what it still owes', () => {
  const hello = { type: 'hello', fid: 'f9', boot_id: 'boot-2', older_lives: false } as const
  const done = {
    do: 'send',
    to: 'asker',
    frame: { v: 1, re: 'f9', type: 'done', status: 'terminated' },
  }
  const gone = step(binding, stateWith('executing'), { ...hello, ledger: [] }, goMs)
  expect(gone.state).toMatchObject({ reason: 'agent_restarted', latch: true })
  expect(gone.effects.at(-1)).toEqual(done)
  const ledger = [{ nid: 'n001', state: 'actuated' }]
  const moved = step(binding, stateWith('pending'), { ...hello, boot_id: 'boot-1', ledger }, goMs)
  expect(moved.state).toMatchObject({ reason: 'frame_violation', latch: true })
  expect(moved.effects.at(-1)).toEqual(done)
})

test('a failed check writes down what it expected and got, and keeps a rotated key from a forgery', async () => {
  const token = fixture.tokens[0]?.token ?? ''
  const forged = `${token.slice(0, -8)}AAAAAAA${token.slice(-1)}`
  const unknown = await openToken(token, fixture.agentKeys)
  const bad = await openToken(forged, fixture.gatewayKeys)
  const standing = {
    progress: new Map(),
    holder_jkt: fixture.agent.kid,
    revoked: false,
    now_ms: t0,
  }
  const check = (opened: OpenedToken) =>
    checkNode({ nid: 'n000', opened }, { ...fixture.bound, minted: barely }, standing)
  const barely = new Map(
    [...fixture.bound.minted].map(([nid, minted]) => [nid, { ...minted, token: null }]),
  )
  expect(check(unknown)).toEqual({ ok: false, error: 'signature_invalid' })
  expect(check(bad)).toEqual({ ok: false, error: 'signature_invalid' })
  const told = (opened: OpenedToken) =>
    factsOf('signature_invalid', { nid: 'n000', opened }, fixture.bound)
  expect(told(bad)).toEqual({ expected: 'the minted token', got: 'signature' })
  expect(told(unknown)).toEqual({
    expected: 'the minted token',
    got: 'unknown_key',
  })
  const start = ok({} as never)
  const presented = { type: 'start', ...framed, nid: 'n000', opened: unknown, start } as const
  const { effects } = step(binding, stateWith('released'), presented, goMs)
  expect(effects).toContainEqual(
    expect.objectContaining({
      do: 'audit',
      event: 'terminated',
      facts: expect.objectContaining({ reason: 'signature_invalid', got: 'unknown_key' }) as object,
    }),
  )
})
