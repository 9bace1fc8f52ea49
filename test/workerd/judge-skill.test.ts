// The skill of judges is kept per site and computed from what people decided.
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { readResolutions, writeResolution } from '../../adapters/judge-skill-d1.ts'
import { judgeSkill } from '../../verify/decide/skill.ts'

const said = (judge: string, verdict: 'accept' | 'escalate' | 'reject', risk: number) => ({
  judge,
  outcome: 'answered' as const,
  verdict,
  risk,
})

it('counts what each judge said against the person, once per plan and per site', async () => {
  const note = (plan: string, person: 'accept' | 'reject') => ({
    site: 'skill-a',
    plan,
    person,
    opinions: [said('judge-1', 'reject', 0.9), said('judge-2', 'accept', 0)],
    at_ms: 1_000,
  })
  await writeResolution(env.DB, note('plan-1', 'reject'))
  await writeResolution(env.DB, note('plan-1', 'accept'))
  await writeResolution(env.DB, note('plan-2', 'accept'))
  await writeResolution(env.DB, { ...note('plan-3', 'reject'), site: 'skill-b' })

  const skill = judgeSkill(await readResolutions(env.DB, 'skill-a'))
  expect(skill).toMatchObject([
    { judge: 'judge-1', asked: 2, agreed: 1, false_alarms: 1, missed: 0 },
    { judge: 'judge-2', asked: 2, agreed: 1, false_alarms: 0, missed: 1 },
  ])
  expect(skill[1]?.brier).toBe(0.5)
})
