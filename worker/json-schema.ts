// zod → JSON Schema 2020-12, for the OpenAPI document and the MCP tools. The one recursive schema,
// "any JSON value", is written out by the caller's choice, since a nested $ref would point nowhere.
import { z } from 'zod'
import { jsonValueSchema } from '../protocol/json.ts'

export type JsonSchema = Record<string, unknown>

/** `anyJson` replaces every "any JSON value"; by default an empty schema, which allows anything. */
export function jsonSchemaOf(
  schema: z.ZodType,
  io: 'input' | 'output',
  anyJson: JsonSchema = {},
): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
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
  return json
}
