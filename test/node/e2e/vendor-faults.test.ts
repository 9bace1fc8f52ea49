// Every fault of a vendor through the real gateway, on both wires: never an accept, the other judges'
// work is kept, and the record that a reviewer reads says what happened (invariant 4).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request } from '../../../lab/local/client.ts'
import type { Gateway } from '../../../lab/local/gateway.ts'
import { startGatewayWithGraph } from '../../../lab/local/graph.ts'
import { startVendorSim, type VendorSim } from '../../../lab/local/vendor-sim/server.ts'
import type { SimFault } from '../../../lab/local/vendor-sim/types.ts'
import type { PolicyInput } from '../../../protocol/policy.ts'
import { calmAnswer } from '../panel/harness.ts'
import {
  callsOf,
  decided,
  openLiveSite,
  opinionsOf,
  post,
  readingPlan,
  type LiveSite,
} from './live-site.ts'

const key = 'key-that-no-record-may-hold'
let sim: VendorSim
let gateway: Gateway

/** Model name → what its requests meet; `ending` is `<outcome>: <failure>` in the record. */
const faults: Record<
  string,
  { fault: SimFault; ending: string; endingOpenai?: string; deadlineMs?: number }
> = {
  slow: { fault: { kind: 'slow', ms: 30_000 }, ending: 'late: deadline', deadlineMs: 4_000 },
  silent: { fault: { kind: 'silent' }, ending: 'late: deadline', deadlineMs: 4_000 },
  stall: { fault: { kind: 'stall' }, ending: 'late: deadline', deadlineMs: 4_000 },
  cut: { fault: { kind: 'cut' }, ending: 'failed: stream_broken' },
  'early-end': { fault: { kind: 'early_end' }, ending: 'failed: stream_broken' },
  truncated: { fault: { kind: 'truncated' }, ending: 'malformed: truncated' },
  'truncated-json': {
    fault: { kind: 'truncated_json' },
    ending: 'malformed: not_json',
    // This vendor's SDK parses the text itself and breaks off.
    endingOpenai: 'failed: stream_broken',
  },
  'wrong-shape': { fault: { kind: 'wrong_shape' }, ending: 'malformed: wrong_shape' },
  refusal: { fault: { kind: 'refusal' }, ending: 'refused: refusal' },
  'other-plan': { fault: { kind: 'other_plan' }, ending: 'malformed: other_request' },
  'second-verdict': { fault: { kind: 'duplicate_key' }, ending: 'malformed: not_json' },
  'ten-megabytes': { fault: { kind: 'huge', bytes: 10_000_000 }, ending: 'malformed: too_large' },
  ...Object.fromEntries(
    [400, 401, 429, 500, 529].map((status) => [
      `http-${status}`,
      // A pause that no plan waits for.
      { fault: { kind: 'status', status, retryAfterS: 600 }, ending: `failed: http_${status}` },
    ]),
  ),
}

const seat = (name: string, endpoint: string, model: string) => ({ name, endpoint, model })

/** Three judges, the second of which is the one that fails, and a chief. */
function policyWith(endpoint: string, model: string, more: Partial<PolicyInput> = {}): PolicyInput {
  return {
    // The plan merely reads; three seats are asked all the same.
    least_depth: 3,
    judges: [
      seat('judge-1', 'openai', 'calm-1'),
      seat('judge-2', endpoint, model),
      seat('judge-3', 'anthropic', 'calm-3'),
    ],
    chief: seat('chief', 'anthropic', 'calm-chief'),
    judge_deadline_ms: 30_000,
    ...more,
  }
}

let sites = 0
async function judge(policy: PolicyInput) {
  const site: LiveSite = await openLiveSite(gateway, `faults-${sites++}`, policy)
  try {
    const plan = await post(gateway.url, site.planner, readingPlan)
    const view = await decided(gateway.url, site.planner, plan)
    const record = await opinionsOf(gateway.url, site.reviewer, plan)
    const calls = await callsOf(gateway.url, site.reviewer, plan)
    return { site, plan, view, ...record, calls }
  } finally {
    site.close()
  }
}

beforeAll(async () => {
  sim = await startVendorSim({ answer: (asked) => calmAnswer(asked) })
  sim.setFault((asked) => faults[asked.model]?.fault ?? null)
  const closed = await startVendorSim()
  await closed.close()
  const { openai, anthropic } = sim.endpoints(key)
  gateway = await startGatewayWithGraph({
    vars: {
      MODEL_ENDPOINTS: JSON.stringify({
        openai,
        anthropic,
        'gone-openai': closed.endpoints(key).openai,
        'gone-anthropic': closed.endpoints(key).anthropic,
        'passing-openai': { ...openai, key: 'passing' },
        'passing-anthropic': { ...anthropic, key: 'passing' },
        'bare-openai': { ...openai, key: '' },
      }),
    },
  })
})
afterAll(async () => {
  await gateway.close()
  await sim.close()
})

