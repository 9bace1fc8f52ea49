// The reviewer's page: static files with a policy that lets them load nothing from elsewhere, run no
// inline script and be framed by nobody.
import type { App } from '../routing.ts'
import { problem } from '../problems.ts'

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

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
    headers.set('content-security-policy', contentSecurityPolicy)
    headers.set('x-frame-options', 'DENY')
    headers.set('cross-origin-opener-policy', 'same-origin')
    return new Response(file.body, { status: 200, headers })
  })
}
