// Bounds of one session that take too many frames to reach through sockets: at the limit, and past it.
import { describe, expect, test } from 'vitest'
import { limits } from '../../../protocol/limits.ts'
import { ok } from '../../../protocol/result.ts'
import { nextTimer, timedOut } from '../../../contain/session-end.ts'
import { readSigned } from '../../../contain/verify.ts'
import { openToken } from '../../../contain/checks.ts'
import { step } from '../../../contain/session.ts'
import { openedState, type NodeState, type SessionState } from '../../../contain/session-state.ts'
import { bindingOf, boundSession, chainPlan, t0 } from '../../shared/session-fixture.ts'

const fixture = await boundSession(chainPlan(2))
const binding = bindingOf(fixture, [])

test('the report of a skipped node may be as long as what it compared, and no longer', () => {
  const text = (over: number) => 'a'.repeat(limits.reportCharsMax + over)
  expect(readSigned('report', text(0))).toEqual({ ok: false, error: 'not_compact' })
  expect(readSigned('report', text(1))).toEqual({ ok: false, error: 'too_long' })
  expect(readSigned('go', text(0))).toEqual({ ok: false, error: 'too_long' })
})

function active(change: Partial<SessionState> = {}): SessionState {
  const opened = openedState(binding, limits.reportGraceMs)
  return { ...opened, status: 'active', boot_id: 'boot-1', grace_until: null, ...change }
}

function executing(frames = 0): SessionState {
  const state = active({ frames })
  const node: NodeState = {
    state: 'executing',
    reason: null,
    started_ms: t0,
    actuated: null,
    report: null,
  }
  return { ...state, nodes: new Map(state.nodes).set('n000', node) }
}

const framed = { fid: 'f', body: 'b', seen: null, boot_id: 'boot-1' }

const opened = await openToken(
  fixture.tokens.find((token) => token.nid === 'n000')?.token ?? '',
  fixture.gatewayKeys,
)

/** A start of the first node in which everything is right. */
const startOf = (nid: string) =>
  ({
    type: 'start',
    ...framed,
    nid,
    opened,
    start: ok({
      sub: binding.context.agent,
      sid: binding.context.session,
      nid,
      jti: opened.jti ?? '',
      ctx: binding.ctx,
      nonce: 'n',
      cn: 'c',
      iat_ms: t0,
    }),
  }) as const

/** The first node handed out, the others not. */
function released(): SessionState['nodes'] {
  const node: NodeState = {
    state: 'released',
    reason: null,
    started_ms: null,
    actuated: null,
    report: null,
  }
  return new Map(active().nodes).set('n000', node)
}

describe('frames on record', () => {
  test('are taken up to their limit; one more closes the socket, not the session', () => {
    const last = active({ frames: limits.framesPerSessionMax - 1 })
    const taken = step(binding, last, { type: 'pull', ...framed }, t0)
    expect(taken.state.frames).toBe(limits.framesPerSessionMax)
    expect(taken.effects.at(-1)).toMatchObject({ do: 'send', frame: { type: 'token' } })
    const over = step(binding, taken.state, { type: 'pull', ...framed, fid: 'g' }, t0)
    expect(over.effects).toMatchObject([{ do: 'refuse', code: 'too_many_frames' }])
    expect(over.state).toBe(taken.state)
  })

  test('past their limit still take the report of a node', () => {
    const report = {
      sub: 'agent-1',
      sid: 'sess_a',
      nid: 'n000',
      jti: 'jti',
      ctx: binding.ctx,
      outcome: 'succeeded' as const,
      result_digest: null,
      reason: null,
      actuated: true,
      started_ms: t0,
      ended_ms: t0,
    }
    const event = { type: 'report' as const, ...framed, nid: 'n000', text: 'r', report: ok(report) }
    const after = step(binding, executing(limits.framesPerSessionMax), event, t0)
    expect(after.state.nodes.get('n000')?.state).toBe('succeeded')
  })

  test('answer an identical one even past their limit', () => {
    const seen = { body: 'b', answer: { type: 'token' as const, nid: 'n000' } }
    const full = active({ frames: limits.framesPerSessionMax })
    const again = step(binding, full, { type: 'pull', ...framed, seen }, t0)
    expect(again.effects).toMatchObject([{ do: 'send', frame: { type: 'token', nid: 'n000' } }])
  })
})

const endsAt = (state: SessionState, at: number) => {
  expect(timedOut(binding, state, at - 1)).toBeNull()
  expect(nextTimer(binding, state)).toBe(at)
  return timedOut(binding, state, at)
}

describe('time', () => {
  test('waits for a lost agent as long as the grace, to the millisecond', () => {
    const lost = step(binding, active(), { type: 'lost', proven_left: 0 }, t0).state
    expect(endsAt(lost, t0 + limits.reportGraceMs)).toBe('agent_lost')
    // A second loss does not make the grace longer.
    const again = step(binding, lost, { type: 'lost', proven_left: 0 }, t0 + 1_000).state
    expect(again.grace_until).toBe(lost.grace_until)
  })

  test('gives a running node its own time and the grace', () => {
    expect(endsAt(executing(), t0 + 5_000 + limits.reportGraceMs)).toBe('node_unknown')
  })

  test('ends a session at its deadline, also between alarms', () => {
    const { deadline } = binding.context
    expect(endsAt(active(), deadline)).toBe('deadline_passed')
    const late = step(binding, active(), { type: 'pull', ...framed }, deadline)
    expect(late.state).toMatchObject({ status: 'terminated', reason: 'deadline_passed' })
    expect(
      late.effects.some((effect) => effect.do === 'send' && effect.frame.type === 'token'),
    ).toBe(false)
  })

  test('left for a step that lasts longer than it is not enough to start it', () => {
    const { deadline } = binding.context
    const told = { ...binding, told: { n000: 30_000 } }
    const state = { ...active(), nodes: released() }
    const at = (nowMs: number) => step(told, state, startOf('n000'), nowMs)
    expect(at(deadline - 30_000).effects).toEqual([
      { do: 'ask', nid: 'n000', tool: told.context.plan.nodes[0]?.tool },
    ])
    const late = at(deadline - 29_999)
    expect(late.state).toMatchObject({ status: 'terminated', reason: 'deadline_passed' })
    // Nothing has moved: nobody has to look at the cell.
    expect(late.state.latch).toBe(false)
    const authorized = { ...startOf('n000'), type: 'authorized' } as const
    const go = step(
      told,
      state,
      { ...authorized, authority: ok(undefined), connected: true },
      deadline - 29_999,
    )
    expect(go.state.status).toBe('terminated')
    expect(go.effects.some((effect) => effect.do === 'go')).toBe(false)
  })

  test('no longer matters once the session has ended', () => {
    const stop = { type: 'stop', reason: 'stopped_by_person', by: 'p' } as const
    const ended = step(binding, active(), stop, t0).state
    expect(nextTimer(binding, ended)).toBeNull()
  })
})
