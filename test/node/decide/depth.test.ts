// The least depth is a function of the plan's risk alone; budgets can only make it fall short.
import { emptyMeaning } from '../../../protocol/site-file.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Plan } from '../../../protocol/plan.ts'
import type { Registry, RiskClass, ToolEntry } from '../../../protocol/registry.ts'
import type { MemoryMatch } from '../../../protocol/memory.ts'
import {
  leastDepth,
  planDepth,
  readsOnly,
  type DepthInput,
  type SeatEstimate,
} from '../../../verify/decide/depth.ts'
import { calmInput } from './arbitraries.ts'

const classes: RiskClass[] = [
  'read',
  'benign_actuation',
  'hazardous_actuation',
  'network',
  'code',
  'admin',
]
const tool = (risk_class: RiskClass): ToolEntry => ({
  name: `t.${risk_class}`,
  description: 'x',
  risk_class,
  capability: 'c',
  args_schema: {},
  emits: [],
  sink: null,
  server: 's',
  mcp_tool: 't',
  definition_digest: `def:${'a'.repeat(43)}`,
  timeout_ms: 1,
  orphan_policy: 'stop',
  safe_stop: null,
  sandbox_required: false,
})
const registry: Registry = {
  registry_version: '1',
  tools: classes.map(tool),
  planners: {},
  rules: [],
  ...emptyMeaning,
}
const plan = (tools: string[]): Plan => ({
  goal: 'g',
  instructions: ['i'],
  planner: { id: 'p' },
  nodes: tools.map((name, i) => ({
    id: `n${i}`,
    tool: name,
    args: {},
    depends_on: [],
    sandbox: null,
  })),
})
const known = {
  plan: 'plan_1',
  planner: 'p',
  owner: 'o',
  at_ms: 0,
  verdict: 'accept' as const,
  supersedes: null,
  sketch: [],
  capabilities: [],
  tools: classes.map((c) => `t.${c}`),
  codes: [],
  sigma: 0,
  marks: [],
}
const base = (tools: string[]): DepthInput => ({
  plan: plan(tools),
  registry,
  floor: calmInput('offline').floor,
  memory: [],
  policy: { alert_level: 'normal', least_depth: 1 },
  window: [known],
})
const match: MemoryMatch = {
  memory: 'failure:1',
  plan: 'plan_0',
  basis: 'person',
  similarity: 1,
  via: [],
  codes: [],
  effect: 'escalates',
}

describe('leastDepth', () => {
  test('follows the riskiest tool class', () => {
    const depths = classes.map((c) => leastDepth(base([`t.${c}`])))
    expect(depths).toStrictEqual([1, 3, 5, 5, 5, 7])
    expect(leastDepth(base([]))).toBe(3)
    expect(leastDepth(base(['t.unheard-of']))).toBe(7)
  })
  test('rises by each of a flag, an alert level and what σ says, and by nothing else', () => {
    const { floor, policy, ...read } = base(['t.read'])
    const at = (change: Partial<DepthInput>) => leastDepth({ ...read, floor, policy, ...change })
    const alert = (alert_level: 'normal' | 'elevated' | 'high') =>
      at({ policy: { ...policy, alert_level } })
    expect([alert('normal'), alert('elevated'), alert('high')]).toEqual([1, 3, 5])
    // What is not a pass is looked at more closely, and a flag once more.
    expect(at({ floor: { ...floor, level: 'advisory' } })).toBe(3)
    expect(at({ floor: { ...floor, level: 'flag' } })).toBe(5)
    expect(at({ floor: { ...floor, level: 'block' } })).toBe(5)
    expect(at({ floor: { ...floor, sigma: floor.tau_advisory } })).toBe(3)
    expect(at({ floor: { ...floor, sigma: floor.tau_advisory - 0.01 } })).toBe(1)
    expect(at({ policy: { ...policy, least_depth: 5 } })).toBe(5)
    const { window: _, ...unknown } = read
    expect(leastDepth({ ...unknown, floor, policy })).toBe(1)
  })
  test('rises with novelty up to five, with σ, memory and alert level up to seven', () => {
    const read = base(['t.read'])
    const heat = base(['t.hazardous_actuation'])
    // Novel is what this site has not accepted yet; whose plan it was does not matter.
    const other = { ...known, planner: 'somebody-else', tools: ['t.network'] }
    expect(leastDepth({ ...read, window: [other] })).toBe(3)
    expect(leastDepth({ ...read, window: [{ ...known, planner: 'somebody-else' }] })).toBe(1)
    // A site without a history has nothing to be new against.
    expect(leastDepth({ ...read, window: [] })).toBe(1)
    expect(leastDepth({ ...heat, window: [other] })).toBe(5)
    expect(leastDepth({ ...heat, memory: [{ ...match, effect: 'told' }] })).toBe(5)
    expect(leastDepth({ ...heat, memory: [match] })).toBe(7)
    expect(leastDepth({ ...heat, floor: { ...heat.floor, sigma: 0.3 } })).toBe(7)
    expect(leastDepth({ ...heat, policy: { alert_level: 'elevated', least_depth: 1 } })).toBe(7)
    expect(leastDepth({ ...read, policy: { alert_level: 'high', least_depth: 1 } })).toBe(5)
    expect(leastDepth({ ...read, policy: { alert_level: 'normal', least_depth: 7 } })).toBe(7)
  })
  test('more tools, more σ, more memory or a higher alert never lower it', () => {
    const tools = fc.array(fc.constantFrom(...classes.map((c) => `t.${c}`)), { maxLength: 4 })
    fc.assert(
      fc.property(
        tools,
        tools,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.boolean(),
        (a, b, sigma, fresh) => {
          const small = { ...base(a), window: fresh ? [] : [known] }
          const before = leastDepth(small)
          // A text-only plan is its own case: it runs nothing at all.
          if (a.length > 0) {
            expect(leastDepth({ ...small, plan: plan([...a, ...b]) })).toBeGreaterThanOrEqual(
              before,
            )
          }
          const noisy = { ...small, floor: { ...small.floor, sigma } }
          expect(leastDepth(noisy)).toBeGreaterThanOrEqual(before)
          expect(leastDepth({ ...small, memory: [match] })).toBeGreaterThanOrEqual(before)
          for (const alert_level of ['elevated', 'high'] as const) {
            const alert = { ...small, policy: { alert_level, least_depth: 1 as const } }
            expect(leastDepth(alert)).toBeGreaterThanOrEqual(before)
          }
        },
      ),
    )
  })
  test('asks for seven when a text of the plan, also one deep in the arguments, is disguised', () => {
    const read = base(['t.read'])
    const goal = { ...read.plan, goal: 'Bypаss it.' }
    expect(leastDepth({ ...read, plan: goal })).toBe(7)
    const [node] = read.plan.nodes
    if (node === undefined) throw new Error('no node')
    const args = { list: [{ note: 'By\u200bpass' }] }
    expect(leastDepth({ ...read, plan: { ...read.plan, nodes: [{ ...node, args }] } })).toBe(7)
  })
  test('a plan merely reads only when every tool is known and reads', () => {
    expect(readsOnly(plan(['t.read', 't.read']), registry)).toBe(true)
    expect(readsOnly(plan(['t.read', 't.network']), registry)).toBe(false)
    expect(readsOnly(plan(['t.unheard-of']), registry)).toBe(false)
  })
})

