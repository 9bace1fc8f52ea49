// Who looks at a plan that waits, as the door asks for it and a record tells it.
import type { Result } from '../../protocol/result.ts'
import type { PlanStatus } from '../../protocol/status.ts'
import type { Assigning, AssignRefusal } from '../../verify/review/state.ts'

export interface Assignable {
  assign(assign: Assigning): Promise<Result<PlanStatus, { code: AssignRefusal }>>
}

export type Assigned = {
  /** Null for nobody, and once it is decided. It gives no right. */
  assignee: string | null
}
