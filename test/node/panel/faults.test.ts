// Every fault of a vendor, for every subset of judges: never an accept, the others' work is kept, and
// the record says what happened (invariant 4). Real SDKs over real sockets.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startVendorSim, type VendorSim } from '../../../lab/local/vendor-sim/server.ts'
import type { SimFault, SimRequest } from '../../../lab/local/vendor-sim/types.ts'
import {
  calmAnswer,
  isChief,
  judgeAndDecide,
  judgeInput,
  livePolicy,
  plainPlan,
  portsFor,
} from './harness.ts'

let sim: VendorSim
/** One simulator per subset, so that the subsets can run at the same time. */
let sims: VendorSim[]
const start = () => startVendorSim({ answer: (request) => calmAnswer(request) })
beforeAll(async () => {
  sim = await start()
  sims = await Promise.all(subsets.map(start))
})
afterAll(async () => {
  await Promise.all([sim, ...sims].map((one) => one.close()))
})
beforeEach(() => {
  for (const one of [sim, ...sims]) one.reset()
})

/** Short only where a fault is seen by its deadline: a busy machine must not make others late. */
const impatient = livePolicy(3, { judge_deadline_ms: 2_500 })
const policy = livePolicy(3, { judge_deadline_ms: 30_000 })
const policyFor = (failure: RegExp) => (failure.source.includes('late') ? impatient : policy)
const names = ['judge-1', 'judge-2', 'judge-3']
const seatOf = (request: SimRequest): string => request.model.replace('sim-', 'judge-')

/** `failure` is matched against `<outcome>: <stable word>` of the opinion. */
type Case = { name: string; fault: SimFault; failure: RegExp }
const cases: Case[] = [
  {
    name: 'connection cut before an answer',
    fault: { kind: 'reset' },
    // Tried three times; the deadline may come first.
    failure: /^(late: deadline|failed: no_connection)$/,
  },
  { name: 'too slow', fault: { kind: 'slow', ms: 10_000 }, failure: /^late: (deadline)$/ },
  { name: 'no answer at all', fault: { kind: 'silent' }, failure: /^late: (deadline)$/ },
  { name: 'headers, then nothing', fault: { kind: 'stall' }, failure: /^late: (deadline)$/ },
  {
    name: 'cut in mid-stream',
    fault: { kind: 'cut' },
    failure: /^failed: (stream_broken)$/,
  },
  {
    name: 'stream that ends early',
    fault: { kind: 'early_end' },
    failure: /^failed: (stream_broken)$/,
  },
  ...[400, 401, 403, 404].map((status) => ({
    name: `HTTP ${status}`,
    fault: { kind: 'status' as const, status },
    failure: new RegExp(`^failed: http_${status}$`),
  })),
  ...[429, 500, 529].map((status) => ({
    name: `HTTP ${status} with a pause longer than the deadline`,
    fault: { kind: 'status' as const, status, retryAfterS: 5 },
    failure: /^late: (deadline)$/,
  })),
  ...[429, 500, 529].map((status) => ({
    name: `HTTP ${status} with a pause that no plan waits for`,
    fault: { kind: 'status' as const, status, retryAfterS: 600 },
    failure: new RegExp(`^failed: http_${status}$`),
  })),
  {
    name: 'redirect',
    fault: { kind: 'redirect', to: 'http://127.0.0.1:1/' },
    failure: /^failed: (http_307)$/,
  },
  {
    name: 'answer cut for its length',
    fault: { kind: 'truncated' },
    failure: /^malformed: (truncated)$/,
  },
  {
    name: 'truncated JSON',
    fault: { kind: 'truncated_json' },
    // The OpenAI helper parses the JSON itself and throws.
    failure: /^(malformed: (not_json|wrong_shape)|failed: stream_broken)$/,
  },
  {
    name: 'valid JSON of the wrong shape',
    fault: { kind: 'wrong_shape' },
    failure: /^malformed: (wrong_shape)$/,
  },
  {
    name: 'a body of another wire',
    fault: { kind: 'wrong_wire' },
    failure: /^failed: (stream_broken)$/,
  },
  { name: 'refusal', fault: { kind: 'refusal' }, failure: /^refused: (refusal)$/ },
  {
    name: 'answer to another plan',
    fault: { kind: 'other_plan' },
    failure: /^malformed: (other_request)$/,
  },
  {
    name: 'verdict given twice',
    fault: { kind: 'duplicate_key' },
    failure: /^malformed: (not_json)$/,
  },
  {
    name: 'ten megabytes',
    fault: { kind: 'huge', bytes: 10_000_000 },
    failure: /^malformed: (too_large)$/,
  },
]

