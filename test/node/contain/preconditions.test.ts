// Sensors before a call, as the session sees them: without a reading that holds there is no question to
// the site and no `go`, and nothing is latched, since nothing can have moved.
// Invariant 1.
import { describe, expect, test } from 'vitest'
import { openToken } from '../../../contain/checks.ts'
import { isStale, startMiss } from '../../../contain/preconditions.ts'
import { step } from '../../../contain/session.ts'
import { openedState } from '../../../contain/session-state.ts'
import { freshMsOf, valueMiss } from '../../../protocol/precondition.ts'
import { limits } from '../../../protocol/limits.ts'
import { ok } from '../../../protocol/result.ts'
import type { PreconditionRead, ReportClaims, StartClaims } from '../../../protocol/tokens.ts'
import type { Precondition } from '../../../protocol/tool-meaning.ts'
import type { ToolRow } from '../../../protocol/tool-row.ts'
import { bindingOf, boundSession, chainPlan, t0 } from '../../shared/session-fixture.ts'

const looks = { tool: 'camera.read', args: {}, pointer: '/x', fresh: '2 s' } as const
const shut: Precondition = { ...looks, eq: false }
const reader = (unit?: string): Pick<ToolRow, 'results'> => ({
  results: { '/x': { quantity: 'temperature', kind: 'observed', ...(unit ? { unit } : {}) } },
})

test.each<[unknown, Partial<Precondition>, string | undefined, string | null]>([
  [false, { eq: false }, undefined, null],
  [true, { eq: false }, undefined, 'range'],
  ['false', { eq: false }, undefined, 'type'],
  [0, { eq: false }, undefined, 'type'],
  ['shut', { eq: 'shut' }, undefined, null],
  [undefined, { eq: false }, undefined, 'missing'],
  [null, { eq: false }, undefined, 'null'],
  [[], { eq: false }, undefined, 'type'],
  [21, { le: 40, unit: 'Cel' }, 'Cel', null],
  [40, { le: 40, unit: 'Cel' }, 'Cel', null],
  [40.1, { le: 40, unit: 'Cel' }, 'Cel', 'range'],
  [39, { ge: 40, unit: 'Cel' }, 'Cel', 'range'],
  [300, { le: 40, unit: 'Cel' }, 'K', null],
  [320, { le: 40, unit: 'Cel' }, 'K', 'range'],
  [21, { le: 40, unit: 'Cel' }, 'mg', 'unit'],
  [21, { le: 40, unit: 'Cel' }, undefined, 'unit'],
  [21, { le: 40 }, 'Cel', 'unit'],
  [21, { le: 40, unit: 'no such unit' }, 'no such unit either', 'unit'],
  [Number.NaN, { le: 40 }, undefined, 'type'],
  [1e300, { ge: 0 }, undefined, 'type'],
  ['21', { le: 40 }, undefined, 'type'],
  [21, {}, undefined, 'range'],
  [0, { eq: 0 }, undefined, null],
])('%j against %j, read in %s: %s', (value, bounds, unit, miss) => {
  expect(valueMiss(value, { ...looks, ...bounds }, reader(unit))).toBe(miss)
})

test('a freshness that is no time is never fresh', () => {
  expect(freshMsOf({ fresh: '2 s' })).toBe(2_000)
  expect(freshMsOf({ fresh: '1 min' })).toBe(60_000)
  expect(freshMsOf({ fresh: '2 mg' })).toBe(0)
  expect(isStale({ monotonic_ms: 1, wall_ms: 1 }, 0)).toBe(true)
  expect(isStale({ monotonic_ms: 100, wall_ms: 2_100 }, 3_000)).toBe(true)
  expect(isStale({ monotonic_ms: 1_900, wall_ms: 1_950 }, 2_000)).toBe(false)
})

test('a reading is stale from one millisecond past its time on, by the clock that is later', () => {
  const stale = (monotonic_ms: number, wall_ms: number) => isStale({ monotonic_ms, wall_ms }, 2_000)
  expect([stale(0, 0), stale(2_000, 2_000)]).toEqual([false, false])
  expect([stale(2_001, 2_000), stale(2_000, 2_001)]).toEqual([true, true])
  // A monotonic clock that went back is none.
  expect(stale(-1, 0)).toBe(true)
  const apart = limits.goLifetimeMs
  expect([stale(1_000, 1_000 + apart), stale(1_000, 1_000 - apart)]).toEqual([false, false])
  expect([stale(1_000, 1_001 + apart), stale(1_000, 999 - apart)]).toEqual([true, true])
})

