// The comparisons of a condition of a node, with their places. Admission, dry run and both sides of a
// session name them alike.
import type { RunCondition } from './condition.ts'

export type Comparison = Extract<RunCondition, { readonly result: unknown }>

/** One comparison and its JSON pointer inside the node. */
export type PlacedComparison = { readonly at: string; readonly comparison: Comparison }

/** Every comparison of a condition that stands at `at`, in the order of the text. */
export function comparisonsIn(condition: RunCondition, at: string): readonly PlacedComparison[] {
  if ('all' in condition) {
    return condition.all.flatMap((one, i) => comparisonsIn(one, `${at}/all/${i}`))
  }
  if ('any' in condition) {
    return condition.any.flatMap((one, i) => comparisonsIn(one, `${at}/any/${i}`))
  }
  if ('not' in condition) return comparisonsIn(condition.not, `${at}/not`)
  return [{ at, comparison: condition }]
}

/** The type that all operands of a comparison have; null when they differ. */
export function wantedType(one: Comparison): 'number' | 'string' | 'boolean' | null {
  const { eq, ne, lt, le, gt, ge } = one
  const given = [eq, ne, lt, le, gt, ge].filter((operand) => operand !== undefined)
  const [type, another] = new Set(given.map((operand) => typeof operand))
  if (another !== undefined) return null
  return type === 'number' || type === 'string' || type === 'boolean' ? type : null
}
