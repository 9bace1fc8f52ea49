// zod → JSON Schema 2020-12, for the OpenAPI document and the MCP tools. The one recursive schema,
// "any JSON value", is written as the caller chooses: a `$defs` of its own would point nowhere once
// the schema is a part of something larger.
import { z } from 'zod'
import { jsonValueSchema } from '../protocol/json.ts'

export type JsonSchema = Record<string, unknown>

/** Puts every `#/$defs/…` in its place. Only "any JSON value" makes one, and it refers to nothing. */
function inline(value: unknown, definitions: JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => inline(item, definitions))
  if (typeof value !== 'object' || value === null) return value
  const { $ref } = value as { $ref?: unknown }
  if (typeof $ref === 'string' && $ref.startsWith('#/$defs/')) {
    return definitions[$ref.slice('#/$defs/'.length)]
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, inline(inner, definitions)]),
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
  return inline(json, ($defs ?? {}) as JsonSchema) as JsonSchema
}
