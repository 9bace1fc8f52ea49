// From an accepted plan to the one session that runs it, and what became of that session.
import { unreachable } from '../../protocol/result.ts'
import type { BindRefusal } from '../../protocol/reasons.ts'
import { compareAndBind } from './bind.ts'
import type { SeenAgain } from '../../protocol/packet-trace.ts'
import { lookedAgain } from '../rederive.ts'
import { shownDifferences } from './left.ts'
import { no, suspending, to, trail } from './moves.ts'
import type { In, ReviewEvent, ReviewFacts, ReviewState, ReviewStep } from './state.ts'
import { toldInAll, toldTimes } from './told-time.ts'

type Of<Type extends ReviewEvent['type']> = Extract<ReviewEvent, { type: Type }>

/**
 * One plan, one session, ever (invariant 2). The first session that asks gets the plan, if the decision
 * still covers it; the same one may ask again and finds what was bound; any other is refused.
 */
export function bind(
  facts: ReviewFacts,
  state: ReviewState,
  event: Of<'bind'>,
  now_ms: number,
): ReviewStep {
  const { ask, floor, differences, cell_state, rows, decision_digest } = event
  switch (state.state) {
    case 'bound':
    case 'completed':
    case 'terminated':
      if (state.run.session !== ask.session) return no(state, 'already_bound')
      return to(state, { do: 'open' })
    case 'expired':
      if (state.run !== null && state.run.session !== ask.session) return no(state, 'already_bound')
      return no(state, state.refusal ?? 'not_accepted')
    case 'withdrawn':
      return no(state, 'withdrawn')
    case 'judging':
    case 'escalated':
    case 'rejected':
    case 'accepted':
      return no(state, 'not_accepted')
    case 'queued':
      break
    default:
      return unreachable(state)
  }
  const { spec, packet } = facts
  // Asked again for ever it would keep its cell from everybody.
  if (event.session_over) return refuse(state, 'not_accepted', { run: null })
  // What nobody has looked at is not bound.
  if (packet === null || floor === null) return refuse(state, 'floor_raised', { run: null })
  const { decision } = state.standing
  const bound = {
    spec,
    packet,
    decision,
    decision_digest,
    floor,
    rows,
    differences: differences.length,
    told_ms: toldInAll(toldTimes(spec)),
  }
  const context = compareAndBind(bound, ask, now_ms)
  if (!context.ok) {
    const { code } = context.error
    if (code !== 'state_changed' || cell_state === null) return refuse(state, code, { run: null })
    return lookAgain({ cell_state, at_ms: now_ms, changed: shownDifferences(differences) })
  }
  const { session, cell, agent } = ask
  const run = { session, bound_ms: now_ms }
  return to(
    { state: 'bound', standing: state.standing, run },
    {
      do: 'context',
      context: context.value,
      // What it leaves follows from where it starts, which is not what its approvers saw.
      ...(spec.standing === undefined || cell_state === null
        ? {}
        : { cell: { cell_state, at_ms: now_ms } }),
    },
    trail('gateway', 'bound', { session, cell, agent }),
    { do: 'announce' },
    { do: 'open' },
  )
}

/**
 * The cell is no longer as the plan was decided for: what was said of it is void. It is judged over the
 * cell as it is, and a person sees what differs; that the machine finds nothing does not let it run.
 */
function lookAgain(seen: SeenAgain): ReviewStep {
  const differences = seen.changed.map((one) => ({ ...one }))
  return {
    state: { state: 'judging', passes: 0, next_ms: seen.at_ms },
    effects: [
      { do: 'dequeue' },
      trail('gateway', lookedAgain, { differences }),
      { do: 'look_again', seen },
      { do: 'announce' },
    ],
    refused: { code: 'state_changed' },
  }
}

/** An accepted plan that the site will not run: final, with the reason. */
export function refuse(
  state: In<'queued'> | In<'bound'>,
  code: BindRefusal,
  { run }: Pick<In<'expired'>, 'run'>,
): ReviewStep {
  const refused: ReviewState = { state: 'expired', standing: state.standing, refusal: code, run }
  const said = trail('gateway', 'bind_refused', { reason: code })
  return {
    state: refused,
    effects: [
      { do: 'dequeue' },
      said,
      ...(run === null ? [] : ([{ do: 'left', how: 'untouched' }] as const)),
      { do: 'announce' },
    ],
    refused: { code },
  }
}

/** The session has ended; only the bound one is heard, once. */
export function ended(
  { spec }: Pick<ReviewFacts, 'spec'>,
  state: ReviewState,
  event: Of<'ended'>,
  now_ms: number,
): ReviewStep {
  if (state.state !== 'bound' || state.run.session !== event.session) return to(state)
  const { standing, run } = state
  const { status, reason, node, ended_ms } = event
  const said = trail('gateway', 'session_ended', { status, reason })
  const { valid_until } = standing.decision
  if (event.untouched === true && reason === 'agent_lost' && now_ms < valid_until) {
    // Its agent never came and nothing was released: the plan waits for a cell again, as decided.
    const back = trail('gateway', 'given_back', { session: event.session })
    return to(
      { state: 'queued', standing },
      said,
      back,
      { do: 'left', how: 'untouched' },
      { do: 'enqueue', valid_until_ms: valid_until },
      { do: 'announce' },
    )
  }
  if (status === 'completed') {
    return to(
      { state: 'completed', standing, run, ended_ms },
      said,
      { do: 'left', how: 'completed' },
      { do: 'announce' },
    )
  }
  return to(
    { state: 'terminated', standing, run, ended_ms, reason, node },
    said,
    { do: 'left', how: 'broken_off' },
    { do: 'remember' },
    { do: 'announce' },
    { do: 'notify', event: 'run_terminated' },
    ...suspending(spec, 'run_ended'),
  )
}
