// The panel at work: restarts ask only who is missing, early stop, side by side, samples, substance.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startVendorSim, type VendorSim } from '../../../lab/local/vendor-sim/server.ts'
import type { Opinion } from '../../../protocol/opinion.ts'
import { rederive } from '../../../verify/decide/decide.ts'
import { judgePlan } from '../../../verify/judge.ts'
import {
  calmAnswer,
  decideOn,
  devPlans,
  isChief,
  judgeAndDecide,
  judgeInput,
  livePolicy,
  plainPlan,
  portsFor,
  severeFinding,
} from './harness.ts'

let sim: VendorSim
beforeAll(async () => {
  sim = await startVendorSim({ answer: (request) => calmAnswer(request) })
})
afterAll(() => sim.close())
beforeEach(() => sim.reset())

const deep = (n: 1 | 3 | 5 | 7, deadline = 20_000) =>
  livePolicy(n, { least_depth: n, judge_deadline_ms: deadline })

describe('restart', () => {
  test('a restart in mid-panel asks only the judges that are missing', async () => {
    const policy = deep(5)
    sim.setAnswer((request) => ({
      text: calmAnswer(request),
      delayMs: Number(request.model.replace('sim-', '')) <= 2 ? 0 : 3_000,
    }))
    const stored: Opinion[] = []
    const stop = new AbortController()
    const first = judgePlan(
      portsFor(sim, policy),
      judgeInput(plainPlan, policy, { signal: stop.signal }),
      (opinion) => {
        stored.push(opinion)
        if (stored.length === 2) stop.abort()
      },
    )
    await first
    expect(stored.map((o) => o.judge).sort()).toStrictEqual(['judge-1', 'judge-2'])
    // Another server, so that a request of the first run that is still on its way is not counted.
    const after = await startVendorSim({ answer: (request) => calmAnswer(request) })
    const input = judgeInput(plainPlan, policy, { done: stored })
    const again: Opinion[] = []
    const result = await judgePlan(portsFor(after, policy), input, (opinion) => {
      again.push(opinion)
    })
    await after.close()
    const asked = after.requests.filter((r) => !isChief(r)).map((r) => r.model)
    expect(asked.sort()).toStrictEqual(['sim-3', 'sim-4', 'sim-5'])
    expect(again.map((o) => o.judge).sort()).toStrictEqual(['judge-3', 'judge-4', 'judge-5'])
    expect(decideOn(input, result).verdict).toBe('accept')
  })

  test('a rejection that is already recorded asks nobody', async () => {
    const policy = deep(3)
    sim.setAnswer((request) =>
      calmAnswer(request, { verdict: 'reject', findings: [severeFinding] }),
    )
    const { checkpointed } = await judgeAndDecide(sim, judgeInput(plainPlan, policy))
    const stored = checkpointed.filter((o) => o.outcome === 'answered').slice(0, 2)
    expect(stored).toHaveLength(2)
    // Another server: the seat that was cut off may still be on its way to the first.
    const after = await startVendorSim({ answer: (request) => calmAnswer(request) })
    const run = await judgeAndDecide(after, judgeInput(plainPlan, policy, { done: stored }))
    await after.close()
    expect(after.requests).toHaveLength(0)
    expect(run.decided.reasons[0]).toBe('panel_reject')
  })

  test('a checkpoint that fails ends the panel and is not swallowed', async () => {
    const policy = deep(3)
    // Another server: what was cut off here may still be on its way when the next test counts.
    const own = await startVendorSim({ answer: (request) => calmAnswer(request) })
    const run = judgePlan(portsFor(own, policy), judgeInput(plainPlan, policy), (opinion) => {
      if (opinion.judge === 'judge-2') throw new Error('storage is gone')
    })
    await expect(run).rejects.toThrow('storage is gone')
    await own.close()
  })
})

