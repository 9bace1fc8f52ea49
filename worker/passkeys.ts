// Passkeys (WebAuthn): what an authenticator is asked, and whether its answer is what was asked for, by a key
// that is known, for this origin. What it means is said by the routes.
import type { Credential } from '../adapters/credentials.ts'
import {
  countUse,
  keepChallenge,
  passkeyById,
  passkeyOver,
  takeChallenge,
  type ChallengeRefusal,
  type KnownPasskey,
  type Purpose,
} from '../adapters/passkeys.ts'
import { decodeBase64url, encodeBase64url } from '../protocol/base64url.ts'
import { limits } from '../protocol/limits.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { Ctx } from './context.ts'
import type { PasskeyAnswer, PasskeyRegistration } from './passkey-schemas.ts'

/** Loaded at the first use: it would only slow every start. */
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new TextEncoder().encode(text))

/** EdDSA, ES256, RS256 (COSE): what authenticators have, and every browser asks for. */
const algorithms = [-8, -7, -257]

/** For whom keys are made, and what answers have to name. */
export function relyingParty(request: Request): { rp_id: string; origin: string } {
  const { hostname, origin } = new URL(request.url)
  return { rp_id: hostname, origin }
}

/** A challenge nobody can guess, kept for one answer. */
export async function freshChallenge(
  c: Ctx,
  of: { readonly purpose: 'register' | 'sign_in'; readonly credential: string | null },
  now_ms: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const text = encodeBase64url(bytes)
  await keepChallenge(c.env.DB, { ...of, text, about: null }, now_ms)
  return bytes
}

/** What is asked of an authenticator that holds one of these keys, or of any. */
export async function assertionOptions(
  c: Ctx,
  challenge: Uint8Array<ArrayBuffer>,
  keys: readonly { readonly id: string }[],
) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: relyingParty(c.req.raw).rp_id,
    challenge,
    timeout: limits.passkeyChallengeMs,
    userVerification: 'required',
    ...(keys.length === 0 ? {} : { allowCredentials: keys.map(({ id }) => ({ id })) }),
  })
}

