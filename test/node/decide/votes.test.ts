// What seats and chief say together, case by case: majorities of the expected, substance, veto, outage.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { raiseDoubts, type Evidence } from '../../../protocol/evidence.ts'
import type { JudgeFinding, Opinion } from '../../../protocol/opinion.ts'
import { atLeast } from '../../../protocol/verdict.ts'
import { decide, type DecideInput } from '../../../verify/decide/decide.ts'
import { calmInput, inputArb } from './arbitraries.ts'

const runs = { numRuns: Number(process.env['PORTCULLIS_RUNS'] ?? 2_000) }
const replace = (input: DecideInput, index: number, change: Partial<Opinion>): DecideInput => ({
  ...input,
  opinions: input.opinions.map((o, i) => (i === index ? { ...o, ...change } : o)),
})
const withEvidence = (input: DecideInput, change: Partial<Evidence>): DecideInput => ({
  ...input,
  evidence: { ...input.evidence, ...change },
})
const judgedByModels = inputArb.filter((input) => input.depth.panel === 'models')
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

describe('votes', () => {
  test('a majority of the expected seats rejects; silence is not counted out', () => {
    const calm = calmInput('live', 5)
    const three = [0, 1, 2].reduce((input, i) => replace(input, i, rejects), calm)
    expect(decide(three)).toMatchObject({ verdict: 'reject', reasons: ['panel_reject'] })
    const two = [0, 1].reduce((input, i) => replace(input, i, rejects), calm)
    expect(decide(two)).toMatchObject({ verdict: 'escalate', reasons: ['judge_reject_alone'] })
    // Two of two that spoke are still two of five that were expected.
    const alone = { ...two, opinions: two.opinions.slice(0, 2) }
    expect(decide(alone).verdict).toBe('escalate')
    expect(decide(alone).reasons).toContain('judge_missing')
    // A seat that speaks twice is one seat.
    const twice = { ...two, opinions: [...two.opinions, ...two.opinions.slice(0, 2)] }
    expect(decide(twice).verdict).toBe('escalate')
    // Without substance, without severity, or beside an escalation a finding asks for a person.
    for (const change of [
      { verdict: 'reject' as const, findings: [] },
      { verdict: 'reject' as const, findings: [{ ...severe, substantiated: false }] },
      { verdict: 'reject' as const, findings: [{ ...severe, severity: 'medium' as const }] },
      { verdict: 'escalate' as const, findings: [severe] },
      { verdict: 'accept' as const, findings: [severe] },
    ]) {
      const all = [0, 1, 2, 3, 4].reduce((input, i) => replace(input, i, change), calm)
      expect(decide(all).verdict, JSON.stringify(change)).toBe('escalate')
    }
  })

  test('a seat with a veto rejects by itself, any other asks for a person', () => {
    const one = replace(calmInput('live', 5), 1, rejects)
    const veto = (name: string): DecideInput => ({
      ...one,
      policy: { ...one.policy, votes: { ...one.policy.votes, veto: [name] } },
    })
    expect(decide(veto('m2')).reasons[0]).toBe('veto_reject')
    expect(decide(veto('m1')).verdict).toBe('escalate')
  })

  test('the chief is never milder than the panel, and refuses only together with a seat', () => {
    const strict = { accept: 0, escalate: 1, reject: 2 } as const
    fc.assert(
      fc.property(judgedByModels, (input) => {
        const chief = calmInput('live').chief
        if (chief === null) throw new Error('no chief')
        const under = (verdict: keyof typeof strict) =>
          decide({ ...input, chief: { ...chief, verdict } }).verdict
        expect(atLeast(under('escalate'), under('accept'))).toBe(true)
        expect(atLeast(under('reject'), under('escalate'))).toBe(true)
      }),
      runs,
    )
    const calm = calmInput('live', 5)
    const refusing: DecideInput = {
      ...calm,
      chief: calm.chief === null ? null : { ...calm.chief, verdict: 'reject' },
    }
    expect(decide(refusing)).toMatchObject({
      verdict: 'escalate',
      reasons: ['chief_reject_alone'],
    })
    expect(decide(replace(refusing, 3, rejects)).reasons[0]).toBe('chief_reject')
  })

  test('models that are out leave nothing to accept by, whatever the rules say', () => {
    const outage = { ...calmInput('live', 3), opinions: [], chief: null }
    expect(decide(outage)).toMatchObject({
      verdict: 'escalate',
      reasons: ['judge_missing', 'chief_missing', 'panel_outage'],
    })
    const empty = { ...outage, depth: { ...outage.depth, expected: [], required: 1 } }
    expect(decide(empty).verdict).toBe('escalate')
    // A policy that names models is not overruled by a record that names rules.
    const claimed = { ...empty, depth: { ...empty.depth, panel: 'rules' as const } }
    expect(decide(claimed).verdict).toBe('escalate')
  })

  test('with rules alone no doubt is settled and no opinion is missed', () => {
    const calm = calmInput('offline')
    const doubt = {
      code: 'JUDGE_SCOPE' as const,
      text: 'Is it so?',
      subject: '/nodes/0',
      family: 'scope' as const,
      settleable: true,
    }
    const doubted = withEvidence(calm, { doubts: raiseDoubts([doubt]) })
    expect(decide(doubted).reasons).toStrictEqual(['doubt_open'])
    expect(decide({ ...calm, policy: { ...calm.policy, panel: 'auto' } }).verdict).toBe('accept')
  })
})
