// Exponential back-off with full jitter, so that a hundred agents do not come back in one wave.

export type Backoff = { readonly baseMs: number; readonly maxMs: number }

/**
 * How long to wait before try number `attempt` (0 is the first after a loss).
 * `random` is in [0, 1); half of the bound is fixed, half is jitter.
 */
export function backoffMs(attempt: number, random: number, { baseMs, maxMs }: Backoff): number {
  const bound = Math.min(maxMs, baseMs * 2 ** Math.min(attempt, 30))
  return Math.round(bound / 2 + (bound / 2) * random)
}
