// Two steps of which at most one runs: their conditions cannot both hold. No order between them has to be stated.
import type { RunCondition } from '../../protocol/condition.ts'

type Comparison = Extract<RunCondition, { result: unknown }>

/** The closed or open range that the numbers of a comparison leave; `eq` is a point of it. */
function rangeOf({ eq, lt, le, gt, ge }: Comparison) {
  const point = typeof eq === 'number' ? eq : null
  const lo = point ?? Math.max(gt ?? -Infinity, ge ?? -Infinity)
  const hi = point ?? Math.min(lt ?? Infinity, le ?? Infinity)
  // An end that is not taken in itself: it leaves nothing where two ranges only touch.
  const openLo = point === null && gt === lo
  const openHi = point === null && lt === hi
  return { lo, hi, openLo, openHi }
}

function disjoint(a: Comparison, b: Comparison): boolean {
  if (a.result.node !== b.result.node || a.result.pointer !== b.result.pointer) return false
  if (a.unit !== b.unit) return false
  if (a.eq !== undefined && b.eq !== undefined && a.eq !== b.eq) return true
  if ((a.eq !== undefined && a.eq === b.ne) || (b.eq !== undefined && b.eq === a.ne)) return true
  const [x, y] = [rangeOf(a), rangeOf(b)]
  const apart = (below: typeof x, above: typeof x): boolean =>
    below.hi < above.lo || (below.hi === above.lo && (below.openHi || above.openLo))
  return apart(x, y) || apart(y, x)
}

const compared = ['unit', 'eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const

/** The same condition, member for member, in whatever order its members were written. */
function same(a: RunCondition, b: RunCondition): boolean {
  if ('result' in a || 'result' in b) {
    if (!('result' in a && 'result' in b)) return false
    const one = a.result.node === b.result.node && a.result.pointer === b.result.pointer
    return one && compared.every((part) => a[part] === b[part])
  }
  if ('not' in a || 'not' in b) return 'not' in a && 'not' in b && same(a.not, b.not)
  const [as, bs] = ['all' in a ? a.all : a.any, 'all' in b ? b.all : b.any]
  if ('all' in a !== 'all' in b || as.length !== bs.length) return false
  return as.every((one, i) => same(one, bs[i] ?? { all: [] }))
}

/**
 * True when the two can never both hold. Results do not change once they are there, so this is for good; what is not
 * seen to exclude each other counts as possible together.
 */
export function exclusive(a: RunCondition, b: RunCondition): boolean {
  if ('not' in a && same(a.not, b)) return true
  if ('not' in b && same(b.not, a)) return true
  if ('all' in a) return a.all.some((one) => exclusive(one, b))
  if ('all' in b) return b.all.some((one) => exclusive(a, one))
  if ('any' in a) return a.any.every((one) => exclusive(one, b))
  if ('any' in b) return b.any.every((one) => exclusive(a, one))
  return 'result' in a && 'result' in b && disjoint(a, b)
}
