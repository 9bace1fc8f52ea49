// Verifying in this very tick. WebCrypto hands each signature to another thread and back, which costs
// more than the check itself, and that lies between a `go` and the call.
import { createPublicKey, verify } from 'node:crypto'
import type { VerifyPort } from '../contain/keys.ts'

/** `contain/keys.ts`'s port over node:crypto: Ed25519 has no digest of its own choice, hence null. */
export const nodeVerify: VerifyPort = (x) => {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return (data, signature) => verify(null, data, key, signature)
}
