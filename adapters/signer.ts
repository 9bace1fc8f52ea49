// The deployment's signing keys from the secret SIGNING_KEYS. A missing or damaged secret is an outage
// with a name: nothing is minted, nothing starts, and no default key exists.
import { importJwks, importSigningKey, type PublicJwk } from '../contain/keys.ts'
import type { SigningKey, VerifyKeys } from '../contain/keys.ts'
import { err, ok, type Result } from '../protocol/result.ts'

export type Signer = {
  /** The first key of the secret; signs everything new. */
  readonly key: SigningKey
  /** All keys of the secret: tokens of a key that rotates out stay verifiable until it is removed. */
  readonly keys: VerifyKeys
  /** What `/.well-known/jwks.json` publishes. */
  readonly jwks: { readonly keys: readonly PublicJwk[] }
}

export type SignerFailure = 'keys_missing' | 'keys_malformed'

async function load(secret: string): Promise<Result<Signer, SignerFailure>> {
  let list: unknown
  try {
    list = JSON.parse(secret)
  } catch {
    return err('keys_malformed')
  }
  if (!Array.isArray(list)) return err('keys_malformed')
  const keys: SigningKey[] = []
  for (const jwk of list as unknown[]) {
    const imported = await importSigningKey(jwk)
    if (!imported.ok) return err('keys_malformed')
    keys.push(imported.value)
  }
  const [first] = keys
  if (first === undefined) return err('keys_missing')
  const jwks = { keys: keys.map((key) => key.jwk) }
  const verifying = await importJwks(jwks)
  return verifying.ok ? ok({ key: first, keys: verifying.value, jwks }) : err('keys_malformed')
}

/** Importing costs more than signing; the last secret's keys are kept for the isolate's life. */
let cached: { secret: string; signer: Signer } | null = null

/** The signer of a deployment. `kid`s are RFC 7638 thumbprints. */
export async function loadSigner(
  secret: string | undefined,
): Promise<Result<Signer, SignerFailure>> {
  if (secret === undefined || secret === '') return err('keys_missing')
  if (cached?.secret === secret) return ok(cached.signer)
  const loaded = await load(secret)
  if (loaded.ok) cached = { secret, signer: loaded.value }
  return loaded
}

/** The same where a session is open: its keys are there, or the deployment is broken. */
export async function signerOrThrow(secret: string | undefined): Promise<Signer> {
  const signer = await loadSigner(secret)
  if (!signer.ok) throw new Error(signer.error)
  return signer.value
}
