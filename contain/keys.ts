// Ed25519 keys as JWK (RFC 8037), named by their RFC 7638 thumbprint. A key that carries another name
// than its thumbprint is refused: then a `kid` cannot point at a key of somebody else's choice.
import { calculateJwkThumbprint } from 'jose'
import { z } from 'zod'
import { decodeBase64url, encodeBase64url } from '../protocol/base64url.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { tokenTypes, type TokenKind } from '../protocol/tokens.ts'

const keyBytes = z.string().refine((text) => decodeBase64url(text)?.length === 32, '32 bytes')

export const publicJwkSchema = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: keyBytes,
  kid: z.string().max(60).optional(),
})
export const privateJwkSchema = publicJwkSchema.extend({ d: keyBytes })

/** A public key as it is published: nothing of a private half can be in it. */
export type PublicJwk = {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly kid: string
  readonly alg: 'EdDSA'
  readonly use: 'sig'
}

/** Proves one Ed25519 signature (64 bytes) over `data`; false when it is not shown to be good. */
export type VerifyKey = (
  data: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
) => boolean | Promise<boolean>

/** Makes a public key (its 32 bytes as base64url) ready to verify; throws when it is no key. */
export type VerifyPort = (x: string) => VerifyKey | Promise<VerifyKey>

/** Public keys by `kid`. A token that names any other key is refused. */
export type VerifyKeys = ReadonlyMap<string, VerifyKey>

/** WebCrypto: wherever this runs. A host with a synchronous verify brings its own port. */
const subtlePort: VerifyPort = async (x) => {
  const bare = { kty: 'OKP', crv: 'Ed25519', x }
  const key = await crypto.subtle.importKey('jwk', bare, { name: 'Ed25519' }, false, ['verify'])
  return (data, signature) => crypto.subtle.verify('Ed25519', key, signature, data)
}

/** A signing key, imported once, with the encoded protected header of every kind. */
export type SigningKey = {
  readonly kid: string
  readonly key: CryptoKey
  readonly jwk: PublicJwk
  readonly headers: Readonly<Record<TokenKind, string>>
}

export type KeyFailure = 'key_malformed' | 'kid_mismatch'

/** RFC 7638 thumbprint (SHA-256, base64url) of an Ed25519 public key given by its `x`. */
export function thumbprint(x: string): Promise<string> {
  return calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x })
}

function encodeHeader(kind: TokenKind, kid: string): string {
  const header = { alg: 'EdDSA', kid, typ: tokenTypes[kind] }
  return encodeBase64url(new TextEncoder().encode(JSON.stringify(header)))
}

/** Imports one public JWK; its `kid`, when given, must be its thumbprint. */
export async function importPublicJwk(
  jwk: unknown,
  port: VerifyPort = subtlePort,
): Promise<Result<{ jwk: PublicJwk; key: VerifyKey }, KeyFailure>> {
  const parsed = publicJwkSchema.safeParse(jwk)
  if (!parsed.success) return err('key_malformed')
  const { x, kid } = parsed.data
  const name = await thumbprint(x)
  if (kid !== undefined && kid !== name) return err('kid_mismatch')
  try {
    const bare = { kty: 'OKP', crv: 'Ed25519', x } as const
    return ok({ key: await port(x), jwk: { ...bare, kid: name, alg: 'EdDSA', use: 'sig' } })
  } catch {
    return err('key_malformed')
  }
}

/** Imports a key set (`{ keys: [...] }`, RFC 7517 §5); one bad key refuses the whole set. */
export async function importJwks(
  jwks: { readonly keys: readonly unknown[] },
  port?: VerifyPort,
): Promise<Result<VerifyKeys, KeyFailure>> {
  const keys = new Map<string, VerifyKey>()
  for (const jwk of jwks.keys) {
    const imported = await importPublicJwk(jwk, port)
    if (!imported.ok) return imported
    keys.set(imported.value.jwk.kid, imported.value.key)
  }
  return ok(keys)
}

/** Imports one private JWK for signing. The private half is not extractable afterwards. */
export async function importSigningKey(jwk: unknown): Promise<Result<SigningKey, KeyFailure>> {
  const parsed = privateJwkSchema.safeParse(jwk)
  if (!parsed.success) return err('key_malformed')
  const { x, d } = parsed.data
  const publicHalf = await importPublicJwk(parsed.data)
  if (!publicHalf.ok) return publicHalf
  let key: CryptoKey
  try {
    const bare = { kty: 'OKP', crv: 'Ed25519', x, d }
    key = await crypto.subtle.importKey('jwk', bare, { name: 'Ed25519' }, false, ['sign'])
  } catch {
    return err('key_malformed')
  }
  const { kid } = publicHalf.value.jwk
  const kinds = Object.keys(tokenTypes) as TokenKind[]
  const headers = Object.fromEntries(kinds.map((kind) => [kind, encodeHeader(kind, kid)]))
  return ok({
    kid,
    key,
    jwk: publicHalf.value.jwk,
    headers: headers as Record<TokenKind, string>,
  })
}