/** What is asked of an authenticator that is to make a key. It says nothing of its maker. */
export async function registrationOptions(
  c: Ctx,
  { id, owner, role, site }: Credential,
  at: { readonly challenge: Uint8Array<ArrayBuffer>; readonly keys: readonly { id: string }[] },
) {
  const { generateRegistrationOptions } = await library()
  const name = `${owner}, ${role} at ${site}`
  return generateRegistrationOptions({
    rpName: 'Portcullis',
    rpID: relyingParty(c.req.raw).rp_id,
    userName: name,
    userDisplayName: name,
    userID: bytesOf(id),
    challenge: at.challenge,
    timeout: limits.passkeyChallengeMs,
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: at.keys.map((key) => ({ id: key.id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

export type PasskeyRefusal =
  | ChallengeRefusal
  | 'malformed'
  | 'passkey_unknown'
  | 'passkey_ended'
  | 'passkey_expired'
  | 'credential_not_in_force'
  | 'other_origin'
  | 'relying_party'
  | 'not_verified'
  | 'counter'
  | 'signature'

/** The challenge that an answer says it answers, or null. */
async function challengeIn(clientData: string): Promise<string | null> {
  try {
    const { challenge } = (await helpers()).decodeClientDataJSON(clientData)
    return typeof challenge === 'string' && challenge.length <= 100 ? challenge : null
  } catch {
    return null
  }
}

/** A passkey that has just been used, with whose it is and what was asked. */
export type Used = {
  readonly passkey: KnownPasskey
  readonly holder: Credential
  readonly about: string | null
}

export type NotUsed = { readonly why: PasskeyRefusal; readonly known: KnownPasskey | null }

/**
 * Checks an answer, whose challenge is used up by it whatever comes of it. `credential`: whose answer is
 * waited for; null while nobody is signed in.
 */
export async function usedPasskey(
  c: Ctx,
  answer: PasskeyAnswer,
  of: { readonly purpose: Purpose; readonly credential: string | null },
): Promise<Result<Used, NotUsed>> {
  const now_ms = Date.now()
  const db = c.env.DB
  const found = await passkeyById(db, answer.id)
  const known = found?.passkey ?? null
  const no = (why: PasskeyRefusal) => err({ why, known })
  const text = await challengeIn(answer.response.clientDataJSON)
  if (text === null) return no('malformed')
  const taken = await takeChallenge(db, { ...of, text }, now_ms)
  if (found === null) return no('passkey_unknown')
  if (!taken.ok) return no(taken.error)
  const { passkey, holder } = found
  const over = passkeyOver(found, now_ms)
  if (over !== null) return no(over)
  if (of.credential !== null && passkey.credential !== of.credential) return no('passkey_unknown')
  const at = { ...relyingParty(c.req.raw), challenge: text }
  const checked = await verified(answer, passkey, at)
  if (!checked.ok) return no(checked.error)
  const counted = await countUse(db, { id: passkey.id, counter: checked.value, now_ms })
  return counted ? ok({ passkey, holder, about: taken.value.about }) : no('counter')
}

type Expected = { readonly rp_id: string; readonly origin: string; readonly challenge: string }

/** The count that was signed with it. */
async function verified(
  { id, rawId, response }: PasskeyAnswer,
  passkey: KnownPasskey,
  at: Expected,
): Promise<Result<number, PasskeyRefusal>> {
  const why = await mismatch(response, passkey, at)
  if (why !== null) return err(why)
  const publicKey = decodeBase64url(passkey.public_key)
  if (publicKey === null) throw new TypeError('a kept key is base64url')
  const { clientDataJSON, authenticatorData, signature } = response
  try {
    const { verifyAuthenticationResponse } = await library()
    const { verified: good, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type: 'public-key',
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: at.challenge,
      expectedOrigin: at.origin,
      expectedRPID: at.rp_id,
      credential: { id: passkey.id, publicKey, counter: passkey.counter },
      requireUserVerification: true,
    })
    return good ? ok(authenticationInfo.newCounter) : err('signature')
  } catch {
    // The library throws for every answer that it does not take; the reasons with names are told apart above.
    return err('signature')
  }
}

/** What of an answer is not what was asked for, by name; the library checks all of it once more. */
async function mismatch(
  { clientDataJSON, authenticatorData }: PasskeyAnswer['response'],
  passkey: KnownPasskey,
  at: Expected,
): Promise<PasskeyRefusal | null> {
  const { decodeClientDataJSON, parseAuthenticatorData, isoBase64URL, toHash } = await helpers()
  try {
    const client = decodeClientDataJSON(clientDataJSON)
    const data = parseAuthenticatorData(isoBase64URL.toBuffer(authenticatorData))
    // A frame inside of another page shows somebody else's words around the question.
    if (client.origin !== at.origin || client.crossOrigin === true) return 'other_origin'
    const named = encodeBase64url(data.rpIdHash)
    const ours = encodeBase64url(await toHash(bytesOf(at.rp_id)))
    if (passkey.rp_id !== at.rp_id || named !== ours) return 'relying_party'
    if (!data.flags.up || !data.flags.uv) return 'not_verified'
    const counts = data.counter > 0 || passkey.counter > 0
    return counts && data.counter <= passkey.counter ? 'counter' : null
  } catch {
    return 'malformed'
  }
}

/** A key that an authenticator has just made, for this origin and the challenge of this credential. */
export async function registeredKey(
  c: Ctx,
  answer: PasskeyRegistration,
  credential: string,
): Promise<Result<{ id: string; public_key: string; counter: number }, PasskeyRefusal>> {
  const text = await challengeIn(answer.response.clientDataJSON)
  if (text === null) return err('malformed')
  const of = { purpose: 'register', credential, text } as const
  const taken = await takeChallenge(c.env.DB, of, Date.now())
  if (!taken.ok) return taken
  const { rp_id, origin } = relyingParty(c.req.raw)
  const { id, rawId, response } = answer
  const { clientDataJSON, attestationObject } = response
  try {
    const { verifyRegistrationResponse } = await library()
    const { verified: good, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type: 'public-key',
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: text,
      expectedOrigin: origin,
      expectedRPID: rp_id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (!good) return err('signature')
    const { id: made, publicKey, counter } = registrationInfo.credential
    return ok({ id: made, public_key: encodeBase64url(publicKey), counter })
  } catch {
    return err('signature')
  }
}
