// A run under a standing approval, as its review sees it: whether it stays inside of what was approved,
// and whether the approval covers it still. Whatever cannot be asked does not cover.
import type { StandingUse } from '../../protocol/standing.ts'
import type { Difference } from '../../verify/simulate/compare.ts'
import type { Remembered } from '../../verify/stages.ts'
import type { ReviewSpec, ReviewState } from '../../verify/review/state.ts'
import { outsideOver, shownDifferences } from '../../verify/review/left.ts'
import { credentialsInForce } from '../../adapters/credentials.ts'
import type { Env } from '../env.ts'
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
    // What it was signed for may have been suspended and signed again: the run rests on who signs now.
    if (!(await signedInForce(env, site, { stored, now_ms }))) {
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

/** True when every credential that signed it is good now (invariant 14); one without signatures is asked as it is. */
function signedInForce(
  env: Env,
  site: string,
  { stored, now_ms }: { stored: StandingStored | null; now_ms: number },
): Promise<boolean> {
  const credentials = (stored?.row.approvals ?? []).map(({ credential }) => credential)
  return credentialsInForce(env.DB, { site, credentials, now_ms })
}

/** Whether a plan waits in the queue because its standing approval covers it, and no person was asked. */
export const isCovered = (state: ReviewState | null): boolean =>
  state?.state === 'queued' && state.standing.decision.reasons.includes('standing_approval')

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
  const good = await signedInForce(env, site, { stored, now_ms })
  return good ? [] : [{ kind: 'standing', at: '', why: 'approver_revoked' }]
}
