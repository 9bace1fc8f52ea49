// The arguments of a call, one by one: where each stands, what its schema says, and how it can be closed.
// Danger: an argument that nobody looked at is one through which a device does what nobody expected.
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import { pointerStep } from '../../protocol/pointer.ts'
import { unitIn, wordsOf } from './words.ts'

export type Leaf = {
  /** JSON pointer, `*` for every element. */
  readonly at: string
  readonly type: 'text' | 'number' | 'flag' | 'other'
  /** Words of its own name, then of the names around it. */
  readonly own: readonly string[]
  readonly around: readonly string[]
  readonly says: string
  readonly unit: string | null
  readonly values: readonly string[] | null
  readonly min: number | null
  readonly max: number | null
  readonly required: boolean
  readonly default: string | number | boolean | null
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const depthMax = 8
const leavesMax = 200

function scalar(value: JsonValue | undefined): string | number | boolean | null {
  return ['string', 'number', 'boolean'].includes(typeof value)
    ? (value as string | number | boolean)
    : null
}

const number = (value: JsonValue | undefined): number | null =>
  typeof value === 'number' ? value : null

function typeOf(schema: JsonObject): Leaf['type'] {
  const said = schema['type']
  const types = (Array.isArray(said) ? said : [said]) as readonly (JsonValue | undefined)[]
  const type = types.find((one) => one !== 'null')
  if (type === 'string') return 'text'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'boolean') return 'flag'
  if (Array.isArray(schema['enum']) && schema['enum'].every((v) => typeof v === 'string')) {
    return 'text'
  }
  return 'other'
}

type At = { at: string; names: readonly string[]; required: boolean; depth: number }

function walk(schema: JsonObject, here: At, out: Leaf[]): void {
  if (out.length >= leavesMax) return
  const properties = schema['properties']
  if (isObject(properties) && here.depth < depthMax) {
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    for (const [name, inner] of Object.entries(properties)) {
      if (!isObject(inner)) continue
      const needed = here.required && required.includes(name)
      const at = `${here.at}/${pointerStep(name)}`
      walk(
        inner,
        { at, names: [...here.names, name], required: needed, depth: here.depth + 1 },
        out,
      )
    }
    return
  }
  const { items } = schema
  if (isObject(items) && here.depth < depthMax) {
    return walk(items, { ...here, at: `${here.at}/*`, depth: here.depth + 1 }, out)
  }
  if (here.at === '') return
  const name = here.names.at(-1) ?? ''
  const says = typeof schema['description'] === 'string' ? schema['description'] : ''
  const declared = schema['x-unit']
  const values = Array.isArray(schema['enum']) ? schema['enum'].map(String) : null
  out.push({
    at: here.at,
    type: typeOf(schema),
    own: wordsOf(name),
    around: here.names.slice(0, -1).flatMap(wordsOf),
    says,
    unit: typeof declared === 'string' ? declared : unitIn(name, says),
    values,
    min: number(schema['minimum']) ?? number(schema['exclusiveMinimum']),
    max: number(schema['maximum']) ?? number(schema['exclusiveMaximum']),
    required: here.required,
    default: scalar(schema['default']),
  })
}

/** Every argument of a call by its schema, in the order of the schema. */
export function leavesOf(schema: JsonObject): Leaf[] {
  const out: Leaf[] = []
  walk(schema, { at: '', names: [], required: true, depth: 0 }, out)
  return out
}

/** Keywords that say nothing of what is valid, or name a dialect that approval does not ask for. */
const dropped = new Set(['$schema', '$id', 'title', 'examples', 'format'])

/** The schema closed all the way down: what it does not name is refused. */
export function closedSchema(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((one) => closedSchema(one as JsonValue))
  if (!isObject(value)) return value
  const out: Record<string, JsonValue> = {}
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'properties' && isObject(inner)) {
      out[key] = Object.fromEntries(Object.entries(inner).map(([k, v]) => [k, closedSchema(v)]))
    } else if (!dropped.has(key)) {
      const plain = key === 'enum' || key === 'const' || key === 'default' || key === 'required'
      out[key] = plain ? inner : closedSchema(inner)
    }
  }
  const objects = out['type'] === 'object' || out['properties'] !== undefined
  return objects ? { ...out, additionalProperties: false } : out
}
