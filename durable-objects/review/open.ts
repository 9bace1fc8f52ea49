// What the session of a bound plan is opened with.
import { spanIdOf, traceOf, traceparentOf } from '../../protocol/trace.ts'
import { toolsOf } from '../../verify/review/bind.ts'
import { toldTimes } from '../../verify/review/told-time.ts'
import { runOf, standingOf } from '../../verify/review/status.ts'
import type { OpenSpec } from '../contracts.ts'
import type { ReviewStore } from './store.ts'

/** The same at every asking, so that a retry opens the very same context. The plan must be bound. */
export function openSpecOf(store: ReviewStore): OpenSpec {
  const state = store.state()
  const context = store.context()
  const run = state === null ? null : runOf(state)
  const standing = state === null ? null : standingOf(state)
  if (context === null || run === null || standing === null) {
    throw new TypeError('a bound plan has a context')
  }
  const spec = store.spec()
  const { result_keep_ms } = spec.snapshot.policy
  const trace = traceOf(spec.plan_id, spec.traceparent)
  return {
    context,
    plan_id: spec.plan_id,
    plan_digest: spec.plan_digest,
    decision: standing.decision,
    tools: toolsOf(spec),
    planner: spec.submitter.planner,
    epoch: spec.snapshot.epoch,
    told: toldTimes(spec),
    now_ms: run.bound_ms,
    traceparent: traceparentOf(trace, spanIdOf(trace, 'plan', spec.plan_id)),
    ...(result_keep_ms === undefined ? {} : { result_keep_ms }),
  }
}
