// The reviewer's page: static files under the policy of every page.
import type { App } from '../routing.ts'
import { pageHeaders } from '../page-headers.ts'
import { problem } from '../problems.ts'

export function consoleRoutes(app: App): void {
  app.get('/console', (c) => c.redirect('/console/', 308))
  app.get('/console/*', async (c) => {
    const { ASSETS } = c.env
    if (ASSETS === undefined) {
      const detail = 'The page is not part of this deployment.'
      return problem({ code: 'not_found', detail }, c.var.requestId)
    }
    const url = new URL(c.req.url)
    url.pathname = url.pathname.slice('/console'.length)
    const file = await ASSETS.fetch(new Request(url, { method: 'GET' }))
    if (!file.ok) return problem({ code: 'not_found' }, c.var.requestId)
    const headers = new Headers(file.headers)
    for (const [name, value] of Object.entries(pageHeaders)) headers.set(name, value)
    return new Response(file.body, { status: 200, headers })
  })
}
