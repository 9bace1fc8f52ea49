// Bounded retries for what may pass by itself: a full queue (429), a server error (5xx) or a
// connection that was not made. Everything else fails at once. The caller's deadline bounds all.
import type { Clock } from '../../verify/panel/port.ts'

export const attemptsMax = 3
/** A vendor that asks for a longer pause than this is an outage for this plan. */
export const pauseMsMax = 20_000
const firstPauseMs = 400

/** One attempt: a value, or a failure that says whether another attempt may help. */
export type Attempt<T> =
  | { readonly done: T }
  | { readonly retry: T; readonly retryAfterMs: number | null }

/** `retry-after-ms`, or `retry-after` in seconds or as a date (RFC 9110 §10.2.3), in milliseconds. */
export function retryAfterMs(headers: Headers | undefined, nowMs: number): number | null {
  const exact = headers?.get('retry-after-ms')
  if (exact !== null && exact !== undefined && /^\d{1,9}$/.test(exact)) return Number(exact)
  const value = headers?.get('retry-after')
  if (value === null || value === undefined) return null
  if (/^\d{1,6}$/.test(value)) return Number(value) * 1_000
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs)
}

/** True for statuses that may pass by themselves. */
export const mayPass = (status: number): boolean =>
  status === 408 || status === 429 || status >= 500

/** Runs attempts until one is done, the signal aborts or the bound is reached; gives the last. */
export async function withRetries<T>(
  attempt: () => Promise<Attempt<T>>,
  clock: Clock,
  signal: AbortSignal,
): Promise<T> {
  for (let n = 1; ; n++) {
    const result = await attempt()
    if ('done' in result) return result.done
    const pause = result.retryAfterMs ?? firstPauseMs * 4 ** (n - 1)
    if (n >= attemptsMax || pause > pauseMsMax || signal.aborted) return result.retry
    await clock.sleep(pause, signal)
    // The linter cannot see that the signal may have changed during the sleep.
    if (signal.aborted) return result.retry
  }
}
