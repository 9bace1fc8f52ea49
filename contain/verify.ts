// Verifies anything signed: encoding, header, key, signature, claims, in that order. Each segment must
// be the one canonical base64url text before any library sees it, since loose decoders accept altered
// last characters; `alg`, `typ` and `kid` are pinned (RFC 8725 §3.1, §3.11).
import { z } from 'zod'
import { decodeBase64url } from '../protocol/base64url.ts'
import type { JsonValue } from '../protocol/json.ts'
import { limits } from '../protocol/limits.ts'
import { parseJson } from '../protocol/parse.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { tokenTypes, type TokenKind } from '../protocol/tokens.ts'
import type { VerifyKeys } from './keys.ts'
import { claimsSchemas, type ClaimsOf } from './signed.ts'

/** Why a signed text was not taken, most basic first. */
export const verifyFailures = [
  'too_long',
  'not_compact',
  'encoding',
  'header',
  'unknown_key',
  'signature',
  'claims',
] as const
export type VerifyFailure = (typeof verifyFailures)[number]

const utf8 = new TextEncoder()
const headerSchema = z.strictObject({
  alg: z.literal('EdDSA'),
  kid: z.string().min(1).max(60),
  typ: z.string().min(1).max(60),
})

/** What can be read from a signed text before anything in it is believed. */
export type Unproven<K extends TokenKind> = {
  readonly kind: K
  readonly text: string
  readonly kid: string
  readonly payload: JsonValue
  readonly signature: Uint8Array<ArrayBuffer>
}

const long: ReadonlySet<TokenKind> = new Set(['manifest', 'rest', 'stop', 'stopped'])

/** Characters that a text of this kind may have. */
function charsMaxOf(kind: TokenKind): number {
  if (kind === 'start') return limits.startCharsMax
  if (long.has(kind)) return limits.manifestCharsMax
  return kind === 'report' ? limits.reportCharsMax : limits.tokenCharsMax
}

/** Reads encoding and header only. The payload is not yet believed. */
export function readSigned<K extends TokenKind>(
  kind: K,
  text: string,
): Result<Unproven<K>, VerifyFailure> {
  if (text.length > charsMaxOf(kind)) return err('too_long')
  const segments = text.split('.')
  const [head, body, signature] = segments
  if (segments.length !== 3 || !head || !body || !signature) return err('not_compact')
  const headBytes = decodeBase64url(head)
  const bodyBytes = decodeBase64url(body)
  const signatureBytes = decodeBase64url(signature)
  if (headBytes === null || bodyBytes === null || signatureBytes?.length !== 64) {
    return err('encoding')
  }
  const rawHeader = parseJson(headBytes)
  const header = headerSchema.safeParse(rawHeader.ok ? rawHeader.value : null)
  if (!header.success || header.data.typ !== tokenTypes[kind]) return err('header')
  const payload = parseJson(bodyBytes)
  if (!payload.ok) return err('encoding')
  return ok({
    kind,
    text,
    kid: header.data.kid,
    payload: payload.value,
    signature: signatureBytes,
  })
}

/** Proves the signature, then the shape of the claims. Says nothing about their meaning. */
export async function proveSigned<K extends TokenKind>(
  unproven: Unproven<K>,
  keys: VerifyKeys,
): Promise<Result<ClaimsOf<K>, VerifyFailure>> {
  const key = keys.get(unproven.kid)
  if (key === undefined) return err('unknown_key')
  // What is signed is the text up to its last dot (RFC 7515 §5.2), which is ASCII by now.
  const signed = utf8.encode(unproven.text.slice(0, unproven.text.lastIndexOf('.')))
  try {
    // A key that answers at once is not waited for: each wait is a turn in which others run first.
    const proof = key(signed, unproven.signature)
    if (!(typeof proof === 'boolean' ? proof : await proof)) return err('signature')
  } catch {
    // Every refusal of the library is one refusal here: the signature is not shown to be good.
    return err('signature')
  }
  const claims = claimsSchemas[unproven.kind].safeParse(unproven.payload)
  // The schema is the one of this kind, so its output is that kind's claims.
  return claims.success ? ok(claims.data as ClaimsOf<K>) : err('claims')
}

/**
 * Verifies a signed text of one kind against the published keys.
 * @returns the claims, or the first thing that is wrong
 */
export async function verifySigned<K extends TokenKind>(
  kind: K,
  text: string,
  keys: VerifyKeys,
): Promise<Result<ClaimsOf<K>, VerifyFailure>> {
  const unproven = readSigned(kind, text)
  return unproven.ok ? proveSigned(unproven.value, keys) : unproven
}
