// JSON pointers (RFC 6901): every refusal names the place it speaks of.

import type { JsonValue } from './json.ts'

export type PathStep = string | number

/** A key as one step of a pointer. */
export const pointerStep = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** The key that a step of a pointer names. */
export const stepKey = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')

/** Path steps → JSON pointer; '' is the whole document. */
export function toPointer(path: readonly PropertyKey[]): string {
  let out = ''
  for (const step of path) out += `/${pointerStep(String(step))}`
  return out
}

/**
 * The value at an RFC 6901 pointer; undefined where it leads nowhere. Own members and listed items alone: a
 * list has no member `length`, and `01` is no index.
 */
export function valueAt(data: JsonValue, pointer: string): JsonValue | undefined
export function valueAt(data: unknown, pointer: string): unknown
export function valueAt(data: unknown, pointer: string): unknown {
  let at = data
  for (const part of pointer.split('/').slice(1)) {
    const key = stepKey(part)
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    if (Array.isArray(at) && !/^(?:0|[1-9]\d{0,8})$/.test(key)) return undefined
    at = (at as Record<string, unknown>)[key]
  }
  return at
}
