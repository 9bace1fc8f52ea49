// A fresh touch at the moment of signing. The challenge is the hash of what is signed, by whom, and of a number
// used once: whoever reads the trail later can check which packet a person's key has signed.
import { keepChallenge } from '../adapters/passkeys.ts'
import { encodeBase64url } from '../protocol/base64url.ts'
import { canonicalForm } from '../protocol/digest.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { Touch } from '../verify/review/state.ts'
import type { Ctx, Principal } from './context.ts'
import type { PasskeyAnswer, TouchAct } from './passkey-schemas.ts'
import { usedPasskey, type PasskeyRefusal } from './passkeys.ts'
import type { Refusal } from './problems.ts'
import { trailRefused } from './refused-trail.ts'

/** What is signed. */
export type Signing = {
  readonly act: TouchAct
  /** Id of the plan, standing approval or passkey. */
  readonly of: string
  /** Of what was displayed; null where there is nothing but the id. */
  readonly digest: string | null
}

/** The text whose hash is the challenge. */
const aboutOf = ({ id: credential, site }: Principal, signing: Signing, nonce: string): string => {
  const { act, of, digest } = signing
  return canonicalForm({ act, of, digest, credential, site, nonce })
}

/** The challenge for one signature of this person, kept for one answer. */
export async function touchChallenge(
  c: Ctx,
  who: Principal,
  signing: Signing,
): Promise<Uint8Array<ArrayBuffer>> {
  const nonce = encodeBase64url(crypto.getRandomValues(new Uint8Array(32)))
  const about = aboutOf(who, signing, nonce)
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(about))
  const challenge = new Uint8Array(hash)
  const text = encodeBase64url(challenge)
  const kept = { text, purpose: 'touch', credential: who.id, about } as const
  await keepChallenge(c.env.DB, kept, Date.now())
  return challenge
}

/** True when a challenge was made of exactly this, whatever its number. */
function isAbout(about: string, who: Principal, signing: Signing): boolean {
  const { nonce } = JSON.parse(about) as { nonce: string }
  return about === aboutOf(who, signing, nonce)
}

/**
 * Checks a touch for exactly what is being signed. What it gives belongs into the trail: with it anybody can
 * check the signature again. A refusal is in the trail of the site.
 */
export async function touched(
  c: Ctx,
  who: Principal,
  { signing, answer }: { readonly signing: Signing; readonly answer: PasskeyAnswer },
): Promise<Result<Touch, Refusal>> {
  const refuse = async (
    why: PasskeyRefusal | 'another_signing',
  ): Promise<Result<never, Refusal>> => {
    const { act, of } = signing
    const facts = { why, act, of, passkey: answer.id, credential: who.id }
    await trailRefused(c, who.site, { event: 'touch_refused', facts })
    return err({ code: 'touch_refused' })
  }
  const used = await usedPasskey(c, answer, { purpose: 'touch', credential: who.id })
  if (!used.ok) return refuse(used.error.why)
  const { passkey, about } = used.value
  if (about === null || !isAbout(about, who, signing)) return refuse('another_signing')
  const { clientDataJSON, authenticatorData, signature } = answer.response
  return ok({
    passkey: passkey.id,
    public_key: passkey.public_key,
    about,
    client_data: clientDataJSON,
    authenticator_data: authenticatorData,
    signature,
  })
}
