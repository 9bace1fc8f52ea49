// Agent tokens as an agent makes them, and wrong ones as others would.
import { importSigningKey } from '../../../contain/keys.ts'
import { signTrusted } from '../../../contain/sign.ts'

/** Signs an agent token with any claims; the key need not be the enrolled one. */
export async function agentToken(
  jwk: object,
  claims: { site: string; agent: string; jti: string; iat_s?: number; life_s?: number },
): Promise<string> {
  const key = await importSigningKey(jwk)
  if (!key.ok) throw new TypeError(key.error)
  const iat = claims.iat_s ?? Math.floor(Date.now() / 1_000)
  return signTrusted(key.value, 'agent', {
    iss: claims.agent,
    sub: claims.agent,
    aud: claims.site,
    iat,
    exp: iat + (claims.life_s ?? 30),
    jti: claims.jti,
  })
}
