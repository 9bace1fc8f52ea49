// The public halves of the deployment's signing keys. The private ones stay in the secret: what is
// published is built from named fields, never by leaving fields out.
import { importSigningKey, type PublicJwk } from '../contain/keys.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { Env } from '../durable-objects/env.ts'

export type KeysFailure = 'missing' | 'malformed'

/** All public keys, the signing one first, or why there are none. */
export async function publishedKeys(env: Env): Promise<Result<PublicJwk[], KeysFailure>> {
  if (env.SIGNING_KEYS === undefined) return err('missing')
  let list: unknown
  try {
    list = JSON.parse(env.SIGNING_KEYS)
  } catch {
    return err('malformed')
  }
  if (!Array.isArray(list) || list.length === 0) return err('malformed')
  const keys: PublicJwk[] = []
  for (const jwk of list as unknown[]) {
    const key = await importSigningKey(jwk)
    if (!key.ok) return err('malformed')
    keys.push(key.value.jwk)
  }
  return ok(keys)
}
