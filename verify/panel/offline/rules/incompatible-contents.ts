// Two groups that react dangerously meet in one container, in any order the graph allows
// (POL-04 and plain chemistry). Guards: chlorine, hydrazoic acid, peroxide fires.
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import { incompatiblePairs } from '../lexicon/incompatible.ts'
import type { HazardGroup } from '../lexicon/substances.ts'
import { found, type Rule } from '../rule.ts'
import { wellsOverlap, type Deposit } from '../view/contents.ts'

const has = (d: Deposit, group: HazardGroup): boolean => d.liquid.groups.has(group)

/** A weak acid-base or oxidiser pair in small strength is a titration or a wipe, not a hazard. */
function counts(a: Deposit, b: Deposit, when: 'always' | 'strong'): boolean {
  if (a.liquid.trace || b.liquid.trace) return false
  return when === 'always' || (!a.liquid.dilute && !b.liquid.dilute)
}

/** A pair inside one liquid is a product of its own (aqua regia, buffered azide): not two deposits. */
function meet(a: Deposit, b: Deposit): boolean {
  return a !== b && a.liquid !== b.liquid && wellsOverlap(a.well, b.well) && (a.by ?? b.by) !== null
}

/** One finding per node that takes part in the worst pair of the container. */
function meeting(deposits: readonly Deposit[]): JudgeFinding[] {
  for (const pair of incompatiblePairs) {
    const left = deposits.filter((d) => has(d, pair.a))
    const right = deposits.filter((d) => has(d, pair.b))
    const meets = (d: Deposit, others: readonly Deposit[]): boolean =>
      others.some((other) => meet(d, other) && counts(d, other, pair.when))
    const taking = [...left.filter((d) => meets(d, right)), ...right.filter((d) => meets(d, left))]
    if (taking.length === 0) continue
    const places = new Set(taking.flatMap((d) => (d.by === null ? [] : [d.by.at])))
    return [...places].map((at) =>
      found('safety', 'JUDGE_CHEMICAL_RISK', at, {
        ask: pair.ask,
        basis: 'structure',
        claim: `Groups ${pair.a} and ${pair.b} meet in one container: ${pair.product}.`,
      }),
    )
  }
  return []
}

export const incompatibleContents: Rule = {
  id: 'incompatible_contents',
  pol: 'POL-04',
  eye: 'safety',
  check: (view) => {
    const met = view.contents.containers.flatMap((labware) => meeting(view.contents.of(labware)))
    if (!view.contents.truncated) return met
    const unknown = found('safety', 'JUDGE_CHEMICAL_RISK', '/nodes', {
      ask: 'person',
      basis: 'structure',
      claim: 'The plan moves more liquids than can be followed.',
    })
    return [...met, unknown]
  },
}