const fixture = await boundSession(chainPlan(2))
const rows = fixture.rows.map((row) =>
  row.tool === 'arm.move' ? { ...row, preconditions: [shut] } : row,
)
const binding = bindingOf(fixture, rows)
const nowMs = t0 + 1_000
const opened = openedState(binding, limits.reportGraceMs)
const released = {
  ...opened,
  status: 'active' as const,
  boot_id: 'boot-1',
  grace_until: null,
  nodes: new Map(opened.nodes).set('n000', {
    state: 'released' as const,
    reason: null,
    started_ms: null,
    actuated: null,
    report: null,
  }),
}
const framed = { fid: 'f', body: 'b', seen: null, boot_id: 'boot-1' }
const read: PreconditionRead = { value: false, digest: `result:${'A'.repeat(43)}`, age_ms: 20 }

async function presented(reads: readonly PreconditionRead[] | undefined) {
  const token = fixture.tokens.find(({ nid }) => nid === 'n000')?.token ?? ''
  const start: StartClaims = {
    sub: 'agent-1',
    sid: 'sess_a',
    nid: 'n000',
    jti: 'jti_sess_a_n000',
    ctx: fixture.ctx,
    nonce: 'nonce',
    cn: 'cn',
    iat_ms: nowMs,
    ...(reads === undefined ? {} : { reads: [...reads] }),
  }
  return { nid: 'n000', opened: await openToken(token, fixture.gatewayKeys), start: ok(start) }
}

describe('a start of a node whose row has a sensor', () => {
  test('that brings along a reading that holds is taken to the site, and its go says what was read', async () => {
    const start = { type: 'start', ...framed, ...(await presented([read])) } as const
    expect(step(binding, released, start, nowMs).effects).toMatchObject([{ do: 'ask' }])
    const authorized = {
      ...start,
      type: 'authorized',
      authority: ok(undefined),
      connected: true,
    } as const
    const { effects } = step(binding, released, authorized, nowMs)
    expect(effects.map((effect) => effect.do)).toEqual(['execute', 'record', 'audit', 'go'])
    expect(effects[2]).toMatchObject({ event: 'go', facts: { reads: [read] } })
  })

  test.each<[string, readonly PreconditionRead[] | undefined, string]>([
    ['none', undefined, 'not_read'],
    ['an empty list', [], 'not_read'],
    ['one too many', [read, read], 'not_read'],
    ['an open door', [{ ...read, value: true }], 'range'],
    ['nothing read', [{ ...read, value: null }], 'null'],
    ['an old one', [{ ...read, age_ms: 2_001 }], 'stale'],
  ])(
    'that brings along %s ends the session, unlatched, before the site is asked',
    async (_, reads, miss) => {
      const start = await presented(reads)
      for (const event of [
        { type: 'start', ...framed, ...start } as const,
        {
          type: 'authorized',
          ...framed,
          ...start,
          authority: ok(undefined),
          connected: true,
        } as const,
      ]) {
        const { state, effects } = step(binding, released, event, nowMs)
        expect(state).toMatchObject({
          status: 'terminated',
          reason: 'precondition_unmet',
          latch: false,
        })
        expect(effects.map((effect) => effect.do)).toEqual(['audit', 'send'])
        expect(effects[0]).toMatchObject({ facts: { miss } })
      }
    },
  )

  test('names a reader that the context does not have: not read', async () => {
    const start = { reads: [read] }
    const alone = rows.filter((row) => row.tool === 'arm.move')
    expect(startMiss('arm.move', alone, start)).toMatchObject({ miss: 'not_read' })
    expect(startMiss('camera.read', rows, {})).toBe(null)
    // In its last millisecond a reading still holds.
    expect(startMiss('arm.move', rows, { reads: [{ ...read, age_ms: 2_000 }] })).toBe(null)
  })
})

test('a signed report of the missed reading ends the session under its own reason, with what was read', () => {
  const missed = { precondition: 0, miss: 'range', read: { ...read, value: true } } as const
  const claims: ReportClaims = {
    sub: 'agent-1',
    sid: 'sess_a',
    nid: 'n000',
    jti: 'jti_sess_a_n000',
    ctx: fixture.ctx,
    outcome: 'failed',
    result_digest: null,
    reason: 'precondition_unmet',
    actuated: false,
    started_ms: nowMs,
    ended_ms: nowMs + 10,
    missed,
  }
  const event = { type: 'report', ...framed, nid: 'n000', text: 't', report: ok(claims) } as const
  const { state, effects } = step(binding, released, event, nowMs + 20)
  expect(state).toMatchObject({ reason: 'precondition_unmet', latch: false })
  expect(state.nodes.get('n000')).toMatchObject({ state: 'failed', reason: 'precondition_unmet' })
  expect(effects).toContainEqual(
    expect.objectContaining({
      event: 'report',
      facts: expect.objectContaining({ missed }) as object,
    }),
  )
  // One that says that something moved is no miss of a sensor.
  const moved = { ...event, report: ok({ ...claims, actuated: true }) }
  expect(step(binding, released, moved, nowMs + 20).state).toMatchObject({ latch: true })
})
