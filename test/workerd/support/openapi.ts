// Holds the document against reality: every route that the app has, every reference inside it, and
// every answer that the tests of a file have seen.
import { Validator, type Schema } from '@cfworker/json-schema'
import { createApp } from '../../../worker/app.ts'
import { honoPath } from '../../../worker/routing.ts'

type Operation = {
  operationId?: string
  parameters?: { name: string; in: string }[]
  security?: Record<string, unknown>[]
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    examples: Record<string, unknown>
    securitySchemes: Record<string, unknown>
  }
}

type Seen = { method: string; path: string; status: number; type: string; body: unknown }
const seen: Seen[] = []

/** Remembers an answer for the check at the end of the file. */
export function remember(answer: Seen): void {
  seen.push(answer)
}

/** Before a file: what another one saw is not its own. */
export function forgetAnswers(): void {
  seen.length = 0
}

/** Routes outside the document: the document itself and the pages. */
const undocumented = /^\/(?:openapi\.json|console.*|docs.*|\*)?$/

function missingRoutes(document: Document): string[] {
  const documented = new Set(
    Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${honoPath(path)}`),
    ),
  )
  return createApp()
    .routes.filter(({ method, path }) => method !== 'ALL' && !undocumented.test(path))
    .map(({ method, path }) => `${method} ${path}`)
    .filter((route) => !documented.has(route) && !/^(?:GET|DELETE) \/mcp$/.test(route))
}

function references(value: unknown, into: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$ref' && typeof inner === 'string') into.add(inner)
    else references(inner, into)
  }
}

function danglingReferences(document: Document): string[] {
  const found = new Set<string>()
  references(document, found)
  return [...found].filter((reference) => {
    const [, kind, name = ''] = /^#\/components\/(schemas|examples)\/(\w+)$/.exec(reference) ?? []
    if (kind !== 'schemas' && kind !== 'examples') return true
    return document.components[kind][name] === undefined
  })
}

function brokenOperations(document: Document): string[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      const declared = (operation.parameters ?? [])
        .filter((p) => p.in === 'path')
        .map((p) => p.name)
      const schemes = (operation.security ?? []).flatMap((one) => Object.keys(one))
      const wrong =
        Object.keys(operation.responses).length === 0 ||
        inPath.toString() !== declared.toString() ||
        schemes.some((scheme) => document.components.securitySchemes[scheme] === undefined)
      return wrong ? [`${method} ${path}`] : []
    }),
  )
}

function operationOf(document: Document, answer: Seen): Operation | null {
  for (const [path, operations] of Object.entries(document.paths)) {
    const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    if (pattern.test(answer.path)) return operations[answer.method.toLowerCase()] ?? null
  }
  return null
}

/** What is wrong with one answer by the document; '' when it fits. */
function misfit(document: Document, answer: Seen): string {
  const operation = operationOf(document, answer)
  if (operation === null) return ''
  const name = `${answer.method} ${answer.path} ${answer.status}`
  const response = operation.responses[String(answer.status)]
  if (response === undefined) return `${name}: the status is not in the document`
  const schema = response.content?.[answer.type]?.schema
  if (schema === undefined) return ''
  // Examples hold ids of their own, which are no names of schemas.
  const { schemas } = document.components
  const whole = { ...schema, components: { schemas } } as unknown as Schema
  const result = new Validator(whole, '2020-12', false).validate(answer.body)
  return result.valid
    ? ''
    : `${name}: ${result.errors.at(-1)?.instanceLocation} ${result.errors.at(-1)?.error}`
}

/** Operation ids that name two operations: client generators would lose one. */
function repeatedIds(document: Document): string[] {
  const ids = Object.values(document.paths).flatMap((operations) =>
    Object.values(operations).map((operation) => operation.operationId ?? ''),
  )
  return ids.filter((id, i) => id === '' || ids.indexOf(id) !== i)
}

/** Everything that the document promises and does not keep, or keeps and does not say. */
export function unmet(body: unknown): string[] {
  const document = body as Document
  return [
    ...missingRoutes(document).map((route) => `no operation for ${route}`),
    ...danglingReferences(document).map((reference) => `dangling ${reference}`),
    ...brokenOperations(document).map((operation) => `broken ${operation}`),
    ...repeatedIds(document).map((id) => `repeated ${id}`),
    ...new Set(seen.map((answer) => misfit(document, answer)).filter((text) => text !== '')),
  ]
}
