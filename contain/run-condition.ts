// `when` and `require` of a node over the results of earlier ones. Every comparison is made, none is left
// out because another has settled it already: so both sides sign the same values, and what cannot be
// compared is a miss and never `false`.
import { limits } from '../protocol/limits.ts'
import { unchanged } from '../protocol/conversion.ts'
import type { RunCondition } from '../protocol/condition.ts'
import type { Miss, MissCode } from '../protocol/misses.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { comparisonsIn, wantedType, type Comparison } from '../protocol/run-comparisons.ts'
import { conversionAt, numberValue, rawValue, type Known } from './result-value.ts'

export type Compared = string | number | boolean

function valueOf(
  known: Known,
  one: Comparison,
  place: { readonly by: string; readonly at: string },
): Result<Compared, MissCode> {
  const raw = rawValue(known, { ...place, ...one.result })
  if (!raw.ok) return raw
  const { value } = raw
  const type = wantedType(one)
  if (type === 'number') {
    // Without a unit it is compared as it is, and the context has no line for it.
    const asItIs = { node: place.by, at: place.at, whole: false, ...unchanged }
    const { by, at } = place
    return numberValue(value, one.unit === undefined ? asItIs : conversionAt(known, by, at))
  }
  if (typeof value !== type || (typeof value !== 'string' && typeof value !== 'boolean')) {
    return err('wrong_type')
  }
  // No closed text is that long; and what is compared is signed.
  const tooLong = typeof value === 'string' && value.length > limits.comparedCharsMax
  return tooLong ? err('too_long') : ok(value)
}

function holds(one: Comparison, value: Compared): boolean {
  const { eq, ne, lt, le, gt, ge } = one
  const number = typeof value === 'number' ? value : Number.NaN
  return (
    (eq === undefined || value === eq) &&
    (ne === undefined || value !== ne) &&
    (lt === undefined || number < lt) &&
    (le === undefined || number <= le) &&
    (gt === undefined || number > gt) &&
    (ge === undefined || number >= ge)
  )
}

/** Whether the condition holds, and what was compared, in the order of the text. */
export function evaluate(
  known: Known,
  condition: RunCondition,
  place: { readonly by: string; readonly at: string },
): Result<{ readonly holds: boolean; readonly values: readonly Compared[] }, Miss> {
  const values = new Map<string, Compared>()
  for (const { at, comparison } of comparisonsIn(condition, place.at)) {
    const value = valueOf(known, comparison, { by: place.by, at })
    if (!value.ok) return err({ code: value.error, at, source: comparison.result.node })
    values.set(at, value.value)
  }
  const judge = (one: RunCondition, at: string): boolean => {
    if ('all' in one) return one.all.every((x, i) => judge(x, `${at}/all/${i}`))
    if ('any' in one) return one.any.some((x, i) => judge(x, `${at}/any/${i}`))
    if ('not' in one) return !judge(one.not, `${at}/not`)
    const value = values.get(at)
    return value !== undefined && holds(one, value)
  }
  return ok({ holds: judge(condition, place.at), values: [...values.values()] })
}
