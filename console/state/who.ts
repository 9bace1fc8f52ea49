// Who is signed in here. The sign-in itself is a cookie that no script can read; the page knows only whose
// it is. When it ends, the page stays as it is under a question to sign in again.
import { computed, signal } from '@preact/signals'

export type Role = 'planner' | 'reviewer' | 'operator' | 'administrator'
export type Me = {
  site: string
  role: Role
  subject: string
  owner: string
  credential: string
  sign_in: string | null
  expires_ms: number | null
}

/** `asking` until the gateway has answered once; `ended` when it no longer takes this sign-in. */
export type Standing = 'asking' | 'out' | 'in' | 'ended'
export const standing = signal<Standing>('asking')

/** Null until the gateway has said. Each sign-in is another object. */
export const me = signal<Me | null>(null)

export const isSignedIn = computed(() => standing.value === 'in')
export const hasEnded = computed(() => standing.value === 'ended')

/** A request of this sign-in was refused: unless somebody has signed in since, it is over. */
export function noteRefused(asked: Me | null): void {
  if (asked !== null && me.peek() === asked) standing.value = 'ended'
}
