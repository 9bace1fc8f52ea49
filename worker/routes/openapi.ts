// The description of the interface: as OpenAPI, and as a page that is made of it.
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

export function openApiRoute(app: App): void {
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
