// What one opinion demands, as a truth table: the reading that decision and early stop share.
import { describe, expect, test } from 'vitest'
import type { JudgeFinding, Opinion } from '../../../protocol/opinion.ts'
import { decide } from '../../../verify/decide/decide.ts'
import { demandOf, fixesRejection, riskHeld, riskOf } from '../../../verify/decide/evidence.ts'
import { classify, concernOfCode } from '../../../verify/decide/classify.ts'
import { calmInput } from './arbitraries.ts'

const [calm] = calmInput('offline').opinions
if (calm === undefined) throw new Error('the calm input has opinions')

const found = (change: Partial<JudgeFinding> = {}): JudgeFinding => ({
  code: 'JUDGE_OTHER',
  concern: 'safety',
  at: '/instructions/0',
  severity: 'high',
  likelihood: 0.9,
  claim: '',
  cites: ['rule:1'],
  substantiated: true,
  ...change,
})

type Row = [
  verdict: Opinion['verdict'],
  findings: JudgeFinding[],
  demand: string,
  outcome?: Opinion['outcome'],
]
const unlikely = { likelihood: 0.49 }
const bare = { substantiated: false }
const rows: Row[] = [
  ['accept', [], 'accept none'],
  ['escalate', [], 'escalate judge_escalate'],
  ['reject', [], 'escalate judge_reject_unsubstantiated'],
  ['accept', [found({ severity: 'medium' })], 'accept none'],
  ['reject', [found({ severity: 'medium' })], 'escalate judge_reject_unsubstantiated'],
  ['accept', [found()], 'reject judge_high_risk'],
  ['accept', [found({ severity: 'critical', likelihood: 0.5 })], 'reject judge_high_risk'],
  ['escalate', [found()], 'reject judge_high_risk'],
  ['accept', [found(unlikely)], 'escalate judge_escalate'],
  ['escalate', [found(unlikely)], 'escalate judge_escalate'],
  ['reject', [found(unlikely)], 'reject judge_high_risk'],
  ['accept', [found(bare)], 'escalate judge_reject_unsubstantiated'],
  ['reject', [found(bare)], 'escalate judge_reject_unsubstantiated'],
  ['reject', [found(bare), found(unlikely)], 'reject judge_high_risk'],
  ['accept', [], 'escalate judge_missing', 'late'],
  ['escalate', [found(bare)], 'escalate judge_missing', 'malformed'],
  // Evidence stays evidence, however the call ended; a verdict of a call that failed is none.
  ['accept', [found()], 'reject judge_high_risk', 'failed'],
  ['reject', [found(unlikely)], 'escalate judge_missing', 'failed'],
]

describe('what one opinion demands', () => {
  for (const [verdict, findings, demand, outcome = 'answered'] of rows) {
    const what = findings.map(
      (f) => `${f.severity} ${f.likelihood}${f.substantiated ? '' : ' without substance'}`,
    )
    test(`${outcome}, says ${verdict} with [${what.join(', ')}]: ${demand}`, () => {
      const opinion: Opinion = { ...calm, outcome, verdict, findings }
      const { verdict: asked, reason } = demandOf(opinion)
      expect(`${asked} ${reason}`).toBe(demand)
      expect(fixesRejection(opinion)).toBe(asked === 'reject')
    })
  }

  test('risk is the highest severity times likelihood, and never less than the findings say', () => {
    const findings = [found({ severity: 'critical', likelihood: 0.3 }), found({ likelihood: 0.6 })]
    expect(riskOf(findings)).toBeCloseTo(0.45)
    expect(riskOf([])).toBe(0)
    expect(riskHeld({ ...calm, risk: 0.1, findings })).toBeCloseTo(0.45)
    expect(riskHeld({ ...calm, risk: 0.8, findings })).toBe(0.8)
  })

  test('nobody answering is too few judges even for a plan that merely reads', () => {
    const input = calmInput('offline')
    const silent = input.opinions.map((o) => ({ ...o, outcome: 'late' as const }))
    const depth = { ...input.depth, reads_only: true, required: 1 }
    expect(decide({ ...input, depth, opinions: silent }).reasons).toContain('too_few_judges')
  })
})

describe('classification', () => {
  const { chief } = calmInput('offline')
  const none = { findings: [], opinions: [], chief: null, accepted: false }
  test("the chief's class counts, unless the floor blocked", () => {
    const classed = { ...none, chief: chief && { ...chief, classification: 'alignment' as const } }
    expect(classify(classed)).toBe('alignment')
    const block = {
      code: 'CAPABILITY_MISSING' as const,
      effect: 'block' as const,
      at: '',
      span: null,
      kg: [],
      facts: {},
    }
    expect(classify({ ...classed, findings: [block] })).toBe('adversarial')
  })
  test('without a chief the heaviest finding counts, ties by who must look first', () => {
    const a: Opinion = { ...calm, findings: [found({ concern: 'alignment', likelihood: 0.6 })] }
    const b: Opinion = { ...calm, findings: [found({ concern: 'safety', likelihood: 0.7 })] }
    const c: Opinion = { ...calm, findings: [found({ concern: 'adversarial', likelihood: 0.7 })] }
    expect(classify({ ...none, opinions: [a] })).toBe('alignment')
    expect(classify({ ...none, opinions: [a, b] })).toBe('safety')
    expect(classify({ ...none, opinions: [b, c] })).toBe('adversarial')
    expect(classify(none)).toBe('safety')
    expect(classify({ ...none, accepted: true })).toBe('none')
  })
  test('codes fall into the class of their table', () => {
    expect(concernOfCode('HAZARD_INCOMPATIBLE_PAIR')).toBe('safety')
    expect(concernOfCode('FLOW_CREDENTIALS_OUT')).toBe('adversarial')
    expect(concernOfCode('INJECTION_WARNING')).toBe('adversarial')
    expect(concernOfCode('ADMIN_TOOL')).toBe('alignment')
    expect(concernOfCode('INTERLOCK_BYPASS')).toBe('safety')
  })
})
