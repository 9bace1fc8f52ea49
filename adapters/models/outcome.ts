// Turns what an SDK throws or returns into a reply with a name. One place, so that both wires use
// the same words and nothing of a vendor's text reaches a record.
import type { ModelReply } from '../../verify/panel/port.ts'
import { noUsage } from '../../verify/panel/port.ts'
import { mayPass, retryAfterMs, type Attempt } from './retry.ts'
import type { Watch } from './watched-fetch.ts'

type Bad = Extract<ModelReply, { ok: false }>

export const bad = (
  outcome: Bad['outcome'],
  failure: string,
  usage: Bad['usage'] = noUsage,
): Bad => ({ ok: false, outcome, failure, usage })

/** What both SDKs' errors have in common: a status and headers when a response was received. */
function statusOf(cause: unknown): { status: number; headers: Headers | undefined } | null {
  if (typeof cause !== 'object' || cause === null || !('status' in cause)) return null
  const { status } = cause
  if (typeof status !== 'number') return null
  const headers = 'headers' in cause && cause.headers instanceof Headers ? cause.headers : undefined
  return { status, headers }
}

/** Reads one thrown cause. Only outages before the first byte of an answer are tried again. */
export function fromError(
  cause: unknown,
  watch: Watch,
  signal: AbortSignal,
  nowMs: number,
): Attempt<ModelReply> {
  if (signal.aborted) return { done: bad('cancelled', 'aborted') }
  if (watch.tooLarge) return { done: bad('malformed', 'too_large') }
  const http = statusOf(cause)
  if (http !== null) {
    const reply = bad('failed', `http_${http.status}`)
    if (!mayPass(http.status)) return { done: reply }
    return { retry: reply, retryAfterMs: retryAfterMs(http.headers, nowMs) }
  }
  if (watch.headers) return { done: bad('failed', 'stream_broken') }
  return { retry: bad('failed', 'no_connection'), retryAfterMs: null }
}