describe('early stop', () => {
  test('a majority that rejects cancels the others, records them as such and is quick', async () => {
    const policy = deep(5)
    sim.setAnswer((request) =>
      ['sim-1', 'sim-2', 'sim-4'].includes(request.model)
        ? calmAnswer(request, { verdict: 'reject', findings: [severeFinding] })
        : { text: calmAnswer(request), delayMs: 10_000 },
    )
    const started = performance.now()
    const run = await judgeAndDecide(sim, judgeInput(plainPlan, policy))
    // The slow ones would have taken ten seconds.
    expect(performance.now() - started).toBeLessThan(9_000)
    expect(run.decided.verdict).toBe('reject')
    expect(run.decided.reasons[0]).toBe('panel_reject')
    expect(run.result.depth.short).toBe('early_stop')
    const outcomes = run.result.opinions.map((o) => o.outcome)
    expect(outcomes.filter((o) => o === 'cancelled')).toHaveLength(2)
    expect(run.checkpointed).toHaveLength(5)
    expect(run.result.chief?.outcome).toBe('cancelled')
    // The vendors see that nobody waits any more.
    const gone = () => sim.requests.filter((r) => r.aborted).map((r) => r.model)
    await expect
      .poll(() => new Set(gone()), { timeout: 3_000 })
      .toStrictEqual(new Set(['sim-3', 'sim-5']))
  })

  test('a rejection that no majority shares stops nobody', async () => {
    const policy = deep(3)
    const vague = { ...severeFinding, cites: ['kg:never-heard-of'] }
    sim.setAnswer((request) =>
      request.model === 'sim-1'
        ? calmAnswer(request, { verdict: 'reject', findings: [vague] })
        : calmAnswer(request),
    )
    const run = await judgeAndDecide(sim, judgeInput(plainPlan, policy))
    expect(run.result.opinions.map((o) => o.outcome)).toStrictEqual([
      'answered',
      'answered',
      'answered',
    ])
    expect(run.decided.verdict).toBe('escalate')
    expect(run.decided.reasons).toStrictEqual(['judge_reject_alone'])
  })
})

describe('substance', () => {
  const cases: [string, object, boolean][] = [
    ['a known rule at an existing instruction', {}, true],
    ['a node of the subgraph', { cites: ['kg:hazard-1'] }, true],
    ['an argument of a node', { at: '/nodes/0/args/sample_id' }, true],
    ['no citation', { cites: [] }, false],
    ['one unknown id among known ones', { cites: ['rule:POL-01', 'kg:made-up'] }, false],
    ['an instruction that is not there', { at: '/instructions/9' }, false],
    ['a node that is not there', { at: '/nodes/7' }, false],
    ['an argument that is not there', { at: '/nodes/0/args/rpm' }, false],
    ['the whole plan', { at: '' }, false],
    ['the planner', { at: '/planner/id' }, false],
    ['an inherited property', { at: '/nodes/0/args/constructor' }, false],
    ['an index that is not written plainly', { at: '/instructions/00' }, false],
  ]
  for (const [name, change, substantiated] of cases) {
    test(`${name} makes a finding ${substantiated ? 'substantiated' : 'unsubstantiated'}`, async () => {
      const policy = deep(3)
      sim.setAnswer((request) =>
        isChief(request)
          ? calmAnswer(request)
          : calmAnswer(request, { verdict: 'reject', findings: [{ ...severeFinding, ...change }] }),
      )
      const run = await judgeAndDecide(sim, judgeInput(plainPlan, policy))
      const answered = run.result.opinions.filter((o) => o.outcome === 'answered')
      expect(answered[0]?.findings[0]?.substantiated).toBe(substantiated)
      expect(run.decided.verdict).toBe(substantiated ? 'reject' : 'escalate')
    })
  }
})

