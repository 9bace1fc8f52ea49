// When a doubt is settled, and when not: silence, one family, the kinds that nobody settles, the cap.
import { describe, expect, test } from 'vitest'
import {
  doubtFamilies,
  doubtsAskedMax,
  raiseDoubts,
  type Answer,
  type DoubtFamily,
  type RaisedDoubt,
} from '../../../protocol/evidence.ts'
import type { Opinion } from '../../../protocol/opinion.ts'
import { classify, concernOfCode } from '../../../verify/decide/classify.ts'
import { decide, type DecideInput } from '../../../verify/decide/decide.ts'
import { calmInput } from './arbitraries.ts'

const raised = (change: Partial<RaisedDoubt> = {}): RaisedDoubt => ({
  code: 'JUDGE_SCOPE',
  text: 'Is it so?',
  subject: '/nodes/0',
  family: 'scope',
  settleable: true,
  ...change,
})

/** A calm panel in which every seat settles all of these doubts. */
function settledBy(doubts: readonly RaisedDoubt[], models = 3): DecideInput {
  const calm = calmInput('live', models)
  const numbered = raiseDoubts(doubts)
  const answers = numbered.map(({ id }): Answer => ({
    doubt: id,
    answer: 'settled',
    citation: 'rule:1',
  }))
  return {
    ...calm,
    evidence: { ...calm.evidence, doubts: numbered },
    opinions: calm.opinions.map((o) => ({ ...o, answers })),
  }
}
const seat = (input: DecideInput, i: number, change: Partial<Opinion>): DecideInput => ({
  ...input,
  opinions: input.opinions.map((o, k) => (k === i ? { ...o, ...change } : o)),
})

describe('doubts', () => {
  test('every expected seat settling it, of two vendors, accepts', () => {
    expect(decide(settledBy([raised()])).verdict).toBe('accept')
  })

  test('one seat that leaves it open, says nothing or is missing leaves it open', () => {
    const calm = settledBy([raised()])
    for (const change of [
      { answers: [{ doubt: 1, answer: 'open' as const, citation: null }] },
      { answers: [] },
      // A settled answer whose citation did not hold.
      { answers: [{ doubt: 1, answer: 'settled' as const, citation: null }] },
      {
        answers: [
          { doubt: 1, answer: 'settled' as const, citation: 'rule:1' },
          { doubt: 1, answer: 'open' as const, citation: null },
        ],
      },
      { answers: [{ doubt: 2, answer: 'settled' as const, citation: 'rule:1' }] },
    ]) {
      expect(decide(seat(calm, 1, change)).reasons).toStrictEqual(['doubt_open'])
    }
    expect(decide(seat(calm, 1, { outcome: 'late' })).reasons).toContain('doubt_open')
    const absent = { ...calm, opinions: calm.opinions.slice(1) }
    expect(decide(absent).reasons).toContain('doubt_open')
  })

  test('one family of models settles nothing, however many seats it has', () => {
    const calm = settledBy([raised()], 7)
    const one = { ...calm, opinions: calm.opinions.map((o) => ({ ...o, vendor: 'openai' })) }
    expect(decide(one).reasons).toStrictEqual(['doubt_open'])
  })

  test('seats that were not expected settle nothing', () => {
    const calm = settledBy([raised()])
    const guests = calm.opinions.map((o) => ({ ...o, judge: `guest-${o.judge}` }))
    const silent = calm.opinions.map((o) => ({ ...o, answers: [] }))
    expect(decide({ ...calm, opinions: [...silent, ...guests] }).verdict).toBe('escalate')
  })

  test('the closed kinds and what a rule keeps for people are never settled', () => {
    for (const family of Object.keys(doubtFamilies) as DoubtFamily[]) {
      const open = decide(settledBy([raised({ family })])).verdict === 'escalate'
      expect(open, family).toBe(!doubtFamilies[family])
    }
    expect(decide(settledBy([raised({ settleable: false })])).reasons).toStrictEqual(['doubt_open'])
  })

  test('at most twelve are asked; one more escalates unasked, whatever the seats say', () => {
    const many = (n: number) =>
      settledBy(Array.from({ length: n }, (_, i) => raised({ subject: `/nodes/${i}` })))
    expect(decide(many(doubtsAskedMax)).verdict).toBe('accept')
    const unasked = { verdict: 'escalate', reasons: ['doubts_unasked'] }
    expect(decide(many(doubtsAskedMax + 1))).toMatchObject(unasked)
  })
})

describe('class of a plan', () => {
  test('codes fall into the class of their table', () => {
    expect(concernOfCode('HAZARD_INCOMPATIBLE_PAIR')).toBe('safety')
    expect(concernOfCode('FLOW_CREDENTIALS_OUT')).toBe('adversarial')
    expect(concernOfCode('INJECTION_WARNING')).toBe('adversarial')
    expect(concernOfCode('ADMIN_TOOL')).toBe('alignment')
    expect(concernOfCode('INTERLOCK_BYPASS')).toBe('safety')
    expect(concernOfCode('JUDGE_INTEGRITY')).toBe('alignment')
  })
  test('the heaviest evidence gives it; the chief may name another one unless a fact refuses', () => {
    const { evidence, chief } = calmInput('live')
    const breach = (verdict: 'escalate' | 'reject') => ({
      code: 'JUDGE_EXFILTRATION' as const,
      node: null,
      at: '',
      verdict,
      facts: {},
    })
    const base = { findings: [], opinions: [], accepted: false, chief: null }
    const flagged = { ...evidence, breaches: [breach('escalate')] }
    expect(classify({ ...base, evidence })).toBe('safety')
    expect(classify({ ...base, evidence, accepted: true })).toBe('none')
    expect(classify({ ...base, evidence: flagged })).toBe('adversarial')
    const says = chief === null ? null : { ...chief, classification: 'alignment' as const }
    expect(classify({ ...base, evidence: flagged, chief: says })).toBe('alignment')
    const refused = { ...evidence, breaches: [breach('reject')] }
    expect(classify({ ...base, evidence: refused, chief: says })).toBe('adversarial')
  })
})
