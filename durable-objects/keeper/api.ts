// What the keeper of a site promises the door.
import type { Result } from '../../protocol/result.ts'

export interface SiteKeeperApi {
  /** Sees to it that the keeper of this site has an alarm; `now`: that it looks at once. */
  wake(site: string, now: boolean): Promise<void>
  /** Whether a legal hold keeps the plan. */
  isHeld(site: string, plan: string): Promise<boolean>
  /** Deletes a plan that is over, with all that belongs to it; the trail of the site keeps its digests. */
  deletePlan(
    site: string,
    plan: string,
    act: { by: string; reason: string },
  ): Promise<Result<void, { reason: 'not_found' | 'not_over' | 'on_hold' | 'template_standing' }>>
}
