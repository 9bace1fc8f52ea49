// What a standing approval promises the other objects and the door.
import { objectName } from '../../protocol/ids.ts'
import type { Forgotten } from '../../protocol/keeping.ts'
import type { Result } from '../../protocol/result.ts'
import type { StandingRefusal, StandingSignature, Suspension } from '../../protocol/standing.ts'
import type { ApproveRefusal, RunAsk } from '../../verify/standing/step.ts'
import type { AuditEntry } from '../../protocol/audit.ts'
import type { Env } from '../env.ts'
import { limited } from '../limited.ts'

/** A run that was counted: which one it is, and whether a person looks at it as a sample. */
export type Counted = { readonly nth: number; readonly look: boolean }

export interface StandingApprovalApi {
  /** Files the record (a StandingRecord as JSON text) once; the same again is a no-op. */
  propose(text: string): Promise<void>
  /** A StandingView as JSON text; null where none was proposed. */
  view(): Promise<string | null>
  approve(signature: StandingSignature): Promise<Result<void, ApproveRefusal | 'not_found'>>
  /** False where none was proposed. */
  revoke(by: string, now_ms: number): Promise<boolean>
  suspend(by: { plan: string; why: Suspension; now_ms: number }): Promise<void>
  /** Counts a run once, however often it is asked for it. */
  claim(plan: string, ask: RunAsk): Promise<Result<Counted, StandingRefusal>>
  /** Whether a run that was counted is covered still; null: it is. */
  refusal(plan: string, ask: RunAsk): Promise<StandingRefusal | null>
  audit(after: number): Promise<AuditEntry[]>
  /**
   * Forgets what it says, or all of it, when the plan that it was made from is forgotten; `look` only says what
   * would be left. `busy`: it covers runs or may come to; `absent`: there is none, or it was made from another plan.
   */
  forget(what: 'look' | 'plan' | 'all', of: { plan: string; now_ms: number }): Promise<Forgotten>
}

export function standingOf(env: Env, site: string, template: string): StandingApprovalApi {
  const object = env.STANDING_APPROVAL.getByName(objectName(site, template))
  return limited(object, 'review: ask') as StandingApprovalApi
}
