// The list of plans that wait, kept current: read whole when the gateway says that it has changed.
import { computed, effect, signal } from '@preact/signals'
import { api, Refused, type ReviewRow } from '../api.ts'
import { listen } from './live.ts'
import { isSignedIn, me } from './who.ts'

/** Rows kept in the page; beyond it the page says that there are more. */
export const rowsMax = 5_000
/** The list is read at most this often. */
const readEveryMs = 1_000

export const rows = signal<ReviewRow[] | null>(null)
export const trouble = signal<string | null>(null)
export const waiting = signal<number | null>(null)
export const count = computed(() => rows.value?.length ?? waiting.value)

let reading = false
let again = false

/** Reads the list; asked for while it is being read, it is read once more. */
export async function readInbox(): Promise<void> {
  again = true
  if (reading) return
  reading = true
  try {
    while (again) {
      again = false
      rows.value = await api.reviews(rowsMax)
      trouble.value = null
      if (again) await new Promise((resolve) => setTimeout(resolve, readEveryMs))
    }
  } catch (cause) {
    trouble.value = cause instanceof Refused ? cause.message : String(cause)
  } finally {
    reading = false
  }
}

// One listener for each sign-in of a reviewer; a new one starts a new listener.
effect(() => {
  if (!isSignedIn.value || me.value?.role !== 'reviewer') {
    rows.value = null
    return undefined
  }
  return listen('/v1/review-events', (event, data) => {
    if (event !== 'reviews') return
    waiting.value = (data as { open: number }).open
    void readInbox()
  })
})