describe('faults of one judge', () => {
  test('without a fault the plan is accepted, so that what follows is the fault', async () => {
    const { view, models, chief, calls } = await judge(policyWith('openai', 'calm-2'))
    expect(view).toMatchObject({ verdict: 'accept', reasons: ['all_accept'] })
    expect(models.map((one) => one.outcome)).toStrictEqual(['answered', 'answered', 'answered'])
    expect(chief?.outcome).toBe('answered')
    expect(calls.items.map((call) => call.seat).sort()).toStrictEqual([
      'chief',
      'judge-1',
      'judge-2',
      'judge-3',
    ])
  })

  for (const wire of ['openai', 'anthropic']) {
    for (const [model, { deadlineMs, ...known }] of Object.entries(faults)) {
      const ending = wire === 'openai' ? (known.endingOpenai ?? known.ending) : known.ending
      test.concurrent(`${model} over ${wire}: escalates, says ${ending}, keeps the others`, async () => {
        const late = deadlineMs === undefined ? {} : { judge_deadline_ms: deadlineMs }
        const { view, models, calls } = await judge(policyWith(wire, model, late))
        expect(view.verdict).toBe('escalate')
        expect(view.reasons).toContain('judge_missing')
        const endings = models.map((one) =>
          one.failure === null ? one.outcome : `${one.outcome}: ${one.failure}`,
        )
        expect(endings).toStrictEqual(['answered', ending, 'answered'])
        // The call stands in the record too, with what was sent.
        const call = calls.items.find((one) => one.seat === 'judge-2')
        expect(call?.sent?.body).toContain(`"model":"${model}"`)
        expect(calls.items.filter((one) => one.seat !== 'judge-2' && one.reply.ok)).toHaveLength(3)
      })
    }

    test.concurrent(`a refused connection over ${wire} is named`, async () => {
      const { view, models } = await judge(policyWith(`gone-${wire}`, 'calm-2'))
      expect(view.verdict).toBe('escalate')
      expect(models[1]).toMatchObject({ outcome: 'failed', failure: 'no_connection' })
      expect([models[0]?.outcome, models[2]?.outcome]).toStrictEqual(['answered', 'answered'])
    })
  }

  test('a verdict smuggled into the reasoning is text', async () => {
    faults['smuggled'] = { fault: { kind: 'smuggled' }, ending: '' }
    const { view, models } = await judge(policyWith('openai', 'smuggled'))
    expect(view).toMatchObject({ verdict: 'escalate' })
    expect(view.reasons).toContain('judge_escalate')
    expect(models[1]).toMatchObject({ outcome: 'answered', verdict: 'escalate' })
  })

  test('a key that is removed in mid-run fails the calls that come after', async () => {
    const fallen = seat('chief', 'passing-anthropic', 'calm-chief')
    sim.setAnswer((asked) => {
      if (asked.key === 'passing') sim.removeKey('passing')
      return calmAnswer(asked)
    })
    const run = await judge(policyWith('passing-openai', 'calm-2', { chief: fallen }))
    sim.setAnswer((asked) => calmAnswer(asked))
    expect(run.view).toMatchObject({ verdict: 'escalate', reasons: ['chief_missing'] })
    expect(run.chief).toMatchObject({ outcome: 'failed', failure: 'http_401' })
    expect(run.models.map((one) => one.outcome)).toStrictEqual(['answered', 'answered', 'answered'])
  })

  test('a key that the operator removed is an outage with a name, and nothing is sent', async () => {
    const { view, models, calls } = await judge(policyWith('bare-openai', 'calm-2'))
    expect(view.verdict).toBe('escalate')
    expect(models[1]).toMatchObject({ outcome: 'failed', failure: 'key_missing' })
    const call = calls.items.find((one) => one.seat === 'judge-2')
    expect(call?.sent).toMatchObject({ attempts: 0, body: null, body_bytes: 0 })
  })
})

describe('the record of calls', () => {
  test('holds what was sent byte for byte, what came back, and no key', async () => {
    const from = sim.requests.length
    const { site, plan, calls } = await judge(policyWith('openai', 'calm-2'))
    const sent = sim.requests.slice(from).map((asked) => asked.raw)
    expect(new Set(calls.items.map((call) => call.sent?.body))).toStrictEqual(new Set(sent))
    expect(calls.items).toHaveLength(4)
    expect(calls).toMatchObject({ next: null, dropped: 0 })
    for (const call of calls.items) {
      expect(call.reply).toMatchObject({ ok: true })
      expect(call.reply.usage.input_tokens).toBeGreaterThan(0)
      expect(call.sent).toMatchObject({ attempts: 1 })
    }
    expect(JSON.stringify(calls)).not.toContain(key)

    const read = (token: string, path: string) =>
      request(gateway.url, { method: 'GET', path, token }).then(({ status }) => status)
    const path = `/v1/reviews/${plan}/calls`
    expect(await read(site.reviewer, path)).toBe(200)
    expect(await read(site.reviewer, `${path}?after=1`)).toBe(200)
    // Not for planners, who would learn what to say to which judge; not for other sites.
    expect(await read(site.planner, path)).toBe(403)
    expect(await read(site.reviewer, '/v1/reviews/pl_unknown/calls')).toBe(404)
    const other = await openLiveSite(gateway, 'faults-other', policyWith('openai', 'calm-2'))
    expect(await read(other.reviewer, path)).toBe(404)
    other.close()
  })
})
