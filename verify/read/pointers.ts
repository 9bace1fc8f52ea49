// Where an argument stands: pointers with `*` over arguments and over the schema that describes them.
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import { pointerStep, stepKey } from '../../protocol/pointer.ts'

/** One scalar or reference in the arguments. */
export type Leaf = {
  /** JSON pointer inside the arguments. */
  readonly at: string
  /** The same with `*` for every index. */
  readonly pattern: string
  readonly value: JsonValue
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const entriesOf = (value: JsonObject): [string, JsonValue][] => Object.entries(value)

/** A scalar as text; null for anything else. */
export const scalarText = (value: JsonValue): string | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : null

/** True for an object that stands for a result of an earlier node. */
export const isReference = (value: JsonValue | undefined): value is JsonObject =>
  isObject(value) && Object.hasOwn(value, '$from')

/** Every scalar and reference, in document order. Depth and count are bounded on admission. */
export function leavesOf(args: JsonValue): Leaf[] {
  const leaves: Leaf[] = []
  const walk = (value: JsonValue, at: string, pattern: string): void => {
    if (Array.isArray(value)) {
      for (const [i, item] of (value as readonly JsonValue[]).entries()) {
        walk(item, `${at}/${i}`, `${pattern}/*`)
      }
    } else if (isObject(value) && !isReference(value)) {
      for (const [key, item] of entriesOf(value)) {
        walk(item, `${at}/${pointerStep(key)}`, `${pattern}/${pointerStep(key)}`)
      }
    } else leaves.push({ at, pattern, value })
  }
  walk(args, '', '')
  return leaves
}

/**
 * Values at a pointer in which `*` stands for every element of an array. Where the last step is
 * missing from an object that is there, the default stands in its place.
 */
export function valuesAt(
  args: JsonValue,
  pointer: string,
  absent?: JsonValue,
): { readonly at: string; readonly value: JsonValue }[] {
  let open: { at: string; value: JsonValue }[] = [{ at: '', value: args }]
  const steps = pointer.split('/').slice(1)
  for (const [n, step] of steps.entries()) {
    const next: typeof open = []
    const last = n === steps.length - 1
    for (const { at, value } of open) {
      if (Array.isArray(value)) {
        for (const [i, item] of (value as readonly JsonValue[]).entries()) {
          if (step === '*' || step === String(i)) next.push({ at: `${at}/${i}`, value: item })
        }
      } else if (isObject(value) && !isReference(value)) {
        const key = stepKey(step)
        const item = Object.hasOwn(value, key) ? value[key] : last ? absent : undefined
        if (item !== undefined) next.push({ at: `${at}/${step}`, value: item })
      }
    }
    open = next
  }
  const rest = pointer.lastIndexOf('/')
  // The whole object is absent: the device still does what it does by default.
  if (open.length === 0 && absent !== undefined && !pointer.includes('*') && rest >= 0) {
    return [{ at: pointer, value: absent }]
  }
  return open
}

/** What a schema says of one argument. */
export type SchemaLeaf = {
  readonly pattern: string
  readonly unit: string | null
  /** The closed list of values; null: not closed. */
  readonly values: readonly JsonValue[] | null
  readonly boolean: boolean
}

/** Arguments of one schema that are looked at; a tool has tens. */
const schemaLeavesMax = 1_000
const schemaDepthMax = 16

/** Every argument that a schema declares, with its unit and its closed values. */
export function schemaLeaves(schema: JsonObject): Map<string, SchemaLeaf> {
  const leaves = new Map<string, SchemaLeaf>()
  const walk = (part: JsonValue | undefined, pattern: string, depth: number): void => {
    if (!isObject(part) || depth > schemaDepthMax || leaves.size >= schemaLeavesMax) return
    const { properties, items } = part
    if (isObject(properties)) {
      for (const [key, item] of Object.entries(properties)) {
        walk(item, `${pattern}/${pointerStep(key)}`, depth + 1)
      }
    }
    if (items !== undefined) walk(items, `${pattern}/*`, depth + 1)
    const several = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => {
      const list = part[word]
      return Array.isArray(list) ? (list as readonly JsonValue[]) : []
    })
    for (const one of several) walk(one, pattern, depth + 1)
    if (isObject(properties) || items !== undefined || pattern === '' || leaves.has(pattern)) return
    const list = part['enum']
    const only = part['const']
    leaves.set(pattern, {
      pattern,
      unit: typeof part['x-unit'] === 'string' ? part['x-unit'] : null,
      values: Array.isArray(list)
        ? (list as readonly JsonValue[])
        : only === undefined
          ? null
          : [only],
      boolean: part['type'] === 'boolean',
    })
  }
  walk(schema, '', 0)
  return leaves
}