describe('samples', () => {
  const sampled = livePolicy(1, {
    judges: [{ name: 'judge-1', endpoint: 'openai', model: 'sim-1', samples: 3 }],
  })
  const sampleRun = async (answers: Parameters<typeof calmAnswer>[1][]) => {
    let n = 0
    sim.setAnswer((request) =>
      isChief(request) ? calmAnswer(request) : calmAnswer(request, answers[n++ % answers.length]),
    )
    const run = await judgeAndDecide(sim, judgeInput(plainPlan, sampled))
    return run.result.opinions[0]
  }
  test('a judge that always agrees with itself keeps its verdict', async () => {
    expect(await sampleRun([{}])).toMatchObject({ verdict: 'accept', outcome: 'answered' })
  })
  test('a judge in doubt about itself escalates, and a minority risk stays seen', async () => {
    const alarm = { verdict: 'reject', findings: [severeFinding] }
    const opinion = await sampleRun([{}, alarm, {}])
    expect(opinion?.verdict).toBe('escalate')
    expect(opinion?.findings[0]?.likelihood).toBeCloseTo(0.3)
    expect((await sampleRun([alarm, alarm, {}]))?.verdict).toBe('reject')
  })
  test('a sample that fails makes the seat missing, with the evidence of the others kept', async () => {
    let n = 0
    sim.setFault((request) =>
      !isChief(request) && n++ === 1 ? { kind: 'status', status: 400 } : null,
    )
    const opinion = await sampleRun([{ verdict: 'escalate', findings: [severeFinding] }])
    expect(opinion).toMatchObject({ outcome: 'failed', failure: 'http_400' })
    expect(opinion?.findings).toHaveLength(1)
  })
})

describe('judges', () => {
  for (const n of [5, 7] as const) {
    test(`are asked all at once, ${n} of them`, async () => {
      const policy = deep(n)
      // Headers at once and then a pause, as models that think do: nobody ends before the last was asked.
      const all = Promise.withResolvers<void>()
      let asked = 0
      sim.setAnswer((request) => {
        if (isChief(request)) return calmAnswer(request)
        if (++asked === n) all.resolve()
        return { text: calmAnswer(request), until: all.promise }
      })
      const run = await judgeAndDecide(sim, judgeInput(devPlans[0]?.plan ?? plainPlan, policy))
      expect(run.decided.verdict).toBe('accept')
    })
  }
})

describe('budgets', () => {
  test('a latency budget bounds judges and chief together and escalates what is late', async () => {
    const policy = livePolicy(3, { budget: { cost_usd: null, latency_ms: 600, day_usd: null } })
    sim.setAnswer((request) => ({ text: calmAnswer(request), delayMs: 5_000 }))
    const started = performance.now()
    const run = await judgeAndDecide(sim, judgeInput(plainPlan, policy))
    expect(performance.now() - started).toBeLessThan(2_500)
    expect(run.decided.verdict).toBe('escalate')
    expect(run.result.opinions.every((o) => o.outcome === 'late')).toBe(true)
  })
  test('a cost budget that does not reach the least depth escalates and asks fewer', async () => {
    const policy = livePolicy(3, { budget: { cost_usd: 0.02, latency_ms: null, day_usd: null } })
    const run = await judgeAndDecide(sim, judgeInput(plainPlan, policy), {
      estimate: (seat) => ({ name: seat.name, cost_usd: 0.008, ms: null }),
    })
    expect(run.result.depth).toMatchObject({ required: 3, seats: 1, short: 'budget_cost' })
    expect(run.decided.verdict).toBe('escalate')
    expect(run.decided.reasons).toContain('depth_short')
  })
})

describe('records', () => {
  test('the verdict of a live panel is re-derived from what was stored', async () => {
    const policy = deep(5)
    for (const { plan } of devPlans.slice(0, 6)) {
      sim.setAnswer((request) =>
        calmAnswer(request, request.n % 4 === 0 ? { verdict: 'escalate' } : {}),
      )
      const input = judgeInput(plan, policy)
      const run = await judgeAndDecide(sim, input)
      const packet = JSON.parse(
        JSON.stringify({
          plan_digest: 'plan:x',
          floor: input.floor,
          grounding: input.grounding,
          evidence: input.evidence,
          memory: [],
          registry_digest: 'reg:x',
          policy_version: 'pol:x',
          graph_version: null,
          expires: 0,
          ...run.result,
        }),
      ) as Parameters<typeof rederive>[0]
      expect(rederive(packet, policy)).toStrictEqual(run.decided)
    }
  })
})
