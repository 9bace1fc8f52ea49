// How well a judge did against people: every pair of what it said and what a person decided, counted once.
import { describe, expect, test } from 'vitest'
import { judgeSkill, type Resolution } from '../../../verify/decide/skill.ts'

type Said = Resolution['opinions'][number]
const said = (judge: string, verdict: Said['verdict'], risk = 0.5): Said => ({
  judge,
  outcome: 'answered',
  verdict,
  risk,
})
const none = { asked: 1, answered: 1, agreed: 0, deferred: 0, missed: 0, false_alarms: 0 }

describe('skill of a judge', () => {
  test.each([
    ['accept', 'accept', { agreed: 1 }, 0.25],
    ['accept', 'reject', { missed: 1 }, 0.25],
    ['reject', 'accept', { false_alarms: 1 }, 0.25],
    ['reject', 'reject', { agreed: 1 }, 0.25],
    ['escalate', 'accept', { deferred: 1 }, 0.25],
    ['escalate', 'reject', { deferred: 1 }, 0.25],
  ] as const)('says %s, a person decides to %s', (verdict, person, counted, brier) => {
    const skill = judgeSkill([{ opinions: [said('m1', verdict)], person }])
    expect(skill).toEqual([{ judge: 'm1', ...none, ...counted, brier }])
  })

  test('whoever did not answer was asked, and is measured by nothing', () => {
    const late: Said = { ...said('m1', 'accept', 0.9), outcome: 'late' }
    expect(judgeSkill([{ opinions: [late], person: 'reject' }])).toEqual([
      { judge: 'm1', ...none, answered: 0, brier: null },
    ])
  })

  test('sums over plans, each judge on its own, by name', () => {
    const skill = judgeSkill([
      { opinions: [said('m2', 'reject', 0.8), said('m1', 'accept', 0.1)], person: 'reject' },
      { opinions: [said('m2', 'reject', 0.6), said('m3', 'accept', 0)], person: 'reject' },
      { opinions: [said('m2', 'reject', 0.5)], person: 'accept' },
    ])
    expect(skill.map(({ judge }) => judge)).toEqual(['m1', 'm2', 'm3'])
    expect(skill[1]).toMatchObject({ asked: 3, answered: 3, agreed: 2, missed: 0, false_alarms: 1 })
    expect(skill[1]?.brier).toBeCloseTo((0.2 ** 2 + 0.4 ** 2 + 0.5 ** 2) / 3)
    expect(skill[0]?.brier).toBeCloseTo(0.81)
    expect(judgeSkill([])).toEqual([])
  })
})
