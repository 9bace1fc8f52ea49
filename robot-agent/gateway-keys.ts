// The gateway's published keys, fetched over HTTP and kept. With `gateway_jkts` configured, a key that
// is not among them does not exist, so that a stolen DNS name cannot bring its own.
import { importJwks, type VerifyKeys } from '../contain/keys.ts'
import { limits } from '../protocol/limits.ts'
import { err, ok, type Result } from '../protocol/result.ts'

export type KeysFailure = 'unreachable' | 'malformed' | 'not_pinned'

/** Parses a key set, keeping only pinned keys when pins are given. */
export async function keysFrom(
  text: string,
  pins: readonly string[] | undefined,
): Promise<Result<VerifyKeys, KeysFailure>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return err('malformed')
  }
  const list = (value as { keys?: unknown } | null)?.keys
  if (!Array.isArray(list) || list.length > limits.jwksKeysMax) return err('malformed')
  const imported = await importJwks({ keys: list as unknown[] })
  if (!imported.ok) return err('malformed')
  if (pins === undefined) return imported
  const kept = new Map([...imported.value].filter(([kid]) => pins.includes(kid)))
  return kept.size === 0 ? err('not_pinned') : ok(kept)
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
    let text: string
    try {
      const response = await fetch(this.#url, {
        signal: AbortSignal.timeout(limits.clockSkewMsMax),
        redirect: 'error',
      })
      if (!response.ok) return err('unreachable')
      text = await response.text()
    } catch {
      return err('unreachable')
    }
    if (text.length > limits.jwksBytesMax) return err('malformed')
    const keys = await keysFrom(text, this.#pins)
    if (keys.ok) this.#keys = keys.value
    return keys
  }
}
