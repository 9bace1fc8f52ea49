// A standing approval in words: what may differ, how it stands, what took it out of force.
import type { Plan } from '../../protocol/plan.ts'
import type { Hole, HoleValues } from '../../protocol/standing.ts'
import { placeInWords } from '../review/places.ts'
import { now } from '../text/times.ts'
import type { MaySign, Stopped, TemplateRow } from './api.ts'

/** What may stand in a hole. */
export function withinInWords({ within }: Pick<Hole, 'within'>): string {
  if ('enum' in within) return `one of ${within.enum.map(String).join(', ')}`
  return `from ${within.min} to ${within.max}`
}

/** The place of a hole: `step 2 (n2): volume`. */
export function holePlace(plan: Plan, hole: Pick<Hole, 'node' | 'pointer'>): string {
  const index = plan.nodes.findIndex(({ id }) => id === hole.node)
  return `${placeInWords(plan, `/nodes/${index}`)}: ${hole.pointer.slice(1).replaceAll('/', ' / ')}`
}

/** A hole with the value that the plan it was made from has there. */
export function holeInWords(plan: Plan, hole: Hole, values: HoleValues): string {
  const had = values[hole.name]
  const before = had === undefined ? '' : ` (it was ${String(had)})`
  return `${hole.name}, ${holePlace(plan, hole)}: ${withinInWords(hole)}${before}`
}

/** How it stands now, in few words. */
export function standingInWords(row: TemplateRow): string {
  switch (row.state) {
    case 'proposed':
      return 'waits for signatures'
    case 'suspended':
      return 'suspended until people sign again'
    case 'revoked':
      return 'ended for good'
    case 'standing':
      if (row.used >= row.runs) return 'used up'
      return now.value >= row.until_ms ? 'its time is over' : 'in force'
  }
}

const stops: Record<Stopped['why'], string> = {
  memory_match: 'A run was like something that had been refused or had failed.',
  run_ended: 'A run ended otherwise than completed.',
  run_rejected: 'A run was rejected.',
  sample_unseen: 'Nobody looked at a run that was a sample.',
  person: 'A person ended it.',
}
/** What took it out of force. */
export const stopInWords = ({ why }: Stopped): string => stops[why]

/** Why somebody may not sign. */
export const whyNot: Record<Exclude<MaySign, 'yes'>, string> = {
  not_reviewer: 'Reviewers sign standing approvals.',
  not_proposed: 'It does not wait for a signature.',
  stale_packet: 'It has changed: read it again.',
  conflict_of_interest:
    'You answer for one of its planners or for the plan that it was made from, so you may not sign it.',
  same_approver: 'You have signed it; another reviewer has to agree.',
  expired: 'Its time is over: propose it again.',
}
