// Words for the fields of the document. A field whose schema has its own keeps it; the others are in a
// table, by their name or, where that says too little, by the name with what it stands in.
import fieldWords from './fields.json' with { type: 'json' }
import type { JsonSchema } from '../json-schema.ts'

const words: Readonly<Record<string, string>> = fieldWords

/** Lists and pages are told by the schema that they belong to. */
const transparent: ReadonlySet<string> = new Set(['items'])

/** The rows of the table, for the gate that finds those that nothing needs. */
export const fieldNames: readonly string[] = Object.keys(words)

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schema of one field with its words; `used` learns the row that gave them. */
function described(
  schema: JsonSchema,
  place: { readonly inside: string; readonly name: string },
  used: Set<string>,
): JsonSchema {
  const { inside, name } = place
  const within = describeFields(schema, transparent.has(name) ? inside : name, used)
  // A reference takes a description beside it in OpenAPI 3.1, and says as much by itself.
  if ('description' in within || '$ref' in within) return within
  const key = [`${inside}.${name}`, name].find((one) => Object.hasOwn(words, one))
  if (key === undefined) return within
  used.add(key)
  return { description: words[key], ...within }
}

/** Puts words to every field of a schema; `inside` is the name of the schema or field that has it. */
export function describeFields(schema: JsonSchema, inside: string, used: Set<string>): JsonSchema {
  const out: JsonSchema = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties' && isObject(value)) {
      const fields = Object.entries(value).map(([name, inner]) => [
        name,
        isObject(inner) ? described(inner, { inside, name }, used) : inner,
      ])
      out[key] = Object.fromEntries(fields)
    } else if (['anyOf', 'oneOf', 'allOf'].includes(key) && Array.isArray(value)) {
      out[key] = value.map((one: unknown) =>
        isObject(one) ? describeFields(one, inside, used) : one,
      )
    } else if (['items', 'additionalProperties', 'not'].includes(key) && isObject(value)) {
      out[key] = describeFields(value, inside, used)
    } else {
      out[key] = value
    }
  }
  return out
}
