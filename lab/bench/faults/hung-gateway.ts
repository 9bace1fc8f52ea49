// The product's Worker with one fault: a review that never answers a binding to an agent of this name.
import { PlanReview as Review } from '../../../durable-objects/plan-review.ts'

export {
  CellState,
  default,
  ExecutionSession,
  SiteHub,
  SiteTotals,
  SiteWindow,
} from '../../../worker/index.ts'

/** Agents whose plans no review binds. */
const hungAgents = 'hung-'

export class PlanReview extends Review {
  override bind(request: Parameters<Review['bind']>[0]): ReturnType<Review['bind']> {
    return request.agent.startsWith(hungAgents) ? new Promise(() => undefined) : super.bind(request)
  }
}
