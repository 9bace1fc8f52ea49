// The OpenAPI document as a page to read: every operation with its parameters, bodies, examples and
// refusals, then every schema. Made in the Worker of the document alone; it runs no script.
import { html, prose, type Html } from './html.ts'
import { referredName, schemaTable } from './schema-table.ts'
import type { JsonSchema } from '../json-schema.ts'

type Parameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  example?: string
}
type Content = Record<
  string,
  { schema?: JsonSchema; examples?: Record<string, { $ref?: string; value?: unknown }> }
>
type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
}
type Document = {
  info: { title: string; version: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, JsonSchema>
    examples: Record<string, { summary: string; value: unknown }>
    securitySchemes: Record<string, { description: string }>
  }
}
type Listed = { readonly method: string; readonly path: string; readonly operation: Operation }

const pretty = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2)

function parametersOf({ parameters = [] }: Operation): Html {
  if (parameters.length === 0) return html``
  return html`<h4>Parameters</h4>
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">In</th>
          <th scope="col">Meaning</th>
          <th scope="col">Example</th>
        </tr>
      </thead>
      <tbody>
        ${parameters.map(
          (one) =>
            html`<tr>
              <th scope="row">
                <code>${one.name}</code
                >${one.required === true ? '' : html` <small>optional</small>`}
              </th>
              <td>${one.in}</td>
              <td>${prose(one.description ?? '')}</td>
              <td><code>${one.example ?? ''}</code></td>
            </tr> `,
        )}
      </tbody>
    </table>`
}

function contentOf(content: Content | undefined, document: Document): Html {
  if (content === undefined) return html``
  const parts = Object.entries(content).map(([type, { schema, examples = {} }]) => {
    const name = schema?.['$ref'] === undefined ? null : referredName(schema['$ref'])
    const link = name === null ? html`text` : html`<a href="#schema-${name}">${name}</a>`
    const shown = Object.values(examples).map((one) => {
      const value =
        one.$ref === undefined
          ? one.value
          : document.components.examples[referredName(one.$ref)]?.value
      return html`<pre>${pretty(value)}</pre>`
    })
    return html`<p><code>${type}</code>: ${link}</p>
      ${shown}`
  })
  return html`${parts}`
}

const isRefusal = (content: Content | undefined): boolean =>
  content !== undefined && 'application/problem+json' in content

function answersOf({ responses }: Operation, document: Document): Html {
  const all = Object.entries(responses)
  const good = all.filter(([, { content }]) => !isRefusal(content))
  const refused = all.filter(([, { content }]) => isRefusal(content))
  return html`<h4>Answers</h4>
    ${good.map(
      ([status, { description, content }]) =>
        html`<p><b>${status}</b> ${prose(description)}</p>
          ${contentOf(content, document)}`,
    )}
    <details>
      <summary>Refusals</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Codes</th>
          </tr>
        </thead>
        <tbody>
          ${refused.map(
            ([status, { description }]) =>
              html`<tr>
                <th scope="row">${status}</th>
                <td>${prose(description)}</td>
              </tr> `,
          )}
        </tbody>
      </table>
    </details>`
}

function operationOf({ method, path, operation }: Listed, document: Document): Html {
  const proofs = (operation.security ?? []).flatMap((one) => Object.keys(one))
  return html`<section id="${operation.operationId}">
    <h3><code>${method.toUpperCase()} ${path}</code></h3>
    <p>${prose(operation.description)}</p>
    <p>
      ${proofs.length === 0 ? 'No credential is needed.' : prose(`Needs: \`${proofs.join('`, `')}\`.`)}
    </p>
    ${parametersOf(operation)}
    ${
      operation.requestBody === undefined
        ? ''
        : html`<h4>Body</h4>
            ${contentOf(operation.requestBody.content, document)}`
    }
    ${answersOf(operation, document)}
  </section> `
}

function contents(document: Document, operations: readonly Listed[]): Html {
  const groups = document.tags.map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    const lines = own.map(
      ({ method, path, operation }) =>
        html`<li>
          <a href="#${operation.operationId}"><code>${method.toUpperCase()} ${path}</code></a>
        </li> `,
    )
    return html`<li>
      <a href="#tag-${name.replaceAll(' ', '-')}">${name}</a>
      <ul>
        ${lines}
      </ul>
    </li> `
  })
  return html`<nav aria-label="Operations">
    <ul>
      ${groups}
    </ul>
  </nav>`
}

/** The whole page. `made` is the OpenAPI document as this Worker makes it. */
export function docsPage(made: JsonSchema): string {
  const document = made as unknown as Document
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const { title, version, description } = document.info
  const groups = document.tags.map(({ name, description: says }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    return html`<h2 id="tag-${name.replaceAll(' ', '-')}">${name}</h2>
      <p>${says}</p>
      ${own.map((one) => operationOf(one, document))}`
  })
  const proofs = Object.entries(document.components.securitySchemes).map(
    ([name, one]) =>
      html`<dt><code>${name}</code></dt>
        <dd>${prose(one.description)}</dd> `,
  )
  const named = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      html`<section id="schema-${name}">
        <details>
          <summary><h3>${name}</h3></summary>
          ${schemaTable(schema)}
        </details>
      </section> `,
  )
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} ${version}: the HTTP interface</title>
        <link rel="stylesheet" href="/docs/style.css" />
      </head>
      <body>
        <header>
          <h1>${title} ${version}: the HTTP interface</h1>
          <p>
            ${prose(description)} The same for programs is at
            <a href="/openapi.json">/openapi.json</a>.
          </p>
        </header>
        ${contents(document, operations)}
        <main>
          <h2>Credentials</h2>
          <dl>${proofs}</dl>
          ${groups}
          <h2>Schemas</h2>
          ${named}
        </main>
      </body>
    </html> `.html
}

export const docsStyle = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; }
nav ul { columns: 22rem; list-style: none; padding: 0; }
nav ul ul { columns: 1; padding-left: 1rem; }
nav li { break-inside: avoid-column; }
section { border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
summary h3 { display: inline; font-size: 1.1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid color-mix(in srgb, currentColor 15%, transparent); }
th, td { padding: 0.3rem 0.6rem 0.3rem 0; text-align: left; vertical-align: top; font-weight: normal; }
thead th { font-weight: bold; }
pre { background: color-mix(in srgb, currentColor 8%, transparent); overflow: auto; padding: 0.7rem; }
code { overflow-wrap: anywhere; }
`
