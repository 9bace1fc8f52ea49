// The value of one declared result of an earlier node, as it may be used: of the right type, exact, and
// converted by the fraction that the context fixes. Anything else is a miss with a name, never a guess.
import type { Conversion } from '../protocol/conversion.ts'
import type { NodeProgress } from '../protocol/frames.ts'
import type { JsonValue } from '../protocol/json.ts'
import type { MissCode } from '../protocol/misses.ts'
import type { NodeResult } from '../protocol/node-result.ts'
import { ancestorsOf } from '../protocol/plan-needs.ts'
import { valueAt } from '../protocol/pointer.ts'
import type { Context } from '../protocol/records.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { ToolRow } from '../protocol/tool-row.ts'
import { converted } from './rational.ts'

/** What is known of a session when a node is about to run; the same on both sides. */
export type Known = {
  readonly context: Context
  /** The rows whose digests the context names. */
  readonly rows: readonly ToolRow[]
  readonly progress: ReadonlyMap<string, NodeProgress>
  /** Node → its answer, as its signed report covers it. */
  readonly results: ReadonlyMap<string, NodeResult>
}

/** Where a value comes from and where it goes. */
export type Wanted = {
  readonly node: string
  readonly pointer: string
  /** The node that needs it, and the place inside it. */
  readonly by: string
  readonly at: string
}

/** The declared value as the device gave it. */
export function rawValue(known: Known, wanted: Wanted): Result<JsonValue, MissCode> {
  const { context, rows, progress, results } = known
  const { node: id, pointer } = wanted
  const node = context.plan.nodes.find((one) => one.id === id)
  if (node === undefined || !ancestorsOf(context.plan.nodes, wanted.by).has(id))
    return err('not_ancestor')
  if (progress.get(id) !== 'succeeded') return err('not_succeeded')
  const declared = rows.find((row) => row.tool === node.tool)?.results ?? {}
  if (!Object.hasOwn(declared, pointer)) return err('not_declared')
  const result = results.get(id)
  if (result === undefined) return err('no_result')
  if (result.from === 'none') return err(result.kept.length > 0 ? 'kept_by_digest' : 'no_result')
  const value = valueAt(result.data, pointer)
  return value === undefined ? err('no_value') : ok(value)
}

/** A number that JSON carries unchanged (RFC 7493 §2.2). */
const isExact = (value: number): boolean =>
  Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER && !Object.is(value, -0)

/** A number in the unit of the place that wants it. */
export function numberValue(
  value: JsonValue,
  conversion: Conversion | undefined,
): Result<number, MissCode> {
  if (typeof value !== 'number') return err('wrong_type')
  if (!isExact(value)) return err('not_exact')
  if (conversion === undefined) return err('no_conversion')
  const inUnit = converted(value, conversion)
  if (!isExact(inUnit)) return err('not_exact')
  return conversion.whole && !Number.isInteger(inUnit) ? err('not_whole') : ok(inUnit)
}

/** The conversion that the context fixes for one place. */
export function conversionAt(known: Known, by: string, at: string): Conversion | undefined {
  return known.context.conversions?.find((one) => one.node === by && one.at === at)
}
