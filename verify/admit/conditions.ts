// `when`, `require` and `always` of nodes: what they compare is declared, of one type and in a unit that
// converts, there are few of them, and what has to happen in every run hangs on none.
import { limits } from '../../protocol/limits.ts'
import { comparisonsOf } from '../../protocol/plan-needs.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { Violation } from '../../protocol/reasons.ts'
import { comparisonsIn, wantedType, type Comparison } from '../../protocol/run-comparisons.ts'
import { unitFault } from './references.ts'
import type { Declared, Sources } from './result-source.ts'

function comparedFault(declared: Declared, one: Comparison): string | null {
  const type = wantedType(one)
  if (type === null) return 'all operands of a comparison are of one type'
  if (type === 'number') {
    if (declared.values !== undefined) return 'the result is one of a list of texts'
    return unitFault(declared, one.unit)
  }
  if (one.unit !== undefined || declared.unit !== undefined) return 'the result is a number'
  if (type === 'boolean') return declared.values === undefined ? null : 'the result is a text'
  const texts = [one.eq, one.ne].filter((text) => typeof text === 'string')
  return texts.every((text) => declared.values?.includes(text) === true)
    ? null
    : 'it is compared with a text that the site does not list for this result'
}

/** Everything that is wrong with the conditions of one node. */
export function conditionViolations(plan: Plan, i: number, sources: Sources): Violation[] {
  const node = plan.nodes[i]
  if (node === undefined) return []
  const out: Violation[] = []
  const add = (at: string, message: string): void => {
    out.push({ code: 'condition_invalid', at: `/nodes/${i}${at}`, message })
  }
  for (const key of ['when', 'require'] as const) {
    const condition = node[key]
    if (condition === undefined) continue
    if (comparisonsIn(condition, '').length <= limits.comparisonsMax) continue
    add(`/${key}`, `a condition has at most ${limits.comparisonsMax} comparisons`)
  }
  for (const { at, comparison } of comparisonsOf(node)) {
    const source = sources.of(comparison.result)
    const fault = source.ok ? comparedFault(source.value, comparison) : source.error
    if (fault !== null) add(at, fault)
  }
  if (node.always === true) {
    const before = sources.before()
    const conditional = plan.nodes.find(
      (one) => one.when !== undefined && (one.id === node.id || before.has(one.id)),
    )
    if (conditional !== undefined) {
      const message = `it happens in every run, and ${conditional.id} may be skipped`
      out.push({ code: 'always_conditional', at: `/nodes/${i}/always`, message })
    }
  }
  return out
}

/** Limits of the plan as a whole. */
export function conditionCount({ nodes }: Plan): number {
  return nodes.reduce(
    (sum, { when, require }) =>
      sum + (when === undefined ? 0 : 1) + (require === undefined ? 0 : 1),
    0,
  )
}