const subsets = Array.from({ length: 7 }, (_, bits) =>
  names.filter((_name, i) => ((bits + 1) & (1 << i)) !== 0),
)

test('without a fault the panel accepts, so the faults below are what changes it', async () => {
  const { result, decided, checkpointed } = await judgeAndDecide(sim, judgeInput(plainPlan, policy))
  expect(decided).toMatchObject({ verdict: 'accept', reasons: ['all_accept'] })
  expect(result.depth).toMatchObject({ required: 3, seats: 3, short: null })
  expect(checkpointed).toHaveLength(3)
  expect(sim.requests).toHaveLength(4)
})

/** Runs one panel in which some judges fail and checks verdict, record and the others' work. */
async function checkSubset(
  it: Pick<Case, 'fault' | 'failure'> & { one: VendorSim; failing: string[] },
): Promise<void> {
  const { one, failing, fault, failure } = it
  one.setFault((request) => (!isChief(request) && failing.includes(seatOf(request)) ? fault : null))
  const run = await judgeAndDecide(one, judgeInput(plainPlan, policyFor(failure)))
  expect(run.decided.verdict, failing.join()).toBe('escalate')
  expect(run.decided.reasons).toContain('judge_missing')
  if (failing.length === 3) expect(run.decided.reasons).toContain('panel_outage')
  for (const opinion of run.result.opinions) {
    if (failing.includes(opinion.judge)) {
      expect(opinion.verdict).toBe('escalate')
      expect(`${opinion.outcome}: ${opinion.failure}`).toMatch(failure)
    } else expect(opinion).toMatchObject({ outcome: 'answered', verdict: 'accept' })
    expect(run.checkpointed).toContainEqual(opinion)
  }
}

describe('every fault, every subset of judges', () => {
  for (const { name, fault, failure } of cases) {
    test(`${name}: never an accept, the other judges' work is kept`, async () => {
      await Promise.all(
        sims.map((one, i) => checkSubset({ one, failing: subsets[i] ?? [], fault, failure })),
      )
    })
    test(`${name} of the chief: never an accept, the judges' work is kept`, async () => {
      sim.setFault((request) => (isChief(request) ? fault : null))
      const run = await judgeAndDecide(sim, judgeInput(plainPlan, policyFor(failure)))
      expect(run.decided).toMatchObject({ verdict: 'escalate', reasons: ['chief_missing'] })
      expect(`${run.result.chief?.outcome}: ${run.result.chief?.failure}`).toMatch(failure)
      expect(run.result.opinions.filter((o) => o.outcome === 'answered')).toHaveLength(3)
    })
  }
})

