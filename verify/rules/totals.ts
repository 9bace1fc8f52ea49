// How the sums stand that a rule asks for: what the plan itself adds, and over more than one plan what
// ran, may have run or is reserved. What nobody told is unknown, never nothing.
import type { Dimension } from '../../protocol/acts.ts'
import { anyThing, type Total } from '../../protocol/totals.ts'
import type { Interval } from '../read/scene.ts'
import { add } from '../simulate/interval.ts'
import { countedFor, type PlanCharge } from './charges.ts'
import type { Around, TotalTerm } from './terms.ts'
import type { Value } from './values.ts'

type Part = Pick<Total, 'rule' | 'role' | 'of' | 'dim' | 'lo' | 'hi'>

/** Adds up what counts for one thing; null when amounts of two dimensions would have to be added. */
function summed(parts: readonly Part[], key: string): Value {
  let dim: Dimension | null = null
  let sum: Interval = { lo: 0, hi: 0 }
  for (const part of parts) {
    // Charged to a thing that was not known: it may have been this one.
    const lo = part.of === key ? part.lo : 0
    sum = add(sum, { lo, hi: part.hi ?? Infinity })
    if (part.hi === null) continue
    if (dim !== null && dim !== part.dim) return null
    dim = part.dim
  }
  return { kind: 'quantity', value: sum, dim }
}

/** For each rule its own sums around an act. */
export function totalsOver(
  charges: readonly PlanCharge[],
  kept: readonly Total[] | undefined,
): (rule: string, around: Around) => Around['total'] {
  return (rule, around) => (term: TotalTerm) =>
    countedFor(around, term.of).map((key) => {
      if (key === anyThing) return null
      const counts = (one: Part): boolean =>
        one.rule === rule && one.role === term.total && (one.of === key || one.of === anyThing)
      const own = charges.filter(counts)
      if (term.over === 'plan') return summed(own, key)
      if (kept === undefined) return null
      const whose = term.whose ?? 'site'
      const before = kept.filter(
        (one) => one.over === term.over && one.whose === whose && counts(one),
      )
      return summed([...own, ...before], key)
    })
}
