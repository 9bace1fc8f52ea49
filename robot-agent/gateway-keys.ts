// The gateway's published keys, fetched over HTTP and kept. With `gateway_jkts` configured, a key that
// is not among them does not exist, so that a stolen DNS name cannot bring its own.
import { z } from 'zod'
import { importJwks, type VerifyKeys } from '../contain/keys.ts'
import { limits } from '../protocol/limits.ts'
import { parseJson } from '../protocol/parse.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { nodeVerify } from './node-verify.ts'

export type KeysFailure = 'unreachable' | 'malformed' | 'not_pinned'

/** A key set is `{ keys: [{ … }] }`; what is in a key, `importJwks` bounds. RFC 7517 §5. */
const setBounds = { bytesMax: limits.jwksBytesMax, depthMax: 8, valuesMax: 1_024 }
const keySet = z.object({ keys: z.array(z.unknown()).max(limits.jwksKeysMax) })

/** Parses a key set without loss, keeping only pinned keys when pins are given. */
export async function keysFrom(
  body: Uint8Array,
  pins: readonly string[] | undefined,
): Promise<Result<VerifyKeys, KeysFailure>> {
  const parsed = parseJson(body, setBounds)
  if (!parsed.ok) return err('malformed')
  const set = keySet.safeParse(parsed.value)
  if (!set.success) return err('malformed')
  const imported = await importJwks(set.data, nodeVerify)
  if (!imported.ok) return err('malformed')
  if (pins === undefined) return imported
  const kept = new Map([...imported.value].filter(([kid]) => pins.includes(kid)))
  return kept.size === 0 ? err('not_pinned') : ok(kept)
}

/** The body, or null as soon as it is longer than `max` bytes: the rest is never taken in. */
async function readUpTo(response: Response, max: number): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the body.
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > max) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}

export class GatewayKeys {
  readonly #url: string
  readonly #pins: readonly string[] | undefined
  #keys: VerifyKeys | null = null

  constructor(gateway: string, pins: readonly string[] | undefined) {
    this.#url = new URL('/.well-known/jwks.json', gateway).href
    this.#pins = pins
  }

  /** The keys as last fetched; `refresh` asks again (once per session, after a rotation). */
  async get(refresh: boolean): Promise<Result<VerifyKeys, KeysFailure>> {
    if (this.#keys !== null && !refresh) return ok(this.#keys)
    let body: Uint8Array | null
    try {
      const response = await fetch(this.#url, {
        signal: AbortSignal.timeout(limits.clockSkewMsMax),
        redirect: 'error',
      })
      if (!response.ok) {
        await response.body?.cancel()
        return err('unreachable')
      }
      body = await readUpTo(response, limits.jwksBytesMax)
    } catch {
      return err('unreachable')
    }
    if (body === null) return err('malformed')
    const keys = await keysFrom(body, this.#pins)
    if (keys.ok) this.#keys = keys.value
    return keys
  }
}
