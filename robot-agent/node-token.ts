// What becomes of a released token before anything is asked for: every check, then the sensors that must
// hold just before the call.
import type { Feature } from '../protocol/features.ts'
import type { Facts } from './log.ts'
import type { MachineEvent } from './machine-types.ts'
import type { NodeRefusal } from './node-checks.ts'
import type { NodeRun } from './node-run.ts'

type Asked = {
  /** Every check of the token. */
  readonly check: () => ReturnType<NodeRun['check']>
  readonly features: readonly Feature[]
  /** False once nobody waits for the node any more. */
  readonly wanted: () => boolean
  readonly log: (event: string, facts: Facts) => void
}

type Run = Pick<NodeRun, 'hasSensors' | 'readSensors'>

/**
 * The event that a token leads to: it may start, it is skipped, it is refused, or a sensor did not say what it
 * must. Null when the node was given up or asked for again meanwhile: this check says nothing of the new one.
 */
export async function tokenEvent(
  run: Run,
  nid: string,
  asked: Asked,
): Promise<MachineEvent | null> {
  const event = await outcomeOf(run, nid, asked)
  return asked.wanted() ? event : null
}

async function outcomeOf(
  run: Run,
  nid: string,
  { check, features, wanted, log }: Asked,
): Promise<MachineEvent> {
  const refused = (why: NodeRefusal): MachineEvent => {
    log('token_refused', { node: nid, ...why })
    return { type: 'token_refused', nid, ...why }
  }
  const checked = await check()
  if (!checked.ok) return refused(checked.error)
  // A node that is skipped reads nothing.
  if (checked.value.type !== 'token_good' || !run.hasSensors) return checked.value
  // A gateway that does not test them would give a `go` on the strength of nothing.
  if (!features.includes('preconditions')) {
    return refused({ reason: 'context_mismatch', detail: 'the gateway reads no preconditions' })
  }
  const read = await run.readSensors(wanted)
  if (read.ok) return checked.value
  const missed = read.error
  log('precondition_unmet', { node: nid, missed: JSON.stringify(missed) })
  return { type: 'precondition_missed', nid, missed }
}
