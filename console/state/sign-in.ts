// Signing in and out again. A one-time code comes in the part of the address that no server
// sees, and is taken out of it before anything else happens.
import { api, Refused } from '../api.ts'
import { addressOf, go, place, replaceAddress } from './address.ts'
import { me, standing, type Me } from './who.ts'

/** The code in what somebody pasted: the code itself, or the whole link. */
export function codeIn(text: string): string {
  return (
    text
      .trim()
      .split(/#\/sign-in\//)
      .at(-1)
      ?.trim() ?? ''
  )
}

/** Whether to ask at the start of a page whose sign-in there is: a script cannot see the cookie. */
const hint = 'portcullis.signed-in'

function leave(): void {
  localStorage.removeItem(hint)
  me.value = null
  standing.value = 'out'
}

function enter(who: Me): void {
  localStorage.setItem(hint, 'yes')
  const before = me.peek()
  // Somebody else must not find, and send, what the first one had open: the page starts anew.
  if (before !== null && before.credential !== who.credential) me.value = null
  me.value = who
  standing.value = 'in'
  if (place.peek().at === 'home') {
    go(who.role === 'reviewer' ? addressOf.inbox : addressOf.cells)
  }
}

/** Shows something to the gateway, by which it sets its cookie. '' when it was taken, else why not. */
export async function signInWith(show: () => Promise<unknown>): Promise<string> {
  try {
    await show()
    // Neither history nor a screenshot keeps a code, used up or not.
    if (place.peek().at === 'sign-in') replaceAddress('#/')
    enter(await api.me())
    return ''
  } catch (cause) {
    return cause instanceof Refused ? cause.message : String(cause)
  }
}

/** Uses up a code. */
export const signInBy = (text: string): Promise<string> =>
  signInWith(() => api.signIn(codeIn(text)))

/**
 * At the start of the page: whose sign-in is there, else that of the link. A link never takes the place of a
 * sign-in unasked: somebody could be made to work under another's name. Says why a link did not work.
 */
export async function begin(): Promise<string> {
  try {
    if (localStorage.getItem(hint) !== null) {
      enter(await api.me())
      return ''
    }
  } catch (cause) {
    if (!(cause instanceof Refused && cause.status === 401)) {
      standing.value = 'out'
      return String(cause)
    }
  }
  const there = place.peek()
  if (there.at === 'sign-in') {
    replaceAddress('#/')
    const trouble = await signInBy(there.code)
    if (trouble !== '') leave()
    return trouble
  }
  leave()
  return ''
}

/** Ends this sign-in at the gateway too; the page forgets it whatever happens to the request. */
export async function signOut(): Promise<void> {
  const id = me.peek()?.sign_in ?? null
  try {
    if (id !== null) await api.endSignIn(id)
  } finally {
    leave()
  }
}
