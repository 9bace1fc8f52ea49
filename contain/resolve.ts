// References become values: the one function by which the session and the agent turn the template that
// was judged into the arguments of a call. Invariant 15: no value reaches a tool that was neither in the
// accepted plan nor inside a bound that the accepted plan states.
import { digest } from '../protocol/digest.ts'
import type { JsonObject, JsonValue } from '../protocol/json.ts'
import type { Miss, MissCode } from '../protocol/misses.ts'
import { referenceSchema, type Reference } from '../protocol/reference.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { PlanNode } from '../protocol/plan.ts'
import { pointerStep } from '../protocol/pointer.ts'
import { conversionAt, numberValue, rawValue, type Known } from './result-value.ts'

/** One value that took the place of a reference: for the trail. */
export type Placed = { readonly at: string; readonly value: string | number | boolean }

export type Resolved = {
  readonly args: JsonObject
  /** Empty: the arguments are the plan's own. */
  readonly placed: readonly Placed[]
}

type Place = { readonly by: string; readonly at: string }

function referred(
  known: Known,
  from: Reference['$from'],
  place: Place,
): Result<string | number | boolean, MissCode> {
  const raw = rawValue(known, { ...place, node: from.node, pointer: from.pointer })
  if (!raw.ok) return raw
  if ('enum' in from) {
    const { value } = raw
    if (typeof value !== 'string' && typeof value !== 'boolean') return err('wrong_type')
    return from.enum.includes(value) ? ok(value) : err('not_listed')
  }
  const number = numberValue(raw.value, conversionAt(known, place.by, place.at))
  if (!number.ok) return number
  if (number.value < from.min) return err('below_min')
  return number.value > from.max ? err('above_max') : number
}

/**
 * The arguments of a node with every reference replaced by its value, or the first miss in document
 * order. Pure: the same context, progress and results give the same arguments on both sides.
 */
export function resolveArgs(known: Known, node: PlanNode): Result<Resolved, Miss> {
  const placed: Placed[] = []
  let miss: Miss | null = null
  const walk = (value: JsonValue, at: string): JsonValue => {
    if (miss !== null || typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      return (value as readonly JsonValue[]).map((item, i) => walk(item, `${at}/${i}`))
    }
    if (Object.hasOwn(value, '$from')) {
      const parsed = referenceSchema.safeParse(value)
      if (!parsed.success) {
        miss = { code: 'malformed', at, source: '' }
        return value
      }
      const from = parsed.data.$from
      const found = referred(known, from, { by: node.id, at })
      if (!found.ok) {
        miss = { code: found.error, at, source: from.node }
        return value
      }
      placed.push({ at, value: found.value })
      return found.value
    }
    const out: Record<string, JsonValue> = {}
    for (const [key, item] of Object.entries(value)) {
      out[key] = walk(item, `${at}/${pointerStep(key)}`)
    }
    return out
  }
  const args = walk(node.args, '/args') as JsonObject
  return miss === null ? ok({ args, placed }) : err(miss)
}

/** What `go` names: the digest of the arguments as they will be handed to the device. */
export const resolvedDigest = (args: JsonObject): Promise<string> => digest('args', args)
