// Changes of a site file as plain values, so that an answer can be shown before it is taken, sent over
// HTTP, and undone. Rows of lists are named by their id, name or at.
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import type { Registry } from '../../protocol/registry.ts'

/** Puts `value` at `path`; a row that is not there is added. */
export type Edit = { readonly path: readonly string[]; readonly value: JsonValue }

const keys = ['id', 'name', 'at'] as const

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const named = (row: JsonValue, name: string): boolean =>
  isObject(row) && keys.some((key) => row[key] === name)

function put(target: JsonValue | undefined, path: readonly string[], value: JsonValue): JsonValue {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (Array.isArray(target)) {
    const list = target as readonly JsonValue[]
    if (step === '+') return [...list, value]
    const at = list.findIndex((row) => named(row, step))
    const row = put(list[at], rest, value)
    return at < 0 ? [...list, row] : list.with(at, row)
  }
  // Own keys only, and as data: a name such as __proto__ is a name.
  const object = isObject(target) ? target : {}
  const inner = Object.hasOwn(object, step) ? object[step] : undefined
  const entries = Object.entries(object).filter(([key]) => key !== step)
  return Object.fromEntries([...entries, [step, put(inner, rest, value)]])
}

/** The file with the edits made, in their order. It is not checked here: `checkSite` does. */
export function applyEdits(registry: Registry, edits: readonly Edit[]): JsonValue {
  return edits.reduce<JsonValue>(
    (file, { path, value }) => put(file, path, value),
    registry as unknown as JsonValue,
  )
}
