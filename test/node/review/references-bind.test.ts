// A plan with references or conditions goes to no agent that cannot carry them out, and what converts a
// number is fixed in the context when it is bound.
import { describe, expect, test } from 'vitest'
import { fits, type AgentState, type CellState } from '../../../contain/dispatch.ts'
import { features, type Feature } from '../../../protocol/features.ts'
import { featuresNeeded } from '../../../protocol/plan-needs.ts'
import { compareAndBind } from '../../../verify/review/bind.ts'
import { demoRegistry } from '../support/snapshot.ts'
import { decisionDigest, floor, packetDigest, snapshotOf, specOf } from './fixture.ts'

const registry = demoRegistry()
const now = 1_000_000
const node = (id: string, tool: string, more: object) => ({
  id,
  tool,
  args: {},
  depends_on: [],
  sandbox: null,
  ...more,
})
const from = { node: 'n1', pointer: '/mass_mg', unit: 'g', min: 0, max: 1 }
const weigh = node('n1', 'balance.read', { args: { balance_id: 'bal_1' } })
const note = (more: object) => node('n2', 'lims.write_result', { depends_on: ['n1'], ...more })
const taking = note({ args: { value: { $from: from } } })
const asking = note({ when: { result: { node: 'n1', pointer: '/mass_mg' }, unit: 'mg', gt: 1 } })

const spec = (nodes: object[]) => {
  const base = specOf({}, { snapshot: snapshotOf({}, { registry }) })
  return { ...base, plan: { ...base.plan, nodes: nodes as typeof base.plan.nodes } }
}

function bound(nodes: object[], offered: readonly Feature[]) {
  const own = spec(nodes)
  const { snapshot } = own
  const { registry_digest, policy_version } = snapshot
  const facts = {
    spec: own,
    packet: { registry_digest, policy_version, floor, packetDigest },
    decision: { verdict: 'accept', valid_until: now + 1e9 },
    decision_digest: decisionDigest,
    floor,
    differences: 0,
    told_ms: 0,
    rows: {},
  } as unknown as Parameters<typeof compareAndBind>[0]
  const of = { session: 's', cell: 'c', agent: 'a', agent_jkt: 'j', features: [...offered] }
  return compareAndBind(facts, { ...of, snapshot }, now)
}

const older = features.filter((feature) => feature !== 'references')

describe.each([
  ['takes a value of the run', taking],
  ['runs on a condition', asking],
  ['must happen in every run', note({ always: true })],
])('a plan that %s', (_, second) => {
  test('waits for an agent that can', () => {
    const needed = featuresNeeded(spec([weigh, second]).plan, [])
    expect(needed).toEqual(['references'])
    const entry = { plan: 'p', agent: null, servers: [], sandboxes: [], physical: false }
    const plan = { ...entry, features: needed, valid_until_ms: now + 1e9 }
    const cell: CellState = {
      cell: 'c',
      armed_until_ms: null,
      needs_clearance: false,
      session: null,
    }
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
    expect(fits(plan, { cell, agent }, now)).toBe('agent_outdated')
    expect(fits(plan, { cell, agent: { ...agent, features: older } }, now)).toBe('agent_outdated')
    expect(fits(plan, { cell, agent: { ...agent, features } }, now)).toBeNull()
    const plain = { ...plan, features: [] }
    expect(fits(plain, { cell, agent }, now)).toBeNull()
  })

  test('is bound to none that came instead meanwhile', () => {
    const answer = bound([weigh, second], older)
    expect(answer).toEqual({ ok: false, error: { code: 'agent_outdated' } })
    expect(bound([weigh, second], features).ok).toBe(true)
  })
})

test('the context fixes how a number is converted, and names nothing where there is none', () => {
  const taken = bound([weigh, taking], features)
  expect(taken.ok && taken.value.conversions).toEqual([
    { node: 'n2', at: '/args/value', scale: ['1', '1000'], offset: ['0', '1'], whole: false },
  ])
  const plain = bound([weigh, note({ args: { value: 1 } })], features)
  expect(plain.ok && 'conversions' in plain.value).toBe(false)
})

test('a unit that is not read any more binds nothing', () => {
  const lost = note({ args: { value: { $from: { ...from, unit: 'grain' } } } })
  expect(bound([weigh, lost], features)).toEqual({ ok: false, error: { code: 'units_unreadable' } })
})
