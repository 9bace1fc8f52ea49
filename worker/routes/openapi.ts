// The description of the interface: as OpenAPI, as a page that is made of it, and in a few words at the root.
import { openApiDocument } from '../openapi/document.ts'
import { docsPage, docsStyle } from '../openapi/page.ts'
import { pageHeaders } from '../page-headers.ts'
import type { App } from '../routing.ts'

let document: { readonly json: string; readonly html: string } | null = null

/** Made at the first request and kept: neither changes while the Worker runs. */
function described(app: App): { readonly json: string; readonly html: string } {
  if (document !== null) return document
  const made = openApiDocument(app)
  document = { json: JSON.stringify(made), html: docsPage(made) }
  return document
}

/** For whoever opens the address and does not know what answers there. */
const greeting = `Portcullis: a gateway between planners and the robots of a lab. A planner proposes, Portcullis
decides, and the robot does only and exactly what was decided.

  /console       for people: reviews, cells, runs
  /docs          the interface as a page; /openapi.json for programs
  /healthz       whether it is well
`

export function openApiRoute(app: App): void {
  app.get('/', (c) => c.body(greeting, 200, { 'content-type': 'text/plain; charset=utf-8' }))
  app.get('/openapi.json', (c) =>
    c.body(described(app).json, 200, { 'content-type': 'application/json' }),
  )
  app.get('/docs', (c) =>
    c.body(described(app).html, 200, {
      ...pageHeaders,
      'content-type': 'text/html; charset=utf-8',
    }),
  )
  app.get('/docs/style.css', (c) =>
    c.body(docsStyle, 200, { 'content-type': 'text/css; charset=utf-8' }),
  )
}
