// Request headers that change how an answer is given: Prefer (RFC 7240) and Idempotency-Key.
import { limits } from '../protocol/limits.ts'
import { err, ok, type Result } from '../protocol/result.ts'

/** Seconds that the caller is ready to wait, capped; null when it does not ask. */
export function preferredWaitS(header: string | undefined): number | null {
  if (header === undefined) return null
  for (const part of header.split(',')) {
    const match = /^\s*wait\s*=\s*"?([0-9]{1,6})"?\s*(?:;.*)?$/i.exec(part)
    if (match?.[1] !== undefined) return Math.min(Number(match[1]), limits.waitSecondsMax)
  }
  return null
}

/**
 * The key, or null when there is none. Both spellings are taken: bare, and quoted as a structured
 * string. Only printable ASCII, so that a key can be logged.
 */
export function idempotencyKey(header: string | undefined): Result<string | null, string> {
  if (header === undefined) return ok(null)
  const bare = /^"([^"\\]*)"$/.exec(header)?.[1] ?? header
  if (bare.length < 1 || bare.length > limits.idempotencyKeyCharsMax) {
    return err(`Idempotency-Key is 1 to ${limits.idempotencyKeyCharsMax} characters.`)
  }
  return /^[\x21-\x7e]+$/.test(bare)
    ? ok(bare)
    : err('Idempotency-Key is printable ASCII without spaces.')
}
