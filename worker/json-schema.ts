// zod → JSON Schema 2020-12, for the OpenAPI document and the MCP tools. Recursive schemas are written
// without a `$defs` of their own, which would point nowhere once the schema is a part of something
// larger; "any JSON value" is written as the caller chooses.
import { z } from 'zod'
import { jsonValueSchema } from '../protocol/json.ts'

export type JsonSchema = Record<string, unknown>

/**
 * Puts every `#/$defs/…` in its place. A schema that contains itself (a condition inside a condition) is
 * written out once; what is inside it again is any JSON value here, and checked when it arrives.
 */
function inline(
  value: unknown,
  from: { definitions: JsonSchema; anyJson: JsonSchema },
  inside: readonly string[] = [],
): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => inline(item, from, inside))
  if (typeof value !== 'object' || value === null) return value
  const { $ref } = value as { $ref?: unknown }
  if (typeof $ref === 'string' && $ref.startsWith('#/$defs/')) {
    const name = $ref.slice('#/$defs/'.length)
    if (inside.includes(name)) return from.anyJson
    return inline(from.definitions[name], from, [...inside, name])
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, inline(inner, from, inside)]),
  )
}

/** `anyJson` replaces every "any JSON value"; by default an empty schema, which allows anything. */
export function jsonSchemaOf(
  schema: z.ZodType,
  io: 'input' | 'output',
  anyJson: JsonSchema = {},
): JsonSchema {
  const {
    $schema: _,
    $defs,
    ...json
  } = z.toJSONSchema(schema, {
    io,
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      const seen: z.core.$ZodType = zodSchema
      if (seen !== jsonValueSchema) return
      const target: JsonSchema = jsonSchema
      for (const key of Object.keys(target)) delete target[key]
      Object.assign(target, anyJson)
    },
  }) as JsonSchema
  const definitions = ($defs ?? {}) as JsonSchema
  return inline(json, { definitions, anyJson }) as JsonSchema
}
