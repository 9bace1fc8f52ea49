// The laws of the decision (invariants 3, 4 and 8) as properties over random panels.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Packet } from '../../../protocol/records.ts'
import { atLeast, floorVerdict, worse as worseOf } from '../../../protocol/verdict.ts'
import { raiseDoubts, type Evidence } from '../../../protocol/evidence.ts'
import type { Opinion } from '../../../protocol/opinion.ts'
import { decide, rederive, type DecideInput } from '../../../verify/decide/decide.ts'
import {
  breachArb,
  calmInput,
  calmOpinion,
  inputArb,
  judgeFindingArb,
  unknownArb,
} from './arbitraries.ts'

const runs = { numRuns: Number(process.env['PORTCULLIS_RUNS'] ?? 2_000) }
const at = (n: number, list: readonly unknown[]) => (list.length === 0 ? 0 : n % list.length)
const replace = (input: DecideInput, index: number, change: Partial<Opinion>): DecideInput => ({
  ...input,
  opinions: input.opinions.map((o, i) => (i === index ? { ...o, ...change } : o)),
})
const withEvidence = (input: DecideInput, change: Partial<Evidence>): DecideInput => ({
  ...input,
  evidence: { ...input.evidence, ...change },
})
const judgedByModels = inputArb.filter((input) => input.depth.panel === 'models')
const named = (input: DecideInput, i: number): string => input.opinions[i]?.judge ?? ''

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
        const chief = input.chief?.outcome === 'answered' ? input.chief.verdict : null
        const calm =
          input.opinions.every((o) => o.outcome === 'answered' && o.verdict === 'accept') &&
          (input.depth.panel === 'rules' || chief === 'accept') &&
          input.grounding !== null &&
          input.evidence.breaches.length + input.evidence.unknowns.length === 0 &&
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
      fc.property(judgedByModels, fc.nat(), (input, n) => {
        const i = at(n, input.opinions)
        const o = input.opinions[i]
        if (o === undefined) return
        const before = decide(input).verdict
        const changes: Partial<Opinion>[] = [
          { risk: 1 },
          { verdict: o.verdict === 'accept' ? 'escalate' : 'reject' },
          { answers: o.answers.map((a) => ({ ...a, answer: 'open', citation: null })) },
          { answers: [] },
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
      }),
      runs,
    )
    fc.assert(
      fc.property(inputArb, (input) => {
        const before = decide(input).verdict
        const flagged: DecideInput = { ...input, floor: { ...input.floor, level: 'block' } }
        expect(decide(flagged).verdict).toBe('reject')
        const remembered: DecideInput = {
          ...input,
          memory: input.memory.map((m) => ({ ...m, effect: 'escalates' })),
        }
        expect(atLeast(decide(remembered).verdict, before)).toBe(true)
      }),
      runs,
    )
  })

  test('one more breach, unknown or doubt never moves towards accept, and none is below its fact', () => {
    const one = raiseDoubts([
      {
        code: 'JUDGE_OTHER',
        text: 'Is this one new?',
        subject: '/goal',
        family: 'practice',
        settleable: true,
      },
    ])
    fc.assert(
      fc.property(inputArb, breachArb, unknownArb, (input, breach, unknown) => {
        const before = decide(input).verdict
        const { breaches, unknowns, doubts } = input.evidence
        const broken = decide(withEvidence(input, { breaches: [...breaches, breach] })).verdict
        expect(atLeast(broken, before)).toBe(true)
        expect(atLeast(broken, breach.verdict)).toBe(true)
        const open = decide(withEvidence(input, { unknowns: [...unknowns, unknown] })).verdict
        expect(atLeast(open, before)).toBe(true)
        expect(open).not.toBe('accept')
        const asked = one.map((doubt) => ({ ...doubt, id: doubts.length + 1 }))
        const doubted = decide(withEvidence(input, { doubts: [...doubts, ...asked] })).verdict
        // Nobody was asked about it, so nobody settled it.
        expect(doubted).not.toBe('accept')
        expect(atLeast(doubted, before)).toBe(true)
      }),
      runs,
    )
  })

  test('a plan that was decided for another state of the cell waits for a person', () => {
    const changed = [{ kind: 'finding', at: '/nodes/0', code: 'X' }]
    const digests = {
      state_digest: `state:${'S'.repeat(43)}`,
      trace_digest: `trace:${'T'.repeat(43)}`,
    }
    const trace = { ...digests, steps: [], left_on: [], rested_on: [], changed }
    fc.assert(
      fc.property(inputArb, (input) => {
        const before = decide(input)
        const now = decide({ ...input, trace })
        expect(now.verdict).toBe(worseOf(before.verdict, 'escalate'))
        expect(now.reasons).toContain('state_changed')
        expect(decide({ ...input, trace: { ...trace, changed: [] } })).toEqual(before)
      }),
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
      fc.property(judgedByModels, fc.nat(), broken, (input, n, outcome) => {
        const i = at(n, input.opinions)
        expect(decide(replace(input, i, { outcome })).verdict).not.toBe('accept')
        const removed: DecideInput = {
          ...input,
          opinions: input.opinions.filter((_, k) => k !== i),
        }
        expect(decide(removed).verdict).not.toBe('accept')
        // Silence is never milder than an acceptance.
        const spoken = replace(input, i, { ...calmOpinion('', ''), judge: named(input, i) })
        const silent = replace(spoken, i, { outcome })
        expect(atLeast(decide(silent).verdict, decide(spoken).verdict)).toBe(true)
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
      }),
      runs,
    )
  })

  test('seats that accept lift nothing that anybody else objects to', () => {
    fc.assert(
      fc.property(judgedByModels, fc.nat(), (input, n) => {
        const i = at(n, input.opinions)
        const judge = input.opinions[i]
        if (judge === undefined) return
        const fooled = replace(input, i, { ...calmOpinion(judge.judge, judge.vendor) })
        const others = input.opinions.filter((_, k) => k !== i)
        const objects = others.some((o) => o.outcome !== 'answered' || o.verdict !== 'accept')
        if (objects) expect(decide(fooled).verdict).not.toBe('accept')
      }),
      runs,
    )
  })

  test('what asks for seven opinions is beyond rules alone', () => {
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
        const rejecting = [
          'floor_block',
          'breach_reject',
          'panel_reject',
          'veto_reject',
          'chief_reject',
        ]
        expect(rejecting.includes(reasons[0] ?? '')).toBe(verdict === 'reject')
        if (verdict !== 'accept') expect(classification).not.toBe('none')
      }),
      runs,
    )
  })
})
