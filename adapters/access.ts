// Cloudflare Access in front of the deployment: it says who somebody is, in a token that it signs. It says
// nothing of what they may do. Off unless the deployment names its team and its application.
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import { limits } from '../protocol/limits.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { parseHosts } from './models/endpoints.ts'
import { refuseUrl } from './models/hosts.ts'

const accessSchema = z.strictObject({
  /** `https://<team>.cloudflareaccess.com`, as `iss` has it. */
  issuer: z.url({ protocol: /^https?$/ }).max(300),
  /** Tags of the applications that stand before this deployment. */
  audience: z.array(z.string().min(1).max(200)).min(1).max(8),
})
export type Access = z.infer<typeof accessSchema>

/** The settings; null where the deployment has none. A mistake in them lets nobody in. */
export function accessOf(env: {
  readonly ACCESS?: string
  readonly PRIVATE_HOSTS?: string
}): Result<Access, string> | null {
  if (env.ACCESS === undefined || env.ACCESS.trim() === '') return null
  let value: unknown
  try {
    value = JSON.parse(env.ACCESS)
  } catch {
    return err('ACCESS is not JSON.')
  }
  const read = accessSchema.safeParse(value)
  if (!read.success) return err('ACCESS is not {"issuer": URL, "audience": [tag, …]}.')
  const refused = refuseUrl(read.data.issuer, parseHosts(env.PRIVATE_HOSTS))
  return refused === null ? ok(read.data) : err(`The issuer in ACCESS: ${refused}.`)
}

/** Reads a set of keys up to its limits; one that is larger is no set of keys. */
async function fetchKeys(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  const body: ReadableStream<Uint8Array> | null = response.body
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    bytes += part.value.byteLength
    if (bytes > limits.jwksBytesMax) {
      await reader?.cancel()
      throw new TypeError('the key set is too large')
    }
    text += decoder.decode(part.value, { stream: true })
  }
  const set: unknown = JSON.parse(text)
  const { keys } = z.object({ keys: z.array(z.unknown()).max(limits.jwksKeysMax) }).parse(set)
  return Response.json({ keys }, { status: response.status })
}

/** The provider's keys, kept for a while; fetched again when a key is named that is not among them. */
export function accessKeys(issuer: string): JWTVerifyGetKey {
  const url = new URL('/cdn-cgi/access/certs', issuer)
  return createRemoteJWKSet(url, {
    timeoutDuration: limits.accessKeysMs,
    cacheMaxAge: limits.accessKeysFreshMs,
    cooldownDuration: limits.accessKeysEveryMs,
    [customFetch]: fetchKeys,
  })
}

let kept: { readonly issuer: string; readonly keys: JWTVerifyGetKey } | null = null

/** One set of keys in an isolate. */
export function keptKeys(issuer: string): JWTVerifyGetKey {
  if (kept?.issuer !== issuer) kept = { issuer, keys: accessKeys(issuer) }
  return kept.keys
}

/** Why an assertion proves nothing. */
export type AccessRefusal =
  | 'missing'
  | 'malformed'
  | 'algorithm'
  | 'key'
  | 'signature'
  | 'issuer'
  | 'audience'
  | 'expired'
  | 'claims'
  | 'keys_unavailable'

/** Who the provider vouches for, and until when. */
export type Vouched = { readonly email: string; readonly until_ms: number }

const claimsSchema = z.object({ email: z.email().max(254), exp: z.number() })

/**
 * Checks an assertion (`Cf-Access-Jwt-Assertion`): RS256 by a key of the issuer, for one of the audiences, now.
 * A token of a program has no address and vouches for nobody.
 */
export async function vouchedBy(
  text: string | undefined,
  access: Access,
  { keys, now_ms }: { readonly keys: JWTVerifyGetKey; readonly now_ms: number },
): Promise<Result<Vouched, AccessRefusal>> {
  if (text === undefined || text === '') return err('missing')
  if (text.length > limits.accessAssertionCharsMax) return err('malformed')
  try {
    const { payload } = await jwtVerify(text, keys, {
      algorithms: ['RS256'],
      issuer: access.issuer,
      audience: access.audience,
      currentDate: new Date(now_ms),
      clockTolerance: limits.clockSkewMsMax / 1_000,
      requiredClaims: ['exp', 'iat', 'email'],
    })
    const claims = claimsSchema.safeParse(payload)
    if (!claims.success) return err('claims')
    return ok({ email: claims.data.email, until_ms: claims.data.exp * 1_000 })
  } catch (cause) {
    return err(refusalOf(cause))
  }
}

function refusalOf(cause: unknown): AccessRefusal {
  if (cause instanceof errors.JWTExpired) return 'expired'
  if (cause instanceof errors.JWTClaimValidationFailed) {
    if (cause.claim === 'iss') return 'issuer'
    return cause.claim === 'aud' ? 'audience' : 'claims'
  }
  if (cause instanceof errors.JOSEAlgNotAllowed) return 'algorithm'
  if (cause instanceof errors.JWKSNoMatchingKey) return 'key'
  if (cause instanceof errors.JWKSMultipleMatchingKeys) return 'key'
  if (cause instanceof errors.JWSSignatureVerificationFailed) return 'signature'
  const spelling = [errors.JWSInvalid, errors.JWTInvalid, errors.JOSENotSupported]
  if (spelling.some((kind) => cause instanceof kind)) return 'malformed'
  // What is left comes from the keys' side: it did not answer, in time, or with keys.
  return 'keys_unavailable'
}
