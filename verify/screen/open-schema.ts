// Whether a JSON Schema says what a value may be. One that says nothing (no type, `{}`, a list without `items`)
// lets any object through to a device, as an open object does; a reference that leads nowhere, or only to
// itself, makes a plan that uses the field fail on every day but the one of the approval.
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import { valueAt } from '../../protocol/pointer.ts'

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** The schema that a reference inside `root` stands for; undefined where it leads nowhere. */
export function targetOf(ref: string, root: JsonObject): JsonValue | undefined {
  if (!ref.startsWith('#')) return undefined
  try {
    const pointer = decodeURIComponent(ref.slice(1))
    if (pointer !== '' && !pointer.startsWith('/')) return undefined
    return valueAt(root, pointer)
  } catch {
    return undefined
  }
}

/** Why a local reference cannot be followed to a schema; null when it can. Remote ones are refused elsewhere. */
export function referenceProblem(ref: string, root: JsonObject): string | null {
  const seen = new Set<string>()
  for (let at = ref; ;) {
    if (seen.has(at)) return 'a reference leads to itself without a step'
    seen.add(at)
    const target = targetOf(at, root)
    if (!isObject(target) && typeof target !== 'boolean') return `nothing stands at ${at}`
    const next = isObject(target) ? target['$ref'] : undefined
    if (typeof next !== 'string' || !next.startsWith('#')) return null
    at = next
  }
}

/**
 * Whether the schema bounds which objects and lists a value may be: by its type, its values, a reference, or one
 * of its branches. What an `object` may hold is looked at where it stands; here a list needs its `items`.
 */
export function saysWhatItIs(
  schema: JsonValue | undefined,
  root: JsonObject,
  inside: readonly string[] = [],
): boolean {
  // `false` takes nothing at all, `true` everything.
  if (!isObject(schema)) return schema === false
  if (schema['const'] !== undefined || Array.isArray(schema['enum'])) return true
  const { type, $ref } = schema
  if (typeof type === 'string' || Array.isArray(type)) {
    const lists = type === 'array' || (Array.isArray(type) && type.includes('array'))
    return !lists || itemsAreSaid(schema)
  }
  if (typeof $ref === 'string') {
    if (inside.includes($ref)) return true
    return saysWhatItIs(targetOf($ref, root), root, [...inside, $ref])
  }
  const members = (key: string): readonly JsonValue[] => {
    const list = schema[key]
    return Array.isArray(list) ? (list as readonly JsonValue[]) : []
  }
  const says = (one: JsonValue): boolean => saysWhatItIs(one, root, inside)
  const every = (list: readonly JsonValue[]): boolean => list.length > 0 && list.every(says)
  return members('allOf').some(says) || every(members('anyOf')) || every(members('oneOf'))
}

/** Items beyond those that are listed one by one need a schema too. */
function itemsAreSaid(schema: JsonObject): boolean {
  return schema['items'] !== undefined && schema['items'] !== true
}
