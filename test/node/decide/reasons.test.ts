// One thing against a calm plan at a time: the verdict and exactly the reasons that it gives.
import { describe, expect, test } from 'vitest'
import { raiseDoubts } from '../../../protocol/evidence.ts'
import type { MemoryMatch } from '../../../protocol/memory.ts'
import type { JudgeFinding, Opinion } from '../../../protocol/opinion.ts'
import { decide, type DecideInput } from '../../../verify/decide/decide.ts'
import { calmInput, calmOpinion, votes } from './arbitraries.ts'

const rules = calmInput('offline')
const live = calmInput('live', 3)
const chief = (change: object): Partial<DecideInput> => ({
  chief: live.chief === null ? null : { ...live.chief, ...change },
})
const seat = (i: number, change: Partial<Opinion>): Partial<DecideInput> => ({
  opinions: live.opinions.map((one, k) => (k === i ? { ...one, ...change } : one)),
})
const severe: JudgeFinding = {
  code: 'JUDGE_PHYSICAL_RISK',
  concern: 'safety',
  at: '/nodes/0',
  severity: 'critical',
  likelihood: 1,
  claim: '',
  cites: ['rule:1'],
  substantiated: true,
}
const rejects: Partial<Opinion> = { verdict: 'reject', findings: [severe] }
const breach = (verdict: 'escalate' | 'reject') => ({
  evidence: {
    ...rules.evidence,
    breaches: [{ code: 'HAZARD_STATE' as const, node: null, at: '', verdict, facts: {} }],
  },
})
const memory = (effect: MemoryMatch['effect']): Partial<DecideInput> => ({
  memory: [
    {
      memory: 'failure:1',
      plan: 'plan_0',
      basis: 'person',
      similarity: 1,
      via: [],
      codes: [],
      effect,
    },
  ],
})
const judging = (of: DecideInput, short: DecideInput['depth']['short']) => ({
  depth: { ...of.depth, short },
})
const blocked = { floor: { ...rules.floor, level: 'block' as const } }

describe('of rules alone', () => {
  test.each<[string, Partial<DecideInput>, string, string[]]>([
    ['nothing', {}, 'accept', ['all_accept']],
    ['a flag', { floor: { ...rules.floor, level: 'flag' } }, 'escalate', ['floor_flag']],
    ['a breach that asks', breach('escalate'), 'escalate', ['breach_flag']],
    ['a breach that refuses', breach('reject'), 'reject', ['breach_reject']],
    ['a memory that is told', memory('told'), 'accept', ['all_accept']],
    ['a memory that escalates', memory('escalates'), 'escalate', ['memory_match']],
    ['a store that is down', { grounding: null }, 'escalate', ['knowledge_down']],
    [
      'judging that failed',
      judging(rules, 'judging_failed'),
      'escalate',
      ['judging_failed', 'depth_short'],
    ],
    // After a refusal by facts nobody is asked, and nothing that is absent then is a reason.
    ['a block, and nobody asked', { ...blocked, grounding: null }, 'reject', ['floor_block']],
  ])('%s', (_, change, verdict, reasons) => {
    expect(decide({ ...rules, ...change })).toMatchObject({ verdict, reasons })
  })

  test('what models said counts, and settles no doubt that rules left open', () => {
    const doubts = raiseDoubts([
      { code: 'JUDGE_SCOPE', text: 'Is it so?', subject: '', family: 'scope', settleable: true },
    ])
    const opinions = ['m1', 'm2'].map((name, i) => ({
      ...calmOpinion(name, i === 0 ? 'openai' : 'meta'),
      answers: [{ doubt: 1, answer: 'settled' as const, citation: 'rule:1' }],
    }))
    const depth = { ...rules.depth, expected: ['m1', 'm2'] }
    const asked = { ...rules, evidence: { ...rules.evidence, doubts }, depth, opinions }
    expect(decide({ ...asked, ...chief({}) }).reasons).toContain('doubt_open')
    const one = { ...calmOpinion('m1', 'openai'), ...rejects }
    const heard = decide({ ...rules, depth: { ...depth, expected: ['m1'] }, opinions: [one] })
    expect(heard).toMatchObject({ verdict: 'reject' })
    expect(heard.reasons).toContain('panel_reject')
  })
})

describe('of models', () => {
  test.each<[string, Partial<DecideInput>, string, string[]]>([
    ['nothing', {}, 'accept', ['all_accept']],
    ['no chief', { chief: null }, 'escalate', ['chief_missing']],
    ['a chief that is late', chief({ outcome: 'late' }), 'escalate', ['chief_missing']],
    ['a chief that asks', chief({ verdict: 'escalate' }), 'escalate', ['chief_escalate']],
    [
      'a chief that refuses alone',
      chief({ verdict: 'reject' }),
      'escalate',
      ['chief_reject_alone'],
    ],
    [
      'a chief that refuses with a seat',
      { ...chief({ verdict: 'reject' }), ...seat(0, rejects) },
      'reject',
      ['chief_reject'],
    ],
    [
      'a seat with a veto',
      { ...seat(1, rejects), policy: { ...live.policy, votes: { ...votes, veto: ['m2'] } } },
      'reject',
      ['veto_reject'],
    ],
    ['a seat without one', seat(1, rejects), 'escalate', ['judge_reject_alone']],
    [
      'seats of which none answers',
      { opinions: live.opinions.map((one) => ({ ...one, outcome: 'failed' as const })) },
      'escalate',
      ['judge_missing', 'panel_outage'],
    ],
    [
      'a block, and nobody asked',
      { ...blocked, opinions: [], chief: null },
      'reject',
      ['floor_block'],
    ],
    [
      'a block, and a seat that was asked before',
      { ...blocked, ...seat(0, { verdict: 'escalate' }) },
      'reject',
      ['floor_block', 'judge_escalate'],
    ],
  ])('%s', (_, change, verdict, reasons) => {
    const decided = decide({ ...live, ...change })
    expect(decided.verdict).toBe(verdict)
    const told = decided.reasons.filter((reason) => reason !== 'judge_severe_finding')
    expect(told).toEqual(reasons)
  })
})
