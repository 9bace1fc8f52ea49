// Values that conditions compare: intervals, words, flags, each possibly unknown. Comparison is
// three-valued: true only if it holds for all values that are possible, false only if for none.
import type { Dimension } from '../../protocol/acts.ts'
import type { Interval } from '../read/scene.ts'
import type { Tri } from '../simulate/trace.ts'

export type Value =
  | { readonly kind: 'quantity'; readonly value: Interval; readonly dim: Dimension | null }
  | { readonly kind: 'word'; readonly value: string }
  | { readonly kind: 'flag'; readonly value: boolean }
  | null

export type Operator = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge'

/** Rounding of unit conversion must not decide at a limit. */
const tolerance = 1e-9

/** None where one end is open: an endless slack would let everything meet every limit. */
function slack(a: number, b: number): number {
  const size = Math.max(1, Math.abs(a), Math.abs(b))
  return Number.isFinite(size) ? tolerance * size : 0
}

function below(a: Interval, b: Interval, orEqual: boolean): Tri {
  const gap = (x: number, y: number) => (orEqual ? x <= y + slack(x, y) : x < y - slack(x, y))
  if (gap(a.hi, b.lo)) return true
  return gap(a.lo, b.hi) ? null : false
}

function equal(a: Interval, b: Interval): Tri {
  const same = (x: number, y: number) => Math.abs(x - y) <= slack(x, y)
  if (same(a.lo, a.hi) && same(b.lo, b.hi)) return same(a.lo, b.lo)
  const apart = a.hi < b.lo - slack(a.hi, b.lo) || b.hi < a.lo - slack(b.hi, a.lo)
  return apart ? false : null
}

/** The negation; unknown stays unknown. */
export function negate(value: Tri): Tri {
  return value === null ? null : !value
}

/** True when all are, false when one is not, else unknown. */
export function every(values: readonly Tri[]): Tri {
  if (values.includes(false)) return false
  return values.includes(null) ? null : true
}

/** True when one is, false when none can be, else unknown. */
export function some(values: readonly Tri[]): Tri {
  return negate(every(values.map(negate)))
}

/** Compares two values. Values of different kinds or dimensions are never known to compare. */
export function compare(left: Value, operator: Operator, right: Value): Tri {
  if (left === null || right === null) return null
  if (left.kind === 'quantity' && right.kind === 'quantity') {
    if (left.dim !== null && right.dim !== null && left.dim !== right.dim) return null
    const [a, b] = [left.value, right.value]
    switch (operator) {
      case 'eq':
        return equal(a, b)
      case 'ne':
        return negate(equal(a, b))
      case 'lt':
        return below(a, b, false)
      case 'le':
        return below(a, b, true)
      case 'gt':
        return below(b, a, false)
      case 'ge':
        return below(b, a, true)
    }
  }
  if (left.kind !== right.kind) return null
  if (left.kind === 'quantity' || right.kind === 'quantity') return null
  if (operator === 'eq') return left.value === right.value
  if (operator === 'ne') return left.value !== right.value
  return null
}
