// Spans and measures of one run: the session and each of its steps, told once, after everybody who must know has been
// told. A step is named by its number: its id is the planner's word.
import { noteMeasures, type Measure } from '../../adapters/measures-d1.ts'
import { exportSpans, type Span } from '../../adapters/telemetry/otlp.ts'
import type { NodeState } from '../../contain/session-state.ts'
import { readSigned } from '../../contain/verify.ts'
import { reportClaimsSchema } from '../../protocol/tokens.ts'
import { spanIdOf, traceOf } from '../../protocol/trace.ts'
import type { Env } from '../env.ts'
import type { Live, SessionStore } from './store.ts'

/** When a step began and ended at the agent, as its report says; null without a report. */
function timesOf({ report }: NodeState): { started_ms: number; ended_ms: number } | null {
  if (report === null) return null
  const read = readSigned('report', report)
  const claims = reportClaimsSchema.safeParse(read.ok ? read.value.payload : null)
  return claims.success ? claims.data : null
}

/** What is sent of a session that has ended; nothing of one that runs or is not to be traced. */
export function runSpans({ binding, state }: Live): Span[] {
  const { context, plan_id, opened_ms } = binding
  const trace = traceOf(plan_id, binding.traceparent)
  if (state.ended_ms === null || !trace.sampled) return []
  const { trace_id } = trace
  const run = spanIdOf(trace, 'run', context.session)
  const about = {
    'portcullis.site': context.site,
    'portcullis.cell': context.cell,
    'portcullis.agent': context.agent,
    'portcullis.session': context.session,
  }
  const steps = context.order.flatMap((nid, i): Span[] => {
    const node = state.nodes.get(nid)
    if (node === undefined || node.started_ms === null) return []
    const times = timesOf(node)
    const tool = context.plan.nodes.find(({ id }) => id === nid)?.tool ?? ''
    return [
      {
        trace_id,
        span_id: spanIdOf(trace, 'step', context.session, nid),
        parent_id: run,
        name: 'portcullis.step',
        start_ms: times?.started_ms ?? node.started_ms,
        end_ms: times?.ended_ms ?? state.ended_ms ?? node.started_ms,
        attributes: {
          ...about,
          'portcullis.step': i + 1,
          'portcullis.tool': tool,
          'portcullis.outcome': node.state,
        },
        failure: node.state === 'succeeded' ? null : (node.reason ?? node.state),
      },
    ]
  })
  return [
    {
      trace_id,
      span_id: run,
      parent_id: spanIdOf(trace, 'plan', plan_id),
      name: 'portcullis.run',
      start_ms: opened_ms,
      end_ms: state.ended_ms,
      attributes: { ...about, 'portcullis.plan': plan_id, 'portcullis.status': state.status },
      failure: state.status === 'completed' ? null : (state.reason ?? state.status),
    },
    ...steps,
  ]
}

/**
 * Spans and measures of a session that has ended, once in its life; never rejects. `goMs`: how long each `go` took
 * in this life of the object, in milliseconds.
 */
export async function tellOfRun(
  env: Env,
  store: SessionStore,
  live: Live,
  goMs: readonly number[],
): Promise<void> {
  if (live.state.ended_ms === null || store.readMore('told_of') === true) return
  store.putMore('told_of', true)
  const { site } = live.binding.context
  const measures = goMs.map((ms): Measure => ({ name: 'go_seconds', label: '', value: ms / 1_000 }))
  await Promise.all([exportSpans(env, runSpans(live)), noteMeasures(env.DB, site, measures)])
}
