// The laws of the decision (invariants 3, 4 and 8) as properties over random panels.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DecisionReason, Packet } from '../../../protocol/records.ts'
import { atLeast, floorVerdict } from '../../../protocol/verdict.ts'
import type { Opinion } from '../../../protocol/opinion.ts'
import { decide, rederive, type DecideInput } from '../../../verify/decide/decide.ts'
import { tailRisk } from '../../../verify/decide/tail.ts'
import { calmInput, inputArb, judgeFindingArb, opinionArb } from './arbitraries.ts'

const runs = { numRuns: 2_000 }
const at = (n: number, list: readonly unknown[]) => (list.length === 0 ? 0 : n % list.length)
const replace = (input: DecideInput, index: number, change: Partial<Opinion>): DecideInput => ({
  ...input,
  opinions: input.opinions.map((o, i) => (i === index ? { ...o, ...change } : o)),
})

describe('laws of decide', () => {
  test('accepts when nothing speaks against the plan, in both modes', () => {
    expect(decide(calmInput('offline'))).toStrictEqual({
      verdict: 'accept',
      reasons: ['all_accept'],
      classification: 'none',
    })
    for (const models of [3, 5, 7]) {
      expect(decide(calmInput('live', models)).verdict).toBe('accept')
    }
  })

  test('random panels reach all three verdicts, so the laws below are not empty', () => {
    const seen = { accept: 0, escalate: 0, reject: 0 }
    for (const input of fc.sample(inputArb, { numRuns: 3_000, seed: 7 })) {
      seen[decide(input).verdict] += 1
    }
    expect(seen.accept).toBeGreaterThan(50)
    expect(seen.escalate).toBeGreaterThan(50)
    expect(seen.reject).toBeGreaterThan(50)
  })

  test('is never below the floor, whatever the models say', () => {
    fc.assert(
      fc.property(inputArb, (input) => {
        expect(atLeast(decide(input).verdict, floorVerdict(input.floor.level))).toBe(true)
        for (const f of input.floor.findings) {
          expect(atLeast(decide(input).verdict, floorVerdict(f.effect))).toBe(true)
        }
      }),
      runs,
    )
  })

  test('never accepts beside a judge or chief that does not accept', () => {
    fc.assert(
      fc.property(inputArb, (input) => {
        const calm =
          input.opinions.every((o) => o.outcome === 'answered' && o.verdict === 'accept') &&
          input.chief?.outcome === 'answered' &&
          input.chief.verdict === 'accept' &&
          input.grounding !== null &&
          !input.memory.some((m) => m.effect === 'escalates')
        if (!calm) expect(decide(input).verdict).not.toBe('accept')
      }),
      runs,
    )
  })

  test('more evidence never moves towards accept', () => {
    fc.assert(
      fc.property(inputArb, fc.nat(), judgeFindingArb, (input, n, extra) => {
        const i = at(n, input.opinions)
        const worse = replace(input, i, {
          findings: [...(input.opinions[i]?.findings ?? []), extra],
        })
        expect(atLeast(decide(worse).verdict, decide(input).verdict)).toBe(true)
      }),
      runs,
    )
  })

  test('worse evidence never moves towards accept', () => {
    fc.assert(
      fc.property(
        inputArb,
        fc.nat(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (input, n, up) => {
          const i = at(n, input.opinions)
          const o = input.opinions[i]
          if (o === undefined) return
          const before = decide(input).verdict
          const changes: Partial<Opinion>[] = [
            { risk: Math.max(o.risk, up) },
            { verdict: o.verdict === 'accept' ? 'escalate' : 'reject' },
            {
              findings: o.findings.map((f) => ({
                ...f,
                severity: 'critical',
                likelihood: 1,
                substantiated: true,
              })),
            },
          ]
          for (const change of changes) {
            expect(atLeast(decide(replace(input, i, change)).verdict, before)).toBe(true)
          }
          const flagged: DecideInput = { ...input, floor: { ...input.floor, level: 'block' } }
          expect(decide(flagged).verdict).toBe('reject')
          const remembered: DecideInput = {
            ...input,
            memory: input.memory.map((m) => ({ ...m, effect: 'escalates' })),
          }
          expect(atLeast(decide(remembered).verdict, before)).toBe(true)
        },
      ),
      runs,
    )
  })

  test('the order of judges, findings and memories is irrelevant', () => {
    const shuffled = inputArb.chain((input) =>
      fc.tuple(
        fc.constant(input),
        fc.shuffledSubarray([...input.opinions], {
          minLength: input.opinions.length,
          maxLength: input.opinions.length,
        }),
      ),
    )
    fc.assert(
      fc.property(shuffled, ([input, opinions]) => {
        const other: DecideInput = {
          ...input,
          opinions: opinions.map((o) => ({ ...o, findings: o.findings.toReversed() })),
          memory: input.memory.toReversed(),
          floor: { ...input.floor, findings: input.floor.findings.toReversed() },
        }
        expect(decide(other)).toStrictEqual(decide(input))
      }),
      runs,
    )
  })

  test('a judge that is missing, late, malformed, refusing or cancelled never helps', () => {
    const broken = fc.constantFrom(
      'failed' as const,
      'late' as const,
      'malformed' as const,
      'refused' as const,
      'cancelled' as const,
    )
    fc.assert(
      fc.property(inputArb, fc.nat(), broken, (input, n, outcome) => {
        const i = at(n, input.opinions)
        expect(decide(replace(input, i, { outcome })).verdict).not.toBe('accept')
        const removed: DecideInput = {
          ...input,
          opinions: input.opinions.filter((_, k) => k !== i),
        }
        expect(decide(removed).verdict).not.toBe('accept')
        // Nor does a second voice under the name of the one that is missing from the panel's list.
        const chiefless: DecideInput = { ...input, chief: null }
        expect(atLeast(decide(chiefless).verdict, 'escalate')).toBe(true)
      }),
      runs,
    )
  })

  test('less depth or budget never helps', () => {
    fc.assert(
      fc.property(inputArb, fc.constantFrom(3, 5, 7), (input, required) => {
        const before = decide(input).verdict
        const deeper: DecideInput = {
          ...input,
          depth: { ...input.depth, required: Math.max(input.depth.required, required) },
        }
        expect(atLeast(decide(deeper).verdict, before)).toBe(true)
        for (const short of ['budget_cost', 'budget_latency', 'too_few_seats'] as const) {
          const cut: DecideInput = { ...input, depth: { ...input.depth, short } }
          expect(decide(cut).verdict).not.toBe('accept')
        }
        const tighter: DecideInput = {
          ...input,
          policy: {
            ...input.policy,
            risk_budget: { ...input.policy.risk_budget, cvar_max: 0 },
          },
        }
        expect(atLeast(decide(tighter).verdict, before)).toBe(true)
      }),
      runs,
    )
  })

  test('a fooled judge alone cannot produce an accept', () => {
    fc.assert(
      fc.property(inputArb, fc.nat(), (input, n) => {
        const i = at(n, input.opinions)
        const judge = input.opinions[i]
        if (judge === undefined) return
        const others: DecideInput = {
          ...input,
          opinions: input.opinions.filter((_, k) => k !== i),
          depth: {
            ...input.depth,
            expected: input.depth.expected.filter((name) => name !== judge.judge),
          },
        }
        const fooled = replace(input, i, {
          outcome: 'answered',
          verdict: 'accept',
          findings: [],
          risk: 0,
          confidence: 1,
          concern: 'none',
        })
        // What the rest of the panel objects to stays objected to.
        const rest = decide(others)
        const own = new Set<DecisionReason>([
          'depth_short',
          'too_few_judges',
          'panel_outage',
          'tail_risk',
        ])
        const objections = rest.reasons.filter((r) => r !== 'all_accept' && !own.has(r))
        if (objections.length > 0) expect(decide(fooled).verdict).not.toBe('accept')
      }),
      runs,
    )
  })

  test('with fewer than three judges only a plan that merely reads may be accepted', () => {
    for (const models of [1, 2]) {
      const input = calmInput('live', models)
      const shallow: DecideInput = { ...input, depth: { ...input.depth, required: 1 } }
      expect(decide(shallow).reasons).toContain('too_few_judges')
      const reads: DecideInput = { ...shallow, depth: { ...shallow.depth, reads_only: true } }
      expect(decide(reads).verdict).toBe('accept')
    }
  })

  test('in live mode the rule-based judges alone may not accept, nor a rule-based chief', () => {
    const outage = calmInput('live', 0)
    const shallow: DecideInput = {
      ...outage,
      depth: { ...outage.depth, required: 1, reads_only: true },
    }
    expect(decide(shallow).reasons).toContain('panel_outage')
    expect(decide(shallow).verdict).toBe('escalate')
    const live = calmInput('live')
    const chief = live.chief === null ? null : { ...live.chief, vendor: 'offline' as const }
    expect(decide({ ...live, chief }).reasons).toStrictEqual(['chief_missing'])
  })

  test('what asks for seven opinions is beyond the rule-based panel', () => {
    const input = calmInput('offline')
    const at5: DecideInput = { ...input, depth: { ...input.depth, required: 5 } }
    const at7: DecideInput = { ...input, depth: { ...input.depth, required: 7 } }
    expect(decide(at5).verdict).toBe('accept')
    expect(decide(at7).reasons).toStrictEqual(['depth_short'])
  })

  test('a dead knowledge store escalates, a store without vectors does not', () => {
    const input = calmInput('offline')
    expect(decide({ ...input, grounding: null }).reasons).toStrictEqual(['knowledge_down'])
    const degraded: DecideInput = {
      ...input,
      grounding: { degraded: 'vectors', nodes: [], findings: [] },
    }
    expect(decide(degraded).verdict).toBe('accept')
  })

  test('the verdict is re-derived from the stored packet and the policy alone', () => {
    fc.assert(
      fc.property(inputArb, (input) => {
        const { policy, ...facts } = input
        const packet: Packet = JSON.parse(
          JSON.stringify({
            ...facts,
            plan_digest: 'plan:x',
            citations: [],
            registry_digest: 'reg:x',
            policy_version: 'pol:x',
            graph_version: null,
            expires: 0,
          }),
        ) as Packet
        expect(rederive(packet, policy)).toStrictEqual(decide(input))
      }),
      { numRuns: 500 },
    )
  })

  test('reasons are distinct and the most restrictive comes first', () => {
    fc.assert(
      fc.property(inputArb, (input) => {
        const { reasons, verdict, classification } = decide(input)
        expect(new Set(reasons).size).toBe(reasons.length)
        expect(reasons.length).toBeGreaterThan(0)
        const rejecting = ['floor_block', 'judge_high_risk', 'chief_reject']
        expect(rejecting.includes(reasons[0] ?? '')).toBe(verdict === 'reject')
        if (verdict !== 'accept') expect(classification).not.toBe('none')
      }),
      runs,
    )
  })
})

describe('tail risk', () => {
  test('one alarm among seven calm judges is not averaged away', () => {
    expect(tailRisk([0.9, 0.1, 0.1, 0.1, 0.1], 0.8)).toBeCloseTo(0.9)
    expect(tailRisk([0.9, 0, 0, 0, 0, 0, 0], 0.8)).toBeGreaterThan(0.6)
  })
  test('is between mean and maximum, and rises with every risk', () => {
    const risks = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: 1,
      maxLength: 10,
    })
    const alpha = fc.double({ min: 0.5, max: 0.99, noNaN: true })
    fc.assert(
      fc.property(risks, alpha, fc.nat(), (list, a, n) => {
        const mean = list.reduce((sum, r) => sum + r, 0) / list.length
        const value = tailRisk(list, a)
        expect(value).toBeGreaterThanOrEqual(mean - 1e-9)
        expect(value).toBeLessThanOrEqual(Math.max(...list) + 1e-9)
        const i = at(n, list)
        const raised = list.map((r, k) => (k === i ? Math.min(1, r + 0.2) : r))
        expect(tailRisk(raised, a)).toBeGreaterThanOrEqual(value - 1e-9)
      }),
      runs,
    )
  })
  test('no estimate at all is the highest risk', () => {
    expect(tailRisk([], 0.8)).toBe(1)
  })
  test('an opinion cannot state less risk than its own findings', () => {
    const sample = fc.sample(opinionArb('offline-a', 'offline'), 1)[0]
    const input = calmInput('offline')
    if (sample === undefined) throw new Error('no sample')
    const low = replace(input, 0, {
      ...sample,
      outcome: 'answered',
      verdict: 'accept',
      risk: 0,
      findings: [
        {
          code: 'JUDGE_OTHER',
          concern: 'safety',
          at: '',
          severity: 'medium',
          likelihood: 1,
          claim: '',
          cites: [],
          substantiated: true,
        },
      ],
    })
    const tight: DecideInput = {
      ...low,
      policy: { ...low.policy, risk_budget: { alpha: 0.8, cvar_max: 0.4 } },
    }
    expect(decide(tight).reasons).toStrictEqual(['tail_risk'])
  })
})
