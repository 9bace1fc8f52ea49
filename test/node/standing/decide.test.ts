// What a covering approval decides, and what it cannot have seen: a block, a memory, another cell, a store
// that is down, its own sample. Whatever does not fit is never milder for having asked.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StandingUse } from '../../../protocol/standing.ts'
import { worse } from '../../../protocol/verdict.ts'
import { decide, type DecideInput } from '../../../verify/decide/decide.ts'
import { calmInput, inputArb } from '../decide/arbitraries.ts'

const use: StandingUse = {
  template: 'tmpl_1',
  digest: `standing:${'S'.repeat(43)}`,
  values: { volume: 10 },
  nth: 1,
  of: 40,
  look: false,
  refused: null,
  differences: [],
  approvers: ['rita'],
}
const digestOf = (kind: string) => `${kind}:${'D'.repeat(43)}`
const trace: NonNullable<DecideInput['trace']> = {
  state_digest: digestOf('state'),
  trace_digest: digestOf('trace'),
  steps: [],
  left_on: [],
  rested_on: [],
  changed: [],
}
const calm: DecideInput = {
  ...calmInput('offline'),
  opinions: [],
  chief: null,
  memory: [],
  grounding: { degraded: null, nodes: [], findings: [] },
  trace,
  standing: use,
}
const memory: DecideInput['memory'][number] = {
  memory: 'failure:plan_0',
  plan: 'plan_0',
  basis: 'person',
  similarity: 1,
  via: [],
  codes: [],
  effect: 'escalates',
}

describe('a covered run', () => {
  test('is accepted, and says by what', () => {
    expect(decide(calm)).toMatchObject({ verdict: 'accept', reasons: ['standing_approval'] })
  })

  test('is not stopped by what its approvers were shown: a breach that asks, a memory that is told', () => {
    const breach = { code: 'HAZARD_STATE', node: null, at: '', facts: {} } as const
    const asks = { ...calm.evidence, breaches: [{ ...breach, verdict: 'escalate' as const }] }
    expect(decide({ ...calm, evidence: asks }).verdict).toBe('accept')
    expect(decide({ ...calm, memory: [{ ...memory, effect: 'told' }] }).verdict).toBe('accept')
    const refuses = { ...calm.evidence, breaches: [{ ...breach, verdict: 'reject' as const }] }
    const rejected = { verdict: 'reject', reasons: ['breach_reject'] }
    expect(decide({ ...calm, evidence: refuses })).toMatchObject(rejected)
  })

  test.each<[string, Partial<DecideInput>, string, string]>([
    ['a block', { floor: { ...calm.floor, level: 'block' } }, 'reject', 'floor_block'],
    ['a memory', { memory: [memory] }, 'escalate', 'memory_match'],
    ['a graph that is down', { grounding: null }, 'escalate', 'knowledge_down'],
    ['no dry run', { trace: null }, 'escalate', 'unknown'],
    [
      'another cell than it was judged for',
      { trace: { ...trace, changed: [{ kind: 'steps', at: '' }] } },
      'escalate',
      'state_changed',
    ],
    ['its turn as a sample', { standing: { ...use, look: true } }, 'escalate', 'standing_look'],
    [
      'an approval out of force',
      { standing: { ...use, refused: 'suspended' } },
      'escalate',
      'standing_misfit',
    ],
    [
      'something outside',
      { standing: { ...use, differences: [{ kind: 'steps' }] } },
      'escalate',
      'standing_misfit',
    ],
    ['no place among its runs', { standing: { ...use, nth: null } }, 'escalate', 'standing_misfit'],
  ])('%s', (_name, change, verdict, reason) => {
    const decided = decide({ ...calm, ...change })
    expect(decided.verdict).toBe(verdict)
    expect(decided.reasons).toContain(reason)
  })
})

describe('for all inputs', () => {
  test('a block is never accepted, and an approval that does not cover makes nothing milder', () => {
    fc.assert(
      fc.property(inputArb, fc.boolean(), (input, covers) => {
        const standing = covers ? use : { ...use, refused: 'revoked' as const }
        const decided = decide({ ...input, standing })
        const plain = decide(input)
        const blocked =
          input.floor.level === 'block' ||
          input.evidence.breaches.some((breach) => breach.verdict === 'reject')
        if (blocked) expect(decided.verdict).toBe('reject')
        if (!covers) expect(decided.verdict).toBe(worse(plain.verdict, 'escalate'))
        if (decided.verdict === 'accept') expect(decided.reasons).toEqual(['standing_approval'])
      }),
      { seed: 20_261_130, numRuns: 2_000 },
    )
  })
})
