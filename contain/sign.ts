// Signs claims as JWS compact (RFC 7515 §7.1) with Ed25519 (RFC 8037 §3.1). The header is encoded once
// per key, the key is imported once: a token then costs little more than the signature itself.
import { encodeBase64url } from '../protocol/base64url.ts'
import type { TokenKind } from '../protocol/tokens.ts'
import type { SigningKey } from './keys.ts'
import { claimsSchemas, type ClaimsOf } from './signed.ts'

const encoder = new TextEncoder()

/** As `signClaims`, without the check of shape: only for claims that this side has just built. */
export async function signTrusted(
  key: SigningKey,
  kind: TokenKind,
  claims: object,
): Promise<string> {
  const payload = encodeBase64url(encoder.encode(JSON.stringify(claims)))
  const input = `${key.headers[kind]}.${payload}`
  const signature = await crypto.subtle.sign('Ed25519', key.key, encoder.encode(input))
  return `${input}.${encodeBase64url(new Uint8Array(signature))}`
}

/** Signs claims of one kind. Throws on claims that the other side would refuse. */
export function signClaims<K extends TokenKind>(
  key: SigningKey,
  kind: K,
  claims: ClaimsOf<K>,
): Promise<string> {
  claimsSchemas[kind].parse(claims)
  return signTrusted(key, kind, claims)
}
