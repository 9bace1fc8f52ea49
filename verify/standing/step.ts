// The life of a standing approval as a pure step function. People approve exactly the record that was
// displayed; runs are counted one by one; whatever speaks against it takes it out of force at once.
import { z } from 'zod'
import { limits } from '../../protocol/limits.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import {
  standingApprovalSchema,
  standingStateSchema,
  stoppedSchema,
  type StandingRecord,
  type StandingRefusal,
  type StandingSignature,
  type Suspension,
} from '../../protocol/standing.ts'
import { samePerson } from '../decide/resolve.ts'

export const standingRowSchema = z.strictObject({
  state: standingStateSchema,
  /** For the record as it is; gone when it was suspended. */
  approvals: z.array(standingApprovalSchema).max(limits.reviewApproversMax),
  /** What took it out of force, or null. */
  stopped: stoppedSchema.nullable(),
  /** Runs that were counted. */
  used: z.int().min(0),
})
export type StandingRow = z.infer<typeof standingRowSchema>

export const proposed: StandingRow = { state: 'proposed', approvals: [], stopped: null, used: 0 }

export type ApproveRefusal =
  | 'not_proposed'
  | 'stale_packet'
  | 'conflict_of_interest'
  | 'same_approver'
  | 'expired'

/** One person's signature under the record; the last one that is needed puts it into force. */
export function approve(
  of: { readonly record: StandingRecord; readonly digest: string },
  row: StandingRow,
  signature: StandingSignature,
): Result<StandingRow, ApproveRefusal> {
  const { record, digest } = of
  const { approver } = signature
  if (row.state !== 'proposed' && row.state !== 'suspended') return err('not_proposed')
  if (signature.at_ms >= record.terms.until_ms) return err('expired')
  if (signature.digest !== digest) return err('stale_packet')
  if (record.owners.some((owner) => samePerson(owner, approver))) return err('conflict_of_interest')
  if (row.approvals.some((one) => samePerson(one.approver, approver))) return err('same_approver')
  const approvals = [...row.approvals, signature]
  if (approvals.length < record.approvals_required) return ok({ ...row, approvals })
  return ok({ ...row, approvals, state: 'standing', stopped: null })
}

/** Out of force until people sign again. A revoked one stays revoked. */
export function suspend(
  row: StandingRow,
  by: {
    readonly why: Suspension
    readonly plan: string
    readonly now_ms: number
  },
): StandingRow {
  if (row.state === 'revoked') return row
  const stopped = { why: by.why, plan: by.plan, by: 'gateway', at_ms: by.now_ms }
  // One that nobody has signed yet waits for people all the same; what it was signed for before is void.
  return { ...row, state: 'suspended', approvals: [], stopped }
}

/** Out of force for good. */
export function revoke(row: StandingRow, by: string, now_ms: number): StandingRow {
  if (row.state === 'revoked') return row
  return { ...row, state: 'revoked', stopped: { why: 'person', plan: null, by, at_ms: now_ms } }
}

export type RunAsk = {
  readonly planner: string
  /** The person who answers for the planner now. */
  readonly owner: string
  readonly now_ms: number
}

/** Why it covers no run of this planner now; null: it does. Its count is not asked about. */
export function notInForce(
  record: StandingRecord,
  row: StandingRow,
  { planner, owner, now_ms }: RunAsk,
): StandingRefusal | null {
  if (row.state === 'proposed') return 'not_approved'
  if (row.state !== 'standing') return row.state
  if (now_ms >= record.terms.until_ms) return 'expired'
  if (!record.terms.planners.includes(planner)) return 'planner_not_named'
  const own = row.approvals.some(({ approver }) => samePerson(approver, owner))
  return own ? 'conflict_of_interest' : null
}

/** Counts one more run: which it is, and whether a person looks at it as a sample. */
export function count(
  record: StandingRecord,
  row: StandingRow,
): Result<{ row: StandingRow; nth: number; look: boolean }, 'used_up'> {
  const { runs, look_every } = record.terms
  if (row.used >= runs) return err('used_up')
  const nth = row.used + 1
  return ok({
    row: { ...row, used: nth },
    nth,
    look: look_every !== null && nth % look_every === 0,
  })
}
