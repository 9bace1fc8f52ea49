// One difference between the cell that a plan was judged over and the cell as it was found at binding, in
// words for whoever decides again. Facts of a later release that this one does not know are shown as they are.
import { findingCodes } from './finding-codes.ts'
import type { PacketTrace } from './packet-trace.ts'
import { nodeAt } from './plan-words.ts'
import type { Plan } from './plan.ts'

type Changed = PacketTrace['changed'][number]

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const titleOf = (code: string): string =>
  Object.entries(findingCodes).find(([known]) => known === code)?.[1].title ?? code

/** "Step n2: …", or without a step where it concerns the whole plan. */
export function changedInWords(plan: Plan, facts: Changed): string {
  const node = nodeAt(plan, text(facts['at']))
  const where = node === null ? '' : `Step ${node}: `
  const what = `${text(facts['fact']).replaceAll('_', ' ')} of ${text(facts['thing'])}`
  switch (text(facts['kind'])) {
    case 'steps':
      return `${where}the steps are not the same.`
    case 'finding':
      return `${where}new: ${titleOf(text(facts['code']))}`
    case 'finding_worse':
      return `${where}worse than it was shown: ${titleOf(text(facts['code']))}`
    case 'wider':
      return `${where}the ${what} is not as it was shown.`
    case 'gone':
      return `${where}the ${what} does not change as it was shown.`
    case 'left_on':
      return `${where}at the end the ${what} stays on or open.`
    default:
      return `${where}${JSON.stringify(facts)}`
  }
}
