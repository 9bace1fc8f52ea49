// Reading what an object has stored. The words on the wire are closed; a stored row is not: it may have
// been written by the version before (what is missing takes its default) or by the one after (what is not
// known is left out). What cannot be read either way is said, never guessed.
import { z } from 'zod'
import { err, ok, type Result } from './result.ts'

export type Unreadable = {
  readonly code: 'unreadable'
  /** Which row, and the first thing that is wrong with it; for operators, never for planners. */
  readonly detail: string
}

/** Closed schemas inside one another show their unknown fields one layer at a time. */
const layersMax = 16

/** Reads one stored value with a closed schema; fields that only a newer version knows are left out. */
export function readStored<T>(
  what: string,
  schema: z.ZodType<T>,
  value: unknown,
): Result<T, Unreadable> {
  let left = value
  for (let layer = 0; ; layer++) {
    const read = schema.safeParse(left)
    if (read.success) return ok(read.data)
    const unknown = read.error.issues.flatMap(unknownFields)
    if (unknown.length === 0 || layer === layersMax) {
      const [first] = read.error.issues
      const at = first === undefined ? '' : `/${first.path.map(String).join('/')}`
      return err({ code: 'unreadable', detail: `${what}${at}: ${first?.message ?? 'no value'}` })
    }
    left = structuredClone(left)
    for (const path of unknown) remove(left, path)
  }
}

type Path = readonly PropertyKey[]

/** Paths of the fields that a schema does not know, also inside the members of a union. */
function unknownFields(issue: z.core.$ZodIssue): Path[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...issue.path, key])
  if (issue.code !== 'invalid_union') return []
  // Only what every member refuses is unknown; one that refuses something else says no more than that.
  const members = issue.errors.map((errors) => errors.flatMap(unknownFields))
  const [first = []] = members.filter((paths) => paths.length > 0)
  return first.map((path) => [...issue.path, ...path])
}

function remove(value: unknown, path: Path): void {
  let at: unknown = value
  for (const key of path.slice(0, -1)) {
    if (typeof at !== 'object' || at === null) return
    at = (at as Record<PropertyKey, unknown>)[key]
  }
  const last = path.at(-1)
  if (typeof at === 'object' && at !== null && last !== undefined) {
    delete (at as Record<PropertyKey, unknown>)[last]
  }
}
