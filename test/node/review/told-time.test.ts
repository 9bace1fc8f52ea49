// What a plan tells of its own length, and that nothing begins which cannot end in time: the queue, the
// binding and each start. Half a run is what these refuse.
import { describe, expect, test } from 'vitest'
import { mayActuate } from '../../../contain/authority.ts'
import { fits, type AgentState, type CellState } from '../../../contain/dispatch.ts'
import { compareAndBind } from '../../../verify/review/bind.ts'
import { toldInAll, toldTimes } from '../../../verify/review/told-time.ts'
import type { Plan } from '../../../protocol/plan.ts'
import { demoRegistry } from '../support/snapshot.ts'
import { decisionDigest, floor, packetDigest, snapshotOf, specOf } from './fixture.ts'

const registry = demoRegistry()
const now = 1_000_000
const node = (id: string, tool: string, args: Plan['nodes'][number]['args']) => ({
  id,
  tool,
  args,
  depends_on: [],
  sandbox: null,
})
const shake = node('n1', 'heater_shaker.set_speed', { device_id: 'hs_1', rpm: 300, hold_s: 160 })
const warm = node('n2', 'heater_shaker.set_temperature', {
  device_id: 'hs_1',
  temperature_c: 37,
  hold_s: 120,
  attended: true,
})
const look = node('n3', 'lims.read_sample', { sample_id: 'ST-1', fields: ['storage_status'] })
const spec = (policy = {}) => {
  const base = specOf(policy, { snapshot: snapshotOf(policy, { registry }) })
  return { ...base, plan: { ...base.plan, nodes: [shake, warm, look] } }
}

test('a step tells its hold; one that tells nothing counts as nothing', () => {
  const times = toldTimes(spec())
  expect(times).toEqual({ n1: 160_000, n2: 120_000 })
  expect(toldInAll(times)).toBe(280_000)
})

describe('an arming that ends before the plan could', () => {
  const cell = (ms: number): CellState => ({
    cell: 'c',
    armed_until_ms: now + ms,
    needs_clearance: false,
    session: null,
  })
  const health = { agent: 'a', cell: 'c', reported_at_ms: now, servers: {}, sandboxes: {} }
  const agent: AgentState = {
    agent: 'a',
    cell: 'c',
    jkt: 'j',
    online: true,
    revoked: false,
    features: [],
    health,
  }
  const plan = {
    plan: 'p',
    agent: null,
    servers: [],
    sandboxes: [],
    physical: true,
    told_ms: 280_000,
    valid_until_ms: now + 1e9,
  }

  test.each([
    [280_000, 'arming_too_short'],
    [280_001, null],
  ])('keeps it waiting (armed for %i ms)', (ms, answer) => {
    expect(fits(plan, { cell: cell(ms), agent }, now)).toBe(answer)
  })

  test('is no reason for one that moves nothing', () => {
    expect(fits({ ...plan, physical: false }, { cell: cell(1), agent }, now)).toBeNull()
  })

  test.each([
    [160_000, false],
    [160_001, true],
  ])('gives no authority for a step of 160 s (armed for %i ms)', (ms, may) => {
    const planner = 'planner-wetlab-01'
    const answer = mayActuate(
      {
        session: 's',
        cell: 'c',
        agent_jkt: 'j',
        planner,
        tool: shake.tool,
        epoch: 1,
        told_ms: 160_000,
      },
      {
        epoch: 1,
        epoch_reason: 'registry_changed',
        cell: { ...cell(ms), session: 's' },
        agent,
        planner_revoked: false,
        registry,
      },
      now,
    )
    expect(answer).toEqual(
      may ? { ok: true, value: undefined } : { ok: false, error: { reason: 'cell_not_armed' } },
    )
  })
})

test.each([
  [279_999, false],
  [280_000, true],
])('a session of at most %i ms takes a plan of 280 s: %s', (session_deadline_ms, takes) => {
  const own = spec({ session_deadline_ms })
  const { snapshot } = own
  const { registry_digest, policy_version } = snapshot
  const packet = { registry_digest, policy_version, floor, packetDigest }
  const decision = { verdict: 'accept', valid_until: now + 1e9 }
  const facts = {
    spec: own,
    packet,
    decision,
    decision_digest: decisionDigest,
    floor,
    differences: 0,
    told_ms: toldInAll(toldTimes(own)),
    rows: {},
  } as unknown as Parameters<typeof compareAndBind>[0]
  const ask = { session: 's', cell: 'c', agent: 'a', agent_jkt: 'j', features: [], snapshot }
  const bound = compareAndBind(facts, ask, now)
  expect(bound.ok ? bound.value.deadline : bound.error.code).toBe(
    takes ? now + session_deadline_ms : 'does_not_fit',
  )
})
