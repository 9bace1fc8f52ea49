// Random but valid inputs of the decision, shared by its law tests. Seeds are printed by fast-check.
import * as fc from 'fast-check'
import {
  collectEvidence,
  noEvidence,
  type Answer,
  type Breach,
  type Doubt,
  type Evidence,
  type RaisedDoubt,
  type Unknown,
} from '../../../protocol/evidence.ts'
import type { Finding, Floor } from '../../../protocol/finding.ts'
import type { MemoryMatch } from '../../../protocol/memory.ts'
import type { ChiefOpinion, JudgeFinding, Opinion } from '../../../protocol/opinion.ts'
import { policySchema } from '../../../protocol/policy.ts'
import type { Depth } from '../../../protocol/records.ts'
import { worseLevel, type FloorLevel } from '../../../protocol/verdict.ts'
import type { DecideInput, DecidePolicy } from '../../../verify/decide/decide.ts'

export const noUsage = { input_tokens: 0, output_tokens: 0, cost_usd: null }
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

export const opinionArb = (
  judge: string,
  vendor: string,
  doubts: readonly Doubt[] = [],
): fc.Arbitrary<Opinion> =>
  fc
    .record({
      outcome,
      verdict,
      findings: fc.oneof(
        { weight: 8, arbitrary: fc.constant<JudgeFinding[]>([]) },
        { weight: 1, arbitrary: fc.array(judgeFindingArb, { maxLength: 3 }) },
      ),
      risk: fc.constant(0.1),
      concern: fc.constantFrom('none' as const, 'safety' as const, 'adversarial' as const),
      answers: fc
        .tuple(
          ...doubts.map(({ id }) =>
            fc.oneof(
              {
                weight: 12,
                arbitrary: fc.constant<Answer[]>([
                  { doubt: id, answer: 'settled', citation: 'rule:1' },
                ]),
              },
              {
                weight: 1,
                arbitrary: fc.constantFrom<Answer[]>(
                  [{ doubt: id, answer: 'open', citation: null }],
                  [],
                ),
              },
            ),
          ),
        )
        .map((lists) => lists.flat()),
    })
    .map((o) => ({
      judge,
      vendor,
      wire: 'openai',
      model: null,
      failure: null,
      confidence: 0.9,
      reasoning: [],
      usage: noUsage,
      ms: 1,
      ...o,
    }))

export const chiefArb: fc.Arbitrary<ChiefOpinion | null> = fc
  .record({ outcome, verdict, present: fc.integer({ min: 0, max: 15 }) })
  .map((c) => (c.present === 0 ? null : { ...calmChief, outcome: c.outcome, verdict: c.verdict }))

const calmChief: ChiefOpinion = {
  seat: 'chief',
  vendor: 'anthropic',
  wire: 'anthropic',
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
}

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

const doubtArb: fc.Arbitrary<RaisedDoubt> = fc.record({
  code: fc.constant('JUDGE_SCOPE' as const),
  text: fc.constantFrom('Is it so?', 'Is it otherwise?', 'Is it at all?'),
  subject: fc.constantFrom('/nodes/0', '/nodes/1'),
  family: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('scope' as const, 'mismatch' as const) },
    fc.constantFrom('approval' as const, 'identity' as const),
  ),
  settleable: fc.oneof({ weight: 8, arbitrary: fc.constant(true) }, fc.constant(false)),
})

export const breachArb: fc.Arbitrary<Breach> = fc.record({
  code: fc.constant('JUDGE_LIMIT' as const),
  node: fc.constant(null),
  at: fc.constant('/nodes/0'),
  verdict: fc.constantFrom('escalate' as const, 'reject' as const),
  facts: fc.constant({}),
})

export const unknownArb: fc.Arbitrary<Unknown> = fc.record({
  code: fc.constant('JUDGE_NO_POSITIVE_EVIDENCE' as const),
  node: fc.constant(null),
  at: fc.constant('/nodes/0'),
  what: fc.constant('What the vessel holds is not known.'),
  facts: fc.constant({}),
})

const evidenceArb: fc.Arbitrary<Evidence> = fc
  .record({
    breaches: rare(fc.array(breachArb, { maxLength: 2 })),
    unknowns: rare(fc.array(unknownArb, { maxLength: 2 })),
    doubts: fc.oneof(
      { weight: 3, arbitrary: fc.constant<RaisedDoubt[]>([]) },
      fc.array(doubtArb, { maxLength: 4 }),
    ),
  })
  .map(collectEvidence)

/** Seats of two vendors in turn, so that they can settle doubts. */
export const vendorOfSeat = (i: number): string => (i % 2 === 0 ? 'openai' : 'meta')

export const votes = policySchema.parse({}).votes

const panels = { offline: 'rules', live: 'models' } as const

export const policyArb: fc.Arbitrary<DecidePolicy> = fc.record({
  panel: fc.constantFrom('offline' as const, 'live' as const, 'auto' as const),
  votes: fc.record({
    majority: fc.constantFrom(0.5, 0.7),
    reject_severity: fc.constantFrom('medium' as const, 'high' as const, 'critical' as const),
    veto: fc.constantFrom<string[]>([], ['m1'], ['m2']),
    families: fc.constantFrom(2, 3),
  }),
  least_depth: fc.constantFrom(1 as const, 3 as const, 5 as const),
})

/** A whole input: the panel that the policy names, one opinion per expected seat. */
export const inputArb: fc.Arbitrary<DecideInput> = fc
  .tuple(policyArb, fc.constantFrom('rules' as const, 'models' as const), evidenceArb)
  .chain(([policy, resolved, evidence]) => {
    const panel = policy.panel === 'auto' ? resolved : panels[policy.panel]
    const live = panel === 'models'
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
          panel,
          required: live ? Math.min(required, Math.max(1, models)) : Math.min(required, 5),
          seats: models,
          short,
          expected: names,
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
          evidence: fc.constant(evidence),
          opinions: fc
            .tuple(...names.map((name, i) => opinionArb(name, vendorOfSeat(i), evidence.doubts)))
            .map((list): Opinion[] => list),
          chief: live ? chiefArb : fc.constant(null),
          memory: rare(fc.array(memoryArb, { maxLength: 2 })),
          trace: fc.constant(null),
          depth: fc.constant(depth),
          policy: fc.constant(policy),
        })
      })
  })

/** An opinion with nothing to say against the plan. */
export const calmOpinion = (judge: string, vendor: string): Opinion => ({
  judge,
  vendor,
  wire: 'openai',
  model: null,
  outcome: 'answered',
  failure: null,
  verdict: 'accept',
  confidence: 0.9,
  concern: 'none',
  risk: 0.1,
  findings: [],
  answers: [],
  reasoning: [],
  usage: noUsage,
  ms: 1,
})

/** The same panel with nothing against the plan: rules are silent, every seat and the chief accept. */
export function calmInput(panel: 'offline' | 'live', models = 5): DecideInput {
  const live = panel === 'live'
  const names = live ? modelNames.slice(0, models) : []
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
    evidence: noEvidence,
    opinions: names.map((name, i) => calmOpinion(name, vendorOfSeat(i))),
    chief: live ? calmChief : null,
    memory: [],
    trace: null,
    depth: {
      panel: panels[panel],
      required: live ? models : 3,
      seats: names.length,
      short: null,
      expected: names,
      reads_only: false,
    },
    policy: { panel, votes, least_depth: 1 },
  }
}
