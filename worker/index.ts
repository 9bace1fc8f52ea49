// The Worker: the door and the kinds of object behind it.
import { createApp } from './app.ts'

export { CellState } from '../durable-objects/cell-state.ts'
export { ExecutionSession } from '../durable-objects/execution-session.ts'
export { PlanReview } from '../durable-objects/plan-review.ts'
export { SiteHub } from '../durable-objects/site-hub.ts'
export { SiteKeeper } from '../durable-objects/site-keeper.ts'
export { SiteWindow } from '../durable-objects/site-window.ts'
export { StandingApproval } from '../durable-objects/standing-approval.ts'
export { SiteTotals } from '../durable-objects/site-totals.ts'

export default createApp()