describe('planDepth', () => {
  const seats: SeatEstimate[] = [1, 2, 3, 4, 5, 6, 7].map((n) => ({
    name: `judge-${n}`,
    cost_usd: 0.01,
    ms: 1_000,
  }))
  const chief: SeatEstimate = { name: 'chief', cost_usd: 0.02, ms: 1_000 }
  const ask = {
    least: 5 as const,
    readsOnly: false,
    panel: 'models' as const,
    budget: { cost_usd: null, latency_ms: null, day_usd: null },
    seats,
    chief,
    dayLeft: true,
  }
  test('asks exactly the least depth, and names every judge beforehand', () => {
    expect(planDepth(ask)).toStrictEqual({
      panel: 'models',
      required: 5,
      seats: 5,
      short: null,
      expected: ['judge-1', 'judge-2', 'judge-3', 'judge-4', 'judge-5'],
      reads_only: false,
    })
  })
  test('says why the depth is not reached: seats, money, time, or a price that nobody knows', () => {
    expect(planDepth({ ...ask, seats: seats.slice(0, 3) }).short).toBe('too_few_seats')
    const money = planDepth({ ...ask, budget: { cost_usd: 0.05, latency_ms: null, day_usd: null } })
    expect(money).toMatchObject({ seats: 3, short: 'budget_cost' })
    const time = planDepth({ ...ask, budget: { cost_usd: null, latency_ms: 1_500, day_usd: null } })
    expect(time).toMatchObject({ seats: 0, short: 'budget_latency' })
    const unknown = seats.map((seat) => ({ ...seat, cost_usd: null }))
    expect(
      planDepth({
        ...ask,
        seats: unknown,
        budget: { cost_usd: 1_000, latency_ms: null, day_usd: null },
      }).short,
    ).toBe('budget_cost')
  })
  test('counts a second round when more seats are asked than the pool holds', () => {
    const budget = { cost_usd: null, latency_ms: 2_000, day_usd: null }
    expect(planDepth({ ...ask, budget }).short).toBeNull()
    expect(planDepth({ ...ask, least: 7, budget }).short).toBe('budget_latency')
  })
  test('rules alone: no seat, and seven is out of reach', () => {
    const rules = { ...ask, panel: 'rules' as const }
    expect(planDepth(rules)).toMatchObject({ seats: 0, short: null, expected: [] })
    expect(planDepth({ ...rules, least: 7 }).short).toBe('too_few_seats')
  })
  test('money for the day that is spent asks nobody and says so', () => {
    expect(planDepth({ ...ask, dayLeft: false })).toMatchObject({
      panel: 'models',
      seats: 0,
      short: 'budget_day',
      expected: [],
    })
  })
})
