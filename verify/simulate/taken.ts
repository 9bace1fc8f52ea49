// In words what a step takes from the run itself: the template with its bounds, and the conditions on which
// it runs. A reviewer approves all that these allow, so they stand in the sentence of the step.
import { comparisonsIn, type Comparison } from '../../protocol/run-comparisons.ts'
import type { RunCondition } from '../../protocol/condition.ts'
import { referencesOfNode } from '../../protocol/plan-needs.ts'
import type { PlanNode } from '../../protocol/plan.ts'

const signs = [
  ['eq', 'is'],
  ['ne', 'is not'],
  ['lt', 'is below'],
  ['le', 'is at most'],
  ['gt', 'is above'],
  ['ge', 'is at least'],
] as const

/** Comparisons that are said in full; more are counted. */
const saidMax = 4

function compared(one: Comparison): string {
  const { node, pointer } = one.result
  const unit = one.unit === undefined ? '' : ` ${one.unit}`
  const tests = signs.flatMap(([key, word]) => {
    const operand = one[key]
    return operand === undefined ? [] : [`${word} ${JSON.stringify(operand)}${unit}`]
  })
  return `${pointer} of ${node} ${tests.join(' and ')}`
}

function condition(one: RunCondition): string {
  if ('all' in one) return `(${one.all.map(condition).join(' and ')})`
  if ('any' in one) return `(${one.any.map(condition).join(' or ')})`
  if ('not' in one) return `not ${condition(one.not)}`
  return compared(one)
}

function said(one: RunCondition): string {
  const count = comparisonsIn(one, '').length
  return count > saidMax
    ? `its ${count} comparisons hold`
    : condition(one).replace(/^\((.*)\)$/, '$1')
}

/** `/amount is /mass of n1, from 100 to 4000 ug`; one line a reference. */
export function takenBy(node: PlanNode): readonly string[] {
  return referencesOfNode(node).map(({ at, from }) => {
    const place = at.slice('/args'.length)
    const source = `${place} is ${from.pointer} of ${from.node}`
    if ('enum' in from) return `${source}, one of ${from.enum.map(String).join(', ')}`
    const unit = from.unit === undefined ? '' : ` ${from.unit}`
    return `${source}, from ${from.min} to ${from.max}${unit}`
  })
}

/** `If /mass of n1 is above 1 mg, `; empty when the step runs in every run. */
export function ifWords({ when }: PlanNode, certain: boolean): string {
  if (when !== undefined) return `If ${said(when)}, `
  return certain ? '' : 'If what it depends on has run, '
}

/** `the run ends here unless …`; null without a `require`. */
export function requireWords({ require }: PlanNode): string | null {
  return require === undefined ? null : `the run ends before it unless ${said(require)}`
}
