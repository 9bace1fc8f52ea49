// Record and replay of model calls, as pure wrappers of the port. A request is known by the digest of
// what is sent without its fresh values (delimiter, request id), so that a recording made with other
// random values still answers; the reply is stored with the request id taken out and put back.
import { digest } from '../../protocol/digest.ts'
import { z } from 'zod'
import { usageSchema, wireSchema } from '../../protocol/opinion.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { noUsage, type ModelPort, type ModelReply, type ModelRequest, type Reach } from './port.ts'

const echoHole = '{{request}}'
const delimiterHole = '{{delimiter}}'

/** One line of a recording. */
export const recordedCallSchema = z.strictObject({
  v: z.literal(1),
  /** Digest of the request without its fresh values. */
  request: z.string().max(60),
  seat: z.string().max(60),
  sample: z.int().min(0),
  endpoint: z.string().max(60),
  /** null when the endpoint could not be reached. */
  wire: wireSchema.nullable(),
  vendor: z.string().max(40).optional(),
  model: z.string().max(120),
  reply: z.discriminatedUnion('ok', [
    z.strictObject({ ok: z.literal(true), text: z.string(), usage: usageSchema }),
    z.strictObject({
      ok: z.literal(false),
      outcome: z.enum(['failed', 'late', 'malformed', 'refused', 'cancelled']),
      failure: z.string().max(200),
      usage: usageSchema,
    }),
  ]),
  /** How it was sent; a replay needs none of it. */
  sent: z
    .strictObject({
      at_ms: z.number().min(0),
      /** Until the reply was there, pauses between attempts included. */
      ms: z.number().min(0),
      attempts: z.int().min(0),
      /** The body of the last attempt, byte for byte; null when none was sent or it was too long. */
      body: z.string().nullable(),
      body_bytes: z.int().min(0),
    })
    .optional(),
})
export type RecordedCall = z.infer<typeof recordedCallSchema>

/** A text with the fresh values of its request replaced by holes, and back. */
function withHoles(text: string, fresh: ModelRequest['fresh']): string {
  // The mark that begins each line of data is the tail of the delimiter.
  let out = text
  if (fresh.delimiter !== '') {
    out = out
      .replaceAll(fresh.delimiter, delimiterHole)
      .replaceAll(`${fresh.delimiter.slice(-8)}|`, `${delimiterHole}|`)
  }
  return fresh.echo === '' ? out : out.replaceAll(fresh.echo, echoHole)
}

/** A recorded reply as the answer to another run of the same request. */
export function replyAgain(
  reply: RecordedCall['reply'],
  fresh: ModelRequest['fresh'],
): RecordedCall['reply'] {
  if (!reply.ok) return reply
  const text = reply.text
    .replaceAll(echoHole, fresh.echo)
    .replaceAll(delimiterHole, fresh.delimiter)
  return { ...reply, text }
}

/**
 * The digest of what is sent, without its fresh values. Endpoint and seat are left out, so that a
 * moved endpoint or a renamed seat still finds its recording.
 */
export function requestDigest(request: ModelRequest): Promise<string> {
  const { model, max_tokens, temperature, system, schema } = request
  const prompt = withHoles(request.prompt.map((part) => part.text).join('\n\n'), request.fresh)
  return digest('body', { model, max_tokens, temperature, system, prompt, schema })
}

/** What the panel saw: a port that was cut off by a deadline only knows that it was cut off. */
function keptReply(
  reply: ModelReply,
  request: ModelRequest,
  signal: AbortSignal,
): RecordedCall['reply'] {
  const usage = { ...reply.usage }
  if (reply.ok) return { ok: true, text: withHoles(reply.text, request.fresh), usage }
  if (reply.outcome === 'cancelled' && signal.aborted && signal.reason === 'deadline') {
    return { ok: false, outcome: 'late', failure: 'deadline', usage }
  }
  return { ...reply, usage }
}

/**
 * Wraps a port: every call's line is handed to `line` before the reply is. Record with early stop
 * off: which judges an early stop cuts off is a race, and a recording should hold all answers.
 */
export function recorder(port: ModelPort, line: (call: RecordedCall) => void): ModelPort {
  return {
    reach: (endpoint, model) => port.reach(endpoint, model),
    async ask(request, signal, onHeaders) {
      const known = await requestDigest(request)
      const reply = await port.ask(request, signal, onHeaders)
      const kept = keptReply(reply, request, signal)
      const reach = port.reach(request.endpoint, request.model)
      line({
        v: 1,
        request: known,
        seat: request.seat,
        sample: request.sample,
        endpoint: request.endpoint,
        wire: reach?.wire ?? null,
        ...(reach === null ? {} : { vendor: reach.vendor }),
        model: request.model,
        reply: kept,
      })
      return reply
    },
  }
}

/** Reads a recording; the error names the line. Split on \n only. */
export function readRecording(text: string): Result<RecordedCall[], string> {
  const calls: RecordedCall[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      return err(`line ${index + 1}: not JSON`)
    }
    const call = recordedCallSchema.safeParse(value)
    if (!call.success) return err(`line ${index + 1}: not a recorded call`)
    calls.push(call.data)
  }
  return ok(calls)
}

/** How each model of a recording was reached, by `endpoint model`. */
export function recordedReaches(calls: readonly RecordedCall[]): Record<string, Reach> {
  return Object.fromEntries(
    calls.flatMap(({ endpoint, model, wire, vendor }) =>
      wire === null ? [] : [[`${endpoint} ${model}`, { wire, vendor: vendor ?? endpoint }]],
    ),
  )
}

const keyOf = (request: string, sample: number): string => `${request} ${sample}`

/**
 * A port that answers from a recording and never from anywhere else. The same request asked again
 * takes the next recording of it, the last one for ever; what was not recorded is an outage.
 */
export function replayer(calls: readonly RecordedCall[]): ModelPort {
  const reaches = recordedReaches(calls)
  const queues = new Map<string, RecordedCall[]>()
  for (const call of calls) {
    const key = keyOf(call.request, call.sample)
    queues.set(key, [...(queues.get(key) ?? []), call])
  }
  return {
    reach: (endpoint, model) => reaches[`${endpoint} ${model}`] ?? null,
    async ask(request, _signal, onHeaders): Promise<ModelReply> {
      const queue = queues.get(keyOf(await requestDigest(request), request.sample))
      const call = queue !== undefined && queue.length > 1 ? queue.shift() : queue?.[0]
      if (call === undefined) {
        return { ok: false, outcome: 'failed', failure: 'not_recorded', usage: noUsage }
      }
      onHeaders()
      return replyAgain(call.reply, request.fresh)
    },
  }
}
