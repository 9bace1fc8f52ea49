// The OpenAPI document: words for every field and parameter, examples for every operation that fit their own
// schemas, and nothing that two validators of different make would refuse. The page is made of it.
import { Validator as SchemaValidator, type Schema } from '@cfworker/json-schema'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startGateway, type Gateway } from '../../../lab/local/gateway.ts'

type Json = Record<string, unknown>
type Content = Record<
  string,
  { schema?: Schema; examples?: Record<string, { $ref?: string; value?: unknown }> }
>
type Operation = {
  operationId: string
  parameters?: { name: string; description?: string; in: string; example?: unknown }[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content; headers?: Record<string, Json> }>
}

type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json>; examples: Record<string, { value: unknown }> }
}

let gateway: Gateway
let text: string
let document: Document
let operations: { at: string; operation: Operation }[]
let page: { headers: Headers; text: string }
let style: { headers: Headers; text: string }
let bodies: { at: string; type: string; body: Content[string] }[]

async function fetched(path: string): Promise<{ headers: Headers; text: string }> {
  const answer = await fetch(gateway.url + path)
  return { headers: answer.headers, text: await answer.text() }
}

beforeAll(async () => {
  gateway = await startGateway({})
  ;({ text } = await fetched('/openapi.json'))
  page = await fetched('/docs')
  style = await fetched('/docs/style.css')
  document = JSON.parse(text) as Document
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ at: `${method} ${path}`, operation })),
  )
  bodies = operations.flatMap(bodiesOf)
}, 120_000)
afterAll(() => gateway.close())

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields below a schema that nobody has described. */
function undescribed(schema: unknown, at: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((one) => undescribed(one, at))
  if (!isObject(schema)) return []
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key !== 'properties' || !isObject(value)) return undescribed(value, at)
    return Object.entries(value).flatMap(([name, inner]) => {
      const own = isObject(inner) ? inner : {}
      const told = typeof own['description'] === 'string' && own['description'].length > 3
      const below = undescribed(inner, `${at}.${name}`)
      return told || '$ref' in own ? below : [`${at}.${name}`, ...below]
    })
  })
}

/** Every body of an operation, with where it stands. */
function bodiesOf({ at, operation }: (typeof operations)[number]): typeof bodies {
  const of = (where: string, content: Content = {}) =>
    Object.entries(content).map(([type, body]) => ({ at: where, type, body }))
  return [
    ...of(`${at} body`, operation.requestBody?.content),
    ...Object.entries(operation.responses).flatMap(([status, { content }]) =>
      of(`${at} ${status}`, content),
    ),
  ]
}

/** An example of the document by its reference, or as it stands. */
const valueOf = ({ $ref, value }: { $ref?: string; value?: unknown }): unknown =>
  $ref === undefined ? value : document.components.examples[$ref.split('/').at(-1) ?? '']?.value

describe('the document', () => {
  test('describes every field, parameter and header', () => {
    const fields = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      undescribed(schema, name),
    )
    const others = operations.flatMap(({ at, operation }) => [
      ...(operation.parameters ?? [])
        .filter(({ description }) => !description)
        .map(({ name }) => `${at} ${name}`),
      ...Object.values(operation.responses).flatMap(({ headers = {} }) =>
        Object.entries(headers)
          .filter(([, header]) => !header['description'])
          .map(([name]) => `${at} ${name}`),
      ),
    ])
    expect([...fields, ...others]).toStrictEqual([])
    // The gate itself sees a field that is bare.
    expect(undescribed({ anyOf: [{ properties: { bare: {} } }] }, 'X')).toStrictEqual(['X.bare'])
  })

  test('has an example for every body and every parameter of a path', () => {
    const bare = bodies.filter(({ body }) => Object.keys(body.examples ?? {}).length === 0)
    expect(bare.map(({ at }) => at)).toStrictEqual([])
    const parameters = operations.flatMap(({ at, operation }) =>
      (operation.parameters ?? [])
        .filter((one) => one.in === 'path' && one.example === undefined)
        .map(({ name }) => `${at} ${name}`),
    )
    expect(parameters).toStrictEqual([])
    expect(bodies.length).toBeGreaterThan(200)
  })

  test('has no example that its own schema refuses', () => {
    const wrong = new Set<string>()
    const tried = new Set<string>()
    for (const { at, body } of bodies) {
      const pair = JSON.stringify(body)
      if (tried.has(pair)) continue
      tried.add(pair)
      const { schemas } = document.components
      const whole = { ...body.schema, components: { schemas } } as unknown as Schema
      const validator = new SchemaValidator(whole, '2020-12', false)
      for (const example of Object.values(body.examples ?? {})) {
        const { valid, errors } = validator.validate(valueOf(example))
        if (!valid) wrong.add(`${at}: ${errors.at(-1)?.instanceLocation} ${errors.at(-1)?.error}`)
      }
    }
    expect([...wrong]).toStrictEqual([])
  })

  test('is valid for two validators of different make', async () => {
    const byJsonSchema = await new Validator().validate(JSON.parse(text) as Json)
    expect(byJsonSchema.errors ?? []).toStrictEqual([])
    expect(byJsonSchema.valid).toBe(true)
    const rules = {
      'no-invalid-media-type-examples': 'error',
      'no-invalid-schema-examples': 'error',
      'no-invalid-parameter-examples': 'error',
      'info-license-strict': 'error',
    } as const
    const config = await createConfig({ extends: ['minimal'], rules })
    const lint = async (source: string) =>
      (await lintFromString({ source, config }))
        .filter(({ severity }) => severity === 'error')
        .map(({ ruleId, message }) => `${ruleId}: ${message}`)
    expect(await lint(text)).toStrictEqual([])
    const broken = { ...document, info: { title: 'no version' } }
    expect((await new Validator().validate(broken)).valid).toBe(false)
    expect(await lint(JSON.stringify(broken))).not.toStrictEqual([])
  })
})

describe('the page', () => {
  test('has every operation, schema and refusal, and no link to nowhere', () => {
    for (const { operation } of operations)
      expect(page.text).toContain(`id="${operation.operationId}"`)
    for (const name of Object.keys(document.components.schemas)) {
      expect(page.text).toContain(`id="schema-${name}"`)
    }
    const ids = new Set([...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const links = [...page.text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(links.filter((id) => !ids.has(id))).toStrictEqual([])
    expect(page.text).toContain('<code>idempotency_conflict</code>')
  })

  test('runs no script, carries no style and loads nothing from elsewhere', () => {
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(style.headers.get('content-type')).toContain('text/css')
    expect(page.text).not.toMatch(/<script|<style|\son\w+=|\sstyle=|javascript:/i)
    const loaded = [...page.text.matchAll(/(?:src|href)="([^"#][^"]*)"/g)].map(([, to]) => to)
    expect(new Set(loaded)).toStrictEqual(new Set(['/docs/style.css', '/openapi.json']))
    expect(style.text).not.toMatch(/url\(|@import/)
  })
})
