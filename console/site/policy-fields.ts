// A form made from the gateway's own description of a policy: which fields there are, in words, with their
// bounds and defaults. A field that a newer gateway has is there without this page being changed.

/** What is read of a JSON Schema. */
export type Schema = {
  type?: string
  description?: string
  default?: unknown
  enum?: readonly (string | number)[]
  anyOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
  minimum?: number
  maximum?: number
}

export type Kind = 'choice' | 'number' | 'text' | 'lines' | 'json'

export type Field = {
  /** From the policy inwards. */
  path: readonly string[]
  words: string
  kind: Kind
  schema: Schema
  /** Empty stands for null; else it stands for "left out". */
  nullable: boolean
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function kindOf(schema: Schema): Kind {
  if (schema.enum !== undefined) return 'choice'
  if (schema.type === 'number' || schema.type === 'integer') return 'number'
  if (schema.type === 'string') return 'text'
  return schema.type === 'array' && schema.items?.type === 'string' ? 'lines' : 'json'
}

/** Fields in the order of the description; an object is its fields. One without a type is retired. */
export function fieldsOf(schema: Schema, path: readonly string[] = []): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const here = [...path, name]
    const inner = field.anyOf?.find(({ type }) => type !== 'null') ?? field
    if (inner.type === undefined && inner.enum === undefined) return []
    if (inner.type === 'object' && field.anyOf === undefined) return fieldsOf(inner, here)
    const nullable = field.anyOf?.some(({ type }) => type === 'null') ?? false
    const words = field.description ?? ''
    return [{ path: here, words, kind: kindOf(inner), schema: inner, nullable }]
  })
}

/** The value at a path, or undefined. */
export function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inside, key) => (isObject(inside) ? inside[key] : undefined), value)
}

/** What applies when nothing is said: the field's own default, or that of what it stands in. */
export function defaultOf(schema: Schema, path: readonly string[]): unknown {
  let here: Schema | undefined = schema
  let outer: unknown
  for (const [i, key] of path.entries()) {
    here = here?.properties?.[key]
    if (here?.default !== undefined) outer = at(here.default, path.slice(i + 1))
  }
  return outer
}

/** A value as somebody edits it. */
export function textOf(field: Field, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (field.kind === 'lines') return Array.isArray(value) ? value.join('\n') : ''
  if (field.kind === 'json') return JSON.stringify(value, null, 2)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What was written as a value; undefined: left out. Throws a sentence when it is no value. */
export function valueOf(field: Field, text: string): unknown {
  const { kind, schema, nullable, path } = field
  if (kind === 'lines') return text.split('\n').filter((line) => line.trim() !== '')
  if (text.trim() === '') return nullable ? null : undefined
  if (kind === 'number') return Number(text)
  if (kind === 'choice') return schema.enum?.find((one) => String(one) === text) ?? text
  if (kind === 'text') return text.trim()
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Error(`What stands at ${path.join(' / ')} is no JSON.`)
  }
}

function put(value: unknown, path: readonly string[], to: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return to
  const { [key]: inner, ...others } = isObject(value) ? value : {}
  const next = put(inner, rest, to)
  return next === undefined ? others : { ...others, [key]: next }
}

/** The policy with what was written; what no field edits stays as it is. */
export function policyWith(
  policy: Readonly<Record<string, unknown>>,
  fields: readonly Field[],
  texts: Readonly<Record<string, string>>,
): Record<string, unknown> {
  let next: unknown = policy
  for (const field of fields) {
    const text = texts[field.path.join('.')]
    if (text !== undefined) next = put(next, field.path, valueOf(field, text))
  }
  return { ...(isObject(next) ? next : {}) }
}
