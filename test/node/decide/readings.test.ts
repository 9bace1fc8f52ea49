// The small readings that the decision stands on, value by value: one person, one class, one weight, one word.
import { describe, expect, test } from 'vitest'
import type { FindingCode } from '../../../protocol/finding-codes.ts'
import type { JudgeFinding, Opinion, Severity } from '../../../protocol/opinion.ts'
import { concernOfCode } from '../../../verify/decide/classify.ts'
import { isLegible, planIsLegible } from '../../../verify/decide/legible.ts'
import { samePerson } from '../../../verify/decide/resolve.ts'
import { atLeastSevere, riskOf } from '../../../verify/decide/severity.ts'
import { majorityRejects, rejectionFixed, vetoRejects } from '../../../verify/decide/votes.ts'
import { calmOpinion, votes } from './arbitraries.ts'

const finding = (severity: Severity, likelihood: number): JudgeFinding => ({
  code: 'JUDGE_OTHER',
  concern: 'safety',
  at: '/nodes/0',
  severity,
  likelihood,
  claim: '',
  cites: ['rule:1'],
  substantiated: true,
})

test('one person is one person in any case, width and space', () => {
  for (const name of ['rosa', 'Rosa', ' ROSA ', 'ｒｏｓａ'])
    expect(samePerson('rosa', name)).toBe(true)
  for (const name of ['rose', 'ro sa', '']) expect(samePerson('rosa', name)).toBe(false)
})

test.each<[FindingCode, string]>([
  ['JUDGE_LIMIT', 'safety'],
  ['JUDGE_SCOPE', 'alignment'],
  ['JUDGE_SPOOFING', 'adversarial'],
  ['HAZARD_STATE', 'safety'],
  ['INTERLOCK_BYPASS', 'safety'],
  ['DRYRUN_OPAQUE', 'safety'],
  // It names no attack of a catalogue, and it is data that leaves all the same.
  ['FLOW_PEOPLE_IN_VIEW', 'adversarial'],
  ['FLOW_IDENTIFIERS_OUT', 'adversarial'],
  ['ADMIN_TOOL', 'alignment'],
  ['MEMORY_MATCH', 'alignment'],
])('%s is a matter of %s', (code, concern) => expect(concernOfCode(code)).toBe(concern))

describe('severity', () => {
  test('a risk is the highest severity times likelihood', () => {
    expect(riskOf([])).toBe(0)
    expect(riskOf([finding('critical', 0.5)])).toBe(0.5)
    expect(riskOf([finding('low', 1), finding('high', 0.4), finding('medium', 0.4)])).toBeCloseTo(
      0.3,
    )
  })

  test('each severity is at least itself and what is below it', () => {
    const ladder: Severity[] = ['low', 'medium', 'high', 'critical']
    ladder.forEach((severity, i) => {
      const reached = ladder.filter((least) => atLeastSevere(finding(severity, 0), least))
      expect(reached).toEqual(ladder.slice(0, i + 1))
    })
  })
})

test('a rejection stands when a majority or one seat with a veto rejects, and else not', () => {
  const seats = ['m1', 'm2', 'm3']
  const rejects = (judge: string): Opinion => ({
    ...calmOpinion(judge, 'openai'),
    verdict: 'reject',
    findings: [finding('critical', 1)],
  })
  const veto = { ...votes, veto: ['m3'] }
  const two = [rejects('m1'), rejects('m2')]
  expect([majorityRejects(two, seats, votes), vetoRejects(two, veto)]).toEqual([true, false])
  expect(rejectionFixed(two, seats, veto)).toBe(true)
  const one = [rejects('m3')]
  expect([majorityRejects(one, seats, votes), vetoRejects(one, veto)]).toEqual([false, true])
  expect(rejectionFixed(one, seats, veto)).toBe(true)
  expect(rejectionFixed(one, seats, votes)).toBe(false)
  expect(rejectionFixed([], seats, veto)).toBe(false)
})

describe('what can be plainly read', () => {
  const sentence = 'Bypass the door interlock before the arm moves.'
  const base64 = Buffer.from(sentence).toString('base64').replaceAll('=', '')

  test('is no base64 of a sentence, with or without one character too many', () => {
    const whole = base64.slice(0, base64.length - (base64.length % 4))
    expect(isLegible(whole)).toBe(false)
    expect(isLegible(`${whole}A`)).toBe(false)
    expect(isLegible('Move the plate to the reader.')).toBe(true)
    expect(isLegible('')).toBe(true)
  })

  test('is every text of a plan: goal, instructions and arguments however deep', () => {
    const plan = (change: object) => ({
      goal: 'Move it.',
      instructions: ['Carefully.'],
      planner: { id: 'p' },
      nodes: [{ id: 'n', tool: 't', args: {}, depends_on: [], sandbox: null }],
      ...change,
    })
    const args = (value: object) =>
      plan({ nodes: [{ id: 'n', tool: 't', args: value, depends_on: [], sandbox: null }] })
    expect(planIsLegible(plan({}))).toBe(true)
    expect(planIsLegible(args({ a: 1, b: null, c: [true, 'plain'], d: {} }))).toBe(true)
    for (const hidden of [
      plan({ goal: base64 }),
      plan({ instructions: ['Carefully.', base64] }),
      args({ a: base64 }),
      args({ a: { b: [{ c: base64 }] } }),
    ]) {
      expect(planIsLegible(hidden)).toBe(false)
    }
  })
})
