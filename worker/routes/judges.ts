// How each judge did against what people decided: for those who choose the seats of a panel.
import { readResolutions } from '../../adapters/judge-skill-d1.ts'
import { judgeSkill } from '../../verify/decide/skill.ts'
import { route, type App } from '../routing.ts'

export function judgeRoutes(app: App): void {
  route(
    app,
    {
      method: 'get',
      path: '/v1/judges',
      tag: 'judges',
      summary: 'The skill of each judge over the latest plans that a person resolved.',
      roles: ['reviewer', 'administrator'],
      answers: { 200: { description: 'Per judge.', schema: 'JudgeSkillList' } },
    },
    async (c, { principal }) => {
      const resolutions = await readResolutions(c.env.DB, principal.site)
      return c.json({ resolutions: resolutions.length, items: judgeSkill(resolutions) })
    },
  )
}
