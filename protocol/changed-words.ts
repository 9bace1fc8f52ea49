// One difference between the cell that a plan was judged over and the cell as it was found at binding, in
// words for whoever decides again. Facts of a later release that this one does not know are shown as they are.
import { findingCodes } from './finding-codes.ts'
import type { PacketTrace } from './packet-trace.ts'
import { nodeAt } from './plan-words.ts'
import type { Plan } from './plan.ts'
import type { StandingRefusal } from './standing.ts'

/** Why a standing approval does not cover a run, in words. */
export const standingWords: Readonly<Record<string, string>> = {
  not_approved: 'nobody has approved it yet.',
  suspended: 'it was suspended.',
  revoked: 'it was revoked.',
  expired: 'its time is over.',
  used_up: 'all of its runs are used.',
  planner_not_named: 'it does not name this planner.',
  conflict_of_interest: 'one of its approvers answers for the planner.',
  approver_revoked: 'a credential that signed it is no longer good.',
  site_changed: 'the site file or the policy has changed since.',
  unreachable: 'it could not be asked.',
} satisfies Record<StandingRefusal, string>

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
    case 'value':
      return `the value of ${text(facts['name'])} is outside of what was approved.`
    case 'standing':
      return `the standing approval does not cover it: ${standingWords[text(facts['why'])] ?? text(facts['why'])}`
    default:
      return `${where}${JSON.stringify(facts)}`
  }
}
