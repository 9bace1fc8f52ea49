// Who is signed in here. The credential lives in this tab's session storage only, and goes out in a
// header, never in an address. When it ends, the page stays as it is under a question to sign in again.
import { computed, signal } from '@preact/signals'

export type Role = 'planner' | 'reviewer' | 'operator' | 'administrator'
export type Me = {
  site: string
  role: Role
  subject: string
  owner: string
  expires_ms: number | null
}

const storageKey = 'portcullis.credential'

export const credential = signal<string | null>(sessionStorage.getItem(storageKey))
credential.subscribe((token) => {
  if (token === null) sessionStorage.removeItem(storageKey)
  else sessionStorage.setItem(storageKey, token)
})

/** Null until the gateway has said. */
export const me = signal<Me | null>(null)

/** True when the gateway no longer takes the credential that this page was using. */
export const ended = signal(false)

export const isSignedIn = computed(() => credential.value !== null && !ended.value)

export function signOut(): void {
  credential.value = null
  me.value = null
  ended.value = false
}
