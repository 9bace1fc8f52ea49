// Which JSON Schemas may describe a tool's arguments (and, but for being closed, its results): closed objects, local references, linear patterns.
// Danger: an open object lets an unknown argument through to a device; a pattern is code that runs on a
// planner's text (CWE-1333); a remote reference lets another party change what is valid.
import { checkLinear } from '../linear-regex/check.ts'
import { limits } from '../../protocol/limits.ts'
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import type { PathStep } from '../../protocol/pointer.ts'
import type { ViolationCode } from '../../protocol/reasons.ts'
import { referenceProblem, saysWhatItIs } from './open-schema.ts'

export type SchemaViolation = {
  readonly code: ViolationCode
  readonly path: readonly PathStep[]
  readonly message: string
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** True when the schema describes objects: by type, or because it lists properties. */
function describesObject(schema: JsonObject): boolean {
  const type = schema['type']
  const named = type === 'object' || (Array.isArray(type) && type.includes('object'))
  return named || schema['properties'] !== undefined || schema['patternProperties'] !== undefined
}

function patternViolation(pattern: JsonValue, path: readonly PathStep[]): SchemaViolation[] {
  if (typeof pattern !== 'string') return [{ code: 'schema', path, message: 'a pattern is a text' }]
  if (pattern.length > limits.patternCharsMax) {
    const message = `a pattern has at most ${limits.patternCharsMax} characters`
    return [{ code: 'pattern_not_linear', path, message }]
  }
  const proof = checkLinear(pattern, 'u')
  if (proof.ok) return []
  const message = `${proof.error.code}: ${proof.error.message}`
  return [{ code: 'pattern_not_linear', path, message }]
}

type Kind = 'args' | 'output'

/** Where a schema says what a value of its own may be, and not what is asked of one beside it. */
const valueMaps = ['properties', 'patternProperties']

/** Values of this schema that may be any object or list. */
function unsaidValues(
  schema: JsonObject,
  path: readonly PathStep[],
  root: JsonObject,
): SchemaViolation[] {
  const unsaid = (value: JsonValue, at: readonly PathStep[]): SchemaViolation[] => {
    if (saysWhatItIs(value, root)) return []
    const message = 'say what this may be: a type (a list with its items), values or a reference'
    return [{ code: 'args_schema_open', path: at, message }]
  }
  const { items, prefixItems } = schema
  return [
    ...valueMaps.flatMap((key) => {
      const map = schema[key]
      if (!isObject(map)) return []
      return Object.entries(map).flatMap(([name, value]) => unsaid(value, [...path, key, name]))
    }),
    ...(items === undefined || items === true ? [] : unsaid(items, [...path, 'items'])),
    ...(Array.isArray(prefixItems)
      ? (prefixItems as readonly JsonValue[]).flatMap((value, i) =>
          unsaid(value, [...path, 'prefixItems', i]),
        )
      : []),
  ]
}

function ofSchema(
  schema: JsonObject,
  path: readonly PathStep[],
  kind: Kind,
  root: JsonObject,
): SchemaViolation[] {
  const out: SchemaViolation[] = kind === 'args' ? unsaidValues(schema, path, root) : []
  if (kind === 'args' && describesObject(schema) && schema['additionalProperties'] !== false) {
    const message = 'an object schema needs additionalProperties: false'
    out.push({ code: 'args_schema_open', path, message })
  }
  if (schema['pattern'] !== undefined) {
    out.push(...patternViolation(schema['pattern'], [...path, 'pattern']))
  }
  if (isObject(schema['patternProperties'])) {
    for (const pattern of Object.keys(schema['patternProperties'])) {
      out.push(...patternViolation(pattern, [...path, 'patternProperties', pattern]))
    }
  }
  for (const key of ['$ref', '$dynamicRef', '$recursiveRef']) {
    const target = schema[key]
    if (typeof target === 'string' && !target.startsWith('#')) {
      out.push({ code: 'schema', path: [...path, key], message: 'a reference stays in the schema' })
    }
  }
  const { $ref } = schema
  if (typeof $ref === 'string' && $ref.startsWith('#')) {
    const message = referenceProblem($ref, root)
    if (message !== null) out.push({ code: 'schema', path: [...path, '$ref'], message })
  }
  return out
}

/** Keywords under which values, not schemas, stand. */
const plainKeywords = new Set(['enum', 'const', 'default', 'examples', 'required', 'type'])
/** Keywords whose members are schemas by name. */
const mapKeywords = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
])

type Walk = { readonly kind: Kind; readonly root: JsonObject; readonly out: SchemaViolation[] }

function walk(value: JsonValue, path: readonly PathStep[], on: Walk): void {
  const { kind, root, out } = on
  if (path.length > limits.jsonDepthMax) {
    out.push({ code: 'too_deep', path, message: `deeper than ${limits.jsonDepthMax} levels` })
    return
  }
  if (Array.isArray(value)) {
    for (const [i, item] of (value as readonly JsonValue[]).entries()) walk(item, [...path, i], on)
    return
  }
  if (!isObject(value)) return
  out.push(...ofSchema(value, path, kind, root))
  for (const [key, item] of Object.entries(value)) {
    if (plainKeywords.has(key)) continue
    if (mapKeywords.has(key) && isObject(item)) {
      for (const [name, schema] of Object.entries(item)) walk(schema, [...path, key, name], on)
    } else walk(item, [...path, key], on)
  }
}

/** Everything that keeps a schema from describing a tool's arguments; empty when nothing does. */
export function schemaViolations(schema: JsonObject): SchemaViolation[] {
  const out: SchemaViolation[] = []
  if (schema['type'] !== 'object') {
    out.push({ code: 'args_schema_open', path: ['type'], message: 'arguments are an object' })
  }
  walk(schema, [], { kind: 'args', root: schema, out })
  return out
}

/** Everything that keeps a schema from being what results are checked against; it need not be closed. */
export function outputSchemaViolations(schema: JsonObject): SchemaViolation[] {
  const out: SchemaViolation[] = []
  walk(schema, [], { kind: 'output', root: schema, out })
  return out
}
