// The wire of the platform's binding, inside workerd: models of three families judge without any key,
// and every fault that the binding can show is named, keeps the others' work and never accepts.
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { bindingPanel } from '../../adapters/models/default-seats.ts'
import { createModelPort, wallClock } from '../../adapters/models/port.ts'
import { estimateSeat, parsePrices } from '../../adapters/models/prices.ts'
import { createRecordingPort } from '../../adapters/models/recording-port.ts'
import type { ModelBinding } from '../../adapters/models/workers-ai.ts'
import { standInCodes, standInFaults, standInRun } from '../../lab/local/vendor-sim/binding.ts'
import { noEvidence } from '../../protocol/evidence.ts'
import { planSchema } from '../../protocol/plan.ts'
import { policySchema, type Policy } from '../../protocol/policy.ts'
import { registrySchema } from '../../protocol/registry.ts'
import { decide } from '../../verify/decide/decide.ts'
import { nothingHidden } from '../../verify/hide/index.ts'
import { judgePlan, type JudgeInput } from '../../verify/judge.ts'
import type { RecordedCall } from '../../verify/panel/record.ts'

const registry = registrySchema.parse((env as unknown as { TEST_REGISTRY: unknown }).TEST_REGISTRY)
const plan = planSchema.parse({
  goal: 'Look up the sample.',
  instructions: ['Read sample S-1 from the LIMS.'],
  planner: { id: 'planner-wetlab-01' },
  nodes: [{ id: 'n1', tool: 'lims.read_sample', args: { sample_id: 'S-1' } }],
})

type Call = { model: string; input: Record<string, unknown>; options: object | undefined }

function binding(calls: Call[] = []): ModelBinding {
  return {
    run(model, input, options) {
      calls.push({ model, input, options })
      return standInRun(model, input)
    },
  }
}

const policyOf = (change: Partial<Policy> = {}): Policy => ({
  ...policySchema.parse({ ...bindingPanel, least_depth: 3, judge_deadline_ms: 1_500 }),
  ...change,
})

async function run(policy: Policy, ai: ModelBinding, gateway: { id: string } | null = null) {
  const prices = parsePrices(undefined)
  const kept: RecordedCall[] = []
  const none = () => Promise.reject(new Error('no key, no fetch'))
  const port = createRecordingPort(
    (out) =>
      createModelPort({
        deployment: {},
        policy,
        siteKey: () => null,
        privateHosts: [],
        ...out,
        prices,
        clock: {
          ...wallClock,
          sleep: (ms, signal) => wallClock.sleep(Math.min(ms, 5), signal),
        },
        gateway,
        hiding: nothingHidden,
      }),
    { fetch: none, ai, clock: wallClock },
    (call) => kept.push(call),
  )
  const input: JudgeInput = {
    plan,
    registry,
    policy,
    bench: { panel: 'models', seats: policy.judges, chief: policy.chief },
    floor: {
      level: 'pass',
      findings: [],
      sigma: 0,
      tau_advisory: 0.25,
      tau_warning: 0.5,
      snapshot_digest: 'snap:x',
    },
    evidence: noEvidence,
    steps: [],
    memory: [],
    window: [],
    grounding: { degraded: null, nodes: [], findings: [] },
    knowledge: null,
    done: [],
    signal: new AbortController().signal,
  }
  const ports = {
    model: port,
    clock: wallClock,
    nonce: () => crypto.randomUUID().replaceAll('-', ''),
    screen: () => true,
    estimate: (seat: Policy['judges'][number], chars: number) => estimateSeat(seat, chars, prices),
    reserve: () => Promise.resolve(true),
  }
  const result = await judgePlan(ports, input, () => {})
  return { result, kept, decided: decide({ ...input, ...result, trace: null }) }
}

