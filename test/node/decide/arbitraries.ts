// Random but valid inputs of the decision, shared by its law tests. Seeds are printed by fast-check.
import * as fc from 'fast-check'
import type { Finding, Floor } from '../../../protocol/finding.ts'
import type { MemoryMatch } from '../../../protocol/memory.ts'
import type { ChiefOpinion, JudgeFinding, Opinion } from '../../../protocol/opinion.ts'
import type { Depth } from '../../../protocol/records.ts'
import { worseLevel, type FloorLevel } from '../../../protocol/verdict.ts'
import type { DecideInput, DecidePolicy } from '../../../verify/decide/decide.ts'

export const noUsage = { input_tokens: 0, output_tokens: 0, cost_usd: null }
export const offlineNames = ['offline-a', 'offline-b', 'offline-c']
export const modelNames = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7']

/** Verdicts with accept in the majority, so that accepting decisions are reached at all. */
const verdict = fc.oneof(
  { weight: 12, arbitrary: fc.constant('accept' as const) },
  { weight: 1, arbitrary: fc.constantFrom('escalate' as const, 'reject' as const) },
)
const outcome = fc.oneof(
  { weight: 15, arbitrary: fc.constant('answered' as const) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'failed' as const,
      'late' as const,
      'malformed' as const,
      'refused' as const,
      'cancelled' as const,
    ),
  },
)

export const judgeFindingArb: fc.Arbitrary<JudgeFinding> = fc.record({
  code: fc.constantFrom('JUDGE_OTHER' as const, 'JUDGE_LIMIT' as const),
  concern: fc.constantFrom('safety' as const, 'alignment' as const, 'adversarial' as const),
  at: fc.constant('/nodes/0'),
  severity: fc.constantFrom(
    'low' as const,
    'medium' as const,
    'high' as const,
    'critical' as const,
  ),
  likelihood: fc.constantFrom(0, 0.1, 0.3, 0.5, 0.9, 1),
  claim: fc.constant('a claim'),
  cites: fc.constant([]),
  substantiated: fc.boolean(),
})

export const opinionArb = (judge: string, vendor: Opinion['vendor']): fc.Arbitrary<Opinion> =>
  fc
    .record({
      outcome,
      verdict,
      findings: fc.oneof(
        { weight: 8, arbitrary: fc.constant<JudgeFinding[]>([]) },
        { weight: 1, arbitrary: fc.array(judgeFindingArb, { maxLength: 3 }) },
      ),
      risk: fc.oneof(
        { weight: 8, arbitrary: fc.constant(0.1) },
        fc.double({ min: 0, max: 1, noNaN: true }),
      ),
      concern: fc.constantFrom('none' as const, 'safety' as const, 'adversarial' as const),
    })
    .map((o) => ({
      judge,
      vendor,
      model: null,
      failure: null,
      confidence: 0.9,
      reasoning: [],
      usage: noUsage,
      ms: 1,
      ...o,
    }))

export const chiefArb: fc.Arbitrary<ChiefOpinion | null> = fc
  .record({ outcome, verdict, present: fc.integer({ min: 0, max: 15 }), offline: fc.boolean() })
  .map((c) =>
    c.present === 0
      ? null
      : {
          seat: 'chief',
          vendor: c.offline ? ('offline' as const) : ('anthropic' as const),
          model: null,
          outcome: c.outcome,
          failure: null,
          verdict: c.verdict,
          classification: 'none' as const,
          weights: {},
          reasons: [],
          input_digest: '',
          usage: noUsage,
          ms: 1,
        },
  )

const findingArb: fc.Arbitrary<Finding> = fc.record({
  code: fc.constantFrom('HAZARD_LIMIT_EXCEEDED' as const, 'CAPABILITY_MISSING' as const),
  effect: fc.oneof(
    { weight: 8, arbitrary: fc.constant('advisory' as const) },
    fc.constantFrom('flag' as const, 'block' as const),
  ),
  at: fc.constant('/nodes/0'),
  span: fc.constant(null),
  kg: fc.constant([]),
  facts: fc.constant({}),
})

const rare = <T>(some: fc.Arbitrary<T[]>): fc.Arbitrary<T[]> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant<T[]>([]) }, some)

export const floorArb: fc.Arbitrary<Floor> = rare(fc.array(findingArb, { maxLength: 2 })).map(
  (findings) => ({
    level: findings.reduce<FloorLevel>((level, f) => worseLevel(level, f.effect), 'pass'),
    findings,
    sigma: 0,
    tau_advisory: 0.25,
    tau_warning: 0.5,
    snapshot_digest: 'snap:x',
  }),
)

