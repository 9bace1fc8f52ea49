// Spans as OTLP/HTTP JSON (opentelemetry-proto 1.x, `ExportTraceServiceRequest`), sent to the collector that the
// deployment names. Written by hand: the kept encoder brings a hundred kilobytes and a clock of its own.
// Danger: telemetry in the way of work. It is sent beside it, has a short limit, is never repeated, and its failure is
// a line in the log. Spans carry ids, names, codes and numbers, never a text of a plan.
import { z } from 'zod'

export type Span = {
  readonly trace_id: string
  readonly span_id: string
  readonly parent_id: string | null
  readonly name: string
  readonly start_ms: number
  readonly end_ms: number
  /** Ids, codes and numbers. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  /** A stable word where it went wrong; null where it did not. */
  readonly failure: string | null
}

export type Collector = {
  /** `https://collector.example/v1/traces`. */
  readonly OTLP_TRACES_URL?: string
  /** JSON: headers of the request, such as an authorization. */
  readonly OTLP_HEADERS?: string
  readonly DEPLOYMENT: string
}

const sendMsMax = 2_000
const kindInternal = 1
const statusError = 2

type Value = { stringValue: string } | { intValue: string } | { doubleValue: number } | Flag
type Flag = { boolValue: boolean }

function valueOf(value: string | number | boolean): Value {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  // 64-bit integers are texts in the JSON of protocol buffers.
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

const attributesOf = (all: Span['attributes']): { key: string; value: Value }[] =>
  Object.entries(all).map(([key, value]) => ({ key, value: valueOf(value) }))

/** Milliseconds as the nanoseconds that the wire wants, in whole microseconds. */
const nanos = (ms: number): string => `${Math.round(ms * 1_000)}000`

/** The body of one export. */
export function otlpBody(deployment: string, spans: readonly Span[]): object {
  return {
    resourceSpans: [
      {
        resource: {
          attributes: attributesOf({
            'service.name': 'portcullis',
            'deployment.environment.name': deployment,
          }),
        },
        scopeSpans: [
          {
            scope: { name: 'portcullis' },
            spans: spans.map((span) => ({
              traceId: span.trace_id,
              spanId: span.span_id,
              ...(span.parent_id === null ? {} : { parentSpanId: span.parent_id }),
              name: span.name,
              kind: kindInternal,
              startTimeUnixNano: nanos(span.start_ms),
              endTimeUnixNano: nanos(Math.max(span.start_ms, span.end_ms)),
              attributes: attributesOf(span.attributes),
              ...(span.failure === null
                ? {}
                : { status: { code: statusError, message: span.failure } }),
            })),
          },
        ],
      },
    ],
  }
}

const headersSchema = z.record(z.string(), z.string())

function headersOf(text: string | undefined): Record<string, string> {
  try {
    return headersSchema.parse(JSON.parse(text ?? '{}'))
  } catch {
    console.error(JSON.stringify({ event: 'trace_headers_unreadable' }))
    return {}
  }
}

/** Sends spans where a collector is named; resolves whatever becomes of it, within two seconds. */
export async function exportSpans(env: Collector, spans: readonly Span[]): Promise<void> {
  const url = env.OTLP_TRACES_URL ?? ''
  if (url === '' || spans.length === 0) return
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headersOf(env.OTLP_HEADERS), 'content-type': 'application/json' },
      body: JSON.stringify(otlpBody(env.DEPLOYMENT, spans)),
      redirect: 'manual',
      signal: AbortSignal.timeout(sendMsMax),
    })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`http_${answer.status}`)
  } catch (cause) {
    console.error(JSON.stringify({ event: 'trace_not_sent', why: String(cause).slice(0, 200) }))
  }
}
