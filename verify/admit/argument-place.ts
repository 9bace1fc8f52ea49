// The schema of one place in the arguments, where it can be followed to a plain type. The danger: a schema
// that joins values (one-of, conditions, counts) could refuse a value inside bounds that it took at both ends.
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import { stepKey } from '../../protocol/pointer.ts'

export type Place = {
  readonly schema: JsonObject
  /** The UCUM unit that the schema names; null: none. */
  readonly unit: string | null
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Keywords that say nothing of what a value may be. */
const silent = new Set([
  'title',
  'description',
  'default',
  'examples',
  '$comment',
  '$schema',
  '$id',
])
const speaks = (key: string): boolean =>
  !silent.has(key) && !key.startsWith('x-') && key !== '$defs' && key !== 'definitions'

/** Of objects and arrays: what does not depend on the values in them. */
const containers = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'prefixItems',
  'minItems',
  'maxItems',
])
/** Of numbers: ranges, which hold between their ends when they hold at both. */
const ranges = new Set(['type', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])

const only = (schema: JsonObject, allowed: ReadonlySet<string>): boolean =>
  Object.keys(schema).every((key) => !speaks(key) || allowed.has(key))

const typesOf = (schema: JsonObject): readonly JsonValue[] => {
  const { type } = schema as { type?: JsonValue }
  if (typeof type === 'string') return [type]
  return Array.isArray(type) ? (type as readonly JsonValue[]) : []
}

function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

const jumpsMax = 16

/** Follows local references that stand alone; null where one leads nowhere. */
function followed(root: JsonObject, start: JsonValue | undefined): JsonObject | null {
  let at = start
  for (let i = 0; i < jumpsMax; i++) {
    if (!isObject(at)) return null
    const target = at['$ref']
    if (target === undefined) return at
    if (typeof target !== 'string' || !target.startsWith('#/')) return null
    if (!only(at, new Set(['$ref']))) return null
    at = target
      .slice(2)
      .split('/')
      .reduce<JsonValue | undefined>((from, step) => member(from, stepKey(step)), root)
  }
  return null
}

/** The one way that may be a number, where the others are of other plain types (`number` or `null`). */
function chosen(root: JsonObject, schema: JsonObject): JsonObject | null {
  const ways = schema['anyOf']
  if (!Array.isArray(ways)) return schema
  if (!only(schema, new Set(['anyOf']))) return null
  const read = (ways as readonly JsonValue[]).map((way) => followed(root, way))
  const numeric = read.filter((way) => way === null || isNumeric(way) || typesOf(way).length === 0)
  const [one, another] = numeric
  return one === undefined || one === null || another !== undefined ? null : { ...schema, ...one }
}

const isNumeric = (schema: JsonObject): boolean =>
  typesOf(schema).some((type) => type === 'number' || type === 'integer')

/** The schema at a JSON pointer of the arguments; null where it cannot be followed. */
export function placeOf(root: JsonObject, pointer: string): Place | null {
  let at = followed(root, root)
  for (const step of pointer.split('/').slice(1)) {
    if (at === null || !only(at, containers)) return null
    const key = stepKey(step)
    const own = member(at['properties'], key)
    if (own !== undefined) {
      at = followed(root, own)
      continue
    }
    const first = at['prefixItems']
    const listed = Array.isArray(first) ? (first as readonly JsonValue[])[Number(key)] : undefined
    const items = at['items']
    at = /^\d{1,9}$/.test(key) ? followed(root, listed ?? items) : null
  }
  if (at === null) return null
  const unit = at['x-unit']
  return { schema: at, unit: typeof unit === 'string' ? unit : null }
}

/** A plain range of numbers; null when the place is none, or says more than a range. */
export function numberPlace(
  root: JsonObject,
  pointer: string,
): (Place & { readonly whole: boolean }) | null {
  const place = placeOf(root, pointer)
  const schema = place === null ? null : chosen(root, place.schema)
  if (place === null || schema === null) return null
  const { anyOf: _ways, ...own } = schema
  if (!only(own, ranges) || !isNumeric(own)) return null
  const unit = own['x-unit']
  const whole = !typesOf(own).includes('number')
  return { schema: own, unit: typeof unit === 'string' ? unit : place.unit, whole }
}
