// Passkeys in this browser: to sign in, to sign what is displayed, and to make one. What the authenticator is
// asked comes from the gateway; what it answers goes there as it is.
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { api, Refused, type Passkey, type Resolution, type Touch } from '../api.ts'
import { templatesApi, type TemplateSignature, type TemplateView } from '../templates/api.ts'
import { me } from './who.ts'

/** In words for the person: most often they pressed cancel, or the key is not there. */
function asRefusal(cause: unknown): unknown {
  if (cause instanceof Refused) return cause
  const says = 'The passkey was not used: cancelled, not there, or not for this address.'
  return new Refused(0, 'passkey_not_used', says)
}

/** A touch that signs in; the gateway's cookie is set by it. */
export async function signInByPasskey(): Promise<void> {
  const { options } = await api.passkeyQuestion()
  const answer = await startAuthentication({ optionsJSON: options }).catch((cause: unknown) => {
    throw asRefusal(cause)
  })
  await api.signInByPasskey(answer)
}

/** A fresh touch for exactly this. */
async function touchFor(signing: Touch) {
  const { options } = await api.touchQuestion(signing)
  return startAuthentication({ optionsJSON: options }).catch((cause: unknown) => {
    throw asRefusal(cause)
  })
}

/** Makes a passkey; where there is one already, that one is asked for too. */
export async function addPasskey(name: string, isFirst: boolean): Promise<Passkey> {
  const { options } = await api.newPasskeyQuestion()
  const answer = await startRegistration({ optionsJSON: options }).catch((cause: unknown) => {
    throw asRefusal(cause)
  })
  if (isFirst) return api.addPasskey({ name, answer })
  const touch = await touchFor({ act: 'add_passkey', of: answer.id, digest: null })
  return api.addPasskey({ name, answer, touch })
}

/** Ends one of one's own: with a touch, but for administrators. */
export async function endPasskey(id: string): Promise<Passkey> {
  if (me.peek()?.role === 'administrator') return api.endPasskey(id)
  return api.endPasskey(id, await touchFor({ act: 'end_passkey', of: id, digest: null }))
}

/** Decides on a plan; where the site's policy asks for it, an acceptance is signed by a touch. */
export async function decideOn(plan: string, review: Resolution): Promise<{ state: string }> {
  try {
    return await api.resolve(plan, review)
  } catch (cause) {
    if (!(cause instanceof Refused && cause.code === 'touch_needed')) throw cause
    const touch = await touchFor({ act: 'accept_plan', of: plan, digest: review.packet_digest })
    return api.resolve(plan, { ...review, touch })
  }
}

/** Signs a standing approval, with a touch where the site's policy asks for one. */
export async function signTemplate(
  template: string,
  signature: TemplateSignature,
): Promise<TemplateView> {
  try {
    return await templatesApi.sign(template, signature)
  } catch (cause) {
    if (!(cause instanceof Refused && cause.code === 'touch_needed')) throw cause
    const touch = await touchFor({ act: 'sign_template', of: template, digest: signature.digest })
    return templatesApi.sign(template, { ...signature, touch })
  }
}
