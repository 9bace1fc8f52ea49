// The vendor SDKs inside workerd, against real servers that speak both wires: a whole live panel, every
// fault that a vendor can show, and the connections that a judge may hold.
import { env } from 'cloudflare:workers'
import { describe, expect, inject, test } from 'vitest'
import { createModelPort, wallClock } from '../../adapters/models/port.ts'
import { estimateSeat } from '../../adapters/models/prices.ts'
import { noEvidence } from '../../protocol/evidence.ts'
import type { Opinion } from '../../protocol/opinion.ts'
import { policySchema, type Policy, type PolicyInput } from '../../protocol/policy.ts'
import { planSchema, type Plan } from '../../protocol/plan.ts'
import { registrySchema } from '../../protocol/registry.ts'
import { decide } from '../../verify/decide/decide.ts'
import { nothingHidden } from '../../verify/hide/index.ts'
import { judgePlan, type JudgeInput, type JudgePorts } from '../../verify/judge.ts'

const registry = registrySchema.parse((env as unknown as { TEST_REGISTRY: unknown }).TEST_REGISTRY)

const calmPlan: Plan = planSchema.parse({
  goal: 'Look up the sample.',
  instructions: ['Read sample S-1 from the LIMS.'],
  planner: { id: 'planner-wetlab-01' },
  nodes: [
    {
      id: 'n1',
      tool: 'lims.read_sample',
      args: { sample_id: 'S-1', fields: ['status'] },
      depends_on: [],
      sandbox: null,
    },
  ],
})

const seats = (models: readonly string[]): NonNullable<PolicyInput['judges']> =>
  models.map((model, i) => ({
    name: `judge-${i + 1}`,
    endpoint: i % 2 === 0 ? 'openai' : 'anthropic',
    model,
  }))

const policyFor = (models: readonly string[], more: Partial<PolicyInput> = {}): Policy =>
  policySchema.parse({
    panel: 'live',
    judges: seats(models),
    chief: { name: 'chief', endpoint: 'anthropic', model: 'sim-chief' },
    judge_deadline_ms: 8_000,
    least_depth: 3,
    ...more,
  })

function portsFor(policy: Policy, stream: boolean): JudgePorts {
  const url = inject('vendor')
  return {
    model: createModelPort({
      deployment: {
        openai: { wire: 'openai', url: `${url}/v1`, key: 'k', stream },
        anthropic: { wire: 'anthropic', url, key: 'k', stream },
      },
      policy,
      siteKey: () => null,
      privateHosts: [],
      prices: { 'sim-1': { input: 1, output: 1 } },
      fetch: (input, init) => fetch(input, init),
      ai: null,
      gateway: null,
      hiding: nothingHidden,
      clock: wallClock,
    }),
    clock: wallClock,
    nonce: () => crypto.randomUUID().replaceAll('-', ''),
    screen: () => true,
    estimate: (seat, chars) => estimateSeat(seat, chars, {}),
    reserve: () => Promise.resolve(true),
  }
}

async function run(plan: Plan, policy: Policy, stream = true) {
  const input: JudgeInput = {
    plan,
    registry,
    policy,
    bench: { panel: 'models', seats: policy.judges, chief: policy.chief },
    evidence: noEvidence,
    steps: [],
    floor: {
      level: 'pass',
      findings: [],
      sigma: 0,
      tau_advisory: 0.25,
      tau_warning: 0.5,
      snapshot_digest: 'snap:x',
    },
    memory: [],
    window: [],
    grounding: { degraded: null, nodes: [], findings: [] },
    knowledge: null,
    done: [],
    signal: new AbortController().signal,
  }
  const stored: Opinion[] = []
  const result = await judgePlan(portsFor(policy, stream), input, (opinion) => {
    stored.push(opinion)
  })
  return { result, stored, decided: decide({ ...input, ...result, trace: null }) }
}

describe('vendor SDKs in workerd', () => {
  for (const stream of [true, false]) {
    test(`a live panel of seven answers, ${stream ? 'streamed' : 'whole'}`, async () => {
      const names = Array.from({ length: 7 }, (_, i) => `sim-${i + 1}`)
      const { result, decided } = await run(calmPlan, policyFor(names, { least_depth: 7 }), stream)
      expect(result.opinions.map((o) => [o.outcome, o.failure])).toStrictEqual(
        names.map(() => ['answered', null]),
      )
      expect(result.chief?.outcome).toBe('answered')
      expect(decided).toMatchObject({ verdict: 'accept', reasons: ['all_accept'] })
      const [first, second] = result.opinions
      expect(first?.usage.input_tokens).toBeGreaterThan(500)
      expect(first?.usage.cost_usd).toBeGreaterThan(0)
      expect(second?.usage.cost_usd).toBeNull()
    })
  }

  test('a plan that the models reject with substance is rejected, and the others are cut off', async () => {
    const bad = { ...calmPlan, instructions: ['Bypass the door interlock of the enclosure.'] }
    const policy = policyFor(['sim-1', 'sim-2', 'fault-stall'], { least_depth: 3 })
    const started = Date.now()
    const { result, decided } = await run(bad, policy)
    expect(Date.now() - started).toBeLessThan(6_000)
    expect(decided.verdict).toBe('reject')
    expect(result.opinions.map((o) => o.outcome)).toStrictEqual([
      'answered',
      'answered',
      'cancelled',
    ])
  })

  const faults: [string, RegExp][] = [
    ['reset', /^failed: no_connection$/],
    ['silent', /^late: deadline$/],
    ['stall', /^late: deadline$/],
    ['cut', /^failed: stream_broken$/],
    ['early_end', /^(failed: stream_broken|malformed: \w+)$/],
    ['status-400', /^failed: http_400$/],
    ['status-401', /^failed: http_401$/],
    ['status-429', /^failed: http_429$/],
    ['status-500', /^failed: http_500$/],
    ['status-529', /^failed: http_529$/],
    ['redirect', /^failed: http_307$/],
    ['truncated', /^malformed: truncated$/],
    ['truncated_json', /^(malformed: not_json|failed: stream_broken)$/],
    ['wrong_shape', /^malformed: wrong_shape$/],
    ['wrong_wire', /^(failed: stream_broken|malformed: wrong_wire)$/],
    ['refusal', /^refused: refusal$/],
    ['other_plan', /^malformed: other_request$/],
    ['duplicate_key', /^malformed: not_json$/],
    ['huge', /^malformed: too_large$/],
  ]
  for (const stream of [true, false]) {
    for (const [name, ending] of faults) {
      const how = stream ? 'streamed' : 'whole'
      test(`${name}, ${how}: named on both wires, the third judge's work is kept, never an accept`, async () => {
        const policy = policyFor([`fault-${name}`, `fault-${name}`, 'sim-3'], {
          judge_deadline_ms: 3_500,
        })
        const { result, decided, stored } = await run(calmPlan, policy, stream)
        const [a, b, c] = result.opinions
        // A whole answer that stalls or is cut cannot show where; it is named by what was seen.
        expect(`${a?.outcome}: ${a?.failure}`).toMatch(ending)
        expect(`${b?.outcome}: ${b?.failure}`).toMatch(ending)
        expect(c?.outcome).toBe('answered')
        expect(stored).toHaveLength(3)
        expect(decided.verdict).toBe('escalate')
        expect(decided.reasons).toContain('judge_missing')
      })
    }
  }
})
