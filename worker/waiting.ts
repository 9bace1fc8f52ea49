// What a plan waits for, as one word and one sentence: the same for HTTP, events and MCP. Pure, so that
// every state has its row in a test.
import type { NotNow } from '../contain/dispatch.ts'
import type { PlanStatus, PlanWait } from '../protocol/status.ts'
import type { WaitingFor } from './plan-schemas.ts'

/** What of the site decides on it; only the parts that the plan's state needs are asked for. */
export type Standing = {
  /** Null while the site has no policy. */
  readonly mode: 'enforce' | 'shadow' | null
  readonly waits: readonly PlanWait[]
  /** Why each cell does not take the plan now; null for one that could. Empty without cells. */
  readonly not_now: readonly (NotNow | 'no_agent' | null)[]
}

export const nothingKnown: Standing = { mode: null, waits: [], not_now: [] }

const by = (what: WaitingFor['what'], says: string, person = false): WaitingFor => ({
  what,
  says,
  person,
})

const noAgent = by('agent', 'No robot agent that can run every step is online.')

/** Nearest to running first: the plan waits for the cell that needs the least. */
const byCell: readonly (readonly [readonly (NotNow | 'no_agent')[], WaitingFor])[] = [
  [['cell_busy'], by('free_cell', 'The cell runs another plan.')],
  [['not_armed'], by('arming', 'An operator has to arm the cell.', true)],
  [
    ['held', 'planner_held'],
    by(
      'operator_release',
      'The cell was stopped or a run ended early: an operator releases it.',
      true,
    ),
  ],
  [['needs_clearance'], by('clearance', 'An operator has to look at the cell and clear it.', true)],
  [
    ['server_not_operable', 'sandbox_not_operable', 'health_stale', 'agent_out_of_service'],
    by('agent', 'A device or sandbox that a step needs is not ready.'),
  ],
  [
    ['agent_outdated'],
    by('agent', 'The robot agent is too old for what a step needs: it has to be updated.'),
  ],
]

function forCell(not_now: Standing['not_now']): WaitingFor {
  if (not_now.includes(null)) return by('dispatch', 'A cell is free: it is about to start.')
  for (const [words, told] of byCell) {
    if (words.some((word) => not_now.includes(word))) return told
  }
  return noAgent
}

function queued({ waits, not_now }: Standing): WaitingFor {
  if (waits.some((wait) => wait.person)) {
    return by(
      'person_release',
      'It repeats or follows another plan: a person has to release it.',
      true,
    )
  }
  const held = waits.find((wait) => wait.why === 'shared_thing')
  if (held !== undefined) {
    return by('shared_thing', `Plan ${held.plan} holds ${held.thing ?? 'a thing'} that it needs.`)
  }
  if (waits.length > 0) return by('other_plan', 'Another plan has to end first.')
  return forCell(not_now)
}

/** What the plan waits for; null when its state is final. */
export function waitingFor(
  { state }: Pick<PlanStatus, 'state'>,
  standing: Standing,
): WaitingFor | null {
  switch (state) {
    case 'judging':
      return by('judges', 'It is being judged.')
    case 'escalated':
      return by('reviewer', 'A reviewer has to decide on it.', true)
    case 'accepted':
      return by(
        'nothing_runs',
        standing.mode === 'shadow'
          ? 'The site is in shadow mode: plans are judged and never run.'
          : 'It has no step that could be run now.',
      )
    case 'queued':
      return queued(standing)
    case 'bound':
      return by('run', 'It runs.')
    case 'completed':
    case 'expired':
    case 'rejected':
    case 'terminated':
    case 'withdrawn':
      return null
  }
}
