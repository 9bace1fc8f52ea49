// How well each judge did against what people decided in the end: recorded and reported, never used
// to weigh a verdict by itself. A judge is measured only where a person resolved the plan.
import type { Opinion } from '../../protocol/opinion.ts'

export type Resolution = {
  readonly opinions: readonly Pick<Opinion, 'judge' | 'outcome' | 'verdict' | 'risk'>[]
  readonly person: 'accept' | 'reject'
}

export type JudgeSkill = {
  readonly judge: string
  /** Plans that a person resolved and that this judge was asked about. */
  readonly asked: number
  readonly answered: number
  /** Same verdict as the person; an escalation agrees with neither. */
  readonly agreed: number
  /** Escalated what a person then decided: cautious, not wrong. */
  readonly deferred: number
  /** Accepted what a person rejected: the costly mistake. */
  readonly missed: number
  readonly false_alarms: number
  /** Mean squared distance of its risk estimate from the outcome (Brier, 1950); null without answers. */
  readonly brier: number | null
}

/** Skill per judge, by name. */
export function judgeSkill(resolutions: readonly Resolution[]): JudgeSkill[] {
  type Sums = Omit<{ -readonly [K in keyof JudgeSkill]: JudgeSkill[K] }, 'brier'> & { sum: number }
  const sums = new Map<string, Sums>()
  for (const { opinions, person } of resolutions) {
    for (const o of opinions) {
      const s = sums.get(o.judge) ?? {
        judge: o.judge,
        asked: 0,
        answered: 0,
        agreed: 0,
        deferred: 0,
        missed: 0,
        false_alarms: 0,
        sum: 0,
      }
      sums.set(o.judge, s)
      s.asked += 1
      if (o.outcome !== 'answered') continue
      s.answered += 1
      s.sum += (o.risk - (person === 'reject' ? 1 : 0)) ** 2
      if (o.verdict === person) s.agreed += 1
      else if (o.verdict === 'escalate') s.deferred += 1
      else if (person === 'reject') s.missed += 1
      else s.false_alarms += 1
    }
  }
  return [...sums.values()]
    .sort((a, b) => (a.judge < b.judge ? -1 : 1))
    .map(({ sum, ...s }) => ({ ...s, brier: s.answered === 0 ? null : sum / s.answered }))
}