describe('judges through the binding', () => {
  test('three families and a chief of another accept without a key, with a price', async () => {
    const calls: Call[] = []
    const { result, kept, decided } = await run(policyOf(), binding(calls))
    expect(decided).toMatchObject({ verdict: 'accept', reasons: ['all_accept'] })
    expect(result.opinions.map((o) => [o.wire, o.vendor])).toStrictEqual([
      ['workers-ai', 'openai'],
      ['workers-ai', 'alibaba'],
      ['workers-ai', 'zai'],
    ])
    expect(result.chief).toMatchObject({ vendor: 'meta', wire: 'workers-ai', outcome: 'answered' })
    for (const one of result.opinions) expect(one.usage.cost_usd).toBeGreaterThan(0)
    expect(calls).toHaveLength(4)
    for (const { input } of calls) {
      expect(input).toMatchObject({ stream: false, response_format: { type: 'json_schema' } })
    }
    // What was sent is in the record, as with the other wires.
    expect(kept).toHaveLength(4)
    expect(kept[0]?.sent?.body).toContain('response_format')
  })

  test('all seven seats answer in both forms that the platform has', async () => {
    const { decided } = await run(policyOf({ least_depth: 7 }), binding())
    expect(decided.verdict).toBe('accept')
  })

  test('behind the gateway of the platform its cache is refused', async () => {
    const calls: Call[] = []
    await run(policyOf(), binding(calls), { id: 'judges' })
    for (const { options } of calls) {
      expect(options).toMatchObject({ gateway: { id: 'judges', skipCache: true } })
    }
  })

  const faults: [string, RegExp][] = [
    ['throws-3040', /^failed: ai_3040$/],
    ['throws-3036', /^failed: ai_3036$/],
    ['throws-3007', /^failed: ai_3007$/],
    ['throws-5007', /^failed: ai_5007$/],
    ['throws-5016', /^failed: ai_5016$/],
    ['throws-5024', /^failed: ai_5024$/],
    ['throws-text', /^failed: no_connection$/],
    ['throws-nothing', /^failed: no_connection$/],
    ['hangs', /^late: deadline$/],
    ['null', /^malformed: wrong_wire$/],
    ['undefined', /^malformed: wrong_wire$/],
    ['text', /^malformed: wrong_wire$/],
    ['number', /^malformed: wrong_wire$/],
    ['array', /^malformed: wrong_wire$/],
    ['empty-object', /^malformed: wrong_wire$/],
    ['error-object', /^malformed: wrong_wire$/],
    ['errors-array', /^malformed: wrong_wire$/],
    ['null-response', /^malformed: empty$/],
    ['empty-response', /^malformed: empty$/],
    ['partial-json', /^malformed: not_json$/],
    ['prose-around', /^malformed: not_json$/],
    ['wrong-shape', /^malformed: wrong_shape$/],
    ['other-request', /^malformed: other_request$/],
    ['duplicate-key', /^malformed: not_json$/],
    ['too-long', /^malformed: too_large$/],
    ['length-without-reason', /^malformed: truncated$/],
    ['finish-length', /^malformed: truncated$/],
    ['finish-filter', /^refused: content_filter$/],
    ['finish-none', /^malformed: no_stop$/],
    ['two-choices', /^malformed: wrong_wire$/],
    ['refusal', /^refused: refusal$/],
    ['stream', /^malformed: wrong_wire$/],
    ['huge', /^malformed: too_large$/],
  ]
  test('the table below holds every fault that the stand-in knows', () => {
    const known = [...standInFaults, ...standInCodes.map((code) => `throws-${code}`)]
    expect(faults.map(([fault]) => fault).sort()).toStrictEqual(known.sort())
  })

  for (const [fault, ending] of faults) {
    test(`${fault}: named, the others' work is kept, never an accept; the same of the chief`, async () => {
      const policy = policyOf()
      const judges = policy.judges.map((seat, i) =>
        i === 1 ? { ...seat, model: `@cf/qwen/fault-${fault}` } : seat,
      )
      const { result, decided } = await run({ ...policy, judges }, binding())
      const [a, b, c] = result.opinions
      expect(`${b?.outcome}: ${b?.failure}`).toMatch(ending)
      expect([a?.outcome, c?.outcome]).toStrictEqual(['answered', 'answered'])
      expect(decided.verdict).toBe('escalate')
      expect(decided.reasons).toContain('judge_missing')
      const seat = policy.chief
      if (seat === null) throw new Error('no chief')
      const chief = { ...seat, model: `@cf/meta/fault-${fault}` }
      const headless = await run({ ...policy, chief }, binding())
      expect(`${headless.result.chief?.outcome}: ${headless.result.chief?.failure}`).toMatch(ending)
      expect(headless.decided).toMatchObject({ verdict: 'escalate', reasons: ['chief_missing'] })
    })
  }

  test('no capacity is tried again within bounds, an allowance that is used up is not', async () => {
    for (const [fault, attempts] of [
      ['throws-3040', 3],
      ['throws-3036', 1],
    ] as const) {
      const calls: Call[] = []
      const policy = policyOf({ judge_deadline_ms: 8_000 })
      const judges = policy.judges.map((seat, i) =>
        i === 0 ? { ...seat, model: `@cf/openai/fault-${fault}` } : seat,
      )
      await run({ ...policy, judges }, binding(calls))
      expect(calls.filter((call) => call.model.endsWith(fault))).toHaveLength(attempts)
    }
  })
})
