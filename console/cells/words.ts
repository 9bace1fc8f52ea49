// What a cell, a stop and a waiting plan are, in words.
import type { CellStatus, CellStopStatus, QueueLine, SessionStop } from '../../protocol/status.ts'
import { moment, now, until } from '../text/times.ts'

export const isArmed = (cell: CellStatus): boolean =>
  cell.armed_until_ms !== null && cell.armed_until_ms > now.value

/** The state of a cell in a few words. */
export function stateOf(cell: CellStatus): string {
  if (cell.needs_clearance) {
    return `needs clearance: ${(cell.latch_reason ?? 'unknown').replaceAll('_', ' ')}`
  }
  if (cell.held_by !== null) return `stopped by ${cell.held_by}`
  if (isArmed(cell)) {
    return `armed by ${cell.armed_by ?? 'unknown'}, ends ${until(cell.armed_until_ms ?? 0)}`
  }
  return 'not armed'
}

const stops: Record<SessionStop['stop'], string> = {
  stopped: 'The session has ended and every device that it moved is at rest.',
  not_reached_yet: 'The session has not answered yet; the stop is kept and repeated.',
  unconfirmed_at_device: 'The session has ended; not every device has confirmed its rest.',
}

export const stopInWords = ({ stop, devices }: SessionStop): string =>
  `${stops[stop]}${devices.length === 0 ? '' : ` Not confirmed: ${devices.join(', ')}.`}`

const notAll: Record<NonNullable<CellStopStatus['why']>, string> = {
  no_agent: 'no device could be called: no agent is enrolled here.',
  agent_outdated: 'no device could be called: the agent is too old to be told.',
  agent_revoked: 'it was given up, since the agent was revoked or replaced.',
  nothing_to_call: 'no device could be called: the site file names no safe-stop for this cell.',
  too_many_calls: 'not every device was called: the site file names more than one order carries.',
  held_elsewhere: 'what was left to call is held by a run of another cell.',
  unreadable: 'its row cannot be read by this release.',
  failed: 'no device could be called: the gateway failed.',
}

/** How a stop or a drill of the whole cell stands, with the devices that have not confirmed. */
export function cellStopInWords({ kind, state, at_ms, by, calls, why }: CellStopStatus): string {
  const what = `${kind === 'drill' ? 'Drill' : 'Stop'} by ${by}, ${moment(at_ms)}`
  if (state === 'not_reached_yet') return `${what}: the agent has not answered; it is told again.`
  const open = calls.filter((one) => one.state !== 'at_rest' && one.state !== 'absent')
  if (why !== null && open.length === 0) return `${what}: ${notAll[why]} Use the cell's own stop.`
  if (open.length === 0 && state !== 'stopped') return `${what}: not confirmed.`
  if (open.length === 0) return `${what}: every device has confirmed its rest.`
  const named = open.map((one) => `${one.tool} (${one.state.replaceAll('_', ' ')})`)
  return `${what}: not confirmed by ${named.join(', ')}.`
}

/** A drill is old after so many days. */
const drillDays = 90

/** What somebody who arms should know of the drills of the stop; null when the last one is young enough. */
export function drillWarning({ last_drill }: CellStatus): string | null {
  if (last_drill === null) return 'The stop of this cell was never drilled.'
  const at_ms = Date.parse(last_drill)
  if (now.value - at_ms < drillDays * 86_400_000) return null
  return `The stop of this cell was last drilled ${Number.isNaN(at_ms) ? last_drill : moment(at_ms)}.`
}

const notNow: Record<string, string> = {
  no_agent: 'no agent is enrolled here',
  expired: 'its decision has run out',
  cell_busy: 'another plan runs here',
  needs_clearance: 'the cell needs clearance',
  held: 'the cell was stopped',
  planner_held: 'a run of this planner did not complete; let its plans start',
  other_agent: 'it asks for another agent',
  agent_revoked: 'the agent was revoked',
  agent_offline: 'the agent is not connected',
  health_stale: 'the agent has not told how it is',
  agent_out_of_service: 'the agent is out of service',
  agent_outdated: 'the agent is too old for what a step needs; update it',
  server_not_operable: 'a device that it needs is down',
  sandbox_not_operable: 'a sandbox that it needs is down',
  not_armed: 'the cell is not armed',
}

/** Why a plan does not start here now; null when it starts as soon as the cell is armed or free. */
export function waitsFor(line: QueueLine): string | null {
  const person = line.waits.find((wait) => wait.person)
  if (person !== undefined) {
    return `a person has to let it run: ${person.why.replaceAll('_', ' ')} ${person.plan}`
  }
  const [other] = line.waits
  if (other !== undefined) return `${other.why.replaceAll('_', ' ')} ${other.plan}`
  return line.not_now === null ? null : (notNow[line.not_now] ?? line.not_now.replaceAll('_', ' '))
}

/** What arming takes away; a stopped cell may be found not to fit for another reason afterwards. */
const takenAway: ReadonlySet<string | null> = new Set([null, 'not_armed', 'held'])

/** The plans that start, one after the other, once the cell is armed. */
export function startsOnArming(lines: readonly QueueLine[]): QueueLine[] {
  return lines.filter(({ waits, not_now }) => waits.length === 0 && takenAway.has(not_now))
}