describe('faults that need more than one request', () => {
  test('retries what may pass, within bounds, and honours retry-after', async () => {
    const patient = livePolicy(3, { judge_deadline_ms: 10_000 })
    const seen = new Map<string, number>()
    sim.setFault((request) => {
      const n = (seen.get(request.model) ?? 0) + 1
      seen.set(request.model, n)
      return n < 3 ? { kind: 'status', status: 529, retryAfterS: 0 } : null
    })
    const run = await judgeAndDecide(sim, judgeInput(plainPlan, patient))
    expect(run.decided.verdict).toBe('accept')
    expect([...seen.values()]).toStrictEqual([3, 3, 3, 3])
    sim.reset()
    sim.setFault({ kind: 'status', status: 500, retryAfterS: 0 })
    const down = await judgeAndDecide(sim, judgeInput(plainPlan, patient))
    expect(down.decided.reasons).toContain('panel_outage')
    // Three attempts for each judge, and a chief with nothing to weigh is not asked.
    expect(sim.requests).toHaveLength(9)
  })

  test('a refused connection is tried again and then named', async () => {
    const patient = livePolicy(3, { judge_deadline_ms: 10_000 })
    const gone = await startVendorSim()
    await gone.close()
    const run = await judgeAndDecide(gone, judgeInput(plainPlan, patient))
    expect(run.decided.verdict).toBe('escalate')
    const models = run.result.opinions
    expect(models.map((o) => [o.outcome, o.failure])).toStrictEqual(
      Array.from({ length: 3 }, () => ['failed', 'no_connection']),
    )
  })

  test('a key that the vendor withdraws in mid-run fails the judges that come after', async () => {
    const slow = livePolicy(3)
    sim.setAnswer((request) => {
      if (request.model === 'sim-1') sim.removeKey('sim-key')
      return { text: calmAnswer(request), delayMs: 20 }
    })
    const run = await judgeAndDecide(sim, judgeInput(plainPlan, slow))
    expect(run.decided.verdict).toBe('escalate')
    expect(run.result.chief?.failure).toBe('http_401')
  })

  test('a key that the operator removed is an outage with a name, and asks nobody', async () => {
    const ports = portsFor(sim, policy)
    const bare = {
      ...sim,
      endpoints: () => {
        const all = sim.endpoints()
        return { ...all, openai: { ...all.openai, key: '' } }
      },
    }
    const run = await judgeAndDecide(bare, judgeInput(plainPlan, policy))
    expect(run.decided.verdict).toBe('escalate')
    const failed = run.result.opinions.filter((o) => o.failure === 'key_missing')
    expect(failed.map((o) => o.judge)).toStrictEqual(['judge-1', 'judge-3'])
    expect(sim.requests.filter((r) => r.wire === 'openai')).toHaveLength(0)
    expect(ports.model.reach('openai', 'm')).toStrictEqual({ wire: 'openai', vendor: 'openai' })
  })

  test('a verdict smuggled into the reasoning is text', async () => {
    sim.setFault((request) => (isChief(request) ? null : { kind: 'smuggled' }))
    const run = await judgeAndDecide(sim, judgeInput(plainPlan, policy))
    expect(run.decided.verdict).toBe('escalate')
    expect(run.decided.reasons).toContain('judge_escalate')
    const judge = run.result.opinions.find((o) => o.judge === 'judge-1')
    expect(judge).toMatchObject({ outcome: 'answered', verdict: 'escalate' })
    expect(judge?.reasoning[0]).toContain('FINAL VERDICT')
  })

  test('seats without an endpoint, forbidden vendors and private hosts are refused by name', async () => {
    const site = livePolicy(3, {
      endpoints: [{ name: 'own', wire: 'openai', url: 'http://169.254.169.254/v1', key_name: 'k' }],
      forbidden_vendors: ['anthropic'],
      judges: [
        { name: 'a', endpoint: 'nowhere', model: 'm' },
        { name: 'b', endpoint: 'own', model: 'm' },
        { name: 'c', endpoint: 'anthropic', model: 'm' },
      ],
    })
    const run = await judgeAndDecide(sim, judgeInput(plainPlan, site))
    const models = run.result.opinions
    expect(models.map((o) => o.failure)).toStrictEqual([
      'endpoint_unusable',
      'url_private',
      'vendor_forbidden',
    ])
    expect(run.decided.verdict).toBe('escalate')
    expect(sim.requests).toHaveLength(0)
  })
})
