// Who is speaking: what a program or a page needs to know of its own credential.
import { route, type App } from '../routing.ts'

export function meRoutes(app: App): void {
  route(
    app,
    {
      method: 'get',
      path: '/v1/me',
      tag: 'credentials',
      summary: 'The credential that asks: site, role, name, the person who answers for it.',
      roles: ['planner', 'reviewer', 'operator', 'administrator'],
      answers: { 200: { description: 'Who you are here.', schema: 'Me' } },
    },
    async (c, { principal }) => {
      const { site, role, subject, owner, id, expires_ms } = principal
      return Promise.resolve(c.json({ site, role, subject, owner, credential: id, expires_ms }))
    },
  )
}