const memoryArb: fc.Arbitrary<MemoryMatch> = fc.record({
  memory: fc.constant('failure:1'),
  plan: fc.constant('plan_1'),
  basis: fc.constantFrom('person' as const, 'models' as const),
  similarity: fc.constant(0.9),
  via: fc.constant([]),
  codes: fc.constant([]),
  effect: fc.constantFrom('escalates' as const, 'told' as const),
})

export const policyArb: fc.Arbitrary<DecidePolicy> = fc.record({
  panel: fc.constantFrom('offline' as const, 'live' as const),
  judges: fc.constant([]),
  risk_budget: fc.record({
    alpha: fc.constantFrom(0.5, 0.8, 0.95),
    cvar_max: fc.constantFrom(0.3, 0.5, 0.8),
  }),
  least_depth: fc.constantFrom(1 as const, 3 as const, 5 as const),
})

/** A whole input: the panel that the policy names, one opinion per expected judge. */
export const inputArb: fc.Arbitrary<DecideInput> = policyArb.chain((policy) => {
  const live = policy.panel === 'live'
  return fc
    .record({
      models: live ? fc.constantFrom(1, 3, 5, 7) : fc.constant(0),
      required: fc.constantFrom(1, 3, 5, 7),
      reads_only: fc.boolean(),
      short: fc.oneof(
        { weight: 8, arbitrary: fc.constant(null) },
        fc.constantFrom('budget_cost' as const, 'early_stop' as const),
      ),
    })
    .chain(({ models, required, reads_only, short }) => {
      const names = modelNames.slice(0, models)
      const depth: Depth = {
        required: live ? Math.min(required, Math.max(1, models)) : Math.min(required, 5),
        seats: live ? models : 3,
        short,
        expected: [...offlineNames, ...names],
        reads_only,
      }
      return fc.record({
        floor: floorArb,
        grounding: fc.oneof(
          {
            weight: 15,
            arbitrary: rare(fc.array(findingArb, { maxLength: 1 })).map((findings) => ({
              degraded: null,
              nodes: [],
              findings,
            })),
          },
          fc.constant(null),
        ),
        opinions: fc
          .tuple(
            ...offlineNames.map((name) => opinionArb(name, 'offline')),
            ...names.map((name) => opinionArb(name, 'openai')),
          )
          .map((list): Opinion[] => list),
        chief: chiefArb,
        memory: rare(fc.array(memoryArb, { maxLength: 2 })),
        depth: fc.constant(depth),
        policy: fc.constant(policy),
      })
    })
})

/** The same panel with nothing against the plan: every judge and the chief accept. */
export function calmInput(panel: 'offline' | 'live', models = 5): DecideInput {
  const names = panel === 'live' ? modelNames.slice(0, models) : []
  const opinion = (judge: string, vendor: Opinion['vendor']): Opinion => ({
    judge,
    vendor,
    model: null,
    outcome: 'answered',
    failure: null,
    verdict: 'accept',
    confidence: 0.9,
    concern: 'none',
    risk: 0.1,
    findings: [],
    reasoning: [],
    usage: noUsage,
    ms: 1,
  })
  return {
    floor: {
      level: 'pass',
      findings: [],
      sigma: 0,
      tau_advisory: 0.25,
      tau_warning: 0.5,
      snapshot_digest: 'snap:x',
    },
    grounding: { degraded: null, nodes: [], findings: [] },
    opinions: [
      ...offlineNames.map((name) => opinion(name, 'offline')),
      ...names.map((name) => opinion(name, 'openai')),
    ],
    chief: {
      seat: 'chief',
      vendor: panel === 'live' ? 'anthropic' : 'offline',
      model: null,
      outcome: 'answered',
      failure: null,
      verdict: 'accept',
      classification: 'none',
      weights: {},
      reasons: [],
      input_digest: '',
      usage: noUsage,
      ms: 1,
    },
    memory: [],
    depth: {
      required: panel === 'live' ? models : 3,
      seats: panel === 'live' ? models : 3,
      short: null,
      expected: [...offlineNames, ...names],
      reads_only: false,
    },
    policy: {
      panel,
      judges: [],
      risk_budget: { alpha: 0.8, cvar_max: 0.5 },
      least_depth: 1,
    },
  }
}
