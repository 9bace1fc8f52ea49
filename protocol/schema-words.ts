// What a closed schema refused, in words that name what was expected, so that whoever wrote the body
// can mend it without reading the schema. Only the type of a refused value is said, never the value.
import type { z } from 'zod'
import { toPointer } from './pointer.ts'
import type { Violation } from './reasons.ts'

const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

/** Names of types as JSON calls them. */
const typeNames: Record<string, string> = {
  int: 'whole number',
  record: 'object',
  tuple: 'array',
  bool: 'boolean',
}

const typeName = (name: string): string => withArticle(typeNames[name] ?? name)

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : typeName(typeof value)
}

/** The value at a path, or undefined: zod does not say what it met. */
function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let current = root
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) {
      return undefined
    }
    current = (current as Record<PropertyKey, unknown>)[key]
  }
  return current
}

function placeName(path: readonly PropertyKey[], whole: string): string {
  const last = path.at(-1)
  if (last === undefined) return whole
  return typeof last === 'number' ? `item ${last} of ${String(path.at(-2))}` : String(last)
}

/** `have at most 5 items`, `be at least 0`. */
function amount(origin: string, word: 'at most' | 'at least', bound: number | bigint): string {
  const units: Record<string, string> = { string: 'character', array: 'item', record: 'field' }
  const unit = units[origin]
  if (unit === undefined) return `be ${word} ${bound}`
  return `have ${word} ${bound} ${unit}${Number(bound) === 1 ? '' : 's'}`
}

function words(issue: z.core.$ZodIssue, value: unknown, name: string): string {
  if (value === undefined) return `${name} is missing`
  if (issue.code === 'invalid_type') {
    return `${name} must be ${typeName(issue.expected)}, not ${typeOf(value)}`
  }
  if (issue.code === 'invalid_value') return `${name} must be one of ${issue.values.join(', ')}`
  if (issue.code === 'invalid_union') return `${name} has none of the forms that it may have`
  if (issue.code === 'too_big')
    return `${name} must ${amount(issue.origin, 'at most', issue.maximum)}`
  if (issue.code === 'too_small') {
    return `${name} must ${amount(issue.origin, 'at least', issue.minimum)}`
  }
  return `${name}: ${issue.message}`
}

/** What was parsed, and what the closed schema describes (`a plan`). */
export type Refused = { readonly value: unknown; readonly whole: string }

/** The violations of one issue, each with its place and words. */
export function issueViolations(issue: z.core.$ZodIssue, { value, whole }: Refused): Violation[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      code: 'unknown_field',
      at: toPointer([...issue.path, key]),
      message: `${placeName(issue.path, whole)} has no field ${key}`,
    }))
  }
  const found = valueAt(value, issue.path)
  const name = placeName(issue.path, whole)
  return [{ code: 'schema', at: toPointer(issue.path), message: words(issue, found, name) }]
}
