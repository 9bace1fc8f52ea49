// How the counters stand that a rule asks for: what the plan itself adds, and over more than one plan what
// ran, may have run or is reserved. What nobody told is unknown, never nothing.
import type { Dimension } from '../../protocol/acts.ts'
import { unreachable } from '../../protocol/result.ts'
import type { SiteRule } from '../../protocol/site-file.ts'
import { anyThing, type Total } from '../../protocol/totals.ts'
import { measuredOf } from '../../protocol/units.ts'
import type { Interval } from '../read/scene.ts'
import { add } from '../simulate/interval.ts'
import { countedFor, roleOf, type PlanCharge } from './charges.ts'
import type { Around, TotalTerm } from './terms.ts'
import type { Value } from './values.ts'

type Part = Pick<Total, 'rule' | 'role' | 'of' | 'dim' | 'lo' | 'hi'>
type Most = Extract<TotalTerm, { most: string }>

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

/** What is proven for one thing, times the factor; null before the first time. */
function mostOf(rule: SiteRule, kept: readonly Total[], term: Most, key: string): Value {
  const stated = (rule.proven ?? [])
    .filter(({ role, of }) => role === term.most && (of ?? key) === key)
    .flatMap(({ most }) => measuredOf(most) ?? [])
  const done = kept
    .filter((one) => one.over === 'ever' && one.rule === rule.id)
    .filter((one) => one.role === term.most && one.of === key)
    .map(({ dim, lo }) => ({ dim, value: lo }))
  const all = [...stated, ...done]
  const [first] = all
  if (first === undefined || all.some(({ dim }) => dim !== first.dim)) return null
  const most = Math.max(...all.map(({ value }) => value)) * (term.times ?? 1)
  return { kind: 'quantity', value: { lo: most, hi: most }, dim: first.dim }
}

/** For each rule its own counters around an act. */
export function totalsOver(
  charges: readonly PlanCharge[],
  kept: readonly Total[] | undefined,
): (rule: SiteRule, around: Around) => Around['total'] {
  return (rule, around) => (term) =>
    countedFor(around, term.of).map((key) => {
      if (key === anyThing) return null
      if ('most' in term) return mostOf(rule, kept ?? [], term, key)
      const role = roleOf(term)
      const counts = (one: Part): boolean =>
        one.rule === rule.id && one.role === role && (one.of === key || one.of === anyThing)
      const own = charges.filter(counts)
      switch (term.over) {
        case 'plan':
          return summed(own, key)
        case 'hour':
        case 'day':
        case 'week': {
          if (kept === undefined) return null
          const whose = term.whose ?? 'site'
          const before = kept.filter(
            (one) => one.over === term.over && one.whose === whose && counts(one),
          )
          return summed([...own, ...before], key)
        }
        default:
          return unreachable(term.over)
      }
    })
}
