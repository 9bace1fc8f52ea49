// The spans of one plan up to its verdict: the plan itself, and each judge that was asked. A judge's span begins
// with the pass, since all are asked together. Ids, codes and numbers only: no word of the plan.
import { noteMeasures, type Measure } from '../../adapters/measures-d1.ts'
import { exportSpans, type Span } from '../../adapters/telemetry/otlp.ts'
import type { Decision, Packet } from '../../protocol/records.ts'
import { spanIdOf, traceOf } from '../../protocol/trace.ts'
import type { ReviewSpec } from '../../verify/review/state.ts'
import type { Env } from '../env.ts'

export type Judging = {
  readonly spec: ReviewSpec
  readonly packet: Packet
  readonly decision: Decision
  /** When the pass began and ended. */
  readonly began_ms: number
  readonly ended_ms: number
}

/** What is sent of one pass of the judges; nothing where the planner asked for no trace. */
export function planSpans({ spec, packet, decision, began_ms, ended_ms }: Judging): Span[] {
  const { plan_id, submitter } = spec
  const trace = traceOf(plan_id, spec.traceparent)
  if (!trace.sampled) return []
  const { trace_id } = trace
  const plan = spanIdOf(trace, 'plan', plan_id)
  const about = { 'portcullis.site': submitter.site, 'portcullis.plan': plan_id }
  return [
    {
      trace_id,
      span_id: plan,
      parent_id: trace.parent_id,
      name: 'portcullis.plan',
      start_ms: spec.received_ms,
      end_ms: ended_ms,
      attributes: {
        ...about,
        'portcullis.verdict': decision.verdict,
        'portcullis.reasons': decision.reasons.join(' '),
        'portcullis.nodes': spec.plan.nodes.length,
      },
      failure: null,
    },
    ...askedIn(packet).map(({ seat, vendor, model, outcome, failure, usage, ms }): Span => ({
      trace_id,
      span_id: spanIdOf(trace, 'judge', plan_id, seat),
      parent_id: plan,
      name: 'portcullis.judge',
      start_ms: began_ms,
      end_ms: began_ms + ms,
      attributes: {
        ...about,
        'portcullis.seat': seat,
        'gen_ai.provider.name': vendor,
        'gen_ai.request.model': model ?? 'rules',
        'gen_ai.usage.input_tokens': usage.input_tokens,
        'gen_ai.usage.output_tokens': usage.output_tokens,
        'portcullis.outcome': outcome,
      },
      failure: outcome === 'answered' ? null : (failure ?? outcome),
    })),
  ]
}

/** Every judge and the chief of a packet, with the name of its seat. */
const askedIn = (packet: Packet) => [
  ...packet.opinions.map((one) => ({ ...one, seat: one.judge })),
  ...(packet.chief === null ? [] : [packet.chief]),
]

/** Spans and measures of one pass; never rejects and holds nobody up. */
export async function tellOfPass(env: Env, judging: Judging): Promise<void> {
  const { packet, spec } = judging
  const measures = askedIn(packet).flatMap(({ vendor, outcome, ms, usage }): Measure[] => [
    { name: 'judge_seconds', label: vendor, value: ms / 1_000 },
    { name: 'judge_outcomes', label: `${vendor} ${outcome}`, value: usage.cost_usd ?? 0 },
  ])
  await Promise.all([
    exportSpans(env, planSpans(judging)),
    noteMeasures(env.DB, spec.submitter.site, measures),
  ])
}
