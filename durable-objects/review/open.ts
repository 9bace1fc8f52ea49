// What the session of a bound plan is opened with, and what it means when it does not open.
import { stopPlaces } from '../../contain/stop-sequence.ts'
import { agreedFeatures } from '../../protocol/features.ts'
import { toolRowDigests, toolRowOf } from '../../protocol/tool-row.ts'
import { spanIdOf, traceOf, traceparentOf } from '../../protocol/trace.ts'
import { toolsOf } from '../../verify/review/bind.ts'
import { toldTimes } from '../../verify/review/told-time.ts'
import { runOf, standingOf } from '../../verify/review/status.ts'
import type { BindRequest, OpenSpec } from '../contracts.ts'
import type { ReviewSpec } from '../../verify/review/state.ts'
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
  const { registry } = spec.snapshot
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
    ...(registry === null ? {} : { stop_places: stopPlaces(registry, context.cell) }),
    traceparent: traceparentOf(trace, spanIdOf(trace, 'plan', spec.plan_id)),
    ...(result_keep_ms === undefined ? {} : { result_keep_ms }),
  }
}

/** Digests of the rows that an agent of these features gets: what it acts on is what was decided (invariant 2). */
export function rowsFor(
  spec: ReviewSpec,
  { features, cell }: Pick<BindRequest, 'features' | 'cell'>,
): ReturnType<typeof toolRowDigests> {
  const agreed = agreedFeatures(features.join(' '))
  const { registry } = spec.snapshot
  const places = registry === null ? {} : stopPlaces(registry, cell)
  return toolRowDigests(Object.values(toolsOf(spec)).map((tool) => toolRowOf(tool, agreed, places)))
}

/** What it means for a plan that its session would not open. */
export const openRefusals = {
  other_context: 'already_bound',
  deadline_passed: 'decision_expired',
  context_invalid: 'not_accepted',
} as const
