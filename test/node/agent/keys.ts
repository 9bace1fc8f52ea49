// Fresh keys of a gateway and an agent.
import { generateKeyPairSync } from 'node:crypto'
import {
  importJwks,
  importSigningKey,
  type SigningKey,
  type VerifyKeys,
} from '../../../contain/keys.ts'

export async function newKey(): Promise<SigningKey & { privateJwk: object }> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { kty, crv, x, d } = privateKey.export({ format: 'jwk' })
  const privateJwk = { kty, crv, x, d }
  const key = await importSigningKey(privateJwk)
  if (!key.ok) throw new Error(key.error)
  return { ...key.value, privateJwk }
}

/** Public keys of the agent for the gateway's checks. */
export async function publicKeys(key: SigningKey): Promise<VerifyKeys> {
  const keys = await importJwks({ keys: [key.jwk] })
  if (!keys.ok) throw new Error(keys.error)
  return keys.value
}
