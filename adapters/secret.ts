// Secrets of credentials: 256 random bits, kept only as SHA-256. A comparison looks at digests in
// constant time, so that neither length nor prefix of a guess can be learned.
import { decodeBase64url, encodeBase64url } from '../protocol/base64url.ts'

/** What a bearer token of a credential holds: `pc_<id>_<secret>`. */
export type CredentialToken = { id: string; secret: Uint8Array<ArrayBuffer> }

/** Spells a token. `id` is `cred_` and 26 characters; the prefix is not repeated in the token. */
export function formatToken(id: string, secret: Uint8Array): string {
  return `pc_${id.slice('cred_'.length)}_${encodeBase64url(secret)}`
}

/** Reads a token, or null when it is not the one canonical spelling. */
export function parseToken(token: string): CredentialToken | null {
  const match = /^pc_([0-9a-hjkmnp-tv-z]{26})_([A-Za-z0-9_-]{43})$/.exec(token)
  if (match === null) return null
  const [, id, text] = match
  if (id === undefined || text === undefined) return null
  const secret = parseSecret(text)
  return secret === null ? null : { id: `cred_${id}`, secret }
}

/** The 32 bytes of a secret in base64url, or null when it is not their one canonical spelling. */
export function parseSecret(text: string): Uint8Array<ArrayBuffer> | null {
  return /^[A-Za-z0-9_-]{43}$/.test(text) ? decodeBase64url(text) : null
}

/** SHA-256 in lower-case hex. */
export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)))
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Compares two hex digests in constant time; anything that is no SHA-256 differs. */
export function sameDigest(a: string, b: string): boolean {
  const left = new TextEncoder().encode(a)
  const right = new TextEncoder().encode(b)
  if (left.byteLength !== 64 || right.byteLength !== 64) return false
  return crypto.subtle.timingSafeEqual(left, right)
}
