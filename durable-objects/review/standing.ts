// A run under a standing approval, as its review sees it: whether it stays inside of what was approved,
// and whether the approval covers it still. Whatever cannot be asked does not cover.
import type { StandingUse } from '../../protocol/standing.ts'
import type { Difference } from '../../verify/simulate/compare.ts'
import type { Remembered } from '../../verify/stages.ts'
import type { ReviewSpec, ReviewState, StandingAsk } from '../../verify/review/state.ts'
import { outsideOver, shownDifferences } from '../../verify/review/left.ts'
import { credentialsInForce } from '../../adapters/credentials.ts'
import type { Env } from '../env.ts'
import { sessionOf } from './neighbours.ts'
import { standingOf } from '../standing/api.ts'
import { standingStoredSchema, type StandingStored } from '../standing/view.ts'

/**
 * What the packet says of the standing approval that a plan names; null when it names none. Whether the run
 * fits the cell is asked at bind, over the cell as it is then: while another run is under way most of it is
 * not known. Here it is run over the cell that the approvers saw: the graph, the values and the checks must fit.
 */
export async function standingUse(
  env: Env,
  spec: ReviewSpec,
  { floor, grounding: known, recalled }: Remembered,
): Promise<StandingUse | null> {
  if (spec.standing === undefined) return null
  const { record, digest, values, approvers } = spec.standing
  // Without memory the packet has no grounding either.
  const grounding = recalled === null ? null : known
  const differences = outsideOver(spec, spec.standing, {
    floor,
    grounding,
    cell: record.cell_state,
    at_ms: record.at_ms,
  })
  const use: StandingUse = {
    template: record.template,
    digest,
    values,
    nth: null,
    of: record.terms.runs,
    look: false,
    refused: null,
    differences: shownDifferences(differences),
    approvers,
  }
  // What does not fit takes no place of those that do.
  if (differences.length > 0) return use
  const now_ms = Date.now()
  const site = spec.submitter.site
  try {
    const stored = await storedNow(env, site, record.template)
    // Suspended and signed again meanwhile it is another approval than the one that the run was asked under.
    if (!(await signedInForce(env, spec.standing, { stored, now_ms }))) {
      return { ...use, refused: 'approver_revoked' }
    }
    const object = standingOf(env, site, record.template)
    const claimed = await object.claim(spec.plan_id, askOf(spec, now_ms))
    return claimed.ok ? { ...use, ...claimed.value } : { ...use, refused: claimed.error }
  } catch (cause) {
    console.error(`standing approval: ${String(cause)}`)
    return { ...use, refused: 'unreachable' }
  }
}

const askOf = ({ submitter }: ReviewSpec, now_ms: number) => ({
  planner: submitter.planner,
  owner: submitter.owner,
  now_ms,
})

async function storedNow(env: Env, site: string, template: string): Promise<StandingStored | null> {
  const text = await standingOf(env, site, template).view()
  return text === null ? null : standingStoredSchema.parse(JSON.parse(text))
}

/** True when it stands under the signatures that the run was asked under, each good now (invariant 14). */
async function signedInForce(
  env: Env,
  { record, credentials }: StandingAsk,
  { stored, now_ms }: { stored: StandingStored | null; now_ms: number },
): Promise<boolean> {
  const signed = (stored?.row.approvals ?? []).map(({ credential }) => credential)
  if (signed.join('\n') !== credentials.join('\n')) return false
  return credentialsInForce(env.DB, { site: record.site, credentials, now_ms })
}

/** Before a bound run is opened that no session knows yet: what of its approval is gone since. */
export async function standingUnopened(
  env: Env,
  spec: ReviewSpec,
  { session, now_ms }: { session: string; now_ms: number },
): Promise<Difference[]> {
  const known = await sessionOf(env, spec.submitter.site, session).status()
  return known === null ? standingNow(env, spec, now_ms) : []
}

/** Whether an accepted plan was accepted by its standing approval, and no person was asked. */
export const restsOnTemplate = (state: ReviewState): boolean =>
  'standing' in state && state.standing?.decision.reasons.includes('standing_approval') === true

/** Whether a plan waits in the queue because its standing approval covers it, and no person was asked. */
export const isCovered = (state: ReviewState | null): boolean =>
  state?.state === 'queued' && restsOnTemplate(state)

/** At bind: whether the approval covers the run still. Throws when nobody answers: the hub asks again. */
export async function standingNow(
  env: Env,
  spec: ReviewSpec,
  now_ms: number,
): Promise<Difference[]> {
  if (spec.standing === undefined) return []
  const { site } = spec.submitter
  const { template } = spec.standing.record
  const refused = await standingOf(env, site, template).refusal(spec.plan_id, askOf(spec, now_ms))
  if (refused !== null) return [{ kind: 'standing', at: '', why: refused }]
  const stored = await storedNow(env, site, template)
  const good = await signedInForce(env, spec.standing, { stored, now_ms })
  return good ? [] : [{ kind: 'standing', at: '', why: 'approver_revoked' }]
}
